// Which points of a moving surface are near: a uniform grid over the points of a weld, built for one pose and kept
// right while some of them move.
#pragma once

#include "core/mesh/weld.h"

#include <Eigen/Geometry>

#include <array>

namespace limber::mesh {

// A set of vertices as bits: what a search finds in any order comes out in ascending order, without sorting.
class VertexBits {
public:
    void resize(std::size_t vertices) { words_.resize((vertices + 63) / 64, 0); }
    // Threads may add at the same time where no two add vertices of the same 64.
    void add(std::uint32_t vertex) { words_[vertex / 64] |= std::uint64_t(1) << (vertex % 64); }
    // Writes the members that lie in [first, end), to `out`, and forgets them.
    void take(std::uint32_t first, std::uint32_t end, std::vector<std::uint32_t>& out);

private:
    std::vector<std::uint64_t> words_;
};

// A point may leave its cell by a margin, by which searches look further; one that goes beyond becomes a stray, which
// every search looks at. So what is found is always all there is, whatever was moved, as long as moved() is told.
class PointGrid {
public:
    // positions [V] of the vertices now, of which each point of `weld` counts by its first. About 10 ms for a million.
    void build(const Weld& weld, std::span<const Eigen::Vector3f> positions);
    void clear();

    // Not built, or positions that no grid can hold (a box that is not finite).
    [[nodiscard]] bool empty() const { return cellOf_.empty(); }
    // These vertices may stand elsewhere now; any vertices, in any order, repeats too. O(vertices).
    void moved(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> vertices);
    // So many strays that building anew costs less than looking at them.
    [[nodiscard]] bool worn() const;

    // The first vertices of the points within `radius`, ascending; clears `out`. positions [V] now. No allocation once
    // `out` has grown. O(points near the sphere + strays).
    void within(std::span<const Eigen::Vector3f> positions, const Eigen::Vector3f& center, float radius,
                std::vector<std::uint32_t>& out);

private:
    [[nodiscard]] std::uint32_t cellAt(const Eigen::Vector3f& p) const;
    [[nodiscard]] bool near(std::uint32_t cell, const Eigen::Vector3f& p) const;
    void layOut(const Eigen::AlignedBox3f& box, std::size_t points);

    Eigen::Vector3f low_ = Eigen::Vector3f::Zero();
    float edge_ = 1, inverseEdge_ = 1;            // of a cell
    std::array<std::uint32_t, 3> cells_{};        // along x, y, z; x runs fastest
    std::vector<std::uint32_t> offsets_, points_; // compressed rows: first vertices by cell, ascending in each
    std::vector<std::uint32_t> cellOf_;           // [V] of first vertices; kNone of others, kStray
    std::vector<std::uint32_t> strays_;
    VertexBits found_;
};

} // namespace limber::mesh
