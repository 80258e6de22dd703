// limber_mutants [COUNT [FOLDER]]: COUNT mutants (10,000 unless told), the same number of each seed; those that fail
// are kept in FOLDER. Prints what became of them; exit code 1 where one failed.
#include "tests/fuzz/mutant_run.h"
#include "tests/support/test_data.h"

#include <cstdio>
#include <cstdlib>

using namespace limber::fuzz;

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
    const std::filesystem::path kept = argc > 2 ? argv[2] : "";
    if (!kept.empty())
        std::filesystem::create_directories(kept);
    const auto seeds = mutantSeeds(limber::tests::dataFile("."));
    std::printf("%-42s %8s %8s %8s %6s\n", "seed", "refused", "repaired", "opened", "failed");
    MutantTally all;
    for (const MutantSeed& seed : seeds) {
        if (seed.bytes.empty()) {
            std::printf("%-42s is not there\n", seed.name.c_str());
            continue;
        }
        const MutantTally tally = runMutants(seed, 0, count / seeds.size(), kept);
        std::printf("%-42s %8zu %8zu %8zu %6zu   slowest %llu: %.2f s\n", seed.name.c_str(), tally.counts[0],
                    tally.counts[1], tally.counts[2], tally.failures.size(),
                    static_cast<unsigned long long>(tally.slowest), tally.slowestSeconds);
        for (const MutantFailure& failure : tally.failures)
            std::printf("    %llu %s: %s\n", static_cast<unsigned long long>(failure.number), nameOf(failure.outcome),
                        failure.text.c_str());
        std::fflush(stdout);
        all.add(tally);
    }
    std::printf("%-42s %8zu %8zu %8zu %6zu\n", "all", all.counts[0], all.counts[1], all.counts[2], all.failures.size());
    return all.failures.empty() ? 0 : 1;
}
