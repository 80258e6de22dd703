#include "core/io/gltf_sidecars.h"

#include "core/io/asset_path.h"
#include "core/io/gltf_container.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/safe_save.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>

namespace limber::io {

namespace {

namespace fs = std::filesystem;

// Some file systems do not tell capitals apart.
std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string comparable(const std::string& name) {
    return lowered(fs::path(name).lexically_normal().string());
}

bool isThere(const fs::path& path) {
    std::error_code none;
    const fs::file_type type = fs::symlink_status(path, none).type();
    return type != fs::file_type::not_found && type != fs::file_type::none;
}

bool holds(const fs::path& path, std::span<const std::byte> bytes) {
    std::error_code none;
    if (!fs::is_regular_file(path, none) || fs::file_size(path, none) != bytes.size())
        return false;
    const Result<std::vector<std::byte>> present = readFile(path);
    return present && std::equal(present->begin(), present->end(), bytes.begin(), bytes.end());
}

std::string numbered(const std::string& stem, int number) {
    return number ? stem + "-" + std::to_string(number) + ".bin" : stem + ".bin";
}

// STEM.bin or STEM-N.bin.
bool isNumbered(const std::string& name, const std::string& stem) {
    if (!name.starts_with(stem) || !name.ends_with(".bin") || name.size() < stem.size() + 4)
        return false;
    const std::string middle = name.substr(stem.size(), name.size() - stem.size() - 4);
    return middle.empty() ||
           (middle.size() > 1 && middle[0] == '-' && middle.find_first_not_of("0123456789", 1) == std::string::npos);
}

// Removes what was written unless all of it went well.
class NewFiles {
public:
    NewFiles() = default;
    NewFiles(const NewFiles&) = delete;
    NewFiles& operator=(const NewFiles&) = delete;
    ~NewFiles() {
        std::error_code none;
        for (const fs::path& path : paths_)
            fs::remove(path, none);
    }
    void add(const fs::path& path) { paths_.push_back(path); }
    void keep() { paths_.clear(); }

private:
    std::vector<fs::path> paths_;
};

Status saveSidecar(const fs::path& target, const WrittenFile::Sidecar& sidecar, NewFiles& written) {
    const fs::path path = Destination{"", target}.folder() / fs::path(sidecar.uri);
    if (path.lexically_normal() == target.lexically_normal())
        return Error{ErrorCode::WriteFailed, "The scene names a file like this one; save it under another name.",
                     path.string()};
    if (holds(path, sidecar.bytes))
        return {};
    if (isThere(path))
        return Error{ErrorCode::WriteFailed, "Another file of this name is there already; save into another folder.",
                     path.string()};
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed)
        return Error{ErrorCode::WriteFailed, "The folder cannot be made: " + failed.message() + ".",
                     path.parent_path().string()};
    written.add(path);
    if (const Status saved = safeSave(path, sidecar.bytes); !saved)
        return saved;
    // A file that only its owner may read does not show its data through a new buffer.
    if (const fs::file_status present = fs::status(target, failed); fs::is_regular_file(present))
        fs::permissions(path, present.permissions() & ~fs::perms::set_uid & ~fs::perms::set_gid, failed);
    return {};
}

// The JSON of a glTF file, without the data behind it; nothing where it cannot be read.
std::optional<std::string> jsonTextOf(const fs::path& path) {
    constexpr std::uintmax_t kLargest = std::uintmax_t(256) << 20;
    std::error_code failed;
    if (!fs::is_regular_file(path, failed))
        return std::nullopt;
    std::uintmax_t length = fs::file_size(path, failed);
    std::ifstream file(path, std::ios::binary);
    std::array<char, 20> header{}; // of the file and of its first chunk, which is the JSON
    if (length >= header.size() && file.read(header.data(), header.size()) &&
        std::string_view(header.data(), 4) == "glTF") {
        std::uint32_t chunk = 0;
        std::memcpy(&chunk, &header[12], 4);
        length = std::min<std::uintmax_t>(chunk, length - header.size());
    } else {
        file.clear();
        file.seekg(0);
    }
    if (failed || length > kLargest)
        return std::nullopt;
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(length)))
        return std::nullopt;
    return text;
}

// Whether a glTF file of the folder, or a copy of one under such a name, mentions the file. One that cannot be read
// may do so.
bool isMentioned(const fs::path& path, const std::string& name) {
    std::error_code failed;
    fs::directory_iterator entry(Destination{"", path}.folder(), failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        const std::string other = lowered(entry->path().filename().string());
        std::error_code none;
        if ((other.find(".gltf") == std::string::npos && other.find(".glb") == std::string::npos) ||
            fs::equivalent(entry->path(), path, none))
            continue;
        const std::optional<std::string> text = jsonTextOf(entry->path());
        if (!text || text->find(name) != std::string::npos || text->find(percentEncoded(name)) != std::string::npos)
            return true;
    }
    return static_cast<bool>(failed);
}

} // namespace

fs::path Destination::folder() const {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

SidecarNames::SidecarNames(const Json& json, const Destination& to) : to_(to) {
    for (const char* key : {"buffers", "images"})
        for (const Json& item : list(json, key, key)) {
            const std::string uri = stringMember(item, "uri", key);
            const Result<std::string> name = isDataUri(uri) ? Result<std::string>(Error{}) : decodeUri(uri);
            if (name && !name->empty())
                taken_.insert(comparable(*name));
        }
    taken_.insert(comparable(to.path.filename().string()));
}

bool SidecarNames::isFree(const std::string& name, std::span<const std::byte> bytes) const {
    if (to_.path.empty())
        return true;
    const fs::path path = to_.folder() / fs::path(name);
    return path.lexically_normal() != to_.path.lexically_normal() && (!isThere(path) || holds(path, bytes));
}

std::string SidecarNames::forNew(std::span<const std::byte> bytes) {
    for (int number = 0;; ++number) {
        std::string name = numbered(to_.stem, number);
        if (!taken_.contains(comparable(name)) && isFree(name, bytes)) {
            taken_.insert(comparable(name));
            return name;
        }
    }
}

std::string percentEncoded(const std::string& text) {
    constexpr const char* kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && (std::isalnum(byte) || std::strchr("-_.~", c))) {
            out += c;
        } else {
            out += '%';
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        }
    }
    return out;
}

Status saveWithSidecars(const fs::path& path, const WrittenFile& file, const SaveOptions& options) {
    NewFiles written;
    for (const WrittenFile::Sidecar& sidecar : file.sidecars)
        if (const Status saved = saveSidecar(path, sidecar, written); !saved)
            return saved;
    if (const Status saved = safeSave(path, file.bytes, options); !saved) {
        // Where only flushing the folder failed, the new file is there and needs what it names.
        if (holds(path, file.bytes))
            written.keep();
        return saved;
    }
    written.keep();
    return {};
}

std::vector<std::string> writtenBuffers(const fs::path& path, const std::string& stem) {
    std::vector<std::string> names;
    const Result<std::vector<std::byte>> bytes =
        isThere(path) ? readFile(path) : Result<std::vector<std::byte>>(Error{});
    if (!bytes)
        return names;
    try {
        std::vector<Repair> unused;
        const ParsedContainer parsed = parseContainer(*bytes, unused);
        for (const Json& buffer : objects(parsed.json, "buffers", "buffers")) {
            const Json* extras = limberExtras(buffer);
            const Result<std::string> name = decodeUri(stringMember(buffer, "uri", "buffers"));
            if (extras && member(*extras, "written") && name && isNumbered(*name, stem))
                names.push_back(*name);
        }
    } catch (const Refusal&) {
        names.clear(); // no glTF file: it names nothing of ours
    } catch (const std::exception&) {
        names.clear();
    }
    return names;
}

void removeUnused(const fs::path& path, const std::vector<std::string>& names, const WrittenFile& file) {
    for (const std::string& name : names) {
        const bool used = std::any_of(file.sidecars.begin(), file.sidecars.end(),
                                      [&](const auto& sidecar) { return comparable(sidecar.uri) == comparable(name); });
        std::error_code none;
        const fs::path old = Destination{"", path}.folder() / fs::path(name);
        if (!used && fs::symlink_status(old, none).type() == fs::file_type::regular && !isMentioned(path, name))
            fs::remove(old, none);
    }
}

} // namespace limber::io
