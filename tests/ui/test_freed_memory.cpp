// Memory that threads have freed is not kept once for each of them.
#include "app/freed_memory.h"
#include "tests/support/process_memory.h"

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
};

int main(int argc, char** argv) {
    app::shareOneHeap();
    TestFreedMemory test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_freed_memory.moc"
