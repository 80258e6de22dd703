// What does not come through Assimp, said in notes: nothing is lost in silence.
#pragma once

#include "core/io/assimp_import.h"

#include <assimp/scene.h>

namespace limber::io {

// Cameras, lights, moving meshes, shapes that the importer does not read, units that the format does not tell.
// `target` has its materials.
void noteLosses(const aiScene& source, const std::filesystem::path& asset, ImportedScene& target);

} // namespace limber::io
