// The files an importer may see: regular ones inside the folder of the asset.
#pragma once

#include <assimp/DefaultIOSystem.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace limber::io {

// `wish` as a canonical path where it is a regular file inside `folder` (canonical); links that lead out do not count.
[[nodiscard]] std::optional<std::filesystem::path> fileInside(const std::filesystem::path& folder,
                                                              const std::filesystem::path& wish);

// Assimp's view of the disk: reading only, inside one folder.
class ConfinedFiles : public Assimp::DefaultIOSystem {
public:
    explicit ConfinedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    bool Exists(const char* file) const override;
    Assimp::IOStream* Open(const char* file, const char* mode) override;

private:
    std::filesystem::path folder_; // canonical
};

// image/png, image/jpeg, or empty: by the first bytes, whatever the name says.
[[nodiscard]] std::string_view imageMimeType(const std::vector<std::byte>& bytes);

// A texture that lies beside the asset: where its path says, or under the same name in the folders
// that exporters use. Empty where there is none.
[[nodiscard]] std::vector<std::byte> readTextureBeside(const std::filesystem::path& asset,
                                                       std::string_view texturePath);

} // namespace limber::io
