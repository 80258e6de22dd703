// The files that mutants are made of: two of our own making, the others from the folder of test data.
#pragma once

#include "tests/fuzz/mutator.h"

#include <filesystem>
#include <string>
#include <vector>

namespace limber::fuzz {

struct MutantSeed {
    std::string name; // with the extension that tells the format
    FileKind kind = FileKind::Gltf;
    FileBytes bytes;
    std::vector<std::pair<std::string, FileBytes>> beside; // files it names
};

// Twenty. Those of the test data have no bytes where it is not there.
[[nodiscard]] std::vector<MutantSeed> mutantSeeds(const std::filesystem::path& testData);

} // namespace limber::fuzz
