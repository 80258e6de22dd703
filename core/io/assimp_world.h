// Where an imported scene stands: in metres with Y up, skinned meshes apart from the nodes that move.
#pragma once

#include "core/io/assimp_import.h"

#include <assimp/scene.h>

namespace limber::io {

// Puts a node above the scene's roots that turns and scales it to metres with Y up, where the file says its unit and
// axes (FBX does). Nodes, joints and clips keep their own numbers. Notes the scale. Where the importer has put such a
// node there itself (`rootIsMade`: the scene's first node is not the file's own), that one gets the same name.
void standInMetres(const aiScene& source, bool rootIsMade, ImportedScene& target);

// glTF wants nodes with skinned meshes at the root, without a transform, and not animated, as only the joints move such
// a mesh: they are moved there, or leave their mesh to a new node where they are joints, parents, or both. Bind-shape
// matrices stay what they were.
void putSkinnedMeshesAtRoot(SceneBuild& scene);

} // namespace limber::io
