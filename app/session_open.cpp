// The part of Session that opens files and takes what was read.
#include "app/freed_memory.h"
#include "app/paths.h"
#include "app/session.h"
#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <utility>

namespace limber::app {

namespace {

constexpr int kGesturePollMs = 30;
constexpr int kTidyMs = 1000;                  // by then the driver has let go of what the last document was drawn from
constexpr int kLookAgainMs = 250, kLooks = 10; // a process that was killed is gone by then

QString othersText(std::size_t others) {
    return others == 1
               ? Session::tr("Changes to one more file can be recovered: File > Recover Changes\u2026")
               : Session::tr("Changes to %1 more files can be recovered: File > Recover Changes\u2026").arg(others);
}

// A thread has nobody above it who could catch.
Result<Opening> read(const std::optional<std::filesystem::path>& path, const std::optional<Recoverable>& journal,
                     const OpenProgress& progress) {
    try {
        return journal ? openRecovered(*journal, progress) : openStamped(path, progress);
    } catch (const std::exception& e) {
        return Error{ErrorCode::Failed, std::string("Something unexpected went wrong: ") + e.what() + ".",
                     path ? path->string() : ""};
    }
}

} // namespace

struct Session::Job {
    std::optional<std::filesystem::path> path; // none: the mannequin
    std::optional<Recoverable> journal;        // whose changes come with it
    std::size_t others = 0;                    // journals that were not asked about, as this one was chosen
    std::uint64_t revision = 0;                // of the document when the user let it go
    std::unique_ptr<QLockFile> lock;           // of the path, where it is not open already
    std::atomic<bool> cancelled = false, done = false;
    std::optional<Result<Opening>> result;
    std::thread thread;

    [[nodiscard]] QString name() const { return path ? toQString(path->filename()) : Session::tr("the mannequin"); }
};

Session::~Session() {
    abandon();
    for (const auto& job : abandoned_)
        if (job->thread.joinable())
            job->thread.join();
    if (saveThread_.joinable())
        saveThread_.join();
    if (journal_ && !editor_.isModified())
        journal_->end();
}

void Session::begin(const std::optional<std::filesystem::path>& path) {
    if (!offerRecovery(path))
        startOpening(path);
}

void Session::open(const std::filesystem::path& path) {
    if (mayDiscard() && !offerRecovery(path))
        startOpening(path);
}

void Session::openMannequin() {
    if (mayDiscard())
        startOpening(std::nullopt);
}

void Session::startOpening(const std::optional<std::filesystem::path>& path) {
    auto job = std::make_shared<Job>();
    if (path)
        job->path = tidy(*path);
    if (lock(*job))
        start(job);
}

bool Session::offerRecovery(const std::optional<std::filesystem::path>& of) {
    if (state_.empty() || !askRecover)
        return false;
    FoundJournals found = findRecoverable(state_, of);
    if (found.more && !std::exchange(looksAgain_, true))
        lookAgain(of, kLooks);
    return offer(std::move(found.journals));
}

// What the process that is being killed has left is offered when it is gone, unless there is new work by then.
void Session::lookAgain(const std::optional<std::filesystem::path>& of, int tries) {
    QTimer::singleShot(kLookAgainMs, this, [this, of, tries] {
        looksAgain_ = tries > 1;
        const bool busy = gestureGoesOn() || saving_ || job_ || QApplication::activeModalWidget();
        FoundJournals found;
        if (!busy) {
            if (!path_.empty() && !fileLock_)
                fileLock_ = lockFile(state_, path_).lock;
            found = findRecoverable(state_, of);
            looksAgain_ &= found.more;
        }
        if (looksAgain_)
            lookAgain(of, busy ? tries : tries - 1);
        if (found.journals.empty())
            return;
        if (editor_.isModified())
            editor_.say(othersText(found.journals.size()));
        else
            offer(std::move(found.journals));
    });
}

bool Session::offer(std::vector<Recoverable> found) {
    for (std::size_t k = 0; k < found.size(); ++k) {
        Recoverable& journal = found[k];
        switch (askRecover(journal)) {
        case RecoveryAnswer::Recover:
            startRecovery(std::move(journal), found.size() - k - 1);
            return true;
        case RecoveryAnswer::Discard:
            discard(journal);
            break;
        case RecoveryAnswer::Later:
            break;
        }
    }
    return false;
}

void Session::startRecovery(Recoverable journal, std::size_t others) {
    auto job = std::make_shared<Job>();
    job->others = others;
    if (!journal.file().empty())
        job->path = journal.file();
    job->journal = std::move(journal);
    if (lock(*job))
        start(job);
}

// False where another window has the file open and the user leaves it to that one.
bool Session::lock(Job& job) {
    if (state_.empty() || !job.path || (fileLock_ && isSameFile(*job.path, path_)))
        return true;
    FileLock taken = lockFile(state_, *job.path);
    job.lock = std::move(taken.lock);
    if (taken.ending && !std::exchange(looksAgain_, true))
        lookAgain(job.path, kLooks);
    if (!taken.elsewhere || !askOpenTwice || askOpenTwice(job.name()))
        return true;
    refuse(job, tr("%1 was not opened: another window has it").arg(job.name()));
    return false;
}

void Session::start(const std::shared_ptr<Job>& job) {
    abandon();
    job_ = job;
    job->revision = editor_.document().revision();
    if (window_) {
        // What made us fall back to the mannequin is still to be read.
        if (job->path)
            window_->frame().hideNotice();
        const QString what = job->path ? tr("Opening %1").arg(job->name()) : tr("Making the mannequin");
        window_->status().beginWork(what, [this] { cancelOpening(); });
    }
    job->thread = std::thread([this, job] {
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
        job->result.emplace(read(job->path, job->journal, progress));
        QMetaObject::invokeMethod(
            this, [this, job] { finish(job); }, Qt::QueuedConnection);
        job->done = true;
    });
}

void Session::cancelOpening() {
    if (const auto job = abandon())
        refuse(*job, tr("Opening %1 was cancelled").arg(job->name()));
}

std::shared_ptr<Session::Job> Session::abandon() {
    if (!job_)
        return nullptr;
    job_->cancelled = true;
    job_->lock.reset();
    abandoned_.push_back(std::move(job_));
    if (window_)
        window_->status().endWork();
    return abandoned_.back();
}

bool Session::stillReading(int milliseconds) {
    abandon();
    QElapsedTimer clock;
    clock.start();
    const auto reads = [this] {
        return std::any_of(abandoned_.begin(), abandoned_.end(), [](const auto& job) { return !job->done; });
    };
    while (reads() && clock.elapsed() < milliseconds)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // Who leaves without tidying up must not leave a journal that was just ended.
    flushJournal();
    return reads();
}

void Session::refuse(const Job& job, const QString& message) {
    editor_.say(job.others > 0 ? message + ". " + othersText(job.others) : message);
    emit failed(tr("cancelled"));
    fallBack(job);
}

void Session::finish(const std::shared_ptr<Job>& job) {
    job->thread.join();
    finishOpening(job);
}

void Session::finishOpening(const std::shared_ptr<Job>& job) {
    if (job != job_) {
        std::erase(abandoned_, job);
        return;
    }
    // A stroke that is going on is not dropped, nor is a question put under the moving hand.
    if (gestureGoesOn()) {
        QTimer::singleShot(kGesturePollMs, this, [this, job] { finishOpening(job); });
        return;
    }
    job_.reset();
    if (window_)
        window_->status().endWork();
    const Result<Opening>& result = *job->result;
    if (!result) {
        const QString why = QString::fromStdString(result.error().message());
        notice(job->journal ? tr("%1 could not be opened; its changes are kept for later").arg(job->name())
                            : tr("%1 could not be opened").arg(job->name()),
               job->others > 0 ? why + '\n' + othersText(job->others) : why);
        if (job->path)
            settings_.removeRecentFile(toQString(*job->path));
        fillRecent();
        emit failed(why);
        return fallBack(*job);
    }
    // The user has agreed to lose what was there at the start, not what was done while the file was read.
    if (editor_.document().revision() != job->revision && !mayDiscard())
        return refuse(*job, tr("%1 was not opened: the document stays with its changes").arg(job->name()));
    if (result->changed && !(askOpenChanged && askOpenChanged(job->name())))
        return refuse(*job, tr("The changes to %1 are kept for later").arg(job->name()));
    if (!job_) // else another was begun during the question
        take(*job);
}

// An empty window is no use: without any document there is at least the mannequin.
void Session::fallBack(const Job& failedJob) {
    if (!source_ && !job_ && (failedJob.path || failedJob.journal))
        startOpening(std::nullopt);
}

void Session::take(Job& job) {
    Opening& opening = **job.result;
    io::LoadedFile& file = opening.loaded;
    source_ = file.source;
    const std::filesystem::path before = std::exchange(path_, opening.header.path);
    savesInPlace_ = job.path && isGltf(*job.path) && (file.format == "glb" || file.format == "gltf");
    stamps_ = opening.stamps;
    if (job.lock || !isSameFile(before, path_))
        fileLock_ = std::move(job.lock);
    FileNotes notes = notesOf(file);
    keepJournal(job, opening);
    editor_.replaceDocument(std::move(file.state), std::move(notes.warnings), std::move(notes.information),
                            std::move(opening.history));
    if (job.path)
        settings_.addRecentFile(toQString(path_));
    fillRecent();
    if (window_)
        window_->setDocumentName(name());
    say(job, opening);
    if (!state_.empty() && !ownJournal_.lock && !std::exchange(locksTold_, true))
        tellUnwritableState(QString::fromStdString(ownJournal_.why));
    emit opened();
    QTimer::singleShot(kTidyMs, this, returnFreedMemory);
}

void Session::say(const Job& job, const Opening& opening) {
    if (!job.journal || opening.changed)
        return;
    const int changes = static_cast<int>(job.journal->summary.changes);
    const QString recovered = changes == 1 ? tr("Recovered 1 change; it is not saved yet")
                                           : tr("Recovered %1 changes; they are not saved yet").arg(changes);
    if (job.others > 0) // not to be missed
        notice(recovered, othersText(job.others));
    else if (opening.left == 0)
        editor_.say(recovered);
    if (opening.left == 0)
        return;
    notice(tr("Not all changes to %1 could be recovered").arg(job.name()),
           tr("%1 of %2 steps were put back; the others do not belong to what was read.")
               .arg(opening.entries.size())
               .arg(opening.entries.size() + opening.left));
}

// A journal that does not fit the file any more stays where it is: the file may come back.
void Session::keepJournal(const Job& job, Opening& opening) {
    if (!journal_)
        return;
    opening.header.process = static_cast<std::uint64_t>(QCoreApplication::applicationPid());
    opening.header.began = QDateTime::currentSecsSinceEpoch();
    if (!job.journal || opening.changed) {
        journal_->begin(std::move(opening.header));
        return;
    }
    recovered_ = job.journal->lock; // until the old journal is gone
    journal_->resume(std::move(opening.header), opening.entries, job.journal->journal);
}

} // namespace limber::app
