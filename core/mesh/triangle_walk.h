// Orders of points and triangles in which neighbours come soon after each other, whatever the order of the file. Places
// are numbers that points have in such an order.
#pragma once

#include "core/mesh/weld.h"

#include <array>
#include <optional>
#include <utility>

namespace limber::mesh {

using Triangle = std::array<std::uint32_t, 3>; // points or places

// Whether pieces of so many points in the file's order have most of their points' neighbours elsewhere. Looks at some
// of the points.
[[nodiscard]] bool isScattered(const Weld& weld, std::size_t piece);

// All points as they are reached over edges, from the first of each part of the mesh on. O(P + edges).
[[nodiscard]] std::vector<std::uint32_t> reachedOrder(const Weld& weld);

// Triangle `t` of the file, as points.
[[nodiscard]] Triangle pointsOf(const Weld& weld, std::span<const std::uint32_t> triangles, std::size_t t);

// The corners of two triangles that are not on the edge along which they run in opposite ways; none where they have no
// such edge.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cornersAcross(const Triangle& p, const Triangle& q);

// The triangles of the points [first, end), each once, as the file has them.
[[nodiscard]] std::vector<Triangle> trianglesAround(const Weld& weld, std::span<const std::uint32_t> triangles,
                                                    std::uint32_t first, std::uint32_t end);

// The same triangles in the order of `walk`, which are the places [first, first + walk.size()) in any order; those that
// share an edge next to each other where they can be. Each triangle has a corner there. O(triangles).
[[nodiscard]] std::vector<Triangle> pairedAlong(std::span<const std::uint32_t> walk, std::uint32_t first,
                                                std::span<const Triangle> triangles);

} // namespace limber::mesh
