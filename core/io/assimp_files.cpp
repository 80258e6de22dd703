#include "core/io/assimp_files.h"

#include "core/io/safe_save.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxTextureBytes = std::uintmax_t(128) << 20;

bool startsWith(const std::vector<std::byte>& bytes, std::string_view magic) {
    return bytes.size() > magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

} // namespace

std::optional<fs::path> fileInside(const fs::path& folder, const fs::path& wish) {
    std::error_code error;
    const fs::path real = fs::canonical(wish.is_absolute() ? wish : folder / wish, error);
    if (error || !fs::is_regular_file(real, error))
        return std::nullopt;
    const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    if (end != folder.end())
        return std::nullopt;
    return real;
}

bool ConfinedFiles::Exists(const char* file) const {
    return fileInside(folder_, file).has_value();
}

Assimp::IOStream* ConfinedFiles::Open(const char* file, const char* mode) {
    const auto real = fileInside(folder_, file);
    if (!real || mode[0] != 'r' || std::strchr(mode, '+'))
        return nullptr;
    return DefaultIOSystem::Open(real->c_str(), mode);
}

std::string_view imageMimeType(const std::vector<std::byte>& bytes) {
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n"))
        return "image/png";
    if (startsWith(bytes, "\xff\xd8\xff"))
        return "image/jpeg";
    return {};
}

std::vector<std::byte> readTextureBeside(const fs::path& asset, std::string_view texturePath) {
    std::string name(texturePath);
    std::replace(name.begin(), name.end(), '\\', '/');
    const fs::path folder = asset.parent_path();
    const fs::path bare = fs::path(name).filename();
    if (bare.empty())
        return {};
    const fs::path media = asset.stem().concat(".fbm");
    for (const fs::path& wish : {fs::path(name), bare, media / bare, "textures" / bare, "Textures" / bare}) {
        if (wish.is_absolute())
            continue;
        if (const auto real = fileInside(folder, wish)) {
            auto bytes = readFile(*real, kMaxTextureBytes);
            return bytes ? std::move(bytes).value() : std::vector<std::byte>();
        }
    }
    return {};
}

} // namespace limber::io
