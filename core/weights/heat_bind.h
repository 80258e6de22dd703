// Weights by the equilibrium of heat: every joint in its turn is hot, and the surface conducts (Baran & Popovic 2007,
// "Automatic Rigging and Animation of 3D Characters", section 4).
#pragma once

#include "core/skin/skin_weights.h"
#include "core/weights/heat_solver.h"
#include "core/weights/heat_sources.h"

namespace limber::weights {

struct HeatWeights {
    skin::SkinWeights rows; // [V] sums of one; vertices at one position are alike
    // Vertices in pieces of the surface of which less than a fiftieth sees any bone: they are warmed by the nearest as
    // if they saw it. And those of which doubles do not tell an equilibrium, as the bones are too far away: they take
    // the nearest.
    std::size_t unseen = 0;
};

// Solves (L + M H) w = M H P for the joints of the bones, with L of cotanLaplacian, M its areas, H and P of
// heatSources. The result does not depend on the scene's scale. Before small weights are dropped, rows sum to one
// exactly and no weight is negative. positions [V] finite, triangles [3 x T], `weld` of the two, `bones` not empty.
// Mesh space, any unit. Cost: heatSources, a sparse factorisation (math::SparseCholesky), and for each joint a solution
// and O(P); threads by oneTBB.
[[nodiscard]] HeatWeights bindByHeat(const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                                     std::span<const std::uint32_t> triangles, std::span<const Bone> bones,
                                     const HeatOptions& options = {});

} // namespace limber::weights
