// Limber's own state inside a glTF file, all of it in `extras.limber`, so that other programs carry or ignore it:
//   mesh:  {"version":1, "drivers":[{"joints":[node], "widthScale":1,
//           "samples":[{"shape":target, "rotations":[[x,y,z,w]]}]}], "muted":[target], "smoothNormals":[target],
//          "skinning":{"method":"dual-quaternion", "mush":{"on":true, "iterations":10, "lambda":0.5}}}
//   node:  {"locked":true, "sliders":[weight of each target], "transform":[12 numbers], "bind":[12 numbers],
//          "shear":true}
//   skin:  {"bindShape":[12 numbers]}
//   buffer: {"written":true}
// `sliders` is there where a muted or driven shape hides a slider; `smoothNormals` names targets whose normals were
// made from the moved surface. The 12 numbers are the columns of a 3x4 matrix: `transform` where a sheared, animated
// joint had to be written as the nearest translation, rotation and scale; `bind` (L) of a posed node that no skin
// binds; `bindShape` (M) where the saved pose alone would let a reader find another one. `shear` marks helper nodes
// (gltf_shear.h), `written` buffers whose file Limber named (gltf_sidecars.h).
#pragma once

#include "core/document/document.h"
#include "core/io/gltf_json.h"

namespace limber::io {

inline constexpr int kExtrasVersion = 1;

[[nodiscard]] const Json* limberExtras(const Json& owner); // null where there are none

// The 12 numbers of such a matrix; nothing where they are absent, damaged, or cannot be inverted.
[[nodiscard]] std::optional<math::Affine> limberTransform(const Json& owner, const char* key);
[[nodiscard]] Json columnsOf(const math::Affine& m);

// Finite, and within the range of float.
[[nodiscard]] bool fitsFloats(const math::Affine& m);

// Finite, and flat in no direction.
[[nodiscard]] bool isInvertible(const math::Affine& m);

// The same translation, the rotation nearest to the linear part, and the scale along its axes.
[[nodiscard]] math::Affine nearestTrs(const math::Affine& m);

// Whether the normals of this target were made from the moved surface.
[[nodiscard]] bool hasMadeNormals(const Json& mesh, std::size_t target);

// Null where there is nothing to say.
[[nodiscard]] Json meshExtras(const document::MeshData& mesh);
// Sets, replaces or (for null) removes `key` of owner.extras. Where extras are no object, they are kept as "original".
void setExtra(Json& owner, const char* key, Json value);
// Sets, replaces or (for null) removes `key` of owner.extras.limber; empty objects are not left behind.
void setLimberExtra(Json& owner, const char* key, Json value);
// Those keys of a mesh's extras that differ between `before` and `after`, of meshExtras(): what could not be read
// stays.
void setMeshExtras(Json& mesh, const Json& before, const Json& after);

} // namespace limber::io
