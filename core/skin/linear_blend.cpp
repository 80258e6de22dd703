#include "core/skin/linear_blend.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
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

Matrix34f toMatrix34f(const math::Affine& m) {
    return m.matrix().topRows<3>().cast<float>();
}

double largestStretch(const math::Affine& m) {
    // |A|_2 is the root of the largest eigenvalue of A^T A.
    const Eigen::Matrix3d square = m.linear().transpose() * m.linear();
    return std::sqrt(
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(square, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff());
}

VertexMap blendMap(std::span<const Influence> row, std::span<const math::Affine> skinMatrices,
                   std::span<const double> stretches) {
    VertexMap map;
    map.a.setZero();
    map.jointScale = 0;
    bool any = false;
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        const double w = i.weight;
        map.a += w * skinMatrices[i.slot].linear();
        map.b += w * skinMatrices[i.slot].translation();
        map.jointScale += w * stretches[i.slot];
        any = true;
    }
    return any ? map : VertexMap{};
}

VertexMap blendMap(std::span<const Influence> row, std::span<const math::Affine> skinMatrices) {
    std::vector<double> stretches(skinMatrices.size(), 0.0);
    for (const Influence& i : row)
        stretches[i.slot] = largestStretch(skinMatrices[i.slot]);
    return blendMap(row, skinMatrices, stretches);
}

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

Eigen::Vector3d transformNormal(const Eigen::Matrix3d& a, double sign, const Eigen::Vector3d& n,
                                const Eigen::Vector3d& fallback) {
    const Eigen::Vector3d c = math::cofactor<double>(a) * n;
    const double length = c.norm();
    if (length <= 1e-9 * a.squaredNorm())
        return fallback;
    return c * (sign / length);
}

PosedVertex linearBlendReference(const Eigen::Vector3d& position, const Eigen::Vector3d& normal,
                                 std::span<const Influence> row, std::span<const math::Affine> skinMatrices) {
    const VertexMap map = blendMap(row, skinMatrices);
    const Influence* heaviest = nullptr;
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon && (!heaviest || i.weight > heaviest->weight))
            heaviest = &i;
    if (!heaviest)
        return {position, normal};
    const Eigen::Matrix3d joint = skinMatrices[heaviest->slot].linear();
    const double sign = joint.determinant() < 0 ? -1 : 1;
    return {map(position), transformNormal(map.a, sign, normal, math::nearestRotation(joint) * normal)};
}

} // namespace limber::skin
