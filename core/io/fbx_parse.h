// The two ways in which an FBX file is written (fbx_tree.h).
#pragma once

#include "core/io/fbx_tree.h"

namespace limber::io {

inline constexpr std::string_view kFbxBinaryMagic{"Kaydara FBX Binary  \0\x1a\0", 23};
inline constexpr std::size_t kMaxFbxDepth = 64;
inline constexpr std::size_t kMaxFbxNodes = std::size_t(1) << 22, kMaxFbxValues = std::size_t(1) << 23;

[[nodiscard]] Error fbxDamaged(std::uint64_t at, const char* what);

// Appends nodes below their parent, in order.
class FbxTreeBuilder {
public:
    FbxTreeBuilder(FbxTree& tree, FbxFilter filter);

    // The new node becomes the parent of the next ones. False where there are too many or they nest too deep.
    [[nodiscard]] bool open(std::string_view name);
    // False where there are too many. Goes to the node that is open.
    [[nodiscard]] bool add(const FbxValue& value);
    void close() { stack_.pop_back(); }
    [[nodiscard]] std::size_t depth() const { return stack_.size() - 1; } // open nodes
    // Whether what the open node has is kept.
    [[nodiscard]] bool keepsValues() const { return stack_.back().wanted != FbxWanted::No; }
    [[nodiscard]] bool keepsChildren() const { return stack_.back().wanted == FbxWanted::Whole; }
    // The last value of the open node, where it is kept and there is one.
    [[nodiscard]] FbxValue* lastValue();

private:
    struct Open {
        std::uint32_t node = kNoFbxNode, lastChild = kNoFbxNode;
        FbxWanted wanted = FbxWanted::No;
    };

    FbxTree& tree_;
    FbxFilter filter_;
    std::vector<Open> stack_; // the root first
};

[[nodiscard]] Status parseFbxBinary(std::span<const std::byte> bytes, FbxTreeBuilder& builder);
[[nodiscard]] Status parseFbxText(std::string_view text, FbxTreeBuilder& builder);

} // namespace limber::io
