#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cstring>

namespace limber::fuzz {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

// NaN, infinity, large and small floats; lengths and indices at an edge.
constexpr std::uint32_t kWords[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001, 0,         0xffffffff,
                                    0x80000000, 0x7fffffff, 0x0000ffff, 0x00010000, 0xbf800000, 0x41200000};
constexpr const char* kNumbers[] = {"0",          "-1",  "1e38",        "nan",   "inf", "99999999999999999999",
                                    "4294967295", "0.5", "-2147483648", "1e-45", "7",   "",
                                    "1000000",    "x"};

FileBytes bytesOf(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::string textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t word(const FileBytes& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

void putWord(FileBytes& bytes, std::size_t at, std::uint32_t value) {
    if (at + sizeof value <= bytes.size())
        std::memcpy(bytes.data() + at, &value, sizeof value);
}

void addChunk(FileBytes& out, std::uint32_t type, std::span<const std::byte> data) {
    const std::size_t at = out.size();
    out.resize(at + 8);
    putWord(out, at, static_cast<std::uint32_t>((data.size() + 3) / 4 * 4));
    putWord(out, at + 4, type);
    out.insert(out.end(), data.begin(), data.end());
    out.resize((out.size() + 3) / 4 * 4, type == kJsonChunk ? std::byte{' '} : std::byte{0});
}

FileBytes glbOf(const std::string& json, std::span<const std::byte> binary) {
    FileBytes out(12);
    putWord(out, 0, kMagic);
    putWord(out, 4, 2);
    addChunk(out, kJsonChunk, std::as_bytes(std::span(json)));
    if (!binary.empty())
        addChunk(out, kBinaryChunk, binary);
    putWord(out, 8, static_cast<std::uint32_t>(out.size()));
    return out;
}

void damageContainer(FileBytes& glb, std::size_t jsonSize, Dice& dice) {
    const std::size_t second = 20 + (jsonSize + 3) / 4 * 4;
    const std::size_t fields[] = {4, 8, 12, 16, second, second + 4};
    const std::size_t field = dice.oneOf(fields);
    switch (dice.below(4)) {
    case 0: // a length, a kind or the version by a little
        if (field + 4 <= glb.size())
            putWord(glb, field, word(glb, field) + static_cast<std::uint32_t>(dice.below(17)) - 8);
        break;
    case 1:
        putWord(glb, field, dice.oneOf(kWords));
        break;
    case 2:
        glb.resize(dice.below(glb.size()));
        break;
    default: { // a chunk twice
        const std::size_t start = dice.chance(50) ? 12 : std::min(second, glb.size());
        const FileBytes chunk(glb.begin() + static_cast<std::ptrdiff_t>(start), glb.end());
        glb.insert(glb.end(), chunk.begin(), chunk.end());
        putWord(glb, 8, static_cast<std::uint32_t>(glb.size()));
    }
    }
}

struct Piece {
    std::size_t start = 0, size = 0;
};

// Runs of characters that `is` accepts, as long as `least`.
template <class Is> std::vector<Piece> runs(const std::string& text, std::size_t least, Is is) {
    std::vector<Piece> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is(text[end]))
            ++end;
        if (end - at >= least)
            found.push_back({at, end - at});
        at = std::max(end, at + 1);
    }
    return found;
}

std::vector<Piece> linesOf(const std::string& text) {
    return runs(text, 1, [](char c) { return c != '\n'; });
}

// The insides of "..." and of >...<.
std::vector<Piece> texts(const std::string& text) {
    std::vector<Piece> found;
    for (std::size_t at = text.find_first_of("\">"); at != text.npos; at = text.find_first_of("\">", at + 1)) {
        const std::size_t end = text.find_first_of("\"<\n", at + 1);
        if (end != text.npos && end > at + 1)
            found.push_back({at + 1, end - at - 1});
    }
    return found;
}

std::size_t anyOf(const std::vector<Piece>& pieces, Dice& dice) {
    return dice.below(pieces.size());
}

void changeText(std::string& text, const std::vector<std::string>& traps, Dice& dice) {
    const auto numbers =
        runs(text, 1, [](char c) { return std::string_view("0123456789+-.eE").find(c) != std::string_view::npos; });
    const auto lines = linesOf(text);
    const auto strings = texts(text);
    switch (dice.below(10)) {
    case 0:
        if (!lines.empty()) {
            const Piece line = lines[anyOf(lines, dice)];
            text.erase(line.start, line.size);
        }
        break;
    case 1:
        if (!lines.empty()) {
            const Piece line = lines[anyOf(lines, dice)];
            text.insert(line.start, text.substr(line.start, line.size) + '\n');
        }
        break;
    case 2:
        text.resize(dice.below(text.size() + 1));
        break;
    case 3:
        if (!strings.empty()) {
            const Piece piece = strings[anyOf(strings, dice)];
            text.replace(piece.start, piece.size, traps[dice.below(traps.size())]);
        }
        break;
    case 4:
        if (!text.empty())
            text[dice.below(text.size())] = static_cast<char>(dice.below(256));
        break;
    default:
        if (!numbers.empty()) {
            const Piece piece = numbers[anyOf(numbers, dice)];
            text.replace(piece.start, piece.size, dice.oneOf(kNumbers));
        }
    }
}

// A name of just this length that leads to the same trap.
std::string trapOfLength(std::size_t length) {
    std::string name = length % 2 ? "link5" : "link";
    while (name.size() < length)
        name = "./" + name;
    return name;
}

} // namespace

Mutator::Mutator(FileBytes seed, FileKind kind, std::vector<std::string> traps)
    : seed_(std::move(seed)), kind_(kind), traps_(std::move(traps)) {
    if (kind != FileKind::Gltf)
        return;
    glb_ = seed_.size() > 20 && word(seed_, 0) == kMagic;
    if (!glb_) {
        json_ = textOf(seed_);
        return;
    }
    const std::size_t jsonEnd = 20 + word(seed_, 12);
    json_ = textOf(std::span(seed_).subspan(20, word(seed_, 12)));
    if (jsonEnd + 8 <= seed_.size())
        binary_.assign(seed_.begin() + static_cast<std::ptrdiff_t>(jsonEnd + 8), seed_.end());
}

FileBytes Mutator::make(std::uint64_t number) const {
    Dice dice(number * 0x9e3779b97f4a7c15ull + seed_.size());
    switch (kind_) {
    case FileKind::Gltf:
        return gltfMutant(dice);
    case FileKind::Text:
        return textMutant(dice);
    case FileKind::Binary:
        break;
    }
    return binaryMutant(dice);
}

void mutateData(FileBytes& bytes, Dice& dice) {
    for (std::size_t k = 1 + dice.below(6); k > 0 && bytes.size() >= 8; --k) {
        const std::size_t at = dice.below(bytes.size() - 4);
        if (dice.chance(50))
            putWord(bytes, dice.chance(80) ? at / 4 * 4 : at, dice.oneOf(kWords));
        else
            bytes[at] ^= std::byte(1 << dice.below(8));
    }
}

FileBytes Mutator::gltfMutant(Dice& dice) const {
    const std::size_t what = dice.below(100);
    if (!glb_) {
        std::string text = what < 85 ? mutateJson(json_, traps_, dice) : json_;
        if (what >= 85)
            changeText(text, traps_, dice);
        return bytesOf(text);
    }
    if (what < 65 || binary_.empty())
        return glbOf(mutateJson(json_, traps_, dice), binary_);
    FileBytes binary = binary_;
    if (what < 85) {
        mutateData(binary, dice);
        return glbOf(json_, binary);
    }
    FileBytes glb = glbOf(json_, binary);
    if (what < 95)
        damageContainer(glb, json_.size(), dice);
    else
        mutateData(glb, dice);
    return glb;
}

FileBytes Mutator::textMutant(Dice& dice) const {
    std::string text = textOf(seed_);
    for (std::size_t k = 1 + dice.below(4); k > 0; --k)
        changeText(text, traps_, dice);
    return bytesOf(text);
}

FileBytes Mutator::binaryMutant(Dice& dice) const {
    FileBytes bytes = seed_;
    const std::size_t what = dice.below(100);
    if (what < 10) {
        bytes.resize(dice.below(bytes.size()));
    } else if (what < 25) {
        const auto names = runs(textOf(seed_), 5, [](char c) { return c > 0x20 && c < 0x7f; });
        if (!names.empty()) {
            const Piece name = names[anyOf(names, dice)];
            const std::string trap = trapOfLength(name.size);
            std::memcpy(bytes.data() + name.start, trap.data(), trap.size());
        }
    } else if (what < 35) { // a block twice, or gone
        const auto start = static_cast<std::ptrdiff_t>(dice.below(bytes.size()));
        const auto size = static_cast<std::ptrdiff_t>(dice.below(std::min<std::size_t>(256, bytes.size() - start)));
        const FileBytes block(bytes.begin() + start, bytes.begin() + start + size);
        if (dice.chance(50))
            bytes.insert(bytes.begin() + start, block.begin(), block.end());
        else
            bytes.erase(bytes.begin() + start, bytes.begin() + start + size);
    } else {
        mutateData(bytes, dice);
    }
    return bytes;
}

} // namespace limber::fuzz
