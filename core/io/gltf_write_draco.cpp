#include "core/io/gltf_decompress.h"
#include "core/io/gltf_write_steps.h"

namespace limber::io {

namespace {

constexpr const char* kDraco = "KHR_draco_mesh_compression";

bool usesDraco(const Json& primitive) {
    const Json* extensions = member(primitive, "extensions");
    return extensions && member(*extensions, kDraco);
}

void removeName(Json& root, const char* key) {
    if (!member(root, key))
        return;
    Json& names = root[key];
    for (std::size_t i = names.size(); i-- > 0;)
        if (names[i] == kDraco)
            names.erase(i);
    if (names.empty())
        root.erase(key);
}

} // namespace

void makePlain(TreePatch& patch, std::size_t mesh, std::size_t p) {
    Json& root = patch.json();
    Json& primitive = root["meshes"][mesh]["primitives"][p];
    if (!usesDraco(primitive))
        return;
    const Json& original = patch.source().json()["meshes"][mesh]["primitives"][p];
    const std::size_t views = list(patch.source().json(), "bufferViews", "bufferViews").size();
    const auto data = decodeDraco(patch.reader(), original, views, place("meshes", mesh));
    for (const auto& [semantic, values] : data->attributes) {
        const auto accessor = primitive["attributes"][semantic].get<std::size_t>();
        const AccessorInfo info = patch.reader().info(accessor);
        primitive["attributes"][semantic] = patch.put(
            accessor, encodeFloats(values, info.components, info.type, info.normalized), TreePatch::Use::Vertices,
            semantic == "POSITION" ? TreePatch::Bounds::Required : TreePatch::Bounds::IfPresent);
    }
    std::optional<std::size_t> indices;
    if (const Json* present = member(primitive, "indices"))
        indices = present->get<std::size_t>();
    const ComponentType type = data->vertices > 65535 ? ComponentType::U32 : ComponentType::U16;
    primitive["indices"] = patch.put(indices, encodeUnsigned(data->indices, 1, type), TreePatch::Use::Indices);
    primitive["mode"] = 4;
    primitive["extensions"].erase(kDraco);
    if (primitive["extensions"].empty())
        primitive.erase("extensions");
    for (const Json& other : root["meshes"])
        for (const Json& part : other["primitives"])
            if (usesDraco(part))
                return;
    removeName(root, "extensionsUsed");
    removeName(root, "extensionsRequired");
}

} // namespace limber::io
