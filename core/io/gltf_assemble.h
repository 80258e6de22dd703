// A patched tree as the bytes of a file.
#pragma once

#include "core/io/gltf_patch.h"
#include "core/io/gltf_sidecars.h"

namespace limber::io {

// Everything in one file: buffers joined in the BIN chunk, external images turned into buffer views.
[[nodiscard]] Result<WrittenFile> assembleGlb(TreePatch& patch);
// JSON with its buffers and images beside it. A buffer that has no file, was edited, or whose file cannot lie there
// under its name gets a new one.
[[nodiscard]] Result<WrittenFile> assembleGltf(TreePatch& patch, const Destination& to);

} // namespace limber::io
