// Which matrices mirror, and the orthogonal part of those that do.
#pragma once

#include "core/math/transform.h"

namespace limber::math {

// det a < 0. Of what is flat the determinant is nothing but rounding: it counts as a mirror only beyond `rounding`, a
// part of |a|_F^3. Of matrices that were floats that is 1e-6.
[[nodiscard]] inline bool isMirrored(const Matrix3d& a, double rounding = 1e-9) {
    const double size = a.norm();
    return a.determinant() < -rounding * size * size * size;
}

// The rotation of a = R P, P symmetric: proper, so that P mirrors where `mirrored`. Where a has lost a direction, that
// one turns as it must. O(1), by SVD.
[[nodiscard]] inline Matrix3d polarRotation(const Matrix3d& a, bool mirrored) {
    return nearestRotation(mirrored ? Matrix3d(-a) : a);
}

} // namespace limber::math
