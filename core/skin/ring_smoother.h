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

// Of one mesh. Owns its memory, all of it taken on construction. Not thread-safe, its loops run by oneTBB.
class RingSmoother {
public:
    // Smooths in so many steps, at least one; lists at most `most` points. The weld outlives it. O(points).
    RingSmoother(const mesh::Weld& weld, std::uint32_t steps, std::size_t most);

    // Lists the points of these vertices, which may repeat, and those at most 2 x steps edges away. False where they
    // are too many. O(edges of the listed).
    [[nodiscard]] bool list(std::span<const std::uint32_t> vertices);
    // Of the listed points those that are at most so many edges away.
    [[nodiscard]] std::span<const std::uint32_t> within(std::uint32_t rings) const {
        return std::span(points_).first(ends_[rings]);
    }

    // [listed] the caller puts in where they are, as in within().
    [[nodiscard]] std::span<Eigen::Vector4f> places() { return places_; }
    // After it places() of those within `steps` edges are smoothed. The row of point p: the first counts[p] from
    // rows[weld.neighbours.offsets[p]], of neighbours. O(steps x edges of the listed).
    void smooth(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> counts, float lambda);

private:
    static constexpr auto kNone = static_cast<std::uint32_t>(-1);

    const mesh::Weld& weld_;
    std::uint32_t steps_;
    std::size_t most_;
    std::vector<std::uint32_t> slots_;  // [P] of a listed point: where in points_
    std::vector<std::uint32_t> points_; // the nearest first
    std::vector<std::size_t> ends_;     // [2 x steps + 1] of each ring in points_
    std::vector<Eigen::Vector4f> places_, buffer_;
    std::vector<std::uint32_t> offsets_, items_; // rows by slots
};

} // namespace limber::skin
