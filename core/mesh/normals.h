// Smooth normals: the area-weighted mean of the faces around a point.
#pragma once

#include "core/mesh/weld.h"

namespace limber::mesh {

// Normal of one point from `positions` [V]; zero where all its faces have no area.
[[nodiscard]] Eigen::Vector3f pointNormal(const Weld& weld, std::span<const std::uint32_t> triangles,
                                          std::span<const Eigen::Vector3f> positions, std::uint32_t point);

// Smooth unit normals [V], equal for all vertices of a point; (0, 1, 0) where a point has no face with an area. O(V +
// T), threads by oneTBB. SmoothNormals does the same faster where it is done again and again.
[[nodiscard]] std::vector<Eigen::Vector3f> smoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles,
                                                         std::span<const Eigen::Vector3f> positions);

} // namespace limber::mesh
