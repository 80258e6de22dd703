#include "core/skin/block_weights.h"

#include "core/skin/pose_map.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace limber::skin {

namespace {

constexpr std::size_t kGrain = 256;      // blocks
constexpr std::uint32_t kRoomToGrow = 4; // slots of a block that had to move

// Room for blocks that move to the end, so that a stroke does not copy them all; costs nothing until it is touched.
std::size_t withRoom(std::size_t slots) {
    return slots + slots / 2 + 1024;
}

// Slots of the rows of a block, ascending, into `slots`.
void unite(const SkinWeights& weights, std::size_t block, std::vector<std::uint32_t>& slots,
           std::span<const std::uint32_t> order = {}) {
    slots.clear();
    const std::size_t end = std::min((block + 1) * kLanes, weights.vertexCount());
    for (std::size_t place = block * kLanes; place < end; ++place) {
        std::size_t at = 0; // rows are sorted too
        for (const Influence& i : weights.row(order.empty() ? place : order[place])) {
            if (i.weight <= kWeightEpsilon)
                continue;
            while (at < slots.size() && slots[at] < i.slot)
                ++at;
            if (at == slots.size() || slots[at] != i.slot)
                slots.insert(slots.begin() + static_cast<std::ptrdiff_t>(at), i.slot);
        }
    }
}

template <class Body> void forBlocks(std::size_t count, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kGrain), [&](const auto& range) {
        std::vector<std::uint32_t> slots;
        for (std::size_t b = range.begin(); b != range.end(); ++b)
            body(b, slots);
    });
}

} // namespace

void BlockWeights::build(const SkinWeights& weights) {
    ++revision_;
    vertices_ = weights.vertexCount();
    blocks_.assign(blockCount(), {});
    forBlocks(blocks_.size(), [&](std::size_t b, std::vector<std::uint32_t>& slots) {
        unite(weights, b, slots);
        blocks_[b].count = blocks_[b].capacity = static_cast<std::uint32_t>(slots.size());
    });
    std::uint32_t first = 0;
    for (WeightBlock& block : blocks_) {
        block.first = first;
        first += block.count;
    }
    slots_.reserve(withRoom(first));
    lanes_.reserve(withRoom(first) * kLanes);
    slots_.resize(first);
    lanes_.resize(first * kLanes);
    unused_ = 0;
    forBlocks(blocks_.size(), [&](std::size_t b, std::vector<std::uint32_t>& slots) {
        unite(weights, b, slots);
        std::copy(slots.begin(), slots.end(), slots_.begin() + blocks_[b].first);
        fill(weights, b);
    });
}

void BlockWeights::fill(const SkinWeights& weights, std::size_t block) {
    WeightBlock& b = blocks_[block];
    float* lanes = lanes_.data() + b.first * kLanes;
    std::fill_n(lanes, b.count * kLanes, 0.0f);
    b.bare = 0;
    const std::uint32_t* slots = slots_.data() + b.first;
    const std::uint32_t first = firstVertex(block), count = endVertex(block) - first;
    for (std::uint32_t k = 0; k < count; ++k) {
        std::size_t at = 0;
        bool any = false;
        for (const Influence& i : weights.row(first + k)) {
            if (i.weight <= kWeightEpsilon)
                continue;
            while (slots[at] < i.slot)
                ++at;
            lanes[at * kLanes + k] = i.weight;
            any = true;
        }
        if (!any)
            b.bare |= 1u << k;
    }
}

void BlockWeights::rebuildBlock(const SkinWeights& weights, std::uint32_t block) {
    unite(weights, block, scratch_);
    WeightBlock& b = blocks_[block];
    b.count = static_cast<std::uint32_t>(scratch_.size());
    if (b.count > b.capacity) {
        unused_ += b.capacity;
        b.first = static_cast<std::uint32_t>(slots_.size());
        b.capacity = b.count + kRoomToGrow;
        slots_.resize(slots_.size() + b.capacity);
        lanes_.resize(slots_.size() * kLanes);
    }
    std::copy(scratch_.begin(), scratch_.end(), slots_.begin() + b.first);
    fill(weights, block);
}

void BlockWeights::update(const SkinWeights& weights, std::span<const std::uint32_t> vertices,
                          std::vector<std::uint32_t>& blocks) {
    ++revision_;
    blocks.clear();
    for (const std::uint32_t v : vertices)
        if (const std::uint32_t b = blockOf(v); blocks.empty() || blocks.back() != b)
            blocks.push_back(b);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (const std::uint32_t b : blocks)
        rebuildBlock(weights, b);
    if (unused_ > slots_.size() / 2)
        compact();
}

void BlockWeights::compact() {
    std::size_t used = 0;
    for (const WeightBlock& b : blocks_)
        used += b.count + kRoomToGrow;
    std::vector<std::uint32_t> slots;
    std::vector<float, LaneMemory<float>> lanes;
    slots.reserve(withRoom(used));
    lanes.reserve(withRoom(used) * kLanes);
    slots.resize(used);
    lanes.resize(used * kLanes);
    std::uint32_t first = 0;
    for (WeightBlock& b : blocks_) {
        std::copy_n(slots_.begin() + b.first, b.count, slots.begin() + first);
        std::copy_n(lanes_.begin() + static_cast<std::ptrdiff_t>(b.first * kLanes), b.count * kLanes,
                    lanes.begin() + static_cast<std::ptrdiff_t>(first * kLanes));
        b.first = first;
        b.capacity = b.count + kRoomToGrow;
        first += b.capacity;
    }
    slots_ = std::move(slots);
    lanes_ = std::move(lanes);
    unused_ = 0;
}

void BlockWeights::blocksOf(std::span<const std::uint8_t> flags, std::vector<std::uint32_t>& blocks) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (const std::uint32_t slot : slotsOf(b))
            if (flags[slot]) {
                blocks.push_back(static_cast<std::uint32_t>(b));
                break;
            }
}

std::size_t BlockWeights::bytes() const {
    return (slots_.size() + scratch_.size()) * sizeof(std::uint32_t) + lanes_.size() * sizeof(float) +
           blocks_.size() * sizeof(WeightBlock);
}

double blockExcess(const SkinWeights& weights, std::span<const std::uint32_t> order) {
    constexpr std::size_t kBlocks = 4096; // tell of all
    const std::size_t blocks = weights.vertexCount() / kLanes, step = blocks / kBlocks + 1;
    std::size_t united = 0, entries = 0;
    std::vector<std::uint32_t> slots;
    for (std::size_t b = 0; b < blocks; b += step) {
        unite(weights, b, slots, order);
        united += slots.size();
        for (std::size_t place = b * kLanes; place < (b + 1) * kLanes; ++place)
            entries += weights.row(order.empty() ? place : order[place]).size();
    }
    return entries ? static_cast<double>(united * kLanes) / static_cast<double>(entries) : 1;
}

} // namespace limber::skin
