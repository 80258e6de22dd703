#include "app/session.h"

#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QRegularExpression>

#include <atomic>
#include <utility>

namespace limber::app {

struct Session::Job {
    std::optional<std::filesystem::path> path; // none: the mannequin
    std::uint64_t revision = 0;                // of the document when the user let it go
    std::atomic<bool> cancelled = false;
    std::optional<Result<io::LoadedFile>> result;
    std::thread thread;

    [[nodiscard]] QString name() const;
};

namespace {

QString toQString(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

} // namespace

QString Session::Job::name() const {
    return path ? toQString(path->filename()) : Session::tr("the mannequin");
}

namespace {

// A place in the file as the user knows it: a mesh goes by its name.
QString placeText(const document::DocumentState& state, const std::string& where) {
    static const QRegularExpression kMesh(R"(^meshes\[(\d+)\](?:\.primitives\[(\d+)\])?)");
    const QString place = QString::fromStdString(where);
    const QRegularExpressionMatch match = kMesh.match(place);
    const qulonglong index = match.captured(1).toULongLong();
    if (!match.hasMatch() || index >= state.meshes.size() || state.meshes[index].geometry.name.empty())
        return place;
    const mesh::Mesh& mesh = state.meshes[index].geometry;
    QString text = QString::fromStdString(mesh.name);
    if (match.hasCaptured(2) && mesh.parts.size() > 1)
        text = QObject::tr("%1, part %2").arg(text).arg(match.captured(2).toInt() + 1);
    return text + place.mid(match.capturedLength());
}

} // namespace

FileNotes notesOf(const io::LoadedFile& file) {
    FileNotes found;
    for (const io::Repair& repair : file.repairs) {
        const QString text = QString::fromStdString(repair.text), where = placeText(file.state, repair.where);
        (repair.count == 0 ? found.information : found.warnings)
            << (where.isEmpty() ? text : QString("%1: %2").arg(where, text));
    }
    QStringList& notes = found.information;
    const document::DocumentState& state = file.state;
    const auto rigid = std::count_if(state.instances.begin(), state.instances.end(),
                                     [](const document::Instance& instance) { return !instance.skin.valid(); });
    if (rigid > 0)
        notes << (rigid == 1 ? QObject::tr("1 mesh is rigid: it follows its joint")
                             : QObject::tr("%1 meshes are rigid: they follow their joints").arg(rigid));
    const bool bent = std::any_of(state.pose.begin(), state.pose.end(), [](const rig::Affine& userLocal) {
        return math::distance(userLocal, rig::Affine::Identity()) > 1e-4;
    });
    if (bent)
        notes << QObject::tr("The pose in the file differs from the bind pose");
    return found;
}

Session::Session(ui::Editor& editor, Settings& settings) : editor_(editor), settings_(settings) {}

Session::~Session() {
    abandon();
    for (const auto& job : abandoned_)
        job->thread.join();
    if (saveThread_.joinable())
        saveThread_.join();
}

bool Session::isGltf(const std::filesystem::path& path) {
    const QString extension = toQString(path.extension()).toLower();
    return extension == ".glb" || extension == ".gltf";
}

void Session::attach(ui::MainWindow& window) {
    window_ = &window;
    useDialogs();
    window.mayClose = [this] { return mayDiscard(); };
    connect(&window, &ui::MainWindow::fileDropped, this,
            [this](const QString& path) { open(std::filesystem::path(path.toStdString())); });
}

QString Session::name() const {
    return path_.empty() ? tr("Mannequin") : toQString(path_.filename());
}

void Session::open(const std::filesystem::path& path) {
    if (mayDiscard())
        start(path);
}

void Session::openMannequin() {
    if (mayDiscard())
        start(std::nullopt);
}

void Session::cancelOpening() {
    if (const auto job = abandon())
        refuse(*job, tr("Opening %1 was cancelled").arg(job->name()));
}

std::shared_ptr<Session::Job> Session::abandon() {
    if (!job_)
        return nullptr;
    job_->cancelled = true;
    abandoned_.push_back(std::move(job_));
    if (window_)
        window_->status().endWork();
    return abandoned_.back();
}

void Session::refuse(const Job& job, const QString& message) {
    editor_.say(message);
    emit failed(tr("cancelled"));
    fallBack(job);
}

void Session::start(std::optional<std::filesystem::path> path) {
    abandon();
    job_ = std::make_shared<Job>();
    job_->path = std::move(path);
    job_->revision = editor_.document().revision();
    if (window_) {
        // What made us fall back to the mannequin is still to be read.
        if (job_->path)
            window_->frame().hideNotice();
        const QString what =
            job_->path ? tr("Opening %1").arg(toQString(job_->path->filename())) : tr("Making the mannequin");
        window_->status().beginWork(what, [this] { cancelOpening(); });
    }
    job_->thread = std::thread([this, job = job_] {
        OpenProgress progress;
        progress.cancelled = &job->cancelled;
        progress.report = [this, job](double fraction, const std::string& stage) {
            QMetaObject::invokeMethod(
                this,
                [this, job, fraction, text = QString::fromStdString(stage)] {
                    if (job == job_ && window_)
                        window_->status().setWorkProgress(fraction, text);
                },
                Qt::QueuedConnection);
        };
        job->result.emplace(job->path ? openFile(*job->path, progress) : app::openMannequin());
        QMetaObject::invokeMethod(
            this, [this, job] { finish(job); }, Qt::QueuedConnection);
    });
}

void Session::finish(const std::shared_ptr<Job>& job) {
    job->thread.join();
    if (job != job_) {
        std::erase(abandoned_, job);
        return;
    }
    job_.reset();
    if (window_)
        window_->status().endWork();
    Result<io::LoadedFile>& result = *job->result;
    if (!result) {
        const QString why = QString::fromStdString(result.error().message());
        notice(tr("%1 could not be opened").arg(job->name()), why);
        if (job->path)
            settings_.removeRecentFile(toQString(*job->path));
        fillRecent();
        emit failed(why);
        fallBack(*job);
        return;
    }
    // The user has agreed to lose what was there at the start, not what was done while the file was read.
    if (editor_.document().revision() != job->revision && !mayDiscard()) {
        refuse(*job, tr("%1 was not opened: the document stays with its changes").arg(job->name()));
        return;
    }
    if (!job_) // else another was begun during the question
        takeFile(std::move(result).value(), job->path);
}

// An empty window is no use: without any document there is at least the mannequin.
void Session::fallBack(const Job& failedJob) {
    if (!source_ && failedJob.path && !job_)
        start(std::nullopt);
}

void Session::takeFile(io::LoadedFile file, const std::optional<std::filesystem::path>& path) {
    source_ = file.source;
    path_ = path ? std::filesystem::absolute(*path) : std::filesystem::path();
    savesInPlace_ = path && isGltf(*path) && (file.format == "glb" || file.format == "gltf");
    stampFiles();
    FileNotes notes = notesOf(file);
    editor_.replaceDocument(std::move(file.state), std::move(notes.warnings), std::move(notes.information));
    if (path)
        settings_.addRecentFile(toQString(path_));
    fillRecent();
    if (window_)
        window_->setDocumentName(name());
    emit opened();
}

std::optional<Session::Stamp> Session::stampOf(const std::filesystem::path& path) {
    std::error_code failed;
    Stamp stamp;
    stamp.time = std::filesystem::last_write_time(path, failed);
    if (failed)
        return std::nullopt;
    stamp.size = std::filesystem::file_size(path, failed);
    if (failed)
        return std::nullopt;
    return stamp;
}

void Session::stampFiles() {
    stamps_.clear();
    if (path_.empty())
        return;
    stamps_.emplace_back(path_, stampOf(path_));
    for (const std::filesystem::path& file : source_ ? io::filesBeside(*source_) : std::vector<std::filesystem::path>{})
        stamps_.emplace_back(file, stampOf(file));
}

std::optional<QString> Session::changedFile() const {
    for (const auto& [file, stamp] : stamps_)
        if (const auto now = stampOf(file); now && now != stamp)
            return toQString(file.filename());
    return std::nullopt;
}

bool Session::mayDiscard() {
    waitForSaving();
    if (!editor_.isModified() || !askUnsaved)
        return true;
    switch (askUnsaved()) {
    case Answer::Save:
        return save();
    case Answer::Discard:
        return true;
    case Answer::Cancel:
        break;
    }
    return false;
}

void Session::notice(const QString& what, const QString& why) {
    if (window_)
        window_->frame().showNotice(what, why);
}

} // namespace limber::app
