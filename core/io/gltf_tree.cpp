#include "core/io/gltf_tree.h"

#include "core/io/asset_path.h"
#include "core/io/safe_save.h"

#include <string_view>

namespace limber::io {

namespace {

// What is read, and what changes only how a surface or a light looks and is written back untouched.
bool isKnownExtension(std::string_view name) {
    constexpr std::string_view kKnown[] = {
        "KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_transform",
        "KHR_lights_punctual",   "KHR_animation_pointer",      "KHR_node_visibility",     "EXT_texture_webp",
        "EXT_texture_avif",      "KHR_texture_basisu",         "MSFT_texture_dds",        "KHR_xmp",
        "KHR_xmp_json_ld",       "EXT_lights_image_based",     "EXT_lights_ies",          "EXT_mesh_manifold"};
    if (name.starts_with("KHR_materials_"))
        return true;
    return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
}

struct Version {
    int major = 0, minor = 0;
};

std::optional<Version> versionOf(const std::string& text) {
    const std::size_t dot = text.find('.');
    const std::string major = text.substr(0, dot), minor = dot == std::string::npos ? "" : text.substr(dot + 1);
    for (const std::string& number : {major, minor})
        if (number.empty() || number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
    return Version{std::stoi(major), std::stoi(minor)};
}

void checkAsset(const Json& json, std::vector<Repair>& repairs) {
    const Json* asset = member(json, "asset");
    if (!asset || !asset->is_object())
        refuse("asset", "The file does not say which version of glTF it is: it has no \"asset\".",
               asset ? "TYPE_MISMATCH" : "UNDEFINED_PROPERTY");
    const std::string version = stringMember(*asset, "version", "asset");
    const std::optional<Version> own = versionOf(version);
    if (!own)
        refuse("asset.version", "The file says it is glTF \"" + version + "\", which is no version.",
               member(*asset, "version") ? "PATTERN_MISMATCH" : "UNDEFINED_PROPERTY");
    if (own->major != 2)
        refuse("asset.version", "The file says it is glTF \"" + version + "\"; only version 2 is read.",
               "UNKNOWN_ASSET_MAJOR_VERSION");
    const std::string text = stringMember(*asset, "minVersion", "asset");
    const std::optional<Version> least = versionOf(text);
    if (!text.empty() && !least)
        refuse("asset.minVersion", "\"" + text + "\" is no version.", "PATTERN_MISMATCH");
    if (least && (least->major > own->major || (least->major == own->major && least->minor > own->minor)))
        refuse("asset.minVersion", "The file needs glTF " + text + ", but says it is " + version + ".",
               "ASSET_MIN_VERSION_GREATER_THAN_VERSION");
    if (least && least->minor > 0)
        repairs.push_back({"UNKNOWN_ASSET_MINOR_VERSION", "asset.minVersion",
                           "The file asks for glTF " + text + "; it was read as 2.0.", 1});
}

void checkExtensions(const Json& json) {
    const Json& used = list(json, "extensionsUsed", "extensionsUsed");
    for (const Json& name : list(json, "extensionsRequired", "extensionsRequired")) {
        if (!name.is_string())
            refuse("extensionsRequired", "An extension's name is not a text.", "ARRAY_TYPE_MISMATCH");
        if (isKnownExtension(name.get<std::string>()))
            continue;
        const bool isUsed = std::find(used.begin(), used.end(), name) != used.end();
        refuse("extensionsRequired",
               "The file needs the extension " + name.get<std::string>() +
                   ", which Limber does not read. Save it without that extension.",
               isUsed ? "UNSUPPORTED_EXTENSION" : "UNUSED_EXTENSION_REQUIRED");
    }
}

void loadUri(GltfSource& source, SourceBuffer& buffer, const std::string& uri, const std::string& where) {
    std::vector<std::byte> bytes;
    if (isDataUri(uri)) {
        Result<DataUri> data = decodeDataUri(uri);
        if (!data)
            refuse(where, data.error().text, "INVALID_URI");
        buffer.kind = SourceBuffer::Kind::DataUri;
        bytes = std::move(data->bytes);
    } else {
        if (source.folder.empty())
            refuse(where, "The file names \"" + uri + "\" beside it, but it was not read from a folder.", "IO_ERROR");
        const Result<std::filesystem::path> path = resolveAsset(source.folder, uri);
        if (!path)
            refuse(where, path.error().text, isWellFormedUri(uri) ? "IO_ERROR" : "INVALID_URI");
        Result<std::vector<std::byte>> file = readFile(*path);
        if (!file)
            refuse(where, file.error().message(), "IO_ERROR");
        buffer.kind = SourceBuffer::Kind::External;
        buffer.uri = uri;
        bytes = std::move(*file);
    }
    buffer.storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    buffer.bytes = *buffer.storage;
}

void loadBuffers(GltfSource& source) {
    const Json& buffers = objects(source.json(), "buffers", "buffers");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const std::string where = place("buffers", i);
        SourceBuffer buffer;
        buffer.declaredLength = wholeMember(buffers[i], "byteLength", 0, where);
        if (const Json* uri = member(buffers[i], "uri")) {
            if (!uri->is_string())
                refuse(where + ".uri", "A text was expected.", "TYPE_MISMATCH");
            loadUri(source, buffer, uri->get<std::string>(), where);
        } else if (i == 0 && source.container.hasBinary) {
            buffer.kind = SourceBuffer::Kind::GlbChunk;
            buffer.bytes = source.container.binary;
        }
        if (buffer.kind != SourceBuffer::Kind::Missing && buffer.declaredLength > buffer.bytes.size())
            refuse(where,
                   "The buffer should have " + std::to_string(buffer.declaredLength) + " bytes, but only " +
                       std::to_string(buffer.bytes.size()) + " are there: the file is truncated or damaged.",
                   "BUFFER_BYTE_LENGTH_MISMATCH");
        source.buffers.push_back(std::move(buffer));
    }
}

} // namespace

std::shared_ptr<GltfSource> readTree(FileBytes bytes, const std::filesystem::path& folder,
                                     std::vector<Repair>& repairs) {
    auto source = std::make_shared<GltfSource>();
    source->original = std::move(bytes);
    source->folder = folder;
    source->container = parseContainer(source->original, repairs);
    checkAsset(source->json(), repairs);
    checkExtensions(source->json());
    loadBuffers(*source);
    return source;
}

std::vector<std::filesystem::path> filesBeside(const GltfSource& source) {
    std::vector<std::filesystem::path> files;
    if (source.folder.empty())
        return files;
    for (const char* key : {"buffers", "images"})
        for (const Json& item : list(source.json(), key, key)) {
            const std::string uri = stringMember(item, "uri", key);
            if (uri.empty() || isDataUri(uri))
                continue;
            if (Result<std::filesystem::path> path = resolveAsset(source.folder, uri))
                files.push_back(std::move(*path));
        }
    return files;
}

} // namespace limber::io
