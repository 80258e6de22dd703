// Correctives: what was sculpted on the posed surface, carried back through the skin (deformation-math.md section 4).
#pragma once

#include "core/skin/pose_map.h"

namespace limber::shape {

// The part of `offset` that A can reach: delta = V diag(1/max(sigma, floor)) U^T offset with floor = 0.1 jointScale,
// and the rest, residual = offset - A delta. Exact where the smallest singular value is at least the floor.
struct InverseResult {
    Eigen::Vector3d delta = Eigen::Vector3d::Zero();
    Eigen::Vector3d residual = Eigen::Vector3d::Zero();
    double condition = 1; // jointScale / smallest singular value; where that is clearly below 10, a bound of it
};
// Share of the joint scale below which singular values are clamped, and the one that a quick bound of the smallest must
// exceed to be sure that none is.
inline constexpr double kClampShare = 0.1, kRegularShare = 1.1 * kClampShare;
[[nodiscard]] InverseResult clampedInverse(const Eigen::Matrix3d& a, double jointScale, const Eigen::Vector3d& offset);

// The matrix that clampedInverse multiplies `offset` with, for many offsets through one map. `exact` tells that no
// singular value was clamped: then nothing is out of reach.
struct ClampedMatrix {
    Eigen::Matrix3d inverse = Eigen::Matrix3d::Zero();
    bool exact = false;
};
[[nodiscard]] ClampedMatrix clampedInverseMatrix(const Eigen::Matrix3d& a, double jointScale);

// Below this weight an extraction is refused: go to the shape's pose first.
inline constexpr double kSmallestShapeWeight = 0.05;
// Posed offsets up to this share of the bounding box diagonal (world units) are left out.
inline constexpr double kOffsetThreshold = 1e-5;

// The increment d_k <- d_k + A^-1 (y - x) / beta of one vertex, x being the result with all shapes active.
[[nodiscard]] InverseResult correctiveIncrement(const skin::VertexMap& map, const Eigen::Vector3d& posed,
                                                const Eigen::Vector3d& sculpted, double weight);

} // namespace limber::shape
