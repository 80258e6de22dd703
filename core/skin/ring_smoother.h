// Smoothing around some points of a surface: what smoothing the whole of it would make of them, bit for bit, from those
// points alone that count for it.
#pragma once

#include "core/mesh/weld.h"

#include <Eigen/Core>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::skin {

// Point p moved by lambda towards the mean of its row; an empty row leaves it.
[[nodiscard]] inline Eigen::Vector4f smoothed(const Eigen::Vector4f* points, std::size_t p, const std::uint32_t* row,
                                              std::uint32_t count, float lambda) {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (std::uint32_t k = 0; k < count; ++k)
        sum += points[row[k]];
    const float share = count ? lambda : 0;
    return points[p] * (1 - share) + sum * (share / static_cast<float>(std::max(count, 1u)));
}

// Of one mesh. Grows with the largest part that it has smoothed. Not thread-safe, its loops run by oneTBB.
class RingSmoother {
public:
    // The weld outlives it. O(points).
    explicit RingSmoother(const mesh::Weld& weld) : weld_(weld), slots_(weld.pointCount(), kNone) {}

    // Lists the points of these vertices, which may repeat, and those at most `rings` edges away. False where that is
    // more than `most` points. O(edges of the listed).
    [[nodiscard]] bool list(std::span<const std::uint32_t> vertices, std::uint32_t rings, std::size_t most);
    // Of the listed points those that are at most so many edges away.
    [[nodiscard]] std::span<const std::uint32_t> within(std::uint32_t rings) const {
        return std::span(points_).first(ends_[rings]);
    }

    // [listed] the caller puts in where they are, as in within().
    [[nodiscard]] std::span<Eigen::Vector4f> places() { return places_; }
    // After it places() of those within `steps` edges are smoothed; 2 x steps rings are listed. The row of point p: the
    // first counts[p] from rows[weld.neighbours.offsets[p]], of neighbours. O(steps x edges of the listed).
    void smooth(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> counts, float lambda,
                std::uint32_t steps);

private:
    static constexpr auto kNone = static_cast<std::uint32_t>(-1);

    const mesh::Weld& weld_;
    std::vector<std::uint32_t> slots_;  // [P] of a listed point: where in points_
    std::vector<std::uint32_t> points_; // the nearest first
    std::vector<std::size_t> ends_;     // [rings + 1] of each ring in points_
    std::vector<Eigen::Vector4f> places_, buffer_;
    std::vector<std::uint32_t> offsets_, items_; // rows by slots
};

} // namespace limber::skin
