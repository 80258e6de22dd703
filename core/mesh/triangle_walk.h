// Triangles one after the other so that those that share an edge are next to each other.
#pragma once

#include "core/mesh/weld.h"

#include <array>
#include <optional>
#include <utility>

namespace limber::mesh {

using Triangle = std::array<std::uint32_t, 3>; // points

// The corners of two triangles that are not on the edge along which they run in opposite ways; none where they have no
// such edge.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cornersAcross(const Triangle& p, const Triangle& q);

// The triangles of the points [first, end), each once, in the order of memory.
[[nodiscard]] std::vector<Triangle> trianglesAround(const Weld& weld, std::span<const std::uint32_t> triangles,
                                                    std::uint32_t first, std::uint32_t end);

// Which triangle comes where, so that they come around the points one after the other, and those that share an edge
// next to each other where they can be. Points below `points`. O(points + triangles).
[[nodiscard]] std::vector<std::uint32_t> pairedOrder(std::span<const Triangle> triangles, std::size_t points);

} // namespace limber::mesh
