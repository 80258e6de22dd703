// A glTF file as it was read: the JSON tree, the buffers it names and the original bytes. Never changed: saving works
// on copies.
#pragma once

#include "core/io/gltf_container.h"

#include <filesystem>
#include <memory>

namespace limber::io {

struct SourceBuffer {
    enum class Kind { Missing, GlbChunk, DataUri, External };
    Kind kind = Kind::Missing;
    std::uint64_t declaredLength = 0;
    std::string uri;                                       // External: as written in the file
    std::shared_ptr<const std::vector<std::byte>> storage; // DataUri, External
    std::span<const std::byte> bytes;                      // at least declaredLength, except Missing
};

class GltfSource {
public:
    GltfSource() = default;
    GltfSource(const GltfSource&) = delete; // its spans look into its own bytes
    GltfSource& operator=(const GltfSource&) = delete;

    FileBytes original;
    ParsedContainer container;    // looks into `original`
    std::filesystem::path folder; // empty where there is none: then external files are refused
    std::filesystem::path path;   // the file itself; empty where it was read from memory
    std::vector<SourceBuffer> buffers;

    [[nodiscard]] const Json& json() const { return container.json; }
};

// Parses, checks versions and extensions, and loads the buffers. Throws a Refusal.
[[nodiscard]] std::shared_ptr<GltfSource> readTree(FileBytes bytes, const std::filesystem::path& folder,
                                                   std::vector<Repair>& repairs);

} // namespace limber::io
