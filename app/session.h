// The open file: opening (in a worker thread), saving, closing, and the questions that go with them.
#pragma once

#include "app/open_file.h"
#include "app/settings.h"
#include "ui/main_window.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
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
    ~Session() override; // cancels what is being opened and waits for its thread

    void addActions(ui::Actions& actions); // the File menu
    void attach(ui::MainWindow& window);   // must outlive the session's use of it

    // Both ask about unsaved changes first, return at once and end with opened() or failed().
    // The open document stays until the new one is complete.
    void open(const std::filesystem::path& path);
    void openMannequin();
    [[nodiscard]] bool opening() const { return job_ != nullptr; }
    // At once: the document stays, and what is still being read is left to end by itself.
    void cancelOpening();

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
    std::function<Answer()> askUnsaved;
    std::function<bool(const QString& file)> askOverwriteChanged;
    std::function<QString(const QString& suggestion)> askSavePath;
    std::function<bool(const QString& file)> askReplace; // a file that the dialog has not asked about
    std::function<QString()> askOpenPath;

signals:
    void opened();
    void failed(const QString& reason);
    void saved();
    void saveFailed(const QString& reason);

private:
    struct Job;    // one opening
    struct Saving; // one save
    struct Stamp {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    static bool isGltf(const std::filesystem::path& path); // by its extension
    static std::optional<Stamp> stampOf(const std::filesystem::path& path);

    void start(std::optional<std::filesystem::path> path);
    void finish(const std::shared_ptr<Job>& job);
    std::shared_ptr<Job> abandon();
    void refuse(const Job& job, const QString& message);
    void fallBack(const Job& failedJob);
    void takeFile(io::LoadedFile file, const std::optional<std::filesystem::path>& path);
    void stampFiles();
    [[nodiscard]] std::optional<QString> changedFile() const; // its name, where another program wrote one
    void finishSaving(const std::shared_ptr<Saving>& saving);
    [[nodiscard]] std::optional<std::filesystem::path> savePath();   // asks where the answer is not clear
    [[nodiscard]] std::optional<std::filesystem::path> saveAsPath(); // asks
    void fillRecent();
    void useDialogs();
    void notice(const QString& what, const QString& why);

    ui::Editor& editor_;
    Settings& settings_;
    ui::MainWindow* window_ = nullptr;
    QMenu* recent_ = nullptr;

    std::shared_ptr<const io::GltfSource> source_;
    std::filesystem::path path_;
    bool savesInPlace_ = false; // the path is a glTF file
    // Of the file and of what it names, as we read or wrote them.
    std::vector<std::pair<std::filesystem::path, std::optional<Stamp>>> stamps_;

    std::shared_ptr<Job> job_;
    std::vector<std::shared_ptr<Job>> abandoned_; // still running, of no use any more
    std::shared_ptr<Saving> saving_;
    std::thread saveThread_;
};

} // namespace limber::app
