// The part of Session that writes the file.
#include "app/paths.h"
#include "app/session.h"
#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <exception>
#include <new>
#include <utility>

namespace limber::app {

struct Session::Saving {
    std::filesystem::path path;
    std::shared_ptr<const io::GltfSource> source;
    document::Document document;      // as it was at the start
    std::uint64_t revision = 0;       // of the document that it was copied from
    std::vector<history::Step> steps; // made since then
    io::SaveOptions options;
    std::optional<FileStamps> expected; // what the file and those beside it should still hold
    bool replaced = false;              // the file is the new one, whatever else failed

    std::optional<QString> changed; // found to hold something else; nothing was written
    std::optional<Result<std::vector<std::string>>> result;
    FileStamps stamps; // after it
    bool succeeded = false;

    void run(); // on the thread that saves
};

namespace {

// A thread has nobody above it who could catch.
template <class Work> Status guarded(const std::filesystem::path& path, Work work) {
    try {
        work();
        return {};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::WriteFailed, "There is not enough memory to write the file.", path.string()};
    } catch (const std::exception& e) {
        return Error{ErrorCode::WriteFailed, std::string("Something unexpected went wrong: ") + e.what() + ".",
                     path.string()};
    }
}

} // namespace

void Session::Saving::run() {
    if (const auto other = expected ? expected->changed() : std::nullopt) {
        changed = toQString(other->filename());
        return;
    }
    options.replaced = &replaced;
    result.emplace(io::saveGltf(*source, document, path, options));
    if (!*result && !replaced)
        return;
    std::vector<std::filesystem::path> files = io::filesBeside(*source);
    files.insert(files.begin(), path);
    stamps = FileStamps::of(files);
}

std::optional<std::filesystem::path> Session::savePath() {
    if (!source_)
        return std::nullopt;
    return savesInPlace_ ? path_ : saveAsPath();
}

std::optional<std::filesystem::path> Session::saveAsPath() {
    if (!source_ || !askSavePath)
        return std::nullopt;
    std::filesystem::path suggestion = path_.empty() ? std::filesystem::path("mannequin.glb") : path_;
    if (!isGltf(suggestion))
        suggestion.replace_extension(".glb");
    const QString chosen = askSavePath(toQString(suggestion));
    if (chosen.isEmpty())
        return std::nullopt;
    std::filesystem::path target = toPath(chosen);
    // The dialog has asked about the name that was typed, not about one with an extension.
    const bool typed = isGltf(target);
    if (!typed)
        target += ".glb";
    std::error_code ignored;
    const QString name = toQString(target.filename());
    if (!std::filesystem::exists(target, ignored))
        return target;
    if (!state_.empty() && !isSameFile(target, path_) && lockFile(state_, target).elsewhere)
        return askSaveOverOpen && askSaveOverOpen(name) ? std::optional(target) : std::nullopt;
    return typed || (askReplace && askReplace(name)) ? std::optional(target) : std::nullopt;
}

bool Session::save() {
    const auto path = savePath();
    return path && saveTo(*path);
}

bool Session::saveAs() {
    const auto path = saveAsPath();
    return path && saveTo(*path);
}

bool Session::saveTo(const std::filesystem::path& path) {
    if (!source_)
        return false;
    startSaving(path);
    return waitForSaving();
}

void Session::startSaving(const std::filesystem::path& path) {
    if (!source_)
        return;
    waitForSaving();
    // What is only tried out in the document is no part of it; the frame of a clip is not in it at all.
    if (!editor_.holdsPreview())
        editor_.cancelPreview();
    saving_ = std::make_shared<Saving>();
    saving_->path = tidy(path);
    saving_->source = source_;
    saving_->document = document::Document(editor_.document().state());
    saving_->revision = editor_.document().revision();
    saving_->options.backups = settings_.backups();
    if (isSameFile(path, path_))
        saving_->expected = stamps_;
    write(saving_);
}

// A file that somebody else has changed is found by the thread: all of it has to be read for that.
void Session::write(const std::shared_ptr<Saving>& saving) {
    if (window_)
        window_->status().beginWork(tr("Saving %1").arg(toQString(saving->path.filename())), {});
    saveThread_ = std::thread([this, saving] {
        // What fails behind a save that went well does not undo it.
        if (const Status done = guarded(saving->path, [&] { saving->run(); }); !done && !saving->result)
            saving->result.emplace(done.error());
        QMetaObject::invokeMethod(
            this, [this, saving] { finishSaving(saving); }, Qt::QueuedConnection);
    });
}

bool Session::waitForSaving() {
    const std::shared_ptr<Saving> waited = saving_;
    if (!waited)
        return true;
    QEventLoop loop;
    connect(this, &Session::saved, &loop, &QEventLoop::quit);
    connect(this, &Session::saveFailed, &loop, &QEventLoop::quit);
    // Another wait may have seen the end while this one was about to begin.
    while (saving_ == waited)
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    return waited->succeeded;
}

void Session::finishSaving(const std::shared_ptr<Saving>& saving) {
    saveThread_.join();
    if (window_)
        window_->status().endWork();
    const QString name = toQString(saving->path.filename());
    if (const auto changed = std::exchange(saving->changed, std::nullopt)) {
        if (askOverwriteChanged && askOverwriteChanged(*changed)) {
            saving->expected.reset();
            return write(saving);
        }
        saving_.reset();
        noticeNotSaved(tr("%1 was not saved: another program has changed %2").arg(name, *changed),
                       tr("Nothing is lost: your changes are still open."));
        emit saveFailed(tr("%1 was changed by another program").arg(*changed));
        return;
    }
    saving_.reset();
    if (const auto& result = *saving->result; !result) {
        const QString why = QString::fromStdString(result.error().message());
        if (saving->replaced && isSameFile(saving->path, path_))
            stamps_ = saving->stamps; // what is there now is ours
        noticeNotSaved(tr("%1 could not be saved").arg(name),
                       tr("%1 Nothing is lost: your changes are still open.").arg(why));
        emit saveFailed(why);
        return;
    }
    saving->succeeded = true;
    takeSaved(*saving);
    const bool current = editor_.document().revision() == saving->revision;
    if (current)
        editor_.markClean();
    if (window_) {
        window_->frame().hideNotice();
        window_->setDocumentName(name);
    }
    QStringList parts{tr("Saved %1.").arg(name)};
    if (!current)
        parts << tr("What was changed since then is not in it.");
    for (const std::string& note : **saving->result)
        parts << QString::fromStdString(note);
    editor_.say(parts.size() > 1 ? parts.join(' ') : tr("Saved %1").arg(name));
    emit saved();
}

// From here on the document is that file, and the journal tells what comes after it.
void Session::takeSaved(Saving& saving) {
    if (!state_.empty() && (!fileLock_ || !isSameFile(path_, saving.path))) {
        fileLock_.reset();
        fileLock_ = lockFile(state_, saving.path).lock;
    }
    path_ = saving.path;
    savesInPlace_ = true;
    stamps_ = saving.stamps;
    settings_.addRecentFile(toQString(path_));
    fillRecent();
    if (!journal_)
        return;
    const FileStamp stamp = stamps_.front();
    journal_->begin({.path = path_.string(),
                     .fileHash = stamp.hash,
                     .fileSize = stamp.size,
                     .process = static_cast<std::uint64_t>(QCoreApplication::applicationPid()),
                     .began = QDateTime::currentSecsSinceEpoch(),
                     .shapes = history::shapeIdsOf(saving.document.state()),
                     .orders = document::vertexOrders(saving.document.state())},
                    std::move(saving.steps));
}

void Session::note(const history::Step& step) {
    if (saving_)
        saving_->steps.push_back(step);
    if (journal_)
        journal_->append(step);
}

} // namespace limber::app
