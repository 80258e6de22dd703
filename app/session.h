// The open file: opening (in a worker thread), saving, closing, recovering, and the questions that go with them.
#pragma once

#include "app/recovery.h"
#include "app/settings.h"
#include "core/history/journal.h"
#include "ui/main_window.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

class QMenu;

namespace limber::app {

// What the user should know about a file that was read.
struct FileNotes {
    QStringList warnings;    // what was repaired
    QStringList information; // units, meshes that no skin moves, a pose other than bind
};
[[nodiscard]] FileNotes notesOf(const io::LoadedFile& file);

class Session : public QObject {
    Q_OBJECT
public:
    Session(ui::Editor& editor, Settings& settings);
    // Cancels what is being opened and waits for its thread. The journal goes unless something is not saved.
    ~Session() override;

    void addActions(ui::Actions& actions); // the File menu
    void attach(ui::MainWindow& window);   // must outlive the session's use of it
    // Where a journal of what is edited and the locks of open files are kept; before this, and for an empty folder,
    // there are none.
    void keepState(const std::filesystem::path& folder);

    // The first opening: of the file, of what a crash has left and the user wants back, or of the mannequin.
    void begin(const std::optional<std::filesystem::path>& path);
    // Offers what windows that crashed have left (of this file alone, where one is given). True where it is being
    // opened.
    bool offerRecovery(const std::optional<std::filesystem::path>& of = std::nullopt);

    // Both ask about unsaved changes first, return at once and end with opened() or failed().
    // The open document stays until the new one is complete and no drag or stroke is going on.
    void open(const std::filesystem::path& path);
    void openMannequin();
    [[nodiscard]] bool opening() const { return job_ != nullptr; }
    // At once: the document stays, and what is still being read is left to end by itself.
    void cancelOpening();
    // For leaving the program: cancels, and says whether some thread still reads after `milliseconds`.
    [[nodiscard]] bool stillReading(int milliseconds);

    void flushJournal(); // waits until all that was done is on the disk

    // Writes what the document is now, in a worker thread; editing may go on meanwhile. One file at a time: a save that
    // is going on is waited for first. The end is shown in the window, and saved() or saveFailed() sent.
    void startSaving(const std::filesystem::path& path);
    [[nodiscard]] bool saving() const { return saving_ != nullptr; }
    bool waitForSaving(); // true where nothing was being saved, or it was saved; takes no input meanwhile

    // The same, and wait. False where it was not saved; the window then shows why, and the document is as it was.
    bool save();
    bool saveAs();
    bool saveTo(const std::filesystem::path& path);
    // Waits for a save that is going on and asks about unsaved changes; true when the document may go.
    [[nodiscard]] bool mayDiscard();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; } // empty for the mannequin
    [[nodiscard]] QString name() const;

    // The questions, answered by dialogs of the window; tests put their own answers here.
    enum class Answer { Save, Discard, Cancel };
    enum class RecoveryAnswer { Recover, Discard, Later };
    std::function<Answer()> askUnsaved;
    std::function<bool(const QString& file)> askOverwriteChanged;
    std::function<QString(const QString& suggestion)> askSavePath;
    std::function<bool(const QString& file)> askReplace; // a file that the dialog has not asked about
    std::function<QString()> askOpenPath;
    std::function<bool(const QString& file)> askOpenTwice;    // another window has it open
    std::function<bool(const QString& file)> askSaveOverOpen; // the same, and it is to be replaced
    std::function<RecoveryAnswer(const Recoverable& journal)> askRecover;
    std::function<bool(const QString& file)> askOpenChanged; // without the changes, which no longer fit

    // A drag or stroke is going on, which a document that comes now would end.
    std::function<bool()> gestureGoesOn;

signals:
    void opened();
    void failed(const QString& reason);
    void saved();
    void saveFailed(const QString& reason);

private:
    struct Job;    // one opening
    struct Saving; // one save

    void start(const std::shared_ptr<Job>& job);
    void startOpening(const std::optional<std::filesystem::path>& path);
    bool offer(std::vector<Recoverable> found);
    void startRecovery(Recoverable journal, std::size_t others);
    void lookAgain(const std::optional<std::filesystem::path>& of, int tries);
    void finish(const std::shared_ptr<Job>& job);
    void finishOpening(const std::shared_ptr<Job>& job);
    std::shared_ptr<Job> abandon();
    void refuse(const Job& job, const QString& message);
    void fallBack(const Job& failedJob);
    void take(Job& job);
    void say(const Job& job, const Opening& opening);
    [[nodiscard]] bool lock(Job& job);

    void keepJournal(const Job& job, Opening& opening);
    void tellUnwritableState(const QString& why);
    void note(const history::Step& step);

    void write(const std::shared_ptr<Saving>& saving);
    void finishSaving(const std::shared_ptr<Saving>& saving);
    void takeSaved(Saving& saving);
    [[nodiscard]] std::optional<std::filesystem::path> savePath();   // asks where the answer is not clear
    [[nodiscard]] std::optional<std::filesystem::path> saveAsPath(); // asks

    void recoverAsked();
    void fillRecent();
    void useDialogs();
    void useFileDialogs();
    void notice(const QString& what, const QString& why);
    void noticeNotSaved(const QString& what, const QString& why); // with Save As to hand

    ui::Editor& editor_;
    Settings& settings_;
    ui::MainWindow* window_ = nullptr;
    QMenu* recent_ = nullptr;

    std::shared_ptr<const io::GltfSource> source_;
    std::filesystem::path path_;
    bool savesInPlace_ = false; // the path is a glTF file
    FileStamps stamps_;         // of the file and of what it names, as we read or wrote them

    std::filesystem::path state_;         // empty: no journal, no locks
    std::unique_ptr<QLockFile> fileLock_; // of path_; none where another window has it
    OwnJournal ownJournal_;               // its lock outlives the journal
    bool locksTold_ = false;              // that there are none
    bool looksAgain_ = false;             // for what a process leaves that is being killed
    std::unique_ptr<history::Journal> journal_;
    std::shared_ptr<QLockFile> recovered_; // of the journal that the document came from

    std::shared_ptr<Job> job_;
    std::vector<std::shared_ptr<Job>> abandoned_; // still running, of no use any more
    std::shared_ptr<Saving> saving_;
    std::thread saveThread_;
};

} // namespace limber::app
