// The nearest of a set of points, by a balanced tree that halves space.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace limber::check {

class NearestPoint {
public:
    // Keeps `positions`; `candidates` are indices into it, at least one. O(n log n).
    NearestPoint(std::span<const Eigen::Vector3f> positions, std::vector<std::uint32_t> candidates);

    // The candidate nearest to `at`; O(log n) for points on surfaces.
    [[nodiscard]] std::uint32_t to(const Eigen::Vector3f& at) const;

private:
    void build(std::size_t begin, std::size_t end, int axis);

    std::span<const Eigen::Vector3f> positions_;
    std::vector<std::uint32_t> tree_; // the middle of each range splits it
};

} // namespace limber::check
