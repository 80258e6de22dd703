// The points of a posed mesh that a dab reaches.
#pragma once

#include "core/document/brush.h"
#include "core/mesh/weld.h"

#include <span>
#include <vector>

namespace limber::document {

struct BrushPoint {
    std::uint32_t point = 0;
    float falloff = 0; // > 0
};

// Points within the radius, ascending; those that look away from the eye are left out where the dab asks for it.
// `positions` and `normals` [V], world. Clears `out` first. O(points), no allocation once `out` has grown.
void pointsUnder(const BrushDab& dab, const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                 std::span<const Eigen::Vector3f> normals, std::vector<BrushPoint>& out);

// The sum of the normals of a point's vertices, not normalised.
[[nodiscard]] Eigen::Vector3f summedNormal(const mesh::Weld& weld, std::span<const Eigen::Vector3f> normals,
                                           std::uint32_t point);

} // namespace limber::document
