// The kernels of all methods: posed points and normals by blocks, with the widest vectors the processor has, chosen at
// run time. Normals go by the cofactor matrix with the sign of the heaviest joint.
#pragma once

#include "core/skin/block_weights.h"
#include "core/skin/palette.h"

namespace limber::skin {

class JointSets;

struct SkinInput {
    std::span<const Eigen::Vector3f> positions; // [V] pre-skin points, mesh space
    std::span<const Eigen::Vector3f> normals;   // [V] unit, mesh space
    const BlockWeights* weights = nullptr;      // [V]
    const Palette* palette = nullptr;           // of the method that is wanted, finished
    std::span<const float> shares;              // [V] of the method, in [0, 1]; empty: 1 everywhere
    const JointSets* sets = nullptr;            // spherical blend about a centre per joint set, posed; null: per vertex
};

// Writes outPositions and outNormals [V], world space. Where outNormals is empty, points alone are posed, the same ones
// bit for bit, in as little as half the time; normals of the input are not read then. Finite input gives finite output.
// Threads by oneTBB, a single one below 10,000 vertices; no allocation of its own.
void skinAll(const SkinInput& in, std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals);
// The vertices of these blocks only.
void skinBlocks(const SkinInput& in, std::span<const std::uint32_t> blocks, std::span<Eigen::Vector3f> outPositions,
                std::span<Eigen::Vector3f> outNormals);

// The same by one matrix for all: a mesh that follows a joint as a whole.
void skinRigid(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
               const Matrix34f& matrix, std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals);

// The vector instructions in use: "AVX3", "AVX2", "SSSE3" ...
[[nodiscard]] const char* kernelName();

} // namespace limber::skin
