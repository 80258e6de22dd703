#include "core/io/gltf_assemble.h"

#include "core/io/asset_path.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/safe_save.h"

namespace limber::io {

namespace {

using Kind = SourceBuffer::Kind;

std::string base64(std::span<const std::byte> bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) { return k < bytes.size() ? std::to_integer<unsigned>(bytes[k]) : 0u; };
        const unsigned bits = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        out += kDigits[bits >> 18 & 63];
        out += kDigits[bits >> 12 & 63];
        out += i + 1 < bytes.size() ? kDigits[bits >> 6 & 63] : '=';
        out += i + 2 < bytes.size() ? kDigits[bits & 63] : '=';
    }
    return out;
}

struct ExternalImage {
    std::size_t index = 0;
    std::string uri;
    Result<std::vector<std::byte>> bytes;
};

std::vector<ExternalImage> externalImages(const TreePatch& patch) {
    std::vector<ExternalImage> found;
    const Json& images = list(patch.source().json(), "images", "images");
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::string uri = stringMember(images[i], "uri", place("images", i));
        if (uri.empty() || isDataUri(uri))
            continue;
        const Result<std::filesystem::path> path = resolveAsset(patch.source().folder, uri);
        found.push_back({i, uri, path ? readFile(*path) : Result<std::vector<std::byte>>(path.error())});
    }
    return found;
}

void embedImage(TreePatch& patch, std::size_t index, std::span<const std::byte> bytes, const std::string& type) {
    const std::size_t view = patch.addView(bytes);
    Json& json = patch.json()["images"][index];
    json.erase("uri");
    json["bufferView"] = view;
    json["mimeType"] = type;
}

void embedImages(TreePatch& patch) {
    for (const ExternalImage& image : externalImages(patch)) {
        if (const std::string type = image.bytes ? imageType(*image.bytes) : ""; !type.empty())
            embedImage(patch, image.index, *image.bytes, type);
        else
            patch.notes.push_back("The picture \"" + image.uri +
                                  "\" could not be put into the file and stays outside.");
    }
    if (patch.source().container.glb)
        return;
    // Text inside the JSON becomes bytes; a .glb that holds such text already is left as it is.
    const Json& images = list(patch.source().json(), "images", "images");
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::string uri = stringMember(images[i], "uri", place("images", i));
        const Result<DataUri> data = isDataUri(uri) ? decodeDataUri(uri) : Result<DataUri>(Error{});
        if (const std::string type = data ? imageType(data->bytes) : ""; !type.empty())
            embedImage(patch, i, data->bytes, type);
    }
}

constexpr std::size_t kPlaceholder = 4; // bytes

struct Joined {
    std::vector<std::size_t> members; // the buffers that become one
    std::uint64_t length = 0;
    std::vector<std::size_t> index; // per buffer: its new number
    std::vector<std::uint64_t> offset;
};

// Buffers that have data become the first; those without (fallbacks of compressed views) and those that stay outside
// follow.
Joined joinBuffers(TreePatch& patch, Outside outside) {
    Joined joined;
    joined.index.resize(patch.bufferCount());
    joined.offset.resize(patch.bufferCount());
    Json buffers = Json::array();
    std::vector<std::size_t> others;
    for (std::size_t b = 0; b < patch.bufferCount(); ++b) {
        const bool stays = outside == Outside::Keep && patch.kind(b) == Kind::External && !patch.isEdited(b);
        if (stays || patch.kind(b) == Kind::Missing) {
            others.push_back(b);
            continue;
        }
        joined.offset[b] = (joined.length + 3) / 4 * 4;
        joined.length = joined.offset[b] + patch.bytes(b).size();
        joined.members.push_back(b);
        if (buffers.empty())
            buffers.push_back(patch.json()["buffers"][b]);
    }
    // A first buffer that names no file is the BIN chunk's: one of no data must not come to stand there.
    if (!patch.source().container.glb && joined.members.empty() && !others.empty() &&
        patch.kind(others[0]) == Kind::Missing) {
        joined.length = kPlaceholder;
        buffers.push_back(Json::object());
    }
    for (const std::size_t b : others) {
        joined.index[b] = buffers.size();
        buffers.push_back(patch.json()["buffers"][b]);
    }
    if (joined.length) {
        buffers[0].erase("uri");
        setLimberExtra(buffers[0], "written", nullptr);
        buffers[0]["byteLength"] = joined.length;
    }
    if (!buffers.empty())
        patch.json()["buffers"] = std::move(buffers);
    return joined;
}

// One buffer needs no copy, and none at all becomes one of four bytes.
void setBinary(GlbPieces& pieces, const TreePatch& patch, const Joined& joined) {
    if (joined.members.size() == 1) {
        pieces.binary = patch.bytes(joined.members[0]);
        return;
    }
    pieces.joined.reserve(joined.length);
    if (joined.members.empty())
        pieces.joined.resize(joined.length);
    for (const std::size_t b : joined.members) {
        pieces.joined.resize(joined.offset[b]);
        const std::span<const std::byte> bytes = patch.bytes(b);
        pieces.joined.insert(pieces.joined.end(), bytes.begin(), bytes.end());
    }
    pieces.binary = pieces.joined;
}

void moveReference(Json& view, const Joined& joined) {
    const Json* present = member(view, "buffer");
    // A view that nobody reads may lead nowhere; it stays as it is.
    if (!present || !present->is_number_unsigned() || present->get<std::uint64_t>() >= joined.index.size())
        return;
    const auto buffer = present->get<std::size_t>();
    if (joined.index[buffer] != buffer)
        view["buffer"] = joined.index[buffer];
    if (joined.offset[buffer])
        view["byteOffset"] = joined.offset[buffer] + wholeMember(view, "byteOffset", 0, "bufferViews");
}

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// How the file was indented, so that a text comparison shows the edit alone: -1 for one line.
int indentOf(const GltfSource& source) {
    const std::span<const std::byte> text = source.container.jsonText;
    if (source.container.glb)
        return 2;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (static_cast<char>(text[i]) == '\n') {
            std::size_t spaces = 0;
            while (i + 1 + spaces < text.size() && static_cast<char>(text[i + 1 + spaces]) == ' ')
                ++spaces;
            return spaces ? static_cast<int>(std::min<std::size_t>(spaces, 8)) : 2;
        }
    return -1;
}

std::vector<std::byte> bytesOf(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

} // namespace

std::vector<std::span<const std::byte>> GlbPieces::list() const {
    static constexpr std::byte kZeros[3] = {};
    return {head, binary, std::span(kZeros, (4 - binary.size() % 4) % 4), later};
}

Result<GlbPieces> assembleGlb(TreePatch& patch, Outside outside) {
    if (outside == Outside::Embed)
        embedImages(patch);
    const Joined joined = joinBuffers(patch, outside);
    if (member(patch.json(), "bufferViews"))
        for (Json& view : patch.json()["bufferViews"]) {
            moveReference(view, joined);
            if (Json* extensions = view.contains("extensions") ? &view["extensions"] : nullptr)
                if (extensions->contains("EXT_meshopt_compression"))
                    moveReference((*extensions)["EXT_meshopt_compression"], joined);
        }
    GlbPieces pieces;
    setBinary(pieces, patch, joined);
    pieces.later = patch.source().container.laterChunks;
    pieces.head = glbHead(dumped(patch.json(), -1), pieces.binary.size(), pieces.later.size());
    if (pieces.head.empty())
        return Error{ErrorCode::WriteFailed,
                     "The scene has more than 4 GiB, which a .glb cannot hold; save it as .gltf.", ""};
    return pieces;
}

Result<WrittenFile> assembleGltf(TreePatch& patch, const Destination& to) {
    WrittenFile file;
    SidecarNames names(patch.json(), to);
    for (std::size_t b = 0; b < patch.bufferCount(); ++b) {
        const Kind kind = patch.kind(b);
        if (kind == Kind::Missing || (kind == Kind::DataUri && !patch.isEdited(b)))
            continue;
        Json& json = patch.json()["buffers"][b];
        const std::span<const std::byte> bytes = patch.bytes(b);
        if (kind == Kind::DataUri) {
            json["uri"] = "data:application/octet-stream;base64," + base64(bytes);
            continue;
        }
        if (kind == Kind::External && !patch.isEdited(b)) {
            const SourceBuffer& original = patch.source().buffers[b];
            const std::string present = decodeUri(original.uri).value();
            if (names.isFree(present, *original.storage)) {
                file.sidecars.push_back({present, *original.storage});
                continue;
            }
        }
        const std::string name = names.forNew(bytes);
        json["uri"] = percentEncoded(name);
        setLimberExtra(json, "written", true);
        file.sidecars.push_back({name, {bytes.begin(), bytes.end()}});
    }
    for (ExternalImage& image : externalImages(patch)) {
        if (image.bytes)
            file.sidecars.push_back({decodeUri(image.uri).value(), std::move(*image.bytes)});
        else
            patch.notes.push_back("The picture \"" + image.uri + "\" could not be read and was not copied.");
    }
    file.bytes = bytesOf(dumped(patch.json(), indentOf(patch.source())));
    file.notes = patch.notes;
    return file;
}

} // namespace limber::io
