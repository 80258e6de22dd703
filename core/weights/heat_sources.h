// Which bones warm which points of a surface (Baran & Popovic 2007, section 4).
#pragma once

#include "core/mesh/weld.h"

#include <Eigen/Core>

namespace limber::weights {

// A segment along which a joint holds the surface; a joint may have several, or one that is a point. Mesh space.
struct Bone {
    Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();
    std::uint32_t slot = 0; // of the joint
};

struct HeatSources {
    mesh::Rows nearest;             // [P] the nearest joints that are visible, or the nearest where none is
    std::vector<double> heat;       // [P] k / d^2 of the k joints of the row at distance d, one over units squared
    std::vector<std::uint8_t> sees; // [P] non-zero where they are visible
};

// The nearest joints of every point, and whether they are visible from it: the segment to the bone leads inward, within
// 60 degrees of the point's normal, and crosses the surface nowhere. Distances within 1.0001 of the nearest count as
// the same, and nothing is nearer than 1e-6 of the surface's size. Normals are turned outward by the volume that the
// surface encloses; where two sides cancel each other out any direction is inward. `bones` must not be empty.
// O(P x bones), and a ray for each nearest bone. Threads by oneTBB.
[[nodiscard]] HeatSources heatSources(const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                                      std::span<const std::uint32_t> triangles, std::span<const Bone> bones);

} // namespace limber::weights
