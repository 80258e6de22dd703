// The built-in figure: a symmetric humanoid of about 15,000 vertices and 53 joints, 1.75 m high, in an A-pose, feet on
// y = 0, facing +Z. Made by code, the same on every run; about a fifth of a second.
#pragma once

#include "core/io/scene_build.h"

namespace limber::io {

// Nodes 0..52 are the joints (parents first, rest pose = bind pose), the next one carries the skinned mesh.
[[nodiscard]] SceneBuild buildMannequin();

// The same as a GLB.
[[nodiscard]] Result<std::vector<std::byte>> mannequinGlb();

} // namespace limber::io
