// Which joints are drawn and as what, in world space: drawing and picking read the same list.
#pragma once

#include "core/document/document.h"
#include "core/rig/skeleton.h"

#include <span>
#include <vector>

namespace limber::ui {

class Camera;

// A slim octahedron from a joint to one of its children (or, at the end of a chain, along the parent's direction).
struct Bone {
    JointId joint;                                                                  // the one that moves it
    Eigen::Vector3d head = Eigen::Vector3d::Zero(), tail = Eigen::Vector3d::Zero(); // world
};

struct JointBall {
    JointId joint;
    Eigen::Vector3d center = Eigen::Vector3d::Zero(); // world
    double radius = 0;                                // world
};

struct SkeletonShape {
    std::vector<Bone> bones;
    std::vector<JointBall> balls; // one per drawn joint
};

// Per joint, whether it is drawn: it deforms a mesh, or lies between two that do. All false in a scene without a skin.
[[nodiscard]] std::vector<std::uint8_t> drawnJoints(const document::DocumentState& state);

// The drawn skeleton of a pose. `world` worldFromJoint per joint; `drawn` from drawnJoints. O(joints).
[[nodiscard]] SkeletonShape skeletonShape(const rig::Skeleton& skeleton, std::span<const rig::Affine> world,
                                          std::span<const std::uint8_t> drawn);

// Largest distance of the octahedron's waist from its axis, and where the waist is, as shares of the bone's length.
inline constexpr double kBoneWaist = 0.09, kBoneWaistAt = 0.16;
// A waist or ball is never drawn thinner than this.
inline constexpr double kBoneMinPx = 2.5, kBallMinPx = 3.5;

// World radius of a ball, or of a bone's waist, with the smallest size in pixels that the camera asks for.
[[nodiscard]] double drawnRadius(const Camera& camera, const Eigen::Vector3d& at, double radius, double minPx);

} // namespace limber::ui
