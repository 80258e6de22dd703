#include "core/skin/joint_sets.h"

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

// Sums over the slots of a set, of E = R - R0 and e = (D - D0) c about the anchor c. Written out: it runs for every set
// in every pose, and Eigen's small products do not.
struct Sums {
    double square[6] = {}; // E^T E: xx xy xz yy yz zz
    double pull[3] = {};   // E^T e
    double rows[12] = {};  // of [E | e]
};

void add(Sums& sums, const float* first, const float* slot, const Eigen::Vector3d& anchor) {
    double r[12];
    for (int k = 0; k < 12; ++k)
        r[k] = static_cast<double>(slot[k]) - static_cast<double>(first[k]);
    for (int k = 0; k < 12; k += 4)
        r[k + 3] += r[k] * anchor[0] + r[k + 1] * anchor[1] + r[k + 2] * anchor[2];
    for (int k = 0; k < 12; ++k)
        sums.rows[k] += r[k];
    int at = 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b)
            sums.square[at++] += r[a] * r[b] + r[4 + a] * r[4 + b] + r[8 + a] * r[8 + b];
        sums.pull[a] += r[a] * r[3] + r[4 + a] * r[7] + r[8 + a] * r[11];
    }
}

// m x = right of the positive matrix xx xy xz yy yz zz, by its adjugate.
Eigen::Vector3d solve(const double (&m)[6], const Eigen::Vector3d& right) {
    const double xx = m[3] * m[5] - m[4] * m[4], xy = m[2] * m[4] - m[1] * m[5], xz = m[1] * m[4] - m[2] * m[3];
    const double yy = m[0] * m[5] - m[2] * m[2], yz = m[1] * m[2] - m[0] * m[4], zz = m[0] * m[3] - m[1] * m[1];
    const double scale = 1 / (m[0] * xx + m[1] * xy + m[2] * xz);
    return Eigen::Vector3d(xx * right[0] + xy * right[1] + xz * right[2], xy * right[0] + yy * right[1] + yz * right[2],
                           xz * right[0] + yz * right[1] + zz * right[2]) *
           scale;
}

// Rotations are floats: directions that they turn less than 1e-4 hold nothing but rounding and stay at the anchor.
constexpr double kFirm = 1e-8;

Eigen::Vector3d centreOf(std::span<const std::uint32_t> set, std::span<const RigidSlot> slots) {
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
    for (const std::uint32_t s : set)
        anchor += Eigen::Vector3d(slots[s].origin[0], slots[s].origin[1], slots[s].origin[2]);
    if (set.size() < 2)
        return anchor;
    const auto n = static_cast<double>(set.size());
    anchor /= n;
    Sums sums;
    for (const std::uint32_t s : set.subspan(1))
        add(sums, slots[set.front()].rows, slots[s].rows, anchor);
    // Sum over pairs of |(D_a - D_b) r|^2 = n sum |D r - D_0 r|^2 - |sum (D r - D_0 r)|^2.
    const double* e = sums.rows;
    double m[6];
    Eigen::Vector3d right;
    int at = 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b, ++at)
            m[at] = n * sums.square[at] - (e[a] * e[b] + e[4 + a] * e[4 + b] + e[8 + a] * e[8 + b]) +
                    (a == b ? kFirm * n * n : 0);
        right[a] = e[a] * e[3] + e[4 + a] * e[7] + e[8 + a] * e[11] - n * sums.pull[a];
    }
    return anchor + solve(m, right);
}

} // namespace

void JointSets::pose(const Palette& palette) {
    centres_.resize(size());
    for (std::size_t set = 0; set < size(); ++set)
        centres_[set] = centreOf(slotsOf(set), palette.rigid()).cast<float>();
}

} // namespace limber::skin
