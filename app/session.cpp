#include "app/session.h"

#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <atomic>
#include <utility>

namespace limber::app {

struct Session::Job {
    std::optional<std::filesystem::path> path; // none: the mannequin
    std::atomic<bool> cancelled = false;
    std::optional<Result<io::LoadedFile>> result;
};

namespace {

QString toQString(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
} // namespace

QStringList notesOf(const io::LoadedFile& file) {
    QStringList notes;
    for (const io::Repair& repair : file.repairs) {
        const QString text = QString::fromStdString(repair.text), where = QString::fromStdString(repair.where);
        notes << (where.isEmpty() ? text : QString("%1: %2").arg(where, text));
    }
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
    return notes;
}

Session::Session(ui::Editor& editor, Settings& settings) : editor_(editor), settings_(settings) {}

Session::~Session() {
    cancelOpening();
    join();
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
    if (job_)
        job_->cancelled = true;
}

void Session::start(std::optional<std::filesystem::path> path) {
    cancelOpening();
    join();
    job_ = std::make_shared<Job>();
    job_->path = std::move(path);
    if (window_) {
        // What made us fall back to the mannequin is still to be read.
        if (job_->path)
            window_->frame().hideNotice();
        const QString what =
            job_->path ? tr("Opening %1").arg(toQString(job_->path->filename())) : tr("Making the mannequin");
        window_->status().beginWork(what, [this] { cancelOpening(); });
    }
    thread_ = std::thread([this, job = job_] {
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

void Session::join() {
    if (thread_.joinable())
        thread_.join();
}

void Session::finish(const std::shared_ptr<Job>& job) {
    if (job != job_)
        return;
    job_.reset();
    join();
    if (window_)
        window_->status().endWork();
    Result<io::LoadedFile>& result = *job->result;
    const QString name = job->path ? toQString(job->path->filename()) : tr("the mannequin");
    if (job->cancelled || (!result && result.error().code == ErrorCode::Cancelled)) {
        editor_.say(tr("Opening %1 was cancelled").arg(name));
        emit failed(tr("cancelled"));
        fallBack(*job);
        return;
    }
    if (!result) {
        const QString why = QString::fromStdString(result.error().message());
        notice(tr("%1 could not be opened").arg(name), why);
        if (job->path)
            settings_.removeRecentFile(toQString(*job->path));
        fillRecent();
        emit failed(why);
        fallBack(*job);
        return;
    }
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
    stamp_ = path ? stampOf(path_) : std::nullopt;
    QStringList notes = notesOf(file);
    editor_.replaceDocument(std::move(file.state), std::move(notes));
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
