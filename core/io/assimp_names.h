// Names as glTF wants them.
#pragma once

#include "core/io/assimp_import.h"

namespace limber::io {

// `text` where it is valid UTF-8; else every byte taken as a Latin-1 character, as older tools write names.
[[nodiscard]] std::string asUtf8(const std::string& text);

// Every name of the scene and every text of the notes; what is changed is counted in a note.
void makeNamesUtf8(ImportedScene& imported);

} // namespace limber::io
