// Correctives after a change of the skinning method: what was sculpted through one method, carried over to another
// (deformation-math.md section 4, "Re-extraction").
#pragma once

#include "core/document/edit.h"

namespace limber::document {

// Shapes of the mesh that a pose drives and that move something: they were sculpted through its skin.
[[nodiscard]] std::vector<ShapeId> correctivesOf(const MeshData& mesh);

struct RefitCorrectives {
    Edit edit;                   // empty where nothing changes
    std::size_t shapes = 0;      // that fit again
    std::size_t unreachable = 0; // vertices that the present method cannot bring all the way
};

// Gives every corrective of a mesh the offsets that move the posed surface, in the shape's own pose and all other
// joints at bind, as they moved it while the mesh was skinned by `former`. O(vertices of the mesh and of its shapes),
// on a copy of the document.
[[nodiscard]] RefitCorrectives refitCorrectives(const Document& doc, MeshId mesh, const skin::Skinning& former);

} // namespace limber::document
