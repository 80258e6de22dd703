// What writeGlb refuses: arrays whose lengths do not fit and indices that lead nowhere.
#pragma once

#include "core/io/scene_build.h"

namespace limber::io {

// The first fault found, with its place in the description (for example "meshes[0].primitives[1].normals").
[[nodiscard]] Status checkSceneBuild(const SceneBuild& scene);

// Values a key holds: 3, 4, or the number of shapes of the node's mesh.
[[nodiscard]] std::size_t valuesPerKey(const SceneBuild& scene, const BuildChannel& channel);

} // namespace limber::io
