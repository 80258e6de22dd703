// What lies under the pointer.
#pragma once

#include "core/base/ids.h"
#include "core/mesh/ray_caster.h"

#include <Eigen/Core>

#include <optional>

namespace limber::ui {

class Camera;
class Editor;

struct SurfaceHit {
    InstanceId instance;
    mesh::RayHit hit; // world space
};

// Nearest hit over the visible instances, posed. `ray` world. Refits what is stale, then microseconds.
[[nodiscard]] std::optional<SurfaceHit> pickSurface(Editor& editor, const mesh::Ray& ray);

// The drawn joint whose ball or bone is under `pixel` (device-independent, y down), with some pixels of tolerance:
// balls win over bones, the nearer to the pixel over the farther. Not valid where there is none or the skeleton is
// hidden.
[[nodiscard]] JointId pickJoint(Editor& editor, const Camera& camera, const Eigen::Vector2d& pixel);

// The joint with the greatest weight at the hit, of a rigid instance its node's nearest drawn joint (or the node
// itself).
[[nodiscard]] JointId strongestJoint(Editor& editor, const SurfaceHit& hit);

} // namespace limber::ui
