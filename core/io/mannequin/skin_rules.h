// Skin weights of the figure: each point starts from rules for its region (how far along which chain of joints), then
// the weights diffuse over the surface, so that they spread around a shoulder but never from finger to finger.
#pragma once

#include "core/io/mannequin/quad_mesh.h"

namespace limber::io::mannequin {

struct Weight {
    int joint;
    double amount;
};

// [points] of the left half: at most four joints each, largest first, summing to one. On the seam a joint and its
// mirror image have equal weights.
[[nodiscard]] std::vector<std::vector<Weight>> skinWeights(const HalfMesh& mesh);

} // namespace limber::io::mannequin
