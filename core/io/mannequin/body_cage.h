// The coarse cage of the figure's left half: rings of points around trunk, limbs and fingers, joined by quads so that
// edge loops run around every joint. Two subdivisions turn it into the skin.
#pragma once

#include "core/io/mannequin/quad_mesh.h"

#include <span>

namespace limber::io::mannequin {

using Loop = std::vector<int>;

// Quads between two loops of equal length; seen from outside with `upper` above, the loops run to the right.
struct Bridge {
    Region region;
    float row = 0; // of `lower`; `upper` is `row + step`
    float step = 1;
    bool closed = true;
};
void bridge(HalfMesh& mesh, const Loop& lower, const Loop& upper, const Bridge& how);
void addFace(HalfMesh& mesh, std::span<const int> corners, Region region, float row);

// `wrist` is a loop of eight: back of the hand, thumb side, palm, little finger's side, and the four between.
void addHandCage(HalfMesh& mesh, const Loop& wrist);

// Rows count from 0: at the groin, the shoulder, the hip, the ankle, the finger's root, the base of the neck.
[[nodiscard]] HalfMesh makeBodyCage();

} // namespace limber::io::mannequin
