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

int majorVersion(const std::string& version) {
    const std::size_t dot = version.find('.');
    if (dot == std::string::npos || dot == 0 || dot > 4 || version.find_first_not_of("0123456789") != dot)
        return -1;
    return std::stoi(version.substr(0, dot));
}

void checkAsset(const Json& json) {
    const Json* asset = member(json, "asset");
    if (!asset || !asset->is_object())
        refuse("asset", "The file does not say which version of glTF it is: it has no \"asset\".");
    const std::string version = stringMember(*asset, "version", "asset");
    if (majorVersion(version) != 2)
        refuse("asset.version", "The file says it is glTF \"" + version + "\"; only version 2 is read.");
    const std::string least = stringMember(*asset, "minVersion", "asset");
    if (!least.empty() && least != "2.0")
        refuse("asset.minVersion", "The file needs glTF " + least + "; version 2.0 is read.");
}

void checkExtensions(const Json& json) {
    for (const Json& name : list(json, "extensionsRequired", "extensionsRequired")) {
        if (!name.is_string())
            refuse("extensionsRequired", "An extension's name is not a text.");
        if (!isKnownExtension(name.get<std::string>()))
            refuse("extensionsRequired", "The file needs the extension " + name.get<std::string>() +
                                             ", which Limber does not read. Save it without that extension.");
    }
}

void loadUri(GltfSource& source, SourceBuffer& buffer, const std::string& uri, const std::string& where) {
    std::vector<std::byte> bytes;
    if (isDataUri(uri)) {
        Result<DataUri> data = decodeDataUri(uri);
        if (!data)
            refuse(where, data.error().text);
        buffer.kind = SourceBuffer::Kind::DataUri;
        bytes = std::move(data->bytes);
    } else {
        if (source.folder.empty())
            refuse(where, "The file names \"" + uri + "\" beside it, but it was not read from a folder.");
        const Result<std::filesystem::path> path = resolveAsset(source.folder, uri);
        if (!path)
            refuse(where, path.error().text);
        Result<std::vector<std::byte>> file = readFile(*path);
        if (!file)
            refuse(where, file.error().message());
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
                refuse(where + ".uri", "A text was expected.");
            loadUri(source, buffer, uri->get<std::string>(), where);
        } else if (i == 0 && source.container.hasBinary) {
            buffer.kind = SourceBuffer::Kind::GlbChunk;
            buffer.bytes = source.container.binary;
        }
        if (buffer.kind != SourceBuffer::Kind::Missing && buffer.declaredLength > buffer.bytes.size())
            refuse(where, "The buffer should have " + std::to_string(buffer.declaredLength) + " bytes, but only " +
                              std::to_string(buffer.bytes.size()) + " are there: the file is truncated or damaged.");
        source.buffers.push_back(std::move(buffer));
    }
}

} // namespace

std::shared_ptr<GltfSource> readTree(std::vector<std::byte> bytes, const std::filesystem::path& folder,
                                     std::vector<Repair>& repairs) {
    auto source = std::make_shared<GltfSource>();
    source->original = std::move(bytes);
    source->folder = folder;
    source->container = parseContainer(source->original, repairs);
    checkAsset(source->json());
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
