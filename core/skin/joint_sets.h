// The distinct sets of joints that vertices follow, and the centre that each turns about: the published form of the
// spherical blend (Kavan and Zara 2005), whose centre does not depend on the weights (deformation-math.md section 3).
#pragma once

#include "core/skin/block_weights.h"
#include "core/skin/palette.h"

namespace limber::skin {

inline constexpr std::uint32_t kMixedSets = 0xffffffffu;

class JointSets {
public:
    // O(entries). `weights` may change afterwards; stale() then says so.
    void build(const BlockWeights& weights);
    [[nodiscard]] bool stale(const BlockWeights& weights) const { return revision_ != weights.revision(); }
    // Centres of all sets for a palette of a rigid method: least squares in double, about the mean bind origin of the
    // set where a direction is free (D5). O(sets x joints), no allocation after the first call.
    void pose(const Palette& palette);

    [[nodiscard]] std::size_t size() const { return firsts_.empty() ? 0 : firsts_.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> slotsOf(std::size_t set) const {
        return {slots_.data() + firsts_[set], firsts_[set + 1] - firsts_[set]};
    }
    [[nodiscard]] std::span<const Eigen::Vector3f> centres() const { return centres_; } // [sets] model space
    [[nodiscard]] std::span<const std::uint32_t> ofLanes() const { return ofLanes_; }   // [blocks x kLanes]
    [[nodiscard]] std::span<const std::uint32_t> ofBlocks() const { return ofBlocks_; } // kMixedSets: lanes differ

private:
    std::uint64_t revision_ = 0;
    std::vector<std::uint32_t> slots_, firsts_;
    std::vector<std::uint32_t> ofLanes_, ofBlocks_;
    std::vector<Eigen::Vector3f> centres_;
};

} // namespace limber::skin
