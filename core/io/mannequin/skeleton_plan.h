// The figure's joints: names, parents and bind frames. A joint's local Y points to its child; turning about local X
// by a positive angle flexes it (elbow, knee, finger and spine forwards), on both sides alike.
#pragma once

#include "core/math/transform.h"

#include <string>
#include <vector>

namespace limber::io::mannequin {

struct JointPlan {
    std::string name; // sides end in _l and _r
    int parent = -1;
    int mirror = -1; // the joint of the other side; itself in the middle
    math::Affine modelFromJoint = math::Affine::Identity();
};

// Parents come before children.
[[nodiscard]] const std::vector<JointPlan>& skeletonPlan();
[[nodiscard]] int jointNamed(const std::string& name);

} // namespace limber::io::mannequin
