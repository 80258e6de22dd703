// Memory that threads have freed is not kept once for each of them.
#include "app/freed_memory.h"
#include "tests/support/desk.h"
#include "tests/support/process_memory.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <barrier>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace limber;

namespace {

constexpr int kThreads = 12;
constexpr std::size_t kBlock = 100'000, kBlocks = 100; // together 10 MB

// A block that only the system can give; freeing it tells the GNU C library that blocks of its size are worth keeping.
void freeALargeBlock() {
    std::vector<char> block(20 << 20, 'x');
    QCOMPARE(block.back(), 'x');
}

// The 10 MB once in each thread, one thread after the other. All are there from start to end: heaps of their own would
// all be filled.
void takeAndFreeInEveryThread() {
    std::barrier all(kThreads);
    std::mutex turn;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            const auto first = std::make_unique<std::vector<char>>(1);
            all.arrive_and_wait();
            {
                const std::lock_guard lock(turn);
                std::vector<std::vector<char>> blocks;
                for (std::size_t k = 0; k < kBlocks; ++k)
                    blocks.emplace_back(kBlock, 'x');
            }
            all.arrive_and_wait();
        });
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

class TestFreedMemory : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
#ifdef LIMBER_SANITIZED
        QSKIP("A sanitizer keeps freed memory for a while.");
#endif
    }
    void threadsShareWhatOneOfThemFreed() {
        freeALargeBlock();
        const double before = test::residentMegabytes();
        takeAndFreeInEveryThread();
        const double kept = test::residentMegabytes() - before;
        QVERIFY2(kept < 15, qPrintable(QString::number(kept)));
        app::returnFreedMemory();
        const double left = test::residentMegabytes() - before;
        QVERIFY2(left < 4, qPrintable(QString::number(left)));
    }

    // What was used last lies behind: the heap cannot simply end earlier.
    void openingAFileGivesUnusedPagesBack() {
        if (test::allocatedMegabytes() == 0)
            QSKIP("another C library, which decides for itself");
        const QTemporaryDir folder;
        test::Desk desk(folder.filePath("state").toStdString());
        QVERIFY(desk.wait([&] { desk.session.openMannequin(); }));
        app::returnFreedMemory();
        const double before = test::residentMegabytes();
        std::vector<std::vector<char>> blocks(4 * kBlocks);
        for (std::vector<char>& block : blocks)
            block.assign(kBlock, 'x');
        blocks.erase(blocks.begin(), blocks.end() - 1);
        QVERIFY(test::residentMegabytes() - before > 30);
        QTRY_VERIFY(test::residentMegabytes() - before < 10);
    }
};

int main(int argc, char** argv) {
    app::shareOneHeap();
    qputenv("QT_QPA_PLATFORM", "offscreen"); // it has no window to show
    QApplication qt(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    TestFreedMemory test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_freed_memory.moc"
