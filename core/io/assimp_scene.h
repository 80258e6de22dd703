// Nodes, skins and meshes of an Assimp scene as a plain scene.
#pragma once

#include "core/io/assimp_import.h"

#include <assimp/scene.h>

namespace limber::io {

// `asset` is the canonical path of the file, textures are looked for beside it. Reports fractions of its own work.
// InputRefused: damaged, or no mesh in it.
[[nodiscard]] Result<ImportedScene> convertScene(const aiScene& source, const std::filesystem::path& asset,
                                                 const ImportProgress& progress = {});

} // namespace limber::io
