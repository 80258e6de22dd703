// Intents on how meshes are skinned: the method, the last step, and what is painted of both.
#pragma once

#include "core/document/edit.h"

namespace limber::document {

// Empty where nothing changes. Iterations are kept in 1 .. kMaxMushIterations and lambda in (0, 1].
[[nodiscard]] Edit setSkinning(const Document& doc, MeshId mesh, skin::Skinning skinning);

// One value, 0 .. 1, at all vertices; 1 takes the map off the mesh. Empty where the map has it throughout. O(vertices).
[[nodiscard]] Edit fillPaintedMap(const Document& doc, MeshId mesh, skin::PaintedMap map, float value);

// Of the first instance that has the mesh and a name: "Body".
[[nodiscard]] std::string meshName(const Document& doc, MeshId mesh);

} // namespace limber::document
