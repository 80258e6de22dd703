#include "ui/viewport/bone_shape.h"

#include "ui/viewport/camera.h"

#include <algorithm>
#include <cassert>

namespace limber::ui {

using Eigen::Vector3d;

namespace {

constexpr double kBallShare = 0.072; // of the shortest bone at the joint
constexpr double kWaistShare = 0.08; // of the bone's length
constexpr double kEndShare = 0.45;   // an end bone's length as a share of the one before it
constexpr double kMostBall = 0.075, kMostWaist = 0.15, kMostEnd = 1; // as shares of the rig's middle bone length

double scaleOf(std::span<const rig::Affine> world, std::span<const std::uint8_t> drawn) {
    Eigen::AlignedBox3d box;
    for (std::size_t j = 0; j < world.size(); ++j)
        if (drawn[j])
            box.extend(Vector3d(world[j].translation()));
    return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

// Across the bone, from the joint's own axes so that it turns with it.
Vector3d sideOf(const rig::Affine& joint, const Vector3d& along) {
    Vector3d best = along.unitOrthogonal();
    double size = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const Vector3d a = joint.linear().col(axis);
        const Vector3d across = a - along * a.dot(along);
        const double share = a.norm() > 0 ? across.norm() / a.norm() : 0;
        if (share > size + 1e-3) {
            size = share;
            best = across.normalized();
        }
    }
    return best;
}

struct Builder {
    const rig::Skeleton& skeleton;
    std::span<const rig::Affine> world;
    double smallest; // shorter bones are not drawn
    double middle;   // length of the rig's middle bone
    SkeletonShape shape{};
    std::vector<double> shortest{}; // per joint: of its bones

    void add(JointId joint, const Vector3d& tail) {
        const Vector3d head = world[joint.index()].translation();
        const double length = (tail - head).norm();
        if (!(length > smallest))
            return;
        shape.bones.push_back({joint, head, tail, sideOf(world[joint.index()], (tail - head) / length),
                               std::min(kWaistShare * length, kMostWaist * middle)});
        shortest[joint.index()] = std::min(shortest[joint.index()], length);
    }

    // A chain's last joint has no child to point at: it goes on as its parent's bone did at bind.
    void addEnd(JointId joint, double lengthBefore) {
        const rig::Joint& j = skeleton[joint];
        if (!j.parent.valid())
            return;
        const Vector3d before = j.bindWorld.translation() - skeleton[j.parent].bindWorld.translation();
        if (before.norm() <= smallest)
            return;
        const rig::Affine& w = world[joint.index()];
        const Vector3d along = w.linear() * (j.inverseBind.linear() * before);
        if (along.norm() > 1e-12)
            add(joint, w.translation() + along.normalized() * std::min(kEndShare * lengthBefore, kMostEnd * middle));
    }
};

void markWeighted(const document::Skin& skin, const skin::SkinWeights& weights, std::vector<std::uint8_t>& moves) {
    std::size_t left = 0;
    for (const JointId j : skin.joints)
        left += !moves[j.index()];
    for (std::size_t v = 0; v < weights.vertexCount() && left > 0; ++v)
        for (const skin::Influence& i : weights.row(v)) {
            if (i.weight <= 0 || i.slot >= skin.joints.size())
                continue;
            std::uint8_t& moved = moves[skin.joints[i.slot].index()];
            left -= !moved;
            moved = 1;
        }
}

std::vector<std::uint8_t> movingJoints(const document::DocumentState& state) {
    std::vector<std::uint8_t> moves(state.skeleton.size(), 0);
    for (const document::Instance& instance : state.instances) {
        if (instance.skin.valid()) {
            markWeighted(state.skins[instance.skin.index()], state.meshes[instance.mesh.index()].weights, moves);
            continue;
        }
        for (JointId j = instance.node; j.valid(); j = state.skeleton[j].parent)
            if (state.skeleton[j].deforms) {
                moves[j.index()] = 1;
                break;
            }
    }
    return moves;
}

} // namespace

std::vector<std::uint8_t> drawnJoints(const document::DocumentState& state) {
    const rig::Skeleton& skeleton = state.skeleton;
    const std::vector<std::uint8_t> moves = movingJoints(state);
    std::vector<std::uint8_t> above(skeleton.size(), 0), below(skeleton.size(), 0), drawn(skeleton.size(), 0);
    const auto order = skeleton.order();
    for (const JointId j : order)
        if (const JointId p = skeleton[j].parent; p.valid())
            above[j.index()] = above[p.index()] || moves[p.index()];
    for (std::size_t k = order.size(); k-- > 0;)
        if (const JointId j = order[k], p = skeleton[j].parent; p.valid())
            below[p.index()] = below[p.index()] || below[j.index()] || moves[j.index()];
    for (std::size_t j = 0; j < drawn.size(); ++j)
        drawn[j] = moves[j] || (above[j] && below[j]);
    return drawn;
}

SkeletonShape skeletonShape(const rig::Skeleton& skeleton, std::span<const rig::Affine> world,
                            std::span<const std::uint8_t> drawn) {
    assert(world.size() == skeleton.size() && drawn.size() == skeleton.size());
    const auto isDrawn = [&](JointId j) { return j.valid() && drawn[j.index()]; };
    const auto lengthBefore = [&](JointId j) {
        return (world[j.index()].translation() - world[skeleton[j].parent.index()].translation()).norm();
    };
    const double scale = scaleOf(world, drawn), smallest = scale * 1e-5;
    std::vector<double> lengths;
    for (const JointId j : skeleton.order())
        if (isDrawn(j) && isDrawn(skeleton[j].parent) && lengthBefore(j) > smallest)
            lengths.push_back(lengthBefore(j));
    const auto half = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), half, lengths.end());
    const double middle = lengths.empty() ? (scale > 0 ? scale : 1.0) : *half;

    Builder b{skeleton, world, smallest, middle};
    b.shortest.assign(skeleton.size(), kMostBall / kBallShare * middle);
    for (const JointId j : skeleton.order()) {
        if (!isDrawn(j))
            continue;
        bool last = true;
        for (const JointId child : skeleton.children(j)) {
            if (!isDrawn(child))
                continue;
            last = false;
            b.add(j, world[child.index()].translation());
        }
        if (!isDrawn(skeleton[j].parent))
            continue;
        if (const double before = lengthBefore(j); before > smallest) {
            b.shortest[j.index()] = std::min(b.shortest[j.index()], before);
            if (last)
                b.addEnd(j, before);
        }
    }
    for (std::size_t j = 0; j < drawn.size(); ++j)
        if (drawn[j])
            b.shape.balls.push_back({JointId(j), world[j].translation(), kBallShare * b.shortest[j]});
    return std::move(b.shape);
}

double drawnRadiusPx(const Camera& camera, const Vector3d& at, double radius, double smallestPx) {
    const double px = radius / camera.worldPerPixel(at);
    return px >= smallestPx ? px : std::clamp(2.8 * px, 0.45 * smallestPx, smallestPx);
}

} // namespace limber::ui
