// What a URI inside a glTF file may name: data inside the file itself, or a regular file in the folder of the asset.
// And what a path says of the kind of file.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

[[nodiscard]] bool isDataUri(std::string_view uri);

struct DataUri {
    std::string mimeType; // may be empty
    std::vector<std::byte> bytes;
};
// Base64 only. Refused where the text is not base64.
[[nodiscard]] Result<DataUri> decodeDataUri(std::string_view uri);

// Percent-decoding; refused for a broken escape or an escaped zero.
[[nodiscard]] Result<std::string> decodeUri(std::string_view uri);

// Whether it can be a URI at all: not empty, no empty scheme, whole escapes.
[[nodiscard]] bool isWellFormedUri(std::string_view uri);

// The regular file that `uri` names below `folder`. Refused by name: schemes (http:, file: ...), absolute paths, "..",
// links that lead out of the folder, folders, devices, pipes, and files that are not there.
[[nodiscard]] Result<std::filesystem::path> resolveAsset(const std::filesystem::path& folder, std::string_view uri);

// ".glb" of "a.GLB"; empty where there is none. Only ASCII letters are lowered.
[[nodiscard]] std::string lowerExtension(const std::filesystem::path& path);

// image/png, image/jpeg, image/webp or image/ktx2 by the first bytes, which do not lie as names do; empty where it is
// none that glTF knows.
[[nodiscard]] std::string imageType(std::span<const std::byte> bytes);

} // namespace limber::io
