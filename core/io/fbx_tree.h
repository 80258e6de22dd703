// The node tree of an FBX file, binary or text, as far as a caller wants it. Assimp reads the meshes; this reads what
// it does not pass on. Nothing in the bytes is trusted: one pass, no recursion, every length checked in 64 bits before
// it is used, arrays decoded only when they are asked for. Binary: a header, then records of (end, values, bytes of
// values, name, values, children); 32-bit numbers up to version 7.4, 64-bit from 7.5. Text: `Name: value, value {
// children }`, arrays as `*count { a: numbers }`.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

struct FbxValue {
    enum class Kind : std::uint8_t { Integer, Number, Text, Array };
    Kind kind = Kind::Integer;
    char element = 0;                   // arrays: f d l i b, or 't' where they are text
    bool packed = false;                // arrays: a zlib stream
    std::uint64_t count = 0;            // arrays: elements that are announced
    std::int64_t integer = 0;           // of a number: rounded towards zero, 0 where it does not fit
    double number = 0;                  // of an integer: the nearest
    std::span<const std::byte> content; // texts and arrays: their bytes in the file
};

inline constexpr std::uint32_t kNoFbxNode = UINT32_MAX;

struct FbxNode {
    std::string_view name;
    std::uint32_t firstValue = 0, valueCount = 0;
    std::uint32_t firstChild = kNoFbxNode, nextSibling = kNoFbxNode;
};

// What to do with a node that is `depth` deep (0: at the top), as far as its parent is wanted whole.
enum class FbxWanted { No, WithoutChildren, Whole };
using FbxFilter = FbxWanted (*)(std::size_t depth, std::string_view name);

// Views into the bytes it was read from, which have to outlive it.
class FbxTree {
public:
    std::vector<FbxNode> nodes; // nodes[0] is the root; parents before children
    std::vector<FbxValue> values;
    bool isText = false;

    [[nodiscard]] std::span<const FbxValue> valuesOf(const FbxNode& node) const {
        return std::span(values).subspan(node.firstValue, node.valueCount);
    }
    // The first child of that name, or null.
    [[nodiscard]] const FbxNode* child(const FbxNode& node, std::string_view name) const;

    // Empty for what is no text. Text files: quotes are unescaped.
    [[nodiscard]] std::string text(const FbxValue& value) const;
    // An object's name without its class: "Cube" of "Cube\0\1Model" and of "Model::Cube".
    [[nodiscard]] std::string objectName(const FbxValue& value) const;

    // Nothing where the array is damaged, too large, or not of numbers. Cost and memory follow the bytes that are
    // there.
    [[nodiscard]] std::optional<std::vector<double>> numbers(const FbxValue& array) const;
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(const FbxValue& array) const;
};

[[nodiscard]] bool isFbx(std::span<const std::byte> bytes);

// InputRefused: not FBX 7.x, cut off, or damaged.
[[nodiscard]] Result<FbxTree> readFbxTree(std::span<const std::byte> bytes, FbxFilter filter);

} // namespace limber::io
