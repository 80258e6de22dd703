// The skeleton as triangles on the screen: bones as translucent octahedra with outlines, joints as shaded discs.
#pragma once

#include "ui/viewport/bone_shape.h"

#include <array>
#include <functional>

namespace limber::ui {

// What skeleton.vert reads; `shape` as described there.
struct SkeletonVertex {
    std::array<float, 4> position; // clip space, w = 1
    std::array<float, 4> color;    // sRGB, not premultiplied
    std::array<float, 4> shape;
};

enum class BoneState { Plain, Hovered, Selected, Active };

// Far to near: drawn without a depth test, as they lie over the mesh. Bones that reach behind the eye are left out.
// `fill` 0 .. 1 scales the opacity of the bones' faces. `out` is replaced. O(n log n).
void buildSkeletonMesh(const SkeletonShape& shape, const Camera& camera,
                       const std::function<BoneState(JointId)>& stateOf, double fill, std::vector<SkeletonVertex>& out);

} // namespace limber::ui
