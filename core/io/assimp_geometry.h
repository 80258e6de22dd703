// One Assimp mesh as a draw range: checked, without Assimp's per-corner copies of vertices.
#pragma once

#include "core/base/result.h"
#include "core/io/scene_build.h"

#include <assimp/mesh.h>

namespace limber::io {

[[nodiscard]] math::Affine toAffine(const aiMatrix4x4& m);
[[nodiscard]] std::string toString(const aiString& s);

struct GeometryReport {
    std::size_t renormalised = 0;                     // vertices whose weights did not sum to one (beyond a thousandth)
    std::size_t unweighted = 0;                       // vertices of a skinned mesh without any weight
    std::size_t badWeights = 0;                       // weights that were negative or not finite
    std::size_t skippedFaces = 0;                     // lines and points
    bool droppedNormals = false;                      // some were zero or not finite
    unsigned droppedUvSets = 0, droppedColorSets = 0; // beyond those that are taken
};

// Influences name bones of `mesh` by their place in mBones. Vertices that agree in position, normal, UV,
// colour, weights and all shapes become one, in the order of first appearance. InputRefused: an index out of range,
// a position that is not finite. A mesh of lines or points only gives a primitive without triangles.
[[nodiscard]] Result<BuildPrimitive> convertMesh(const aiMesh& mesh, bool wantColors, GeometryReport& report);

} // namespace limber::io
