// Skinning as one affine map per vertex, x = A p + b, for every method: what extraction inverts, and the oracle that
// the kernels and the vertex shader are tested against (deformation-math.md section 3). In double.
#pragma once

#include "core/math/transform.h"
#include "core/skin/skin_weights.h"
#include "core/skin/skinning.h"

#include <span>
#include <vector>

namespace limber::skin {

// Influences up to this weight are skipped.
inline constexpr float kWeightEpsilon = 1e-6f;

// Tikhonov's term of the spherical blend's centre, for weights with the sum one: a turn of joints against each other
// below 1e-3 rad, squared. Directions that they turn less in stay at the anchor (deformation-math.md section 3, SBS).
inline constexpr double kCentreTerm = 1e-6;

// What one joint does to the vertices of a skin in a pose. T = D S M: the mesh is placed in the model (M = B G),
// stretched about the joint's bind origin (S), then moved rigidly (D); a reflection is in S.
struct SlotPose {
    math::Affine skin = math::Affine::Identity();         // T = W G, world from mesh
    math::Matrix3d rotation = math::Matrix3d::Identity(); // of D, proper
    math::Vector3d translation = math::Vector3d::Zero();  // of D
    math::Affine stretch = math::Affine::Identity();      // S M, model from mesh
    math::Vector3d origin = math::Vector3d::Zero();       // o, model space
    double largestStretch = 1;                            // |A(T)|_2
    double sign = 1;                                      // of det A(T)
};

// `world` W, `bindWorld` B and its inverse, `inverseBind` G of the skin. A singular W gives a rotation nearest to what
// is left of it (never a NaN).
[[nodiscard]] SlotPose slotPose(const math::Affine& world, const math::Affine& bindWorld,
                                const math::Affine& bindWorldInverse, const math::Affine& inverseBind);
[[nodiscard]] double largestStretch(const math::Affine& m);

// The map of one vertex: x = A p + b.
struct VertexMap {
    Eigen::Matrix3d a = Eigen::Matrix3d::Identity();
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    double jointScale = 1; // sigma_ref: sum w |A(T_j)|_2, the scale before blending

    [[nodiscard]] Eigen::Vector3d operator()(const Eigen::Vector3d& p) const { return a * p + b; }
};

// Where the spherical blend turns about: the point that its joints carry to places as near to each other as can be.
enum class SphericalCentre : std::uint8_t {
    PerVertex, // weighted by the influences: minimises sum_j w_j |D_j r - sum_k w_k D_k r|^2; continuous as one fades
    PerSet,    // as published, one for all vertices of a joint set, whatever their weights
};

// `share` mu in [0, 1]: the method's part, the rest is linear blend. A row without weight maps by the identity.
// Ties of the largest weight go to the lower slot.
[[nodiscard]] VertexMap poseMap(std::span<const Influence> row, std::span<const SlotPose> slots, Method method,
                                double share = 1, SphericalCentre centre = SphericalCentre::PerVertex);

// Normal and tangent under a map: sign * cof(A) n normalised, `fallback` where |cof(A) n| <= 1e-9 |A|^2 (C05).
[[nodiscard]] Eigen::Vector3d transformNormal(const Eigen::Matrix3d& a, double sign, const Eigen::Vector3d& n,
                                              const Eigen::Vector3d& fallback);
// xyz unit and at right angles to the posed unit `normal`, w the handedness.
[[nodiscard]] Eigen::Vector4d transformTangent(const Eigen::Matrix3d& a, const Eigen::Vector3d& normal,
                                               const Eigen::Vector4d& tangent);

// The slow clear version of all kernels: one vertex, normals by the sign and, where the blend lost its rank, by the
// rotation of the heaviest joint.
struct PosedVertex {
    Eigen::Vector3d position, normal;
};
[[nodiscard]] PosedVertex posedReference(const Eigen::Vector3d& position, const Eigen::Vector3d& normal,
                                         std::span<const Influence> row, std::span<const SlotPose> slots, Method method,
                                         double share = 1, SphericalCentre centre = SphericalCentre::PerVertex);

} // namespace limber::skin
