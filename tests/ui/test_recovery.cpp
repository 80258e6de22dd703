#include "app/paths.h"
#include "core/document/file_order.h"
#include "core/history/replay.h"
#include "core/io/gltf_file.h"
#include "core/io/safe_save.h"
#include "tests/support/desk.h"
#include "tests/support/edit_loop.h"
#include "tests/support/scattered_sheet.h"
#include "tests/support/tube_scene.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLockFile>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <cstdio>

using namespace limber;
using app::Session;
using test::countJournals;
using test::Desk;
using test::leaveBehind;
using Answer = Session::RecoveryAnswer;
namespace fs = std::filesystem;

namespace {

constexpr int kKills = 50;

// The child of the kill test: edits until it is killed, and says each state after its step is committed.
int editForever(const fs::path& folder, unsigned seed) {
    Desk desk(folder / "state");
    if (!desk.open(folder / "tube.glb"))
        return 1;
    test::EditLoop loop(desk.editor, seed);
    std::size_t steps = 0;
    bool stepped = false;
    QObject::connect(&desk.editor, &ui::Editor::stepTaken, [&] { stepped = true; });
    std::printf("0 %llu\n", static_cast<unsigned long long>(desk.hash()));
    std::fflush(stdout);
    while (true) {
        stepped = false;
        loop.step();
        if (stepped) {
            std::printf("%zu %llu\n", ++steps, static_cast<unsigned long long>(desk.hash()));
            std::fflush(stdout);
        }
        QTest::qWait(1);
    }
}

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    fs::path file_, state_, other_;

    // Edits in one window, whose journal a second state folder keeps.
    std::uint64_t crash(const std::function<void(Desk&)>& edit) {
        Desk desk(state_);
        if (!file_.empty() ? !desk.open(file_) : !desk.wait([&] { desk.session.openMannequin(); }))
            return 0;
        edit(desk);
        desk.session.flushJournal(); // a large edit is written a moment after it is made
        leaveBehind(state_, other_);
        const std::uint64_t hash = desk.hash();
        desk.editor.markClean();
        return hash;
    }

    fs::path onlyJournal() const {
        for (const auto& entry : fs::directory_iterator(other_ / "journals"))
            if (entry.path().extension() == ".journal")
                return entry.path();
        return {};
    }

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_->filePath("config"));
        const fs::path folder = app::toPath(folder_->path());
        file_ = folder / "tube.glb";
        state_ = folder / "state";
        other_ = folder / "other";
        QVERIFY(test::writeTube(file_));
    }

    void fiftyKillsLoseAtMostTheUnfinishedStroke() {
        QElapsedTimer clock;
        clock.start();
        test::Random random(2024);
        std::size_t total = 0;
        for (int kill = 0; kill < kKills; ++kill) {
            fs::remove_all(state_);
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {"--edit-forever", folder_->path(), QString::number(kill + 1)});
            QVERIFY(child.waitForReadyRead(20000));
            QTest::qSleep(static_cast<int>(random.index(180)));
            ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
            QVERIFY(child.waitForFinished());
            std::vector<std::uint64_t> hashes;
            for (const QByteArray& line : child.readAllStandardOutput().split('\n'))
                if (const auto parts = line.split(' '); parts.size() == 2 && parts[0].toULongLong() == hashes.size())
                    hashes.push_back(parts[1].toULongLong());
            QVERIFY(!hashes.empty());
            const std::size_t committed = hashes.size() - 1;
            total += committed;

            Desk desk(state_);
            QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
            desk.editor.markClean();
            if (desk.offered.empty()) { // nothing done, or all of it undone
                QVERIFY(desk.hash() == hashes[0]);
                QVERIFY(hashes[committed] == hashes[0] || hashes[committed - 1] == hashes[0]);
                continue;
            }
            const std::size_t steps = desk.offered[0].steps;
            const QString told = QString("kill %1: %2 steps of %3").arg(kill).arg(steps).arg(committed);
            // One step may have been written and not yet been told.
            QVERIFY2(desk.offered.size() == 1 && steps >= committed && steps <= committed + 1, qPrintable(told));
            QVERIFY2(steps > committed || desk.hash() == hashes[steps], qPrintable(told));
        }
        qInfo("%d kills in %.1f s, %zu steps", kKills, 1e-3 * static_cast<double>(clock.elapsed()), total);
        QVERIFY(total > kKills);
    }

    void undoStillWorksAfterARecovery() {
        std::uint64_t before = 0, earlier = 0;
        const std::uint64_t last = crash([&](Desk& desk) {
            before = desk.hash();
            test::EditLoop loop(desk.editor, 4);
            loop.corrective();
            loop.paint();
            earlier = desk.hash();
            loop.bend();
            loop.bend();
            desk.editor.undo();
        });
        Desk desk(other_);
        QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
        QCOMPARE(desk.offered.size(), std::size_t(1));
        QCOMPARE(desk.offered[0].changes, std::size_t(3));
        QCOMPARE(desk.hash(), last);
        QVERIFY(desk.editor.isModified() && desk.session.path() == file_);
        QVERIFY(desk.editor.history().canRedo());
        desk.editor.undo();
        QCOMPARE(desk.hash(), earlier);
        desk.editor.goToStep(0);
        QCOMPARE(desk.hash(), before);
        QVERIFY(!desk.editor.isModified());
    }

    void theMannequinIsRecovered() {
        file_.clear();
        const std::uint64_t last = crash([](Desk& desk) { test::EditLoop(desk.editor, 1).bend(); });
        Desk desk(other_);
        QVERIFY(desk.wait([&] { desk.session.begin(std::nullopt); }));
        QCOMPARE(desk.hash(), last);
        QVERIFY(desk.session.path().empty() && desk.editor.isModified());
    }

    void whatWasRecoveredIsKeptForASecondCrash() {
        crash([](Desk& desk) { test::EditLoop(desk.editor, 1).paint(); });
        std::uint64_t last = 0;
        const fs::path third = state_.parent_path() / "third";
        {
            Desk desk(other_);
            QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
            test::EditLoop(desk.editor, 2).bend();
            QTRY_COMPARE(countJournals(other_), std::size_t(1)); // the old one is gone
            desk.session.flushJournal();
            leaveBehind(other_, third);
            last = desk.hash();
        }
        Desk desk(third);
        QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
        QCOMPARE(desk.hash(), last);
        QCOMPARE(desk.editor.history().size(), std::size_t(2));
    }

    // Whatever the order in memory: the file may be opened in another one by then.
    void journalsNameVerticesAsTheFileDoes() {
        QVERIFY(io::safeSave(file_, *io::writeGlb(test::scatteredSheet())).ok());
        const auto fileHash = [](const document::DocumentState& state) {
            return document::Document(document::inFileOrder(state)).hash();
        };
        const auto edit = [](Desk& desk) {
            QVERIFY(desk.editor.document().mesh(MeshId(0)).geometry.order);
            test::EditLoop loop(desk.editor, 4);
            loop.corrective();
            loop.paint();
        };
        for (const bool saved : {false, true}) {
            std::uint64_t last = 0;
            crash([&](Desk& desk) {
                edit(desk);
                if (saved) {
                    QVERIFY(desk.session.save());
                    edit(desk);
                }
                last = fileHash(desk.editor.document().state());
            });
            const auto read = history::readJournal(*io::readFile(onlyJournal()));
            const auto file = io::loadGltf(file_);
            QVERIFY(read.ok() && file.ok() && read->entries.size() == 2);
            document::DocumentState state = file->state;
            QVERIFY(history::adoptShapeIds(state, read->header.shapes));
            document::Document replayed(state);
            QCOMPARE(history::replay(replayed, read->entries).entries, std::size_t(2));
            QCOMPARE(replayed.hash(), last);
            Desk desk(other_);
            QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
            QCOMPARE(fileHash(desk.editor.document().state()), last);
            // It goes on in the journal of this one.
            edit(desk);
            desk.editor.markClean();
        }
    }

    // After a save only what came later is in the journal; steps from before it can be undone and are.
    void editsAfterASaveAreRecovered() {
        const std::uint64_t last = crash([&](Desk& desk) {
            test::EditLoop loop(desk.editor, 7);
            loop.corrective();
            loop.bend();
            loop.corrective();
            QVERIFY(desk.session.save());
            QTRY_COMPARE(countJournals(state_), std::size_t(0));
            desk.editor.undo();
            desk.editor.undo();
            loop.corrective(); // under an id that the saved file would not give it
            loop.sculpt();
        });
        Desk desk(other_);
        QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
        QVERIFY(desk.offered.size() == 1 && desk.offered[0].steps == 4);
        QCOMPARE(desk.hash(), last);
    }

    void savingAndClosingLeaveNothing() {
        {
            Desk desk(state_);
            QVERIFY(desk.open(file_));
            test::EditLoop loop(desk.editor, 1);
            loop.bend();
            QTRY_COMPARE(countJournals(state_), std::size_t(1));
            QVERIFY(desk.session.save());
            QTRY_COMPARE(countJournals(state_), std::size_t(0));
            loop.bend();
            loop.bend();
            QTRY_COMPARE(countJournals(state_), std::size_t(1));
            desk.editor.goToStep(1);
        }
        QCOMPARE(countJournals(state_), std::size_t(0));
        QVERIFY(app::findRecoverable(state_).journals.empty());
        QVERIFY(fs::is_empty(state_ / "journals"));
    }

    void discardForgetsAndLaterKeeps() {
        crash([](Desk& desk) { test::EditLoop(desk.editor, 1).bend(); });
        for (const Answer answer : {Answer::Later, Answer::Discard}) {
            Desk desk(other_);
            desk.answer = answer;
            QVERIFY(desk.wait([&] { desk.session.begin(file_); }));
            QCOMPARE(desk.offered.size(), std::size_t(1));
            QVERIFY(!desk.editor.isModified());
        }
        QCOMPARE(countJournals(other_), std::size_t(0));
    }

    void aFileThatChangedSinceIsOpenedWithoutOnlyWhenAsked() {
        crash([](Desk& desk) { test::EditLoop(desk.editor, 1).bend(); });
        const auto other = io::writeGlb(test::tubeScene(5, 6));
        QVERIFY(other.ok() && io::safeSave(file_, *other));
        for (const bool open : {false, true}) {
            Desk desk(other_);
            desk.openChanged = open;
            QCOMPARE(desk.wait([&] { desk.session.begin(file_); }), open);
            QCOMPARE(desk.changedAsked, 1);
            QVERIFY(!desk.editor.isModified());
            QCOMPARE(desk.session.path() == file_, open);
            QCOMPARE(countJournals(other_), std::size_t(1));
            if (!open) // at least the mannequin
                QTRY_VERIFY(!desk.session.opening());
        }
    }

    void aMissingFileKeepsItsChanges() {
        crash([](Desk& desk) { test::EditLoop(desk.editor, 1).bend(); });
        fs::remove(file_);
        Desk desk(other_);
        QVERIFY(!desk.wait([&] { desk.session.begin(std::nullopt); }));
        QCOMPARE(countJournals(other_), std::size_t(1));
    }

    void journalsOfLivingWindowsAreNotOffered() {
        Desk first(state_), second(state_);
        QVERIFY(first.open(file_));
        test::EditLoop(first.editor, 1).bend();
        QTRY_COMPARE(countJournals(state_), std::size_t(1));
        second.openTwice = true;
        QVERIFY(second.wait([&] { second.session.begin(file_); }));
        QVERIFY(second.offered.empty());
        first.editor.markClean();
    }

    void aSecondWindowOnTheFileIsTold() {
        const auto closed = std::make_unique<Desk>(state_);
        Desk second(state_);
        {
            Desk first(state_);
            QVERIFY(first.open(file_));
            QVERIFY(first.open(file_)); // our own lock is no obstacle
            QCOMPARE(first.twiceAsked, 0);
            QVERIFY(!second.open(file_));
            QCOMPARE(second.twiceAsked, 1);
            second.openTwice = true;
            const fs::path link = file_.parent_path() / "link.glb";
            fs::create_symlink(file_, link);
            QVERIFY(second.open(link));
            QCOMPARE(second.twiceAsked, 2);
            // Saving there is noticed here.
            test::EditLoop(second.editor, 1).bend();
            QVERIFY(second.session.save());
            test::EditLoop(first.editor, 2).bend();
            QVERIFY(!first.session.save());
            QCOMPARE(first.overwriteAsked, 1);
            first.editor.markClean();
        }
        // Another file lets go of the first.
        QVERIFY(second.wait([&] { second.session.openMannequin(); }));
        QVERIFY(closed->open(file_));
        QCOMPARE(closed->twiceAsked, 0);
    }

    void aLockOfADeadProcessCountsForNothing() {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {"--edit-forever", folder_->path(), "1"});
        QVERIFY(child.waitForReadyRead(20000));
        {
            Desk desk(state_);
            QVERIFY(!desk.open(file_));
            QCOMPARE(desk.twiceAsked, 1);
        }
        child.kill();
        QVERIFY(child.waitForFinished());
        QVERIFY(!fs::is_empty(state_ / "open"));
        Desk desk(state_);
        QVERIFY(fs::is_empty(state_ / "open"));
        desk.answer = Answer::Discard;
        QVERIFY(desk.open(file_));
        QCOMPARE(desk.twiceAsked, 0);
    }

    void otherContentOfTheSameSizeAndTimeIsNoticed_data() {
        QTest::addColumn<bool>("beside");
        QTest::newRow("the file") << false;
        QTest::newRow("a buffer beside it") << true;
    }
    void otherContentOfTheSameSizeAndTimeIsNoticed() {
        QFETCH(bool, beside);
        Desk desk(state_);
        QVERIFY(desk.open(file_));
        const fs::path target = file_.parent_path() / (beside ? "two.gltf" : "one.glb");
        QVERIFY(desk.session.saveTo(target));
        QVERIFY(desk.open(target));
        const fs::path victim = beside ? target.parent_path() / "two.bin" : target;
        QVERIFY(fs::exists(victim));
        const auto time = fs::last_write_time(victim);
        // Touched only: nothing was changed.
        fs::last_write_time(victim, time + std::chrono::seconds(3));
        test::EditLoop(desk.editor, 1).bend();
        QVERIFY(desk.session.save());
        QCOMPARE(desk.overwriteAsked, 0);

        auto bytes = *io::readFile(victim);
        const auto now = fs::last_write_time(victim);
        bytes[bytes.size() / 2] ^= std::byte(1);
        std::FILE* file = std::fopen(victim.string().c_str(), "wb");
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
        fs::last_write_time(victim, now);
        test::EditLoop(desk.editor, 2).bend();
        QVERIFY(!desk.session.save());
        QCOMPARE(desk.overwriteAsked, 1);
        QVERIFY(*io::readFile(victim) == bytes && desk.editor.isModified());
        desk.overwrite = true;
        QVERIFY(desk.session.save());
        QVERIFY(desk.session.save()); // it is ours again
        QCOMPARE(desk.overwriteAsked, 2);
    }

    void aFileThatIsReadWaitsForTheEndOfAStroke() {
        Desk desk({});
        QVERIFY(desk.wait([&] { desk.session.openMannequin(); }));
        QSignalSpy opened(&desk.session, &Session::opened);
        int asked = 0;
        desk.session.askUnsaved = [&] { return ++asked, Session::Answer::Cancel; };
        desk.session.open(file_);
        const JointId joint(3);
        desk.editor.previewChanged(desk.editor.preview().setJoint(joint, test::Random(1).rigid()));
        QTest::qWait(600);
        QVERIFY(opened.isEmpty() && asked == 0 && desk.editor.hasPreview());
        desk.editor.commitPreview("Rotate");
        const std::uint64_t posed = desk.hash();
        QTRY_COMPARE(asked, 1);
        QVERIFY(opened.isEmpty() && !desk.session.opening());
        QCOMPARE(desk.hash(), posed);
    }
};

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen"); // it has no window to show
    QApplication qt(argc, argv);
    QApplication::setApplicationName("limber_test_recovery");
    if (argc == 4 && std::string(argv[1]) == "--edit-forever") {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, QString(argv[2]) + "/config");
        return editForever(argv[2], static_cast<unsigned>(std::atoi(argv[3])));
    }
    TestRecovery test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_recovery.moc"
