#include "core/check/nearest_point.h"

#include <algorithm>
#include <limits>

namespace limber::check {

NearestPoint::NearestPoint(std::span<const Eigen::Vector3f> positions, std::vector<std::uint32_t> candidates)
    : positions_(positions), tree_(std::move(candidates)) {
    build(0, tree_.size(), 0);
}

void NearestPoint::build(std::size_t begin, std::size_t end, int axis) {
    if (end - begin < 2)
        return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t k) { return tree_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(begin), at(middle), at(end),
                     [&](std::uint32_t a, std::uint32_t b) { return positions_[a][axis] < positions_[b][axis]; });
    build(begin, middle, (axis + 1) % 3);
    build(middle + 1, end, (axis + 1) % 3);
}

std::uint32_t NearestPoint::to(const Eigen::Vector3f& at) const {
    struct Range {
        std::size_t begin, end;
        int axis;
        float gap; // squared distance from `at` to the plane that the range lies behind
    };
    std::uint32_t nearest = tree_.front();
    float least = std::numeric_limits<float>::max();
    std::vector<Range> open{{0, tree_.size(), 0, 0}};
    while (!open.empty()) {
        const Range r = open.back();
        open.pop_back();
        if (r.begin >= r.end || r.gap >= least)
            continue;
        const std::size_t middle = r.begin + (r.end - r.begin) / 2;
        const Eigen::Vector3f& p = positions_[tree_[middle]];
        if (const float d = (p - at).squaredNorm(); d < least) {
            least = d;
            nearest = tree_[middle];
        }
        const float side = at[r.axis] - p[r.axis];
        const int next = (r.axis + 1) % 3;
        const Range low{r.begin, middle, next, side > 0 ? side * side : 0};
        const Range high{middle + 1, r.end, next, side > 0 ? 0 : side * side};
        // The side that holds `at` comes off the stack first.
        open.push_back(side > 0 ? low : high);
        open.push_back(side > 0 ? high : low);
    }
    return nearest;
}

} // namespace limber::check
