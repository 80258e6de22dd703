// The two containers of glTF 2.0: the binary .glb (header and chunks) and the plain .gltf (JSON alone).
#pragma once

#include "core/io/gltf_file.h"
#include "core/io/gltf_json.h"

#include <span>

namespace limber::io {

// Deepest nesting of JSON that is read: real files stay below 20, and the parser recurses when values are destroyed.
inline constexpr int kDeepestJson = 128;

struct ParsedContainer {
    Json json;
    bool glb = false;
    // All of these look into the bytes that were parsed.
    std::span<const std::byte> jsonText; // without padding or byte order mark
    std::span<const std::byte> binary;   // the BIN chunk, padding included
    bool hasBinary = false;
    std::span<const std::byte> laterChunks; // whole chunks behind BIN, kept as they are
};

// Throws a Refusal. What was mended goes to `repairs`.
[[nodiscard]] ParsedContainer parseContainer(std::span<const std::byte> bytes, std::vector<Repair>& repairs);

// What stands before the data of the BIN chunk: header, JSON and the BIN chunk's own header (none where
// `binaryLength` is 0). The data is to be padded with zeros to a multiple of four. Empty where all parts exceed 4 GiB,
// which the format cannot hold.
[[nodiscard]] std::vector<std::byte> glbHead(const std::string& jsonText, std::uint64_t binaryLength,
                                             std::uint64_t laterLength);
// A whole .glb. An empty `binary` writes no BIN chunk. Empty where the parts exceed 4 GiB, which the format cannot
// hold.
[[nodiscard]] std::vector<std::byte> buildGlb(const std::string& jsonText, std::span<const std::byte> binary,
                                              std::span<const std::byte> laterChunks);

} // namespace limber::io
