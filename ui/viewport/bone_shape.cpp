#include "ui/viewport/bone_shape.h"

#include "ui/viewport/camera.h"

#include <algorithm>
#include <cassert>

namespace limber::ui {

using Eigen::Vector3d;

namespace {

constexpr double kBallShare = 0.085; // of the shortest bone at the joint
constexpr double kEndShare = 0.45;   // an end bone's length as a share of the one before it

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
    SkeletonShape shape{};
    std::vector<double> shortest{}; // per joint: of its bones

    void add(JointId joint, const Vector3d& tail) {
        const Vector3d head = world[joint.index()].translation();
        const double length = (tail - head).norm();
        if (!(length > smallest))
            return;
        shape.bones.push_back({joint, head, tail, sideOf(world[joint.index()], (tail - head) / length)});
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
            add(joint, w.translation() + along.normalized() * (kEndShare * lengthBefore));
    }
};

} // namespace

std::vector<std::uint8_t> drawnJoints(const rig::Skeleton& skeleton) {
    std::vector<std::uint8_t> above(skeleton.size(), 0), below(skeleton.size(), 0), drawn(skeleton.size(), 0);
    const auto order = skeleton.order();
    for (const JointId j : order)
        if (const JointId p = skeleton[j].parent; p.valid())
            above[j.index()] = above[p.index()] || skeleton[p].deforms;
    for (std::size_t k = order.size(); k-- > 0;)
        if (const JointId j = order[k], p = skeleton[j].parent; p.valid())
            below[p.index()] = below[p.index()] || below[j.index()] || skeleton[j].deforms;
    for (std::size_t j = 0; j < drawn.size(); ++j)
        drawn[j] = skeleton[JointId(j)].deforms || (above[j] && below[j]);
    return drawn;
}

SkeletonShape skeletonShape(const rig::Skeleton& skeleton, std::span<const rig::Affine> world,
                            std::span<const std::uint8_t> drawn) {
    assert(world.size() == skeleton.size() && drawn.size() == skeleton.size());
    const double scale = scaleOf(world, drawn);
    Builder b{skeleton, world, scale * 1e-5};
    b.shortest.assign(skeleton.size(), scale > 0 ? scale : 1.0);
    for (const JointId j : skeleton.order()) {
        if (!drawn[j.index()])
            continue;
        const Vector3d head = world[j.index()].translation();
        bool last = true;
        for (const JointId child : skeleton.children(j)) {
            if (!drawn[child.index()])
                continue;
            last = false;
            b.add(j, world[child.index()].translation());
        }
        const JointId parent = skeleton[j].parent;
        if (parent.valid() && drawn[parent.index()]) {
            const double before = (head - world[parent.index()].translation()).norm();
            if (before > b.smallest)
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
