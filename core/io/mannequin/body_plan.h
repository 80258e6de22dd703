// Where the built-in figure's joints are, in metres: Y up, facing +Z, soles on y = 0, its left at +X.
// Only the left half and the middle are described; the right half is the mirror image.
#pragma once

#include <Eigen/Core>

#include <array>

namespace limber::io::mannequin {

using Eigen::Vector3d;

enum FingerName { Thumb, Index, Middle, Ring, Pinky };
inline constexpr int kFingerCount = 5;

struct FingerPlan {
    std::array<Vector3d, 4> points; // the three joints and the tip
    std::array<double, 4> radii;
    Vector3d dorsal; // unit, towards the back of the finger
};

struct BodyPlan {
    Vector3d hips, spine1, spine2, spine3, neck, head, crown;
    Vector3d clavicle, shoulder, elbow, wrist;
    Vector3d hip, knee, ankle, ball, toe;
    Vector3d handAlong, handThumbward,
        handDorsal; // orthonormal; from the wrist to the fingers, to the thumb, out of the back
    std::array<FingerPlan, kFingerCount> fingers;

    // From hand coordinates (along, thumbward, dorsal), origin at the wrist.
    [[nodiscard]] Vector3d handPoint(double along, double thumbward, double dorsal) const {
        return wrist + handAlong * along + handThumbward * thumbward + handDorsal * dorsal;
    }
};

[[nodiscard]] const BodyPlan& bodyPlan();

} // namespace limber::io::mannequin
