// Linear blend skinning: x_i = sum_j w_ij T_j p_i (deformation-math.md section 3).
#pragma once

#include "core/math/transform.h"
#include "core/skin/skin_weights.h"

#include <span>
#include <vector>

namespace limber::skin {

// Influences up to this weight are skipped.
inline constexpr float kWeightEpsilon = 1e-6f;

// A skinning matrix for vertices: rows of [A | t], float.
using Matrix34f = Eigen::Matrix<float, 3, 4, Eigen::RowMajor>;
[[nodiscard]] Matrix34f toMatrix34f(const math::Affine& m);

// The map of one vertex: x = A p + b, in double.
struct VertexMap {
    Eigen::Matrix3d a = Eigen::Matrix3d::Identity();
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    double jointScale = 1; // sigma_ref: sum w |A(T_j)|_2, the scale before blending

    [[nodiscard]] Eigen::Vector3d operator()(const Eigen::Vector3d& p) const { return a * p + b; }
};

// skinMatrices T [slots], worldFromMesh. A row without weight maps by the identity.
[[nodiscard]] VertexMap blendMap(std::span<const Influence> row, std::span<const math::Affine> skinMatrices);
// The same with |A(T)|_2 of each slot at hand, for many vertices.
[[nodiscard]] VertexMap blendMap(std::span<const Influence> row, std::span<const math::Affine> skinMatrices,
                                 std::span<const double> stretches);
[[nodiscard]] double largestStretch(const math::Affine& m);

struct LinearBlendInput {
    std::span<const Eigen::Vector3f> positions; // [V] pre-skin points, mesh space
    std::span<const Eigen::Vector3f> normals;   // [V] unit, mesh space
    const SkinWeights* weights = nullptr;       // [V] rows
    std::span<const Matrix34f> skinMatrices;    // [slots] worldFromMesh
};

// Posed positions and unit normals, world space. Normals go by the cofactor matrix, sign of the heaviest joint.
// Writes outPositions and outNormals [V]. Threads by oneTBB. Preconditions: equal lengths, slots in range.
void linearBlend(const LinearBlendInput& in, std::span<Eigen::Vector3f> outPositions,
                 std::span<Eigen::Vector3f> outNormals);

// The same for some vertices only.
void linearBlend(const LinearBlendInput& in, std::span<const std::uint32_t> vertices,
                 std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals);

// The same by one matrix for all: a mesh that follows a joint as a whole.
void rigidBlend(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
                const Matrix34f& matrix, std::span<Eigen::Vector3f> outPositions,
                std::span<Eigen::Vector3f> outNormals);

// The slow clear version, in double, one vertex at a time: the oracle of the tests.
struct PosedVertex {
    Eigen::Vector3d position, normal;
};
[[nodiscard]] PosedVertex linearBlendReference(const Eigen::Vector3d& position, const Eigen::Vector3d& normal,
                                               std::span<const Influence> row,
                                               std::span<const math::Affine> skinMatrices);

// sigma * cof(A) n normalised; the fallback where |cof(A) n| <= 1e-9 |A|^2 (C05).
[[nodiscard]] Eigen::Vector3d transformNormal(const Eigen::Matrix3d& a, double sign, const Eigen::Vector3d& n,
                                              const Eigen::Vector3d& fallback);

} // namespace limber::skin
