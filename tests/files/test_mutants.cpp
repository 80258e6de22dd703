// Damaged copies of good files: none kills or stalls the program, leads it out of the folder, or fails in silence.
#include "tests/fuzz/mutant_run.h"
#include "tests/support/test_data.h"

#include <QTest>

using namespace limber;
using namespace limber::fuzz;

class TestMutants : public QObject {
    Q_OBJECT

private slots:
    void mutantsAreRefusedRepairedOrHarmless_data();
    void mutantsAreRefusedRepairedOrHarmless();
    void theSameNumberGivesTheSameMutant();

private:
    const std::vector<MutantSeed> seeds_ = mutantSeeds(tests::dataFile("."));
};

void TestMutants::mutantsAreRefusedRepairedOrHarmless_data() {
    QTest::addColumn<int>("index");
    for (std::size_t s = 0; s < seeds_.size(); ++s)
        QTest::newRow(seeds_[s].name.c_str()) << static_cast<int>(s);
}

void TestMutants::mutantsAreRefusedRepairedOrHarmless() {
    QFETCH(int, index);
    constexpr std::size_t kMutants = 25;   // of twenty seeds
    constexpr unsigned kImportSeconds = 2; // some stall Assimp
    const MutantSeed& seed = seeds_[static_cast<std::size_t>(index)];
    if (seed.bytes.empty())
        QSKIP("The test data is not there.");
    const MutantTally tally = runMutants(seed, 100000, kMutants, "", kImportSeconds);
    for (const MutantFailure& failure : tally.failures)
        QFAIL(qPrintable(
            QString("mutant %1 %2: %3").arg(failure.number).arg(nameOf(failure.outcome), failure.text.c_str())));
}

void TestMutants::theSameNumberGivesTheSameMutant() {
    const MutantSeed& seed = seeds_.front();
    const Mutator mutator(seed.bytes, seed.kind, {"link"});
    std::size_t different = 0;
    for (std::uint64_t n = 0; n < 100; ++n) {
        QVERIFY(mutator.make(n) == mutator.make(n));
        different += mutator.make(n) != seed.bytes;
    }
    QVERIFY(different > 80);
}

QTEST_APPLESS_MAIN(TestMutants)
#include "test_mutants.moc"
