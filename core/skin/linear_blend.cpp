#include "core/skin/linear_blend.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cassert>
#include <cmath>

namespace limber::skin {

namespace {

constexpr std::size_t kParallelFrom = 10000; // vertices; below, starting threads costs more than it gains
constexpr std::size_t kGrain = 4096;

struct Blend {
    Matrix34f matrix;
    float sign; // of the determinant of the heaviest joint's matrix
    std::uint32_t heaviest;
};

Blend blend(std::span<const Influence> row, std::span<const Matrix34f> matrices) {
    Blend b;
    b.matrix.setZero();
    float heaviestWeight = 0;
    b.heaviest = 0xffffffffu;
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        b.matrix += i.weight * matrices[i.slot];
        if (i.weight > heaviestWeight) {
            heaviestWeight = i.weight;
            b.heaviest = i.slot;
        }
    }
    if (b.heaviest == 0xffffffffu) {
        b.matrix.setIdentity();
        b.sign = 1;
    } else {
        b.sign = matrices[b.heaviest].leftCols<3>().determinant() < 0 ? -1.0f : 1.0f;
    }
    return b;
}

Eigen::Vector3f turnNormal(const Blend& b, const Eigen::Vector3f& n, std::span<const Matrix34f> matrices) {
    const Eigen::Matrix3f a = b.matrix.leftCols<3>();
    const Eigen::Vector3f c = math::cofactor<float>(a) * n;
    const float length = c.norm();
    if (length > 1e-5f * a.squaredNorm())
        return c * (b.sign / length);
    if (b.heaviest == 0xffffffffu)
        return n;
    // The blend has lost its rank: turn with the heaviest joint.
    const Eigen::Matrix3d heaviest = matrices[b.heaviest].leftCols<3>().cast<double>();
    return (math::nearestRotation(heaviest) * n.cast<double>()).cast<float>();
}

void skinOne(const LinearBlendInput& in, std::size_t v, std::span<Eigen::Vector3f> outPositions,
             std::span<Eigen::Vector3f> outNormals) {
    const Blend b = blend(in.weights->row(v), in.skinMatrices);
    outPositions[v] = b.matrix.leftCols<3>() * in.positions[v] + b.matrix.col(3);
    outNormals[v] = turnNormal(b, in.normals[v], in.skinMatrices);
}

template <class Body> void forAll(std::size_t count, const Body& body) {
    if (count < kParallelFrom) {
        for (std::size_t i = 0; i < count; ++i)
            body(i);
        return;
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kGrain), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i)
            body(i);
    });
}

} // namespace

void linearBlend(const LinearBlendInput& in, std::span<Eigen::Vector3f> outPositions,
                 std::span<Eigen::Vector3f> outNormals) {
    assert(in.positions.size() == in.normals.size() && in.positions.size() == outPositions.size());
    forAll(in.positions.size(), [&](std::size_t v) { skinOne(in, v, outPositions, outNormals); });
}

void linearBlend(const LinearBlendInput& in, std::span<const std::uint32_t> vertices,
                 std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals) {
    forAll(vertices.size(), [&](std::size_t k) { skinOne(in, vertices[k], outPositions, outNormals); });
}

void rigidBlend(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
                const Matrix34f& matrix, std::span<Eigen::Vector3f> outPositions,
                std::span<Eigen::Vector3f> outNormals) {
    const Blend b{matrix, matrix.leftCols<3>().determinant() < 0 ? -1.0f : 1.0f, 0};
    forAll(positions.size(), [&](std::size_t v) {
        outPositions[v] = matrix.leftCols<3>() * positions[v] + matrix.col(3);
        outNormals[v] = turnNormal(b, normals[v], {&matrix, 1});
    });
}

} // namespace limber::skin
