// The import worker: a file that kills or stalls the importer costs a message, soon.
#include "app/import_worker.h"
#include "tests/support/test_data.h"
#include "tests/support/time_limit.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace limber;
namespace fs = std::filesystem;

namespace {

// Assimp 5.2.5 looks for the end of this section for ever.
fs::path hangingFile(const QTemporaryDir& folder) {
    QFile file(folder.filePath("hang.smd"));
    if (file.open(QIODevice::WriteOnly))
        file.write("versin 1\nnodes\n");
    return file.fileName().toStdString();
}

// The child of this process, or -1.
pid_t workerOfThisProcess() {
    for (const auto& entry : fs::directory_iterator("/proc")) {
        QFile stat(QString::fromStdString((entry.path() / "stat").string()));
        if (!stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        const QList<QByteArray> entries = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (entries.value(1).toInt() == ::getpid() && entries.value(0) != "Z")
            return std::stoi(entry.path().filename().string());
    }
    return -1;
}

} // namespace

class TestImportWorker : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void whatCannotBeReadIsRefusedWithAReason_data();
    void whatCannotBeReadIsRefusedWithAReason();
    void aFileThatKillsTheImporterCostsAMessage_data();
    void aFileThatKillsTheImporterCostsAMessage();
    void aHangIsEndedByTheLimits_data();
    void aHangIsEndedByTheLimits();
    void cancelAnswersSoon_data();
    void cancelAnswersSoon();
    void whatEndsTheWorkerIsToldWithinASecond_data();
    void whatEndsTheWorkerIsToldWithinASecond();
    void tooMuchMemoryIsRefused();
    void progressGrowsToTheEnd();
};

// A sanitizer would catch the signals that the workers here are ended with, and give them an exit code.
void TestImportWorker::initTestCase() {
    qputenv("ASAN_OPTIONS", qgetenv("ASAN_OPTIONS") + ":handle_segv=0:handle_abort=0");
}

void TestImportWorker::whatCannotBeReadIsRefusedWithAReason_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reason");
    QTest::newRow("old FBX") << "fbx/max_transformed_skin_6100_binary.fbx"
                             << "FBX older than 7.1";
    QTest::newRow("M3D") << "other/cesium_man.m3d"
                         << "no importer";
    QTest::newRow("IQM") << "other/guy.iqm"
                         << "IQM";
    QTest::newRow("empty") << "invalid/empty.x"
                           << "empty";
    QTest::newRow("not there") << "fbx"
                               << "folder";
    QTest::newRow("cut ASCII FBX") << "invalid/synthetic_truncated_quot_fail_7500_ascii.fbx"
                                   << "export it again";
    QTest::newRow("damaged FBX") << "invalid/fuzz_0302.fbx"
                                 << "export it again";
}

void TestImportWorker::whatCannotBeReadIsRefusedWithAReason() {
    QFETCH(QString, file);
    QFETCH(QString, reason);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto loaded = app::openFile(path);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
    QVERIFY2(loaded.error().text.find(reason.toStdString()) != std::string::npos, loaded.error().message().c_str());
    QCOMPARE(loaded.error().where, path.string());
}

void TestImportWorker::aFileThatKillsTheImporterCostsAMessage_data() {
    QTest::addColumn<QString>("file");
    const fs::path folder = tests::dataFile("crashers");
    if (folder.empty())
        QSKIP("no test data");
    for (const auto& entry : fs::directory_iterator(folder))
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    for (const char* file : {"invalid/malformed_skinweights_oob.x", "invalid/OverflowingWeightIndex.md5mesh"})
        QTest::newRow(file) << QString::fromStdString(tests::dataFile(file).string());
}

void TestImportWorker::aFileThatKillsTheImporterCostsAMessage() {
    QFETCH(QString, file);
    QElapsedTimer timer;
    timer.start();
    app::WorkerLimits limits;
    limits.cpuSeconds = 3;
    const auto loaded = app::importInWorker(file.toStdString(), {}, limits);
    // Some of them die only in other builds; what matters is that the answer comes and is one.
    if (!loaded.ok()) {
        QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
        QVERIFY(loaded.error().text.size() > 20);
    }
    QVERIFY2(timer.elapsed() < test::timeLimit(10000), qPrintable(QString::number(timer.elapsed())));
}

void TestImportWorker::aHangIsEndedByTheLimits_data() {
    QTest::addColumn<unsigned>("cpuSeconds");
    QTest::addColumn<unsigned>("wallSeconds");
    QTest::addColumn<QString>("reason");
    QTest::newRow("of work") << 1u << 60u << "stopped after 1 seconds of work";
    QTest::newRow("of the clock") << 60u << 1u << "did not finish within 1 seconds";
}

void TestImportWorker::aHangIsEndedByTheLimits() {
    QFETCH(unsigned, cpuSeconds);
    QFETCH(unsigned, wallSeconds);
    QFETCH(QString, reason);
    QTemporaryDir folder;
    app::WorkerLimits limits;
    limits.cpuSeconds = cpuSeconds;
    limits.wallSeconds = wallSeconds;
    const auto loaded = app::importInWorker(hangingFile(folder), {}, limits);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
    QVERIFY2(loaded.error().text.find(reason.toStdString()) != std::string::npos, loaded.error().message().c_str());
}

void TestImportWorker::cancelAnswersSoon_data() {
    QTest::addColumn<bool>("stopped");
    QTest::newRow("while it works") << false;
    QTest::newRow("while it is stopped") << true;
}

void TestImportWorker::cancelAnswersSoon() {
    QFETCH(bool, stopped);
    QTemporaryDir folder;
    const fs::path path = hangingFile(folder);
    std::atomic<bool> cancelled = false;
    app::OpenProgress progress;
    progress.cancelled = &cancelled;
    QElapsedTimer sinceCancel;
    std::thread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        if (stopped)
            ::kill(workerOfThisProcess(), SIGSTOP);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        sinceCancel.start();
        cancelled = true;
    });
    const auto loaded = app::importInWorker(path, progress);
    const qint64 waited = sinceCancel.elapsed();
    user.join();
    QVERIFY2(waited < test::timeLimit(200), qPrintable(QString::number(waited)));
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::Cancelled);
    QCOMPARE(workerOfThisProcess(), -1);
}

void TestImportWorker::whatEndsTheWorkerIsToldWithinASecond_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("reason");
    QTest::newRow("a crash") << SIGSEGV << "crashed on this file";
    QTest::newRow("an abort") << SIGABRT << "crashed on this file";
    QTest::newRow("the system") << SIGKILL << "ended by the system";
    QTest::newRow("a stall") << SIGSTOP << "stopped working";
    QTest::newRow("the end of its time") << SIGXCPU << "seconds of work";
}

void TestImportWorker::whatEndsTheWorkerIsToldWithinASecond() {
    QFETCH(int, signal);
    QFETCH(QString, reason);
    QTemporaryDir folder;
    const fs::path path = hangingFile(folder);
    QElapsedTimer sinceSignal;
    std::thread fate([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        sinceSignal.start();
        ::kill(workerOfThisProcess(), signal);
    });
    const auto loaded = app::importInWorker(path, {});
    const qint64 waited = sinceSignal.elapsed();
    fate.join();
    QVERIFY2(waited < test::timeLimit(1000), qPrintable(QString::number(waited)));
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
    QVERIFY2(loaded.error().text.find(reason.toStdString()) != std::string::npos, loaded.error().message().c_str());
    QCOMPARE(workerOfThisProcess(), -1);
}

void TestImportWorker::tooMuchMemoryIsRefused() {
#ifdef LIMBER_SANITIZED
    QSKIP("sanitizers need all of the address space");
#endif
    const fs::path path = tests::dataFile("fbx/Animated_Human.fbx");
    if (path.empty())
        QSKIP("no test data");
    app::WorkerLimits limits;
    limits.memoryBytes = std::uint64_t(1) << 20; // less than the program itself has
    QElapsedTimer timer;
    timer.start();
    const auto loaded = app::importInWorker(path, {}, limits);
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().text.find("memory") != std::string::npos, loaded.error().message().c_str());
}

void TestImportWorker::progressGrowsToTheEnd() {
    const fs::path path = tests::dataFile("fbx/Animated_Human.fbx");
    if (path.empty())
        QSKIP("no test data");
    std::vector<double> fractions;
    app::OpenProgress progress;
    progress.report = [&](double fraction, const std::string& stage) {
        QVERIFY(!stage.empty());
        fractions.push_back(fraction);
    };
    QVERIFY(app::importInWorker(path, progress).ok());
    QVERIFY2(fractions.size() >= 4, qPrintable(QString::number(fractions.size())));
    QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
    QVERIFY(fractions.front() < 0.5 && fractions.back() >= 0.9 && fractions.back() <= 1);
}

QTEST_GUILESS_MAIN(TestImportWorker)
#include "test_import_worker.moc"
