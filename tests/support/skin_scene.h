// Meshes with random weights on joints of every kind, and how far what the kernels make of them is from the slow
// version.
#pragma once

#include "core/skin/joint_sets.h"
#include "core/skin/skinner.h"
#include "tests/support/random.h"

#include <numeric>

namespace limber::test {

using namespace limber::skin;

using Points = std::vector<Eigen::Vector3f>;

enum class Slots { Rigid, OneStretch, Stretched, Mirrored, Flat, HalfTurns, Opposed, Chain };

inline SlotPose slotOf(Slots kind, std::size_t index, Random& random) {
    math::Affine bind = random.rigid(), world = random.rigid() * bind, place = math::Affine::Identity();
    if (kind == Slots::OneStretch || kind == Slots::Stretched)
        place.linear().diagonal() << 0.01, 0.02, 0.01;
    if (kind == Slots::Stretched || kind == Slots::Mirrored || kind == Slots::Flat)
        world.linear() *= random.affine().linear();
    if (kind == Slots::Mirrored && index % 2)
        world.linear().col(0) *= -1;
    if (kind == Slots::Flat && index % 3 == 0)
        world.linear().col(index % 2) *= index % 4 ? 0.0 : 1e-7;
    if (kind == Slots::Flat && index % 5 == 0)
        world.linear().setZero();
    if (kind == Slots::HalfTurns) {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(static_cast<int>(index % 3));
        world = bind * math::rotationAbout(random.vector(), axis, M_PI * 0.9);
    }
    if (kind == Slots::Opposed) { // near each other, while their quaternions point either way
        const Eigen::Vector3d axis = Eigen::Vector3d(1, -1, 0) + random.vector(0.1);
        bind = math::Affine(Eigen::Translation3d(random.vector(2)));
        world = math::rotationAbout(random.vector(0.3), axis.normalized(), random.uniform(0.97, 1.03) * M_PI) * bind;
    }
    if (kind == Slots::Chain) {
        bind = math::Affine(Eigen::Translation3d(0, 0.05 * static_cast<double>(index), 0));
        world = math::rotationAbout(Eigen::Vector3d(0.3, 0, 0), Eigen::Vector3d(1, 0.1, 0).normalized(),
                                    0.02 * static_cast<double>(index)) *
                bind;
    }
    return slotPose(world, bind, bind.inverse(), bind.inverse() * place);
}

struct Scene {
    Points positions, normals, outPositions, outNormals;
    std::vector<float> shares;
    SkinWeights weights;
    std::vector<SlotPose> poses;
    BlockWeights blocks;
    Palette palette;
    JointSets sets;

    Scene(std::size_t vertices, std::size_t joints, Slots kind, std::size_t longest, unsigned seed = 1)
        : weights(vertices, longest) {
        Random random(seed);
        for (std::size_t s = 0; s < joints; ++s)
            poses.push_back(slotOf(kind, s, random));
        for (std::size_t v = 0; v < vertices; ++v) {
            positions.push_back(random.vector(2).cast<float>());
            normals.push_back(random.vector().normalized().cast<float>());
            shares.push_back(static_cast<float>(random.uniform(0, 1)));
            setRandomRow(v, longest, random);
        }
        outPositions.resize(vertices);
        outNormals.resize(vertices);
    }

    // Its weights add up to `total`; may be empty.
    void setRandomRow(std::size_t v, std::size_t longest, Random& random, float total = 1) {
        const std::size_t joints = poses.size(), count = std::min(joints, random.index(longest + 1));
        Row row;
        float sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t low = k * joints / count, high = (k + 1) * joints / count;
            row.push_back({static_cast<std::uint32_t>(low + random.index(high - low)),
                           k % 7 == 6 ? 1e-7f : static_cast<float>(random.uniform(0.05, 1))});
            sum += row.back().weight;
        }
        for (Influence& i : row)
            i.weight *= total / sum;
        weights.setRow(v, row);
    }

    void prepare(Method method) {
        palette.resize(poses.size(), method);
        for (std::size_t s = 0; s < poses.size(); ++s)
            palette.set(s, poses[s]);
        palette.finish();
        blocks.build(weights);
        if (method == Method::Spherical) {
            sets.build(blocks);
            sets.pose(palette);
        }
    }

    [[nodiscard]] SkinInput input(bool shared = false, bool perSet = false) const {
        return {positions,
                normals,
                &blocks,
                &palette,
                shared ? std::span<const float>(shares) : std::span<const float>(),
                perSet ? &sets : nullptr};
    }
};

// How far the arrays are from the slow version, relative to the size of things; -1 where something is not finite.
struct Errors {
    double position = 0, normal = 0;
    std::size_t worst = 0;
};

inline Errors errorsOf(const Scene& s, Method method, bool shared, SphericalCentre centre) {
    Errors e;
    for (std::size_t v = 0; v < s.positions.size(); ++v) {
        if (!s.outPositions[v].allFinite() || !s.outNormals[v].allFinite())
            return {-1, -1, v};
        const double share = shared ? s.shares[v] : 1;
        const std::span<const Influence> row = s.weights.row(v);
        const VertexMap map = poseMap(row, s.poses, method, share, centre);
        const PosedVertex slow = posedReference(s.positions[v].cast<double>(), s.normals[v].cast<double>(), row,
                                                s.poses, method, share, centre);
        const double position = (slow.position - s.outPositions[v].cast<double>()).norm() / 10;
        if (position > e.position)
            e.position = position, e.worst = v;
        // What has nearly lost its rank may turn by the heaviest joint in one and not yet in the other.
        const double size = map.a.squaredNorm();
        const double steady = (math::cofactor<double>(map.a) * s.normals[v].cast<double>()).norm() / size;
        if (size > 0 && steady > 1e-3)
            e.normal = std::max(e.normal, steady * (slow.normal - s.outNormals[v].cast<double>()).norm());
    }
    return e;
}

// Of the largest thing in a scene. Joints at random have centres of the spherical blend far away, and float's last
// digit counts there.
inline double toleranceOf(Method method, Slots kind) {
    return method == Method::Spherical && kind != Slots::Chain ? 2e-4 : 2e-5;
}

inline std::vector<std::uint32_t> shuffled(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    return order;
}

} // namespace limber::test
