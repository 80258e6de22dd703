#include "app/session.h"
#include "core/document/intents.h"
#include "tests/support/time_limit.h"
#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace limber;
using namespace limber::ui;
using app::Session;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

std::filesystem::path toPath(const QString& path) {
    return path.toStdString();
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_->filePath("config"));
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        session_ = std::make_unique<Session>(*editor_, settings_);
        session_->addActions(*actions_);
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, new QWidget);
        session_->attach(*window_);
        session_->askUnsaved = [this] { return ++asked_, answer_; };
        session_->askOverwriteChanged = [this](const QString&) { return ++asked_, overwrite_; };
        session_->askReplace = [this](const QString&) { return ++asked_, overwrite_; };
        session_->askSavePath = [this](const QString& suggestion) {
            suggestion_ = suggestion;
            return savePath_;
        };
        answer_ = Session::Answer::Discard;
        overwrite_ = false;
        asked_ = 0;
        savePath_ = folder_->filePath("saved.glb");
        QSignalSpy opened(session_.get(), &Session::opened);
        session_->openMannequin();
        QVERIFY(opened.wait(60000));
    }
    void cleanup() {
        window_.reset();
        session_.reset();
        actions_.reset();
        editor_.reset();
    }

    void mannequinIsSavedByName() {
        bend();
        QVERIFY(session_->save());
        QVERIFY(suggestion_.endsWith("mannequin.glb"));
        QVERIFY(!editor_->isModified());
        QCOMPARE(session_->name(), QString("saved.glb"));
        QVERIFY(window_->windowTitle().startsWith("saved.glb"));
        QCOMPARE(settings_.recentFiles(), QStringList{savePath_});
    }

    void whatIsSavedComesBack() {
        bend();
        const rig::Affine pose = editor_->document().state().pose[joint().index()];
        QVERIFY(session_->save());
        open(savePath_);
        QVERIFY(math::distance(editor_->document().state().pose[joint().index()], pose) < 1e-5);
        QVERIFY(!editor_->isModified());
    }

    void aBadFileLeavesTheDocument_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("this is no scene");
        QTest::newRow("truncated") << QByteArray("glTF\x02\x00\x00\x00\xff\xff\x00\x00", 12);
    }
    void aBadFileLeavesTheDocument() {
        QFETCH(QByteArray, bytes);
        const QString path = folder_->filePath("bad.glb");
        writeFile(path, bytes);
        bend();
        const auto before = editor_->document().hash();
        QSignalSpy failed(session_.get(), &Session::failed);
        session_->open(toPath(path));
        QVERIFY(failed.wait(60000));
        QCOMPARE(editor_->document().hash(), before);
        QVERIFY(editor_->history().canUndo());
        QVERIFY(window_->frame().noticeText().contains("bad.glb"));
    }

    void aMissingFileSaysSo() {
        QSignalSpy failed(session_.get(), &Session::failed);
        session_->open(toPath(folder_->filePath("nowhere.glb")));
        QVERIFY(failed.wait(60000));
        QVERIFY(window_->frame().noticeText().contains("nowhere.glb"));
    }

    void unsavedChangesAreAskedAbout() {
        bend();
        answer_ = Session::Answer::Cancel;
        session_->openMannequin();
        QCOMPARE(asked_, 1);
        QVERIFY(!session_->opening() && editor_->isModified());
        QVERIFY(!window_->close());
        answer_ = Session::Answer::Save;
        QVERIFY(session_->mayDiscard());
        QVERIFY(QFile::exists(savePath_));
        asked_ = 0;
        QVERIFY(session_->mayDiscard());
        QCOMPARE(asked_, 0);
    }

    void aFileChangedMeanwhileIsNotReplacedUnasked() {
        QVERIFY(session_->save());
        bend();
        writeFile(savePath_, "someone else's");
        QVERIFY(!session_->save());
        QCOMPARE(asked_, 1);
        QCOMPARE(contents(savePath_), QByteArray("someone else's"));
        QVERIFY(editor_->isModified());
        overwrite_ = true;
        QVERIFY(session_->save());
        QVERIFY(contents(savePath_).startsWith("glTF"));
    }

    void aFailedSaveKeepsEverything() {
        bend();
        const auto before = editor_->document().hash();
        savePath_ = folder_->filePath("no/such/folder/x.glb");
        QVERIFY(!session_->save());
        QVERIFY(editor_->isModified());
        QCOMPARE(editor_->document().hash(), before);
        QVERIFY(window_->frame().noticeText().contains("x.glb"));
    }

    void extensionIsAdded() {
        savePath_ = folder_->filePath("plain");
        QVERIFY(session_->saveAs());
        QVERIFY(QFile::exists(folder_->filePath("plain.glb")));
    }

    void aFileIsNotReplacedByTheAddedExtension() {
        savePath_ = folder_->filePath("plain");
        const QString victim = folder_->filePath("plain.glb");
        writeFile(victim, "someone else's");
        QVERIFY(!session_->saveAs());
        QCOMPARE(asked_, 1);
        QCOMPARE(contents(victim), QByteArray("someone else's"));
        overwrite_ = true;
        QVERIFY(session_->saveAs());
        QVERIFY(contents(victim).startsWith("glTF"));
    }

    void editingGoesOnWhileAFileIsWritten() {
        bend();
        const rig::Affine pose = editor_->document().state().pose[joint().index()];
        QSignalSpy saved(session_.get(), &Session::saved);
        session_->startSaving(toPath(savePath_));
        QVERIFY(session_->saving() && window_->status().working());
        const rig::Affine turn(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitY()));
        editor_->perform(document::setUserLocal(editor_->document(), joint(), turn, "Bend"));
        QVERIFY(saved.wait(60000));
        QVERIFY(!session_->saving() && !window_->status().working());
        QVERIFY(editor_->isModified()); // the second turn is not in the file
        open(savePath_);
        QVERIFY(math::distance(editor_->document().state().pose[joint().index()], pose) < 1e-5);
    }

    void theWindowAnswersWhileALargeFileIsWritten() {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
        const QString large = folder + "/gltf/mannequiny_subdiv2_large.glb";
        if (!QFile::exists(large))
            QSKIP(qPrintable("not on this machine: " + large));
        open(large);
        bend();
        QElapsedTimer clock;
        qint64 last = 0, longest = 0;
        QTimer beat;
        connect(&beat, &QTimer::timeout, this,
                [&] { longest = std::max(longest, clock.elapsed() - std::exchange(last, clock.elapsed())); });
        beat.start(1);
        QSignalSpy saved(session_.get(), &Session::saved);
        clock.start();
        session_->startSaving(toPath(savePath_));
        QVERIFY(saved.wait(60000));
        QVERIFY2(longest < test::timeLimit(100), qPrintable(QString("%1 ms of %2").arg(longest).arg(clock.elapsed())));
    }

    void closingWaitsForTheFile() {
        bend();
        session_->startSaving(toPath(savePath_));
        asked_ = 0;
        QVERIFY(window_->close());
        QVERIFY(!session_->saving());
        QCOMPARE(asked_, 0); // it is saved by then
        QVERIFY(contents(savePath_).startsWith("glTF"));
    }

    void savedFollowsUndoBackToTheCleanState() {
        QVERIFY(session_->save());
        QVERIFY(!window_->isWindowModified() && !window_->status().summary().contains("not saved"));
        bend();
        QVERIFY(window_->isWindowModified() && window_->status().summary().contains("not saved"));
        editor_->undo();
        QVERIFY(!window_->isWindowModified() && !window_->status().summary().contains("not saved"));
        editor_->redo();
        QVERIFY(window_->isWindowModified() && window_->status().summary().contains("not saved"));
    }

    void whatIsDoneWhileAFileOpensIsAskedAbout_data() {
        QTest::addColumn<bool>("discard");
        QTest::newRow("cancel keeps it") << false;
        QTest::newRow("discard") << true;
    }
    void whatIsDoneWhileAFileOpensIsAskedAbout() {
        QFETCH(bool, discard);
        QVERIFY(session_->save());
        asked_ = 0;
        answer_ = discard ? Session::Answer::Discard : Session::Answer::Cancel;
        QSignalSpy opened(session_.get(), &Session::opened), failed(session_.get(), &Session::failed);
        session_->open(toPath(savePath_));
        bend(); // nothing ends before the event loop runs
        const auto bent = editor_->document().hash();
        QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty() || !failed.isEmpty(), 60000);
        QCOMPARE(asked_, 1);
        QCOMPARE(opened.size(), discard ? 1 : 0);
        QCOMPARE(editor_->document().hash() == bent, !discard);
        QCOMPARE(editor_->isModified(), !discard);
        QVERIFY(!session_->opening() && !window_->status().working());
    }

    void whatWasGivenUpAtTheStartIsNotAskedAboutAgain() {
        QVERIFY(session_->save());
        bend();
        asked_ = 0;
        open(savePath_);
        QCOMPARE(asked_, 1);
    }

    void cancellingAnswersAtOnce() {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
        const QString large = folder + "/gltf/mannequiny_subdiv2_large.glb";
        if (!QFile::exists(large))
            QSKIP(qPrintable("not on this machine: " + large));
        bend();
        const auto before = editor_->document().hash();
        QSignalSpy opened(session_.get(), &Session::opened), failed(session_.get(), &Session::failed);
        session_->open(toPath(large));
        QElapsedTimer clock;
        clock.start();
        session_->cancelOpening();
        QVERIFY2(clock.elapsed() < test::timeLimit(20), qPrintable(QString::number(clock.elapsed())));
        QVERIFY(!session_->opening() && !window_->status().working());
        QCOMPARE(failed.size(), 1);
        // Another file does not wait for the one that nobody wants any more, and is not replaced by it.
        session_->openMannequin();
        QVERIFY2(clock.elapsed() < test::timeLimit(50), qPrintable(QString::number(clock.elapsed())));
        QVERIFY(opened.wait(60000));
        QTest::qWait(1500);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(session_->name(), QString("Mannequin"));
        QVERIFY(editor_->document().hash() != before);
    }

    void leavingWaitsForNoFile() {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
        const QString large = folder + "/gltf/mannequiny_subdiv2_large.glb";
        if (!QFile::exists(large))
            QSKIP(qPrintable("not on this machine: " + large));
        QVERIFY(!session_->stillReading(0));
        session_->open(toPath(large));
        QElapsedTimer clock;
        clock.start();
        QVERIFY(window_->close());
        QVERIFY(session_->stillReading(10)); // the program then ends without its thread
        QVERIFY2(clock.elapsed() < test::timeLimit(50), qPrintable(QString::number(clock.elapsed())));
        QVERIFY(!session_->stillReading(20000));
    }

    void aChangedFileBesideItIsNoticed() {
        savePath_ = folder_->filePath("two.gltf");
        QVERIFY(session_->saveAs());
        open(savePath_);
        const QString buffer = folder_->filePath("two.bin");
        QVERIFY(QFile::exists(buffer));
        bend();
        QVERIFY(session_->save());
        QCOMPARE(asked_, 0);
        QTest::qWait(20);
        writeFile(buffer, contents(buffer) + "longer");
        bend();
        QVERIFY(!session_->save());
        QCOMPARE(asked_, 1);
        overwrite_ = true;
        QVERIFY(session_->save());
    }

    void recentFilesAreRemembered() {
        for (int i = 0; i < 12; ++i)
            settings_.addRecentFile(QString("/f%1.glb").arg(i));
        QCOMPARE(settings_.recentFiles().size(), 10);
        QCOMPARE(settings_.recentFiles().front(), QString("/f11.glb"));
        settings_.addRecentFile("/f5.glb");
        QCOMPARE(settings_.recentFiles().front(), QString("/f5.glb"));
        QCOMPARE(settings_.recentFiles().size(), 10);
    }

    void openedAndSavedFilesAreRecentAndLostOnesAreNot() {
        QVERIFY(session_->save());
        const QString first = savePath_;
        savePath_ = folder_->filePath("second.glb");
        QVERIFY(session_->saveAs());
        open(first);
        QCOMPARE(settings_.recentFiles(), (QStringList{first, savePath_}));
        QVERIFY(QFile::remove(savePath_));
        QSignalSpy failed(session_.get(), &Session::failed);
        session_->open(toPath(savePath_));
        QVERIFY(failed.wait(60000));
        QCOMPARE(settings_.recentFiles(), QStringList{first});
    }

    void previousSavesAreKeptWhenAsked() {
        QVERIFY(!actions_->action("file.backups")->isChecked());
        QVERIFY(session_->save());
        const QByteArray before = contents(savePath_);
        bend();
        QVERIFY(session_->save());
        QVERIFY(!QFile::exists(savePath_ + ".1~"));
        actions_->action("file.backups")->trigger();
        const QByteArray second = contents(savePath_);
        QVERIFY(second != before);
        bend();
        editor_->perform(document::setUserLocal(editor_->document(), joint(), rig::Affine::Identity(), "Straight"));
        QVERIFY(session_->save());
        QCOMPARE(contents(savePath_ + ".1~"), second);
    }

private:
    JointId joint() const { return editor_->document().skeleton().order().back(); }
    void bend() {
        const rig::Affine turn(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()));
        editor_->perform(document::setUserLocal(editor_->document(), joint(), turn, "Bend"));
    }
    void open(const QString& path) {
        QSignalSpy opened(session_.get(), &Session::opened);
        session_->open(toPath(path));
        QVERIFY(opened.wait(60000));
    }

    std::unique_ptr<QTemporaryDir> folder_;
    app::Settings settings_;
    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
    Session::Answer answer_ = Session::Answer::Discard;
    bool overwrite_ = false;
    int asked_ = 0;
    QString savePath_, suggestion_;
};

QTEST_MAIN(TestSession)
#include "test_session.moc"
