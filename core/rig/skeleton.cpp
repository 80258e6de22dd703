#include "core/rig/skeleton.h"

#include <cassert>

namespace limber::rig {

Skeleton::Skeleton(std::vector<Joint> joints) : joints_(std::move(joints)), children_(joints_.size()) {
    order_.reserve(joints_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (joints_[j].parent.valid())
            children_[joints_[j].parent.index()].push_back(JointId(j));
        else
            order_.push_back(JointId(j));
    }
    // Breadth first: order_ grows while it is walked.
    for (std::size_t next = 0; next < order_.size(); ++next)
        for (const JointId child : children_[order_[next].index()])
            order_.push_back(child);
    assert(order_.size() == joints_.size() && "parents must form a forest");

    for (const JointId j : order_) {
        Joint& joint = joints_[j.index()];
        joint.bindWorld =
            joint.parent.valid() ? joints_[joint.parent.index()].bindWorld * joint.bindLocal : joint.bindLocal;
        joint.inverseBind = joint.bindWorld.inverse();
    }
}

bool Skeleton::isAncestor(JointId ancestor, JointId j) const {
    for (JointId p = joints_[j.index()].parent; p.valid(); p = joints_[p.index()].parent)
        if (p == ancestor)
            return true;
    return false;
}

namespace {

Affine worldOf(const Joint& joint, const Affine& userLocal, std::span<const Affine> world) {
    const Affine local = joint.bindLocal * userLocal;
    return joint.parent.valid() ? world[joint.parent.index()] * local : local;
}

} // namespace

void forwardKinematics(const Skeleton& skeleton, std::span<const Affine> userLocal, Transforms& world) {
    assert(userLocal.size() == skeleton.size());
    world.resize(skeleton.size());
    for (const JointId j : skeleton.order())
        world[j.index()] = worldOf(skeleton[j], userLocal[j.index()], world);
}

void forwardKinematics(const Skeleton& skeleton, std::span<const Affine> userLocal, JointId root,
                       std::span<Affine> world, std::vector<JointId>& subtree) {
    assert(userLocal.size() == skeleton.size() && world.size() == skeleton.size());
    subtree.clear();
    subtree.push_back(root);
    for (std::size_t next = 0; next < subtree.size(); ++next) {
        const JointId j = subtree[next];
        world[j.index()] = worldOf(skeleton[j], userLocal[j.index()], world);
        const auto children = skeleton.children(j);
        subtree.insert(subtree.end(), children.begin(), children.end());
    }
}

Affine parentWorld(const Skeleton& skeleton, std::span<const Affine> world, JointId j) {
    const JointId p = skeleton[j].parent;
    return p.valid() ? world[p.index()] : Affine::Identity();
}

} // namespace limber::rig
