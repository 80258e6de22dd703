// Wavefront OBJ as far as Limber speaks it: positions out for `deform`, positions in for `corrective add`.
#pragma once

#include "core/base/result.h"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

struct ObjObject {
    std::string name;
    std::vector<Eigen::Vector3d> positions;
    std::vector<std::uint32_t> triangles; // 3 each, indices into this object's positions; readObj leaves it empty
};

// One `o` per object, its `v` lines with 9 significant digits, then its triangles as `f`. Line breaks in names become
// blanks.
[[nodiscard]] std::string writeObj(std::span<const ObjObject> objects);

// Objects and positions; everything else in the file is skipped. Lines before the first `o` (or `g`, where there
// is no `o`) belong to an object without a name. InputRefused: a `v` line without three finite numbers, no `v` at all.
[[nodiscard]] Result<std::vector<ObjObject>> readObj(std::string_view text);

} // namespace limber::io
