// Skeletons that a file speaks of and that did not arrive: read from the file itself, for Assimp does not say it.
#pragma once

#include "core/io/assimp_import.h"

namespace limber::io {

// Ogre meshes whose skeleton or materials do not lie beside them, FBX skins whose parts name no bone, and any of the
// formats that declare skins where none came. `target` has its nodes, skins and materials.
void noteLostSkeletons(const std::filesystem::path& asset, ImportedScene& target);

} // namespace limber::io
