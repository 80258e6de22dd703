// The joints of a rig at bind, and forward kinematics: W_j = W_p L_j Ul_j.
#pragma once

#include "core/base/ids.h"
#include "core/math/transform.h"

#include <span>
#include <string>
#include <vector>

namespace limber::rig {

using math::Affine;

// Every node of a file is a joint; `deforms` tells those that a skin names.
struct Joint {
    std::string name;                        // as in the file: may repeat, be empty, hold any Unicode
    JointId parent;                          // not valid for a root
    Affine bindLocal = Affine::Identity();   // L: from joint space to the parent's, at bind
    Affine bindWorld = Affine::Identity();   // B = B_p L
    Affine inverseBind = Affine::Identity(); // B^-1
    bool deforms = false;
};

class Skeleton {
public:
    Skeleton() = default;
    // Computes bindWorld and inverseBind from bindLocal. `joints` in any order; parents must form a forest.
    explicit Skeleton(std::vector<Joint> joints);

    [[nodiscard]] std::size_t size() const { return joints_.size(); }
    [[nodiscard]] const Joint& operator[](JointId j) const { return joints_[j.index()]; }
    [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }

    // Parents before children.
    [[nodiscard]] std::span<const JointId> order() const { return order_; }
    [[nodiscard]] std::span<const JointId> children(JointId j) const { return children_[j.index()]; }
    [[nodiscard]] bool isAncestor(JointId ancestor, JointId j) const; // proper ancestor

    void rename(JointId j, std::string name) { joints_[j.index()].name = std::move(name); }
    void setDeforms(JointId j, bool deforms) { joints_[j.index()].deforms = deforms; }

private:
    std::vector<Joint> joints_;
    std::vector<JointId> order_;
    std::vector<std::vector<JointId>> children_;
};

// The user-local transforms Ul, one per joint: identity is the bind pose.
using Pose = std::vector<Affine, Eigen::aligned_allocator<Affine>>;
using Transforms = std::vector<Affine, Eigen::aligned_allocator<Affine>>;

// world[j] = worldFromJoint of the pose; `world` is resized to the number of joints. O(joints), allocates only when
// growing.
void forwardKinematics(const Skeleton& skeleton, std::span<const Affine> userLocal, Transforms& world);

// The same for `root` and all below it, from the present world transform of its parent. `world` [joints] holds the
// others already. `subtree` is cleared and lists what was computed, parents before children; it allocates only when
// growing. O(subtree).
void forwardKinematics(const Skeleton& skeleton, std::span<const Affine> userLocal, JointId root,
                       std::span<Affine> world, std::vector<JointId>& subtree);

// World transform of the parent, identity for a root.
[[nodiscard]] Affine parentWorld(const Skeleton& skeleton, std::span<const Affine> world, JointId j);

} // namespace limber::rig
