// Damages a file on purpose, knowing enough of its format to get past the first checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace limber::fuzz {

using FileBytes = std::vector<std::byte>;

// Numbers and choices of a mutant, all from its seed.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <class List> const auto& oneOf(const List& list) { return list[below(std::size(list))]; }

private:
    std::mt19937_64 engine_;
};

enum class FileKind { Gltf, Text, Binary };

class Mutator {
public:
    // `traps` are names that no reader may follow: links and paths out of the folder, a pipe.
    Mutator(FileBytes seed, FileKind kind, std::vector<std::string> traps);

    // The same number gives the same mutant.
    [[nodiscard]] FileBytes make(std::uint64_t number) const;

private:
    [[nodiscard]] FileBytes gltfMutant(Dice& dice) const;
    [[nodiscard]] FileBytes textMutant(Dice& dice) const;
    [[nodiscard]] FileBytes binaryMutant(Dice& dice) const;

    FileBytes seed_;
    FileKind kind_;
    std::vector<std::string> traps_;
    std::string json_; // of a glTF file
    FileBytes binary_; // its binary chunk
    bool glb_ = false;
};

// A change of the tree, or three: numbers, indices, texts, members and elements.
[[nodiscard]] std::string mutateJson(const std::string& text, std::span<const std::string> traps, Dice& dice);

// A few bytes or words replaced, by ones that mean trouble as a float, an index or a length.
void mutateData(FileBytes& bytes, Dice& dice);

} // namespace limber::fuzz
