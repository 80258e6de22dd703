// The files beside a .gltf: their names, and writing them so that no file which something else may use is replaced.
// A changed buffer gets a new name each time; the JSON that names it makes the pair valid at once. Buffers that Limber
// named are marked in the tree (buffer.extras.limber.written), so that a later save can remove them.
#pragma once

#include "core/io/gltf_file.h"
#include "core/io/gltf_json.h"

#include <set>

namespace limber::io {

// Where a file is going.
struct Destination {
    std::string stem = "scene"; // new buffers are named after it
    std::filesystem::path path; // of the file; empty: nowhere yet, no name is in use

    [[nodiscard]] std::filesystem::path folder() const;
};

class SidecarNames {
public:
    // No name that `json` holds already is given to a new file.
    SidecarNames(const Json& json, const Destination& to);

    // Nothing of that name is there, or a file of just these bytes.
    [[nodiscard]] bool isFree(const std::string& name, std::span<const std::byte> bytes) const;
    // The first of STEM.bin, STEM-1.bin ... that is free and was not given yet.
    [[nodiscard]] std::string forNew(std::span<const std::byte> bytes);

private:
    const Destination& to_;
    std::set<std::string> taken_;
};

// As a URI.
[[nodiscard]] std::string percentEncoded(const std::string& text);

// Writes `file` by the safe sequence, its sidecars first. A file that differs from a sidecar of its name is never
// replaced: WriteFailed. After a failure no new sidecar is left.
// Previous files are kept of `path` alone: what they name is not replaced either.
[[nodiscard]] Status saveWithSidecars(const std::filesystem::path& path, const WrittenFile& file,
                                      const SaveOptions& options = {});

// Buffers beside `path` that a save under the name `stem` wrote and the file there names: empty where it cannot be
// read.
[[nodiscard]] std::vector<std::string> writtenBuffers(const std::filesystem::path& path, const std::string& stem);
// Removes those of `names` that neither `file`, just saved to `path`, nor another glTF file of the folder names.
void removeUnused(const std::filesystem::path& path, const std::vector<std::string>& names, const WrittenFile& file);

} // namespace limber::io
