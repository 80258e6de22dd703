// What the window says about what other windows left or hold: locks, several journals, a state folder of no use.
#include "app/paths.h"
#include "core/io/safe_save.h"
#include "tests/support/desk.h"
#include "tests/support/edit_loop.h"
#include "tests/support/tube_scene.h"
#include "ui/panels/view_frame.h"
#include "ui/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLockFile>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace limber;
using test::Desk;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kNobody = 65534;

// With a window, which is not shown.
struct Place : Desk {
    explicit Place(const fs::path& state) : Desk(state) {
        session.addActions(actions);
        window = std::make_unique<ui::MainWindow>(editor, actions, stage, new QWidget);
        const auto recover = session.askRecover;
        const auto replace = session.askOverwriteChanged;
        const auto name = session.askSavePath;
        session.attach(*window); // its dialogs would wait for a user
        session.askRecover = recover;
        session.askOverwriteChanged = replace;
        session.askSavePath = name;
        session.askUnsaved = [] { return app::Session::Answer::Discard; };
        session.askSaveOverOpen = [this](const QString&) { return ++overAsked, saveOver; };
        session.askOpenTwice = [this](const QString&) { return ++twiceAsked, openTwice; };
    }
    [[nodiscard]] QString notice() const { return window->frame().noticeText(); }

    ui::Actions actions;
    ui::Stage stage;
    std::unique_ptr<ui::MainWindow> window;
    int overAsked = 0;
    bool saveOver = false;
};

// A process that has ended and is still there, as one that was killed a moment ago.
class EndingProcess {
public:
    EndingProcess() : child_(::fork()) {
        if (child_ == 0)
            ::_exit(0);
        siginfo_t unused{};
        ::waitid(P_PID, static_cast<id_t>(child_), &unused, WEXITED | WNOWAIT);
    }
    ~EndingProcess() { end(); }
    void end() {
        if (child_ > 0)
            ::waitpid(std::exchange(child_, -1), nullptr, 0);
        if (file_ >= 0)
            ::close(std::exchange(file_, -1));
    }
    // A lock as it would have written it and, while some of its threads are not gone, still holds.
    void lock(const fs::path& path) {
        QByteArray text;
        {
            QLockFile own(app::toQString(path));
            QVERIFY(own.tryLock(0));
            QFile file(app::toQString(path));
            QVERIFY(file.open(QIODevice::ReadOnly));
            text = file.readAll();
        }
        QFile file(app::toQString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::number(child_) + text.mid(text.indexOf('\n')));
        file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(::flock(file_, LOCK_EX | LOCK_NB) == 0);
    }

private:
    pid_t child_;
    int file_ = -1;
};

} // namespace

class TestLeftBehind : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    fs::path file_, second_, state_, other_;

    // Leaves changes to a file, as a crash would.
    void crash(const fs::path& file) {
        Desk desk(state_);
        QVERIFY(desk.open(file));
        test::EditLoop(desk.editor, 1).bend();
        desk.session.flushJournal();
        test::leaveBehind(state_, other_);
        desk.editor.markClean();
    }
    fs::path onlyJournal() const { return fs::directory_iterator(other_ / "journals")->path(); }

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_->filePath("config"));
        const fs::path folder = app::toPath(folder_->path());
        file_ = folder / "tube.glb";
        second_ = folder / "second.glb";
        state_ = folder / "state";
        other_ = folder / "other";
        QVERIFY(test::writeTube(file_));
        fs::copy_file(file_, second_);
    }

    void whatAProcessLeavesThatIsBeingKilledIsOfferedWhenItIsGone() {
#ifndef __linux__
        QSKIP("told apart on Linux alone");
#endif
        crash(file_);
        EndingProcess process;
        process.lock(onlyJournal().concat(".lock"));
        Place place(other_);
        QVERIFY(place.wait([&] { place.session.begin(file_); }));
        QVERIFY(place.offered.empty() && !place.editor.isModified());
        process.end();
        QTRY_COMPARE(place.offered.size(), std::size_t(1));
        QTRY_VERIFY(place.editor.isModified());
        QTest::qWait(600); // and once is enough
        QCOMPARE(place.offered.size(), std::size_t(1));
    }

    void otherChangesToRecoverAreTold_data() {
        QTest::addColumn<bool>("gone");
        QTest::newRow("after a recovery") << false;
        QTest::newRow("after one that failed") << true;
    }
    void otherChangesToRecoverAreTold() {
        QFETCH(bool, gone);
        crash(file_);
        crash(second_);
        if (gone) {
            fs::remove(file_);
            fs::remove(second_);
        }
        Place place(other_);
        QCOMPARE(place.wait([&] { place.session.begin(std::nullopt); }), !gone);
        QCOMPARE(place.offered.size(), std::size_t(1));
        QVERIFY2(place.notice().contains("one more file"), qPrintable(place.notice()));
        QTRY_VERIFY(!place.session.opening());
        place.editor.markClean();
    }

    void journalsOfOtherFilesAreNotSummed() {
        crash(file_);
        const fs::path journal = onlyJournal();
        QCOMPARE(app::findRecoverable(other_, file_).journals.size(), std::size_t(1));
        QCOMPARE(app::findRecoverable(other_, second_).journals.size(), std::size_t(0));
        // Without a change it is removed when somebody looks into it.
        const auto bytes = *io::readFile(journal);
        const auto header = history::encodeHeader(history::readJournalHeader(bytes).value());
        QVERIFY(io::safeSave(journal, header).ok());
        QVERIFY(app::findRecoverable(other_, second_).journals.empty() && fs::exists(journal));
        QVERIFY(app::findRecoverable(other_, file_).journals.empty() && !fs::exists(journal));
    }

    void aStateFolderThatCannotBeMadeIsNamed() {
        std::ofstream(state_) << "a file is in the way";
        Place place(state_);
        QVERIFY(place.open(file_));
        QVERIFY2(place.notice().contains(app::toQString(state_)) && place.notice().contains("another window"),
                 qPrintable(place.notice()));
        place.window->frame().hideNotice();
        test::EditLoop(place.editor, 1).bend();
        QTRY_VERIFY(place.notice().contains(app::toQString(state_)) && place.notice().contains("crash"));
        place.editor.markClean();
    }

    void savingOverAFileOfAnotherWindowAsks() {
        Place first(state_), second(state_);
        QVERIFY(first.open(file_) && second.open(second_));
        test::EditLoop(second.editor, 1).bend();
        const auto before = *io::readFile(file_);
        second.savePath = app::toQString(file_);
        QVERIFY(!second.session.saveAs());
        QCOMPARE(second.overAsked, 1);
        QVERIFY(*io::readFile(file_) == before);
        second.saveOver = true;
        QVERIFY(second.session.saveAs());
        QVERIFY(*io::readFile(file_) != before);
        QVERIFY(second.session.saveAs()); // it is its own now
        QCOMPARE(second.overAsked, 2);
    }

    void aSaveThatFailedOffersAnotherName() {
        Place place(state_);
        QVERIFY(place.open(file_));
        test::EditLoop(place.editor, 1).bend();
        QVERIFY(!place.session.saveTo(file_.parent_path() / "none" / "x.glb"));
        QVERIFY(place.notice().contains("x.glb") && place.notice().contains("Nothing is lost"));
        auto* action = place.window->findChild<QAbstractButton*>("noticeAction");
        QVERIFY(action && !action->isHidden());
        const fs::path instead = file_.parent_path() / "instead.glb";
        place.savePath = app::toQString(instead);
        action->click();
        QVERIFY(place.session.waitForSaving());
        QVERIFY(fs::exists(instead) && place.notice().isEmpty());
    }

    void aFileThatWasReplacedIsOursWhateverFailedBehindIt() {
        Place place({});
        QVERIFY(place.open(file_));
        test::EditLoop(place.editor, 1).bend();
        const auto before = *io::readFile(file_);
        const fs::path folder = file_.parent_path();
        const uid_t user = ::geteuid();
        if (user == 0) { // who may do everything can flush any folder
            QVERIFY(::chown(folder.c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
            QVERIFY(::seteuid(kNobody) == 0);
        }
        ::chmod(folder.c_str(), 0300); // so that it cannot be opened to be flushed
        const bool saved = place.session.saveTo(file_);
        ::chmod(folder.c_str(), 0700);
        QVERIFY(::seteuid(user) == 0);
        QVERIFY(!saved && place.editor.isModified() && *io::readFile(file_) != before);
        QVERIFY(place.session.save());
        QCOMPARE(place.overwriteAsked, 0);
    }

    void pathsAreTidyAndRecentFilesOfOneNameAreToldApart() {
        const fs::path folder = file_.parent_path();
        fs::create_directories(folder / "a");
        fs::copy_file(file_, folder / "a/tube.glb");
        Place place(state_);
        QVERIFY(place.open(folder / "a" / ".." / "tube.glb"));
        QVERIFY(place.session.path() == file_);
        QVERIFY(place.open(folder / "a/tube.glb"));
        QCOMPARE(place.settings.recentFiles(), (QStringList{folder_->filePath("a/tube.glb"), app::toQString(file_)}));
        QStringList texts;
        for (const QMenu* menu : place.window->findChildren<QMenu*>())
            for (const QAction* entry : menu->actions())
                if (entry->menu())
                    for (const QAction* recent : entry->menu()->actions())
                        texts << recent->text();
        QVERIFY2(texts.contains("tube.glb in " + folder_->filePath("a")), qPrintable(texts.join('|')));
    }
};

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication qt(argc, argv);
    QApplication::setApplicationName("limber_test_left_behind");
    ui::applyTheme(qt, ui::ThemeKind::Dark);
    TestLeftBehind test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_left_behind.moc"
