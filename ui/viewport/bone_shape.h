// Which joints are drawn and as what, in world space: drawing and picking read the same list.
#pragma once

#include "core/document/document.h"

#include <span>
#include <vector>

namespace limber::ui {

class Camera;

// A slim octahedron from a joint to one of its children (or, at the end of a chain, along the parent's direction).
struct Bone {
    JointId joint;                                                                  // the one that moves it
    Eigen::Vector3d head = Eigen::Vector3d::Zero(), tail = Eigen::Vector3d::Zero(); // world
    Eigen::Vector3d side = Eigen::Vector3d::UnitX(); // world, unit, across the bone; turns with the joint
    double waist = 0;                                // world, from the axis to the octahedron's corners
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

// Per joint, whether it is drawn: it moves something (has a weight in a mesh, or carries a rigid one) or lies between
// two that do. All 0 in a scene without a skin. O(weights) at worst, a millisecond for 200,000 vertices.
[[nodiscard]] std::vector<std::uint8_t> drawnJoints(const document::DocumentState& state);

// The drawn skeleton of a pose. `world` worldFromJoint per joint; `drawn` from drawnJoints. O(joints).
[[nodiscard]] SkeletonShape skeletonShape(const rig::Skeleton& skeleton, std::span<const rig::Affine> world,
                                          std::span<const std::uint8_t> drawn);

// Where the octahedron is widest, as a share of the bone's length from its head.
inline constexpr double kBoneWaistAt = 0.15;

// Radius in pixels of a ball or a bone's waist as drawn: small ones are drawn larger, up to `smallestPx`, but no more
// than what leaves room between the joints of a hand.
[[nodiscard]] double drawnRadiusPx(const Camera& camera, const Eigen::Vector3d& at, double radius, double smallestPx);
inline constexpr double kBoneSmallestPx = 2.6, kBallSmallestPx = 3.6;

} // namespace limber::ui
