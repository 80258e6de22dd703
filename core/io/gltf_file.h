// A glTF file and the document read from it. The file is kept as its JSON tree plus buffers; saving patches only
// what differs between the document and what this file reads to.
#pragma once

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/safe_save.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber::io {

class GltfSource; // immutable: JSON tree, buffers, the original bytes and where they came from

// Something that was wrong in the file and was mended without guessing. `code` is the Khronos validator's where there
// is one.
struct Repair {
    std::string code, where, text;
    std::size_t count = 1; // how many vertices, keys, ... it was about; 0: nothing was wrong, it only informs
};

struct LoadedFile {
    document::DocumentState state;
    std::shared_ptr<const GltfSource> source;
    std::vector<Repair> repairs;
    std::string format;    // "glb", "gltf", or the format that was imported ("fbx")
    std::string generator; // asset.generator, may be empty
};

// Reads .glb or .gltf (told by content). Everything is checked before it is returned.
// InputRefused with the reason and the place for anything that cannot be repaired without guessing.
[[nodiscard]] Result<LoadedFile> loadGltf(const std::filesystem::path& path);

// The same from memory (a GLB that code made); it has no external files.
[[nodiscard]] Result<LoadedFile> loadGlb(std::vector<std::byte> bytes, std::string format);

// The files beside it that it was read from: buffers and images named by a relative URI. They may be gone since.
[[nodiscard]] std::vector<std::filesystem::path> filesBeside(const GltfSource& source);

enum class Container { Glb, Gltf };

// The file's bytes with the document's edits patched in. `Gltf`: the JSON, and beside it the files it names
// (relative URI, bytes). An unedited .glb as Glb gives its own bytes.
struct WrittenFile {
    std::vector<std::byte> bytes;
    struct Sidecar {
        std::string uri; // decoded, relative
        std::vector<std::byte> bytes;
    };
    std::vector<Sidecar> sidecars;
    std::vector<std::string> notes; // what a reader of other programs should know (shear projected, shapes stay on in
                                    // clips, methods that are not linear)
};
// `gltfName` is the stem used for a new .bin beside a .gltf.
[[nodiscard]] Result<WrittenFile> writeGltf(const GltfSource& source, const document::Document& doc,
                                            Container container, const std::string& gltfName = "scene");

// Writes all of it by the safe sequence (safe_save.h), sidecars first. The container follows the extension. Files
// beside a .gltf are never replaced: an edited buffer gets a new name, and the one that an earlier save of this file
// wrote is removed once nothing names it. A .glb saved over itself leaves the files beside it that were not edited
// where they are; saved elsewhere it takes them in. Returns the notes.
[[nodiscard]] Result<std::vector<std::string>> saveGltf(const GltfSource& source, const document::Document& doc,
                                                        const std::filesystem::path& path,
                                                        const SaveOptions& options = {});

} // namespace limber::io
