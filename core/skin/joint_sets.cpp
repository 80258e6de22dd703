#include "core/skin/joint_sets.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <map>

namespace limber::skin {

void JointSets::build(const BlockWeights& weights) {
    revision_ = weights.revision();
    slots_.clear();
    firsts_.assign(1, 0);
    ofLanes_.assign(weights.blockCount() * kLanes, 0);
    ofBlocks_.assign(weights.blockCount(), kMixedSets);
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> set, last;
    std::uint32_t lastId = kMixedSets;
    for (std::size_t b = 0; b < weights.blockCount(); ++b) {
        const std::span<const std::uint32_t> slots = weights.slotsOf(b);
        const std::span<const float> lanes = weights.lanes(b);
        std::uint32_t* ids = ofLanes_.data() + b * kLanes;
        for (std::size_t k = 0; k < kLanes; ++k) {
            set.clear();
            for (std::size_t s = 0; s < slots.size(); ++s)
                if (lanes[s * kLanes + k] > 0)
                    set.push_back(slots[s]);
            if (lastId == kMixedSets || set != last) {
                lastId = known.try_emplace(set, static_cast<std::uint32_t>(known.size())).first->second;
                last = set;
                if (lastId == size()) {
                    slots_.insert(slots_.end(), set.begin(), set.end());
                    firsts_.push_back(static_cast<std::uint32_t>(slots_.size()));
                }
            }
            ids[k] = lastId;
        }
        if (std::all_of(ids, ids + kLanes, [&](std::uint32_t id) { return id == ids[0]; }))
            ofBlocks_[b] = ids[0];
    }
}

namespace {

using RowsIn = Eigen::Map<const Matrix34f>;

Eigen::Vector3d centreOf(std::span<const std::uint32_t> set, std::span<const RigidSlot> slots) {
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
    for (const std::uint32_t s : set)
        anchor += Eigen::Map<const Eigen::Vector3f>(slots[s].origin).cast<double>();
    if (set.empty())
        return anchor;
    const auto n = static_cast<double>(set.size());
    anchor /= n;
    // Sum over pairs of |(D_a - D_b) r|^2 = n sum |D r - D_0 r|^2 - |sum (D r - D_0 r)|^2.
    const RowsIn first(slots[set.front()].rows);
    Eigen::Matrix3d square = Eigen::Matrix3d::Zero(), sum = square;
    Eigen::Vector3d pull = Eigen::Vector3d::Zero(), total = pull;
    for (const std::uint32_t s : set) {
        const Eigen::Matrix<double, 3, 4> difference = RowsIn(slots[s].rows).cast<double>() - first.cast<double>();
        const Eigen::Matrix3d e = difference.leftCols<3>();
        const Eigen::Vector3d t = e * anchor + difference.col(3);
        square += e.transpose() * e;
        pull += e.transpose() * t;
        sum += e;
        total += t;
    }
    // Rotations are floats: directions that they turn less than 1e-4 hold nothing but rounding and stay at the anchor.
    constexpr double kFirm = 1e-8;
    const Eigen::Matrix3d m = n * square - sum.transpose() * sum;
    const Eigen::Vector3d right = sum.transpose() * total - n * pull;
    return anchor + (m + kFirm * n * n * Eigen::Matrix3d::Identity()).ldlt().solve(right);
}

} // namespace

void JointSets::pose(const Palette& palette) {
    centres_.resize(size());
    for (std::size_t set = 0; set < size(); ++set)
        centres_[set] = centreOf(slotsOf(set), palette.rigid()).cast<float>();
}

} // namespace limber::skin
