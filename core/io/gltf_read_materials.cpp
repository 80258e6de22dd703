#include "core/io/asset_path.h"
#include "core/io/gltf_reader.h"
#include "core/io/safe_save.h"

namespace limber::io {

namespace {

using document::Image;
using document::Material;
using document::Texture;

// The image of a texture; formats that only an extension names come after the plain one.
int imageOf(const Json& texture, std::size_t images, const std::string& where) {
    if (const auto source = indexMember(texture, "source", images, where))
        return static_cast<int>(*source);
    if (const Json* extensions = member(texture, "extensions"))
        for (const char* name : {"EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu", "MSFT_texture_dds"})
            if (const Json* extension = member(*extensions, name))
                if (const auto source = indexMember(*extension, "source", images, where))
                    return static_cast<int>(*source);
    return -1;
}

void readSampler(Texture& out, const Json& sampler, const std::string& where) {
    constexpr std::uint64_t kRepeat = 10497, kClamp = 33071, kNearest = 9728, kLinear = 9729;
    out.repeatU = wholeMember(sampler, "wrapS", kRepeat, where) != kClamp;
    out.repeatV = wholeMember(sampler, "wrapT", kRepeat, where) != kClamp;
    out.nearest = wholeMember(sampler, "magFilter", kLinear, where) == kNearest;
}

Texture readTexture(const Json& root, const Json& info, const std::string& where) {
    Texture out;
    const Json& textures = objects(root, "textures", "textures");
    const Json& samplers = objects(root, "samplers", "samplers");
    const auto index = indexMember(info, "index", textures.size(), where);
    if (!index)
        return out;
    const std::string here = place("textures", *index);
    out.image = imageOf(textures[*index], list(root, "images", "images").size(), here);
    out.texCoord = static_cast<int>(std::min<std::uint64_t>(wholeMember(info, "texCoord", 0, where), 1000));
    if (const auto sampler = indexMember(textures[*index], "sampler", samplers.size(), here))
        readSampler(out, samplers[*sampler], place("samplers", *sampler));
    const Json* extensions = member(info, "extensions");
    if (const Json* transform = extensions ? member(*extensions, "KHR_texture_transform") : nullptr) {
        const auto offset = numbersMember(*transform, "offset", 2, where);
        const auto scale = numbersMember(*transform, "scale", 2, where);
        out.transform = {offset ? (*offset)[0] : 0, offset ? (*offset)[1] : 0,
                         numberMember(*transform, "rotation", 0, where), scale ? (*scale)[0] : 1,
                         scale ? (*scale)[1] : 1};
        if (member(*transform, "texCoord"))
            out.texCoord =
                static_cast<int>(std::min<std::uint64_t>(wholeMember(*transform, "texCoord", 0, where), 1000));
    }
    return out;
}

void readColor(Material& out, const Json& root, const Json& object, const char* factor, const char* texture,
               const std::string& where) {
    if (const auto color = numbersMember(object, factor, 4, where))
        std::copy(color->begin(), color->end(), out.baseColor.begin());
    if (const Json* info = member(object, texture))
        out.baseColorTexture = readTexture(root, *info, where);
}

Material readMaterial(const Json& root, const Json& json, const std::string& where) {
    Material out;
    out.name = stringMember(json, "name", where);
    const Json* extensions = member(json, "extensions");
    if (const Json* specular = extensions ? member(*extensions, "KHR_materials_pbrSpecularGlossiness") : nullptr)
        readColor(out, root, *specular, "diffuseFactor", "diffuseTexture", where);
    if (const Json* metallic = member(json, "pbrMetallicRoughness"))
        readColor(out, root, *metallic, "baseColorFactor", "baseColorTexture", where);
    const std::string alpha = stringMember(json, "alphaMode", where);
    out.alpha = alpha == "MASK"    ? Material::Alpha::Mask
                : alpha == "BLEND" ? Material::Alpha::Blend
                                   : Material::Alpha::Opaque;
    out.alphaCutoff = numberMember(json, "alphaCutoff", 0.5, where);
    out.doubleSided = boolMember(json, "doubleSided", where);
    out.unlit = extensions && member(*extensions, "KHR_materials_unlit");
    return out;
}

// An image that cannot be read costs its picture, not the file.
Result<std::vector<std::byte>> imageBytes(ReadContext& context, const Json& json, Image& image,
                                          const std::string& where) {
    const std::size_t views = list(context.json, "bufferViews", "bufferViews").size();
    if (const auto view = indexMember(json, "bufferView", views, where)) {
        if (context.accessors.lacksData(*view))
            return Error{ErrorCode::InputRefused, "Its data is not there.", ""};
        const std::span<const std::byte> bytes = context.accessors.viewBytes(*view);
        context.accessors.spend(bytes.size(), where);
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    const std::string uri = stringMember(json, "uri", where);
    if (isDataUri(uri)) {
        Result<DataUri> data = decodeDataUri(uri);
        if (!data)
            return data.error();
        if (image.mimeType.empty())
            image.mimeType = data->mimeType;
        return std::move(data->bytes);
    }
    if (context.source.folder.empty())
        return Error{ErrorCode::InputRefused, "The file names \"" + uri + "\", but it was not read from a folder.", ""};
    const Result<std::filesystem::path> path = resolveAsset(context.source.folder, uri);
    if (!path)
        return path.error();
    return readFile(*path);
}

const char* uriFault(const Json& image) {
    const std::string uri = stringMember(image, "uri", "images");
    return isDataUri(uri) || !isWellFormedUri(uri) ? "INVALID_URI" : "IO_ERROR";
}

} // namespace

void readMaterials(ReadContext& context) {
    const Json& materials = objects(context.json, "materials", "materials");
    for (std::size_t i = 0; i < materials.size(); ++i)
        context.state.materials.push_back(readMaterial(context.json, materials[i], place("materials", i)));
    const Json& images = objects(context.json, "images", "images");
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::string where = place("images", i);
        Image image;
        image.name = stringMember(images[i], "name", where);
        image.mimeType = stringMember(images[i], "mimeType", where);
        Result<std::vector<std::byte>> bytes = imageBytes(context, images[i], image, where);
        const std::string uri = stringMember(images[i], "uri", where);
        if (bytes && !uri.empty() && !isDataUri(uri) && imageType(*bytes).empty())
            context.note("IMAGE_UNRECOGNIZED_FORMAT", where,
                         "The picture is none of PNG, JPEG, WebP and KTX 2: other programs may not show it, and it "
                         "cannot be put into a .glb.");
        if (bytes)
            image.bytes = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
        else
            context.note(uriFault(images[i]), where, bytes.error().text + " The picture is not shown.");
        context.state.images.push_back(std::move(image));
    }
}

} // namespace limber::io
