// Opens mutants as the program opens files, each in a process that may die of it.
#pragma once

#include "tests/fuzz/mutant_seeds.h"

#include <array>
#include <map>

namespace limber::fuzz {

enum class Outcome : std::uint8_t {
    Refused,    // with a reason
    Repaired,   // opened, with what was mended
    Opened,     // nothing was wrong, or nothing that is read
    Wrong,      // what exercise() or the kind of the error says
    Crashed,    // or ended by itself
    Hung,       // 10 seconds of work, or a minute of the clock
    LeftFolder, // opened something outside of the asset's folder, or a pipe
};
inline constexpr std::size_t kOutcomes = 7;
[[nodiscard]] const char* nameOf(Outcome outcome);

inline constexpr std::uint64_t kSeedItself = ~std::uint64_t(0);

struct MutantFailure {
    std::uint64_t number = 0;
    Outcome outcome = Outcome::Wrong;
    std::string text;
};

struct MutantTally {
    std::array<std::size_t, kOutcomes> counts{};
    std::vector<MutantFailure> failures;
    std::uint64_t slowest = 0; // the mutant that took longest
    double slowestSeconds = 0;

    void add(const MutantTally& other);
};

// Mutants `first` .. `first + count - 1` of the seed. Those that fail are kept in `kept` where it is not empty. The
// seed itself comes before them and must open; where it does not, it counts as a failure of the number kSeedItself. The
// import worker has `importSeconds` of work, or fewer where the program itself gives it fewer. The calling process must
// not have started threads.
[[nodiscard]] MutantTally runMutants(const MutantSeed& seed, std::uint64_t first, std::size_t count,
                                     const std::filesystem::path& kept, unsigned importSeconds = 60);

} // namespace limber::fuzz
