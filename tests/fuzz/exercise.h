// What is done with a file that was opened, whoever made it: everything that may crash, stall or lose something later.
#pragma once

#include "core/io/gltf_file.h"

#include <string>

namespace limber::fuzz {

// Poses it by its clips, skins it, saves it unedited and edited, and reads both again. Empty, or what went wrong that
// should not have: a save that cannot be read, something lost, a failure without a reason.
[[nodiscard]] std::string exercise(const io::LoadedFile& file);

// Skins everything, and looks at the surface.
void look(const document::DocumentState& state);

// Saves a document whose edits are those of somebody else, and reads it again. Empty, or what went wrong.
[[nodiscard]] std::string saveAndRead(const io::GltfSource& source, const document::Document& doc);

} // namespace limber::fuzz
