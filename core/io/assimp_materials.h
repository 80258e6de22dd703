// Assimp materials with their base colour textures, embedded or beside the file.
#pragma once

#include "core/io/assimp_import.h"

#include <assimp/scene.h>

namespace limber::io {

// Fills scene.materials (one per Assimp material, same order) and scene.images; what cannot be taken is noted.
void convertMaterials(const aiScene& source, const std::filesystem::path& asset, ImportedScene& target);

} // namespace limber::io
