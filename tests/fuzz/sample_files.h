// Small files that code makes: what the targets read poses and edits against, and where the corpus and some of the
// mutants start from.
#pragma once

#include "core/io/gltf_file.h"

#include <cstddef>
#include <vector>

namespace limber::fuzz {

// A strip of 12 vertices on three joints, two of them of the same name, with two shapes and a clip.
[[nodiscard]] std::vector<std::byte> stripGlb();
// The same, opened once.
[[nodiscard]] const io::LoadedFile& strip();

} // namespace limber::fuzz
