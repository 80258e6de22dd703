// The part of Session that writes the file.
#include "app/session.h"
#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QEventLoop>

#include <utility>

namespace limber::app {

struct Session::Saving {
    std::filesystem::path path;
    std::shared_ptr<const io::GltfSource> source;
    document::Document document; // as it was at the start
    std::uint64_t revision = 0;  // of the document that it was copied from
    std::optional<Result<std::vector<std::string>>> result;
    bool succeeded = false;
};

namespace {

QString toQString(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

// A thread has nobody above it who could catch.
Result<std::vector<std::string>> write(const io::GltfSource& source, const document::Document& document,
                                       const std::filesystem::path& path) {
    try {
        return io::saveGltf(source, document, path);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::WriteFailed, "There is not enough memory to write the file.", path.string()};
    } catch (const std::exception& e) {
        return Error{ErrorCode::WriteFailed, std::string("Something unexpected went wrong: ") + e.what() + ".",
                     path.string()};
    }
}

} // namespace

std::optional<std::filesystem::path> Session::savePath() {
    if (!source_)
        return std::nullopt;
    if (!savesInPlace_)
        return saveAsPath();
    waitForSaving();
    const std::optional<QString> changed = changedFile();
    if (changed && !(askOverwriteChanged && askOverwriteChanged(*changed)))
        return std::nullopt;
    return path_;
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
    std::filesystem::path target(chosen.toStdString());
    if (isGltf(target))
        return target;
    // The dialog has asked about the name that was typed, not about this one.
    target += ".glb";
    std::error_code ignored;
    if (std::filesystem::exists(target, ignored) && !(askReplace && askReplace(toQString(target.filename()))))
        return std::nullopt;
    return target;
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
    saving_->path = path;
    saving_->source = source_;
    saving_->document = document::Document(editor_.document().state());
    saving_->revision = editor_.document().revision();
    if (window_)
        window_->status().beginWork(tr("Saving %1").arg(toQString(path.filename())), {});
    saveThread_ = std::thread([this, saving = saving_] {
        saving->result.emplace(write(*saving->source, saving->document, saving->path));
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
    saving_.reset();
    if (window_)
        window_->status().endWork();
    const QString name = toQString(saving->path.filename());
    if (const auto& result = *saving->result; !result) {
        const QString why = QString::fromStdString(result.error().message());
        notice(tr("%1 could not be saved; the document is unchanged and still open").arg(name), why);
        emit saveFailed(why);
        return;
    }
    saving->succeeded = true;
    path_ = std::filesystem::absolute(saving->path);
    savesInPlace_ = true;
    stampFiles();
    settings_.addRecentFile(toQString(path_));
    fillRecent();
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

} // namespace limber::app
