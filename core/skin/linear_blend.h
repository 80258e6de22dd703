// Linear blend skinning: x_i = sum_j w_ij T_j p_i (deformation-math.md section 3).
#pragma once

#include "core/skin/palette.h"

#include <span>
#include <vector>

namespace limber::skin {

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

} // namespace limber::skin
