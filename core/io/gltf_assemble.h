// A patched tree as the bytes of a file.
#pragma once

#include "core/io/gltf_patch.h"

namespace limber::io {

// Everything in one file: buffers joined in the BIN chunk, external images turned into buffer views.
[[nodiscard]] Result<WrittenFile> assembleGlb(TreePatch& patch);
// JSON with its buffers and images beside it; a buffer that has no file becomes `name`.bin.
[[nodiscard]] Result<WrittenFile> assembleGltf(TreePatch& patch, const std::string& name);

} // namespace limber::io
