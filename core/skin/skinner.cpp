#include "core/skin/skinner.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cmath>

namespace limber::skin {

namespace {

void skinBlock(const SkinInput& in, std::size_t block, std::span<Eigen::Vector3f> outPositions,
               std::span<Eigen::Vector3f> outNormals) {
    const std::span<const std::uint32_t> slots = in.weights->slots(block);
    const std::span<const float> lanes = in.weights->lanes(block);
    const std::span<const Matrix34f> linear = in.palette->linear();
    for (std::size_t k = 0; k < kLanes && block * kLanes + k < in.weights->vertexCount(); ++k) {
        const std::uint32_t v = in.weights->vertexAt(block * kLanes + k);
        Matrix34f m = Matrix34f::Zero();
        float heaviest = 0;
        std::uint32_t slot = 0;
        for (std::size_t s = 0; s < slots.size(); ++s) {
            const float w = lanes[s * kLanes + k];
            m += w * linear[slots[s]];
            if (w > heaviest) {
                heaviest = w;
                slot = slots[s];
            }
        }
        if (!(heaviest > 0)) {
            outPositions[v] = in.positions[v];
            outNormals[v] = in.normals[v];
            continue;
        }
        const Eigen::Matrix3f a = m.leftCols<3>();
        const Eigen::Vector3f c = math::cofactor<float>(a) * in.normals[v];
        outPositions[v] = a * in.positions[v] + m.col(3);
        outNormals[v] =
            c.norm() > 1e-5f * a.squaredNorm()
                ? Eigen::Vector3f(c.normalized() * in.palette->signs()[slot])
                : (math::nearestRotation(linear[slot].leftCols<3>().cast<double>()) * in.normals[v].cast<double>())
                      .cast<float>();
    }
}

} // namespace

void skinAll(const SkinInput& in, std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals) {
    for (std::size_t b = 0; b < in.weights->blockCount(); ++b)
        skinBlock(in, b, outPositions, outNormals);
}

void skinBlocks(const SkinInput& in, std::span<const std::uint32_t> blocks, std::span<Eigen::Vector3f> outPositions,
                std::span<Eigen::Vector3f> outNormals) {
    for (const std::uint32_t b : blocks)
        skinBlock(in, b, outPositions, outNormals);
}

void skinRigid(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
               const Matrix34f& matrix, std::span<Eigen::Vector3f> outPositions,
               std::span<Eigen::Vector3f> outNormals) {
    const Eigen::Matrix3f a = matrix.leftCols<3>();
    const float sign = a.determinant() < 0 ? -1.0f : 1.0f;
    const Eigen::Matrix3f cofactor = math::cofactor<float>(a) * sign;
    const Eigen::Matrix3f turn = math::nearestRotation(a.cast<double>()).cast<float>();
    for (std::size_t v = 0; v < positions.size(); ++v) {
        outPositions[v] = a * positions[v] + matrix.col(3);
        const Eigen::Vector3f c = cofactor * normals[v];
        outNormals[v] = c.norm() > 1e-5f * a.squaredNorm() ? c.normalized() : Eigen::Vector3f(turn * normals[v]);
    }
}

const char* kernelName() {
    return "scalar";
}

} // namespace limber::skin
