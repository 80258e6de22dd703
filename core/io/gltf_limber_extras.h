// Limber's own state inside a glTF file, all of it in `extras.limber`, so that other programs carry or ignore it:
//   mesh:  {"version":1, "drivers":[{"joints":[node], "widthScale":1, "samples":[{"shape":target,
//   "rotations":[[x,y,z,w]]}]}],
//           "muted":[target]}
//   node:  {"locked":true, "sliders":[weight of each target], "transform":[12 numbers]}
// `sliders` is there where a muted or driven shape hides a slider; `transform` (columns of the 3x4 matrix) where a
// sheared joint had to be written as the nearest translation, rotation and scale.
#pragma once

#include "core/document/document.h"
#include "core/io/gltf_json.h"

namespace limber::io {

inline constexpr int kExtrasVersion = 1;

[[nodiscard]] const Json* limberExtras(const Json& owner); // null where there are none

// The same translation, the rotation nearest to the linear part, and the scale along its axes.
[[nodiscard]] math::Affine nearestTrs(const math::Affine& m);

// Null where there is nothing to say.
[[nodiscard]] Json meshExtras(const document::MeshData& mesh);
// Sets, replaces or (for null) removes `key` of owner.extras.limber; empty objects are not left behind.
void setLimberExtra(Json& owner, const char* key, Json value);
// The same for several keys at once: those of `values`, an object.
void setMeshExtras(Json& mesh, const Json& values);

} // namespace limber::io
