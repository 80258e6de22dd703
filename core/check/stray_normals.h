// Normals that have nothing to do with the faces, as where an exporter turned the points but not the normals.
#pragma once

#include "core/document/document.h"

#include <vector>

namespace limber::check {

// Vertices whose normal stands more than 72 degrees off every face around, ascending. Empty where less than one in
// twenty of the mesh lies across its faces: single ones may be meant, and those that point inward are another matter.
// O(triangles).
[[nodiscard]] std::vector<std::uint32_t> strayNormals(const document::MeshData& mesh);

} // namespace limber::check
