// A patched tree as the bytes of a file.
#pragma once

#include "core/io/gltf_patch.h"
#include "core/io/gltf_sidecars.h"

namespace limber::io {

// A .glb as the pieces that follow each other in it. They look into the patch and its source.
struct GlbPieces {
    std::vector<std::byte> head;       // up to the data of the BIN chunk
    std::vector<std::byte> joined;     // where several buffers had to become one
    std::span<const std::byte> binary; // the data
    std::span<const std::byte> later;  // the chunks behind it

    [[nodiscard]] std::vector<std::span<const std::byte>> list() const;
};

// What becomes of buffers and images that are files of their own. `Keep`: they stay so unless they were edited.
enum class Outside { Embed, Keep };

// Everything in one file: buffers joined in the BIN chunk, external images turned into buffer views.
[[nodiscard]] Result<GlbPieces> assembleGlb(TreePatch& patch, Outside outside = Outside::Embed);
// JSON with its buffers and images beside it. A buffer that has no file, was edited, or whose file cannot lie there
// under its name gets a new one.
[[nodiscard]] Result<WrittenFile> assembleGltf(TreePatch& patch, const Destination& to);

} // namespace limber::io
