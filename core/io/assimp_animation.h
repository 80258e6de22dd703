// Assimp animations as clips of linear keys.
#pragma once

#include "core/io/assimp_fbx_shapes.h"
#include "core/io/assimp_import.h"

#include <assimp/scene.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace limber::io {

// Where the parts of the source went.
struct SceneMap {
    std::unordered_map<std::string, int> nodeByName; // the first node of that name, as Assimp's own lookup finds it
    // Per source node name, the nodes that carry its meshes with shapes.
    std::unordered_map<std::string, std::vector<int>> shapedNodesByName;
    std::unordered_map<int, std::vector<std::string>> shapeNamesOfNode; // as Assimp names them
    std::map<int, FbxShapePlan> planOfNode;                             // where an FBX file says more than Assimp
    const FbxShapes* fbx = nullptr;
};

// Fills target.scene.clips. Keys that are out of order, doubled or not finite are left out and counted in a note.
// Ticks become seconds; a clip that begins before zero is moved to begin at zero.
void convertAnimations(const aiScene& source, const SceneMap& map, ImportedScene& target);

} // namespace limber::io
