// Skin weights compiled for the kernels: blocks of kLanes vertices that share a list of slots, with one lane of weights
// per vertex and slot. The sparse rows stay what is edited; only blocks of changed rows are rebuilt.
#pragma once

#include "core/skin/skin_weights.h"

#include <Eigen/Core>

#include <algorithm>
#include <new>
#include <span>
#include <vector>

namespace limber::skin {

inline constexpr std::size_t kLanes = 16;
// Of so many vertices caches do not hold the points and normals.
inline constexpr std::size_t kBeyondCaches = std::size_t{1} << 18;

// Where the slots of a block lie in the arrays, and which of its lanes are vertices without weights.
struct WeightBlock {
    std::uint32_t first = 0, count = 0, capacity = 0; // in slots, and times kLanes in lanes
    std::uint32_t bare = 0;                           // bit per lane
};

// Memory of lanes begins where the widest vectors do, and is not cleared.
template <class T> struct LaneMemory {
    using value_type = T;
    static constexpr std::align_val_t kAlign{kLanes * sizeof(float)};
    LaneMemory() = default;
    template <class U> explicit LaneMemory(const LaneMemory<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlign)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, kAlign); }
    template <class U> void construct(U*) const {}
    template <class U, class V> void construct(U* at, V&& value) const { *at = value; }
    friend bool operator==(const LaneMemory&, const LaneMemory&) { return true; }
};

class BlockWeights {
public:
    // O(entries), threads by oneTBB.
    void build(const SkinWeights& weights);
    // Rows of these vertices changed. Their blocks are rebuilt and listed in `blocks` (ascending, none twice, cleared
    // first). No allocation once the arrays have grown.
    void update(const SkinWeights& weights, std::span<const std::uint32_t> vertices,
                std::vector<std::uint32_t>& blocks);

    [[nodiscard]] bool empty() const { return vertices_ == 0; }
    [[nodiscard]] std::size_t vertexCount() const { return vertices_; }
    [[nodiscard]] std::size_t blockCount() const { return (vertices_ + kLanes - 1) / kLanes; }
    [[nodiscard]] std::uint32_t blockOf(std::uint32_t vertex) const {
        return vertex / static_cast<std::uint32_t>(kLanes);
    }
    // Of a block; the last one may be short.
    [[nodiscard]] std::uint32_t firstVertex(std::size_t block) const {
        return static_cast<std::uint32_t>(block * kLanes);
    }
    [[nodiscard]] std::uint32_t endVertex(std::size_t block) const {
        return static_cast<std::uint32_t>(std::min((block + 1) * kLanes, vertices_));
    }

    // Joints of a block, ascending, and their lanes [slots x kLanes], zero beyond the last vertex. Weights up to
    // kWeightEpsilon are left out; a vertex without any has zeros throughout.
    [[nodiscard]] std::span<const std::uint32_t> slotsOf(std::size_t block) const {
        return {slots_.data() + blocks_[block].first, blocks_[block].count};
    }
    [[nodiscard]] std::span<const float> lanes(std::size_t block) const {
        return {lanes_.data() + blocks_[block].first * kLanes, blocks_[block].count * kLanes};
    }
    // Blocks with a slot whose flag [slots] is set, ascending, appended to `blocks`. O(slots of all blocks): 0.3 ms for
    // a million vertices.
    void blocksOf(std::span<const std::uint8_t> flags, std::vector<std::uint32_t>& blocks) const;

    // The arrays as the kernels read them.
    [[nodiscard]] std::span<const WeightBlock> blocks() const { return blocks_; }
    [[nodiscard]] const std::uint32_t* slotData() const { return slots_.data(); }
    [[nodiscard]] const float* laneData() const { return lanes_.data(); }
    // Grows with every build() and update(): what is derived from the weights compares it.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    [[nodiscard]] std::size_t bytes() const;

private:
    void rebuildBlock(const SkinWeights& weights, std::uint32_t block);
    void fill(const SkinWeights& weights, std::size_t block);
    void compact();

    std::size_t vertices_ = 0;
    std::vector<WeightBlock> blocks_;
    std::vector<std::uint32_t> slots_, scratch_;
    std::vector<float, LaneMemory<float>> lanes_;
    std::size_t unused_ = 0; // slots of blocks that moved to the end
    std::uint64_t revision_ = 0;
};

// How many slots blocks have, of the least that their rows allow (1: all rows of a block have the same joints), with
// the rows in this order [V] (place -> row; empty: as they are). Looks at some of the blocks.
[[nodiscard]] double blockExcess(const SkinWeights& weights, std::span<const std::uint32_t> order = {});

} // namespace limber::skin
