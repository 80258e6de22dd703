// Intents on how meshes are skinned: the method, the last step, and what is painted of both.
#pragma once

#include "core/document/edit.h"

namespace limber::document {

// The least lambda that can be chosen; files may have less, down to but not zero.
inline constexpr double kLeastMushLambda = 0.01;

// "method share", "delta mush share".
[[nodiscard]] const char* mapName(skin::PaintedMap map);

// Empty where nothing changes. Iterations are kept in 1 .. kMaxMushIterations and a lambda that is another one than
// before in kLeastMushLambda .. 1.
[[nodiscard]] Edit setSkinning(const Document& doc, MeshId mesh, skin::Skinning skinning);

// One value, 0 .. 1, at all vertices; 1 takes the map off the mesh. Empty where the map has it throughout. O(vertices).
[[nodiscard]] Edit fillPaintedMap(const Document& doc, MeshId mesh, skin::PaintedMap map, float value);

// Whether an instance of the mesh is moved by weights; what is not has no method to choose. O(instances).
[[nodiscard]] bool isSkinned(const DocumentState& state, MeshId mesh);

// Of the first instance that has the mesh and a name: "Body".
[[nodiscard]] std::string meshName(const Document& doc, MeshId mesh);

} // namespace limber::document
