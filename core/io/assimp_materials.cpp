#include "core/io/assimp_materials.h"

#include "core/io/assimp_files.h"
#include "core/io/assimp_geometry.h"

#include <QByteArray>
#include <assimp/material.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

namespace limber::io {

namespace {

void appendBigEndian(std::vector<std::byte>& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out.push_back(static_cast<std::byte>((value >> shift) & 0xff));
}

std::uint32_t crc32(const std::byte* data, std::size_t size) {
    std::uint32_t crc = 0xffffffffu;
    for (std::size_t i = 0; i < size; ++i) {
        crc ^= std::to_integer<std::uint32_t>(data[i]);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

void appendChunk(std::vector<std::byte>& out, const char* type, const std::vector<std::byte>& data) {
    appendBigEndian(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t start = out.size();
    for (int i = 0; i < 4; ++i)
        out.push_back(static_cast<std::byte>(type[i]));
    out.insert(out.end(), data.begin(), data.end());
    appendBigEndian(out, crc32(out.data() + start, out.size() - start));
}

// Some formats hold bare pixels; a glTF file wants them as an image file.
std::vector<std::byte> encodePng(const aiTexture& texture) {
    const std::size_t width = texture.mWidth, height = texture.mHeight;
    QByteArray rows;
    rows.reserve(static_cast<qsizetype>(height * (1 + width * 4)));
    for (std::size_t y = 0; y < height; ++y) {
        rows.append('\0'); // no filter
        for (std::size_t x = 0; x < width; ++x) {
            const aiTexel& t = texture.pcData[y * width + x];
            for (const unsigned char c : {t.r, t.g, t.b, t.a})
                rows.append(static_cast<char>(c));
        }
    }
    const QByteArray packed = qCompress(rows).mid(4); // Qt puts the length before the zlib stream
    std::vector<std::byte> header;
    appendBigEndian(header, texture.mWidth);
    appendBigEndian(header, texture.mHeight);
    for (const unsigned char c : {8, 6, 0, 0, 0}) // 8 bits, RGBA
        header.push_back(static_cast<std::byte>(c));
    std::vector<std::byte> out;
    for (const unsigned char c : {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a})
        out.push_back(static_cast<std::byte>(c));
    const auto* bytes = reinterpret_cast<const std::byte*>(packed.constData());
    appendChunk(out, "IHDR", header);
    appendChunk(out, "IDAT", {bytes, bytes + packed.size()});
    appendChunk(out, "IEND", {});
    return out;
}

std::vector<std::byte> embeddedBytes(const aiTexture& texture) {
    constexpr unsigned kMaxSide = 16384;
    if (!texture.pcData || texture.mWidth == 0)
        return {};
    if (texture.mHeight == 0) {
        const auto* bytes = reinterpret_cast<const std::byte*>(texture.pcData);
        return {bytes, bytes + texture.mWidth};
    }
    if (texture.mWidth > kMaxSide || texture.mHeight > kMaxSide)
        return {};
    return encodePng(texture);
}

class TextureLoader {
public:
    TextureLoader(const aiScene& source, const std::filesystem::path& asset, ImportedScene& target)
        : source_(source), asset_(asset), target_(target) {}

    // The image's index, -1 where the texture cannot be taken.
    int load(const std::string& path) {
        const auto known = indexOf_.find(path);
        if (known != indexOf_.end())
            return known->second;
        const int index = read(path);
        indexOf_.emplace(path, index);
        return index;
    }

private:
    int read(const std::string& path) {
        const aiTexture* embedded = source_.GetEmbeddedTexture(path.c_str());
        std::vector<std::byte> bytes = embedded ? embeddedBytes(*embedded) : readTextureBeside(asset_, path);
        const std::string_view type = imageMimeType(bytes);
        if (type.empty()) {
            target_.notes.push_back({"IMPORT_TEXTURE_LEFT_OUT", path,
                                     bytes.empty() ? "The texture was not found beside the file and is left out."
                                                   : "The texture is neither PNG nor JPEG and is left out."});
            return -1;
        }
        const std::size_t slash = path.find_last_of("/\\");
        target_.scene.images.push_back(
            {path.substr(slash == path.npos ? 0 : slash + 1), std::string(type), std::move(bytes)});
        return static_cast<int>(target_.scene.images.size()) - 1;
    }

    const aiScene& source_;
    const std::filesystem::path& asset_;
    ImportedScene& target_;
    std::map<std::string, int> indexOf_;
};

// The first texture of the first of the uses that has one; -1 where there is none.
int textureOf(const aiMaterial& source, std::initializer_list<aiTextureType> uses, TextureLoader& textures) {
    aiString path;
    for (const aiTextureType use : uses)
        if (source.GetTexture(use, 0, &path) == AI_SUCCESS && path.length > 0)
            return textures.load(toString(path));
    return -1;
}

void readOpacity(const aiMaterial& source, BuildMaterial& material) {
    float opacity = 1;
    source.Get(AI_MATKEY_OPACITY, opacity);
    // Exporters also write 0 for a surface that nobody meant to be invisible.
    if (!(opacity > 0.001f && opacity < 0.999f))
        return;
    material.baseColor.w() = double(opacity);
    material.alphaBlend = true;
}

void readEmission(const aiMaterial& source, TextureLoader& textures, BuildMaterial& material) {
    aiColor3D color(0, 0, 0);
    source.Get(AI_MATKEY_COLOR_EMISSIVE, color);
    const Eigen::Vector3d rgb(color.r, color.g, color.b);
    if (rgb.allFinite())
        material.emissive = rgb.cwiseMax(0.0).cwiseMin(1.0);
    material.emissiveImage = textureOf(source, {aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE}, textures);
    if (material.emissiveImage >= 0)
        material.emissive.setOnes(); // the texture takes the colour's place
}

BuildMaterial convertMaterial(const aiMaterial& source, TextureLoader& textures) {
    BuildMaterial material;
    if (aiString name; source.Get(AI_MATKEY_NAME, name) == AI_SUCCESS)
        material.name = toString(name);
    aiColor4D color(1, 1, 1, 1);
    if (source.Get(AI_MATKEY_BASE_COLOR, color) != AI_SUCCESS)
        source.Get(AI_MATKEY_COLOR_DIFFUSE, color);
    const Eigen::Vector3d rgb(color.r, color.g, color.b);
    if (rgb.allFinite())
        material.baseColor.head<3>() = rgb.cwiseMax(0.0).cwiseMin(1.0);
    int twoSided = 0;
    source.Get(AI_MATKEY_TWOSIDED, twoSided);
    material.doubleSided = twoSided != 0;
    material.baseColorImage = textureOf(source, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}, textures);
    // In these formats the texture takes the colour's place; in glTF they would be multiplied.
    if (material.baseColorImage >= 0)
        material.baseColor.setOnes();
    readOpacity(source, material);
    readEmission(source, textures, material);
    material.normalImage = textureOf(source, {aiTextureType_NORMAL_CAMERA, aiTextureType_NORMALS}, textures);
    material.occlusionImage = textureOf(source, {aiTextureType_AMBIENT_OCCLUSION}, textures);
    return material;
}

// Pictures that glTF has no place for, or that would look otherwise there, in words.
void noteFurtherTextures(const aiMaterial& source, const std::string& name, std::vector<ImportNote>& notes) {
    static constexpr std::pair<aiTextureType, const char*> kUses[]{
        {aiTextureType_SPECULAR, "specular"},         {aiTextureType_SHININESS, "shininess"},
        {aiTextureType_OPACITY, "opacity"},           {aiTextureType_HEIGHT, "bump"},
        {aiTextureType_DISPLACEMENT, "displacement"}, {aiTextureType_REFLECTION, "reflection"},
        {aiTextureType_METALNESS, "metalness"},       {aiTextureType_DIFFUSE_ROUGHNESS, "roughness"},
        {aiTextureType_AMBIENT, "ambient"},           {aiTextureType_LIGHTMAP, "light"}};
    std::string leftOut;
    std::size_t count = 0;
    const auto add = [&](unsigned textures, const std::string& use) {
        leftOut += textures == 0 ? "" : (count == 0 ? "" : ", ") + use;
        count += textures;
    };
    for (const auto& [use, word] : kUses)
        add(source.GetTextureCount(use), word);
    if (const unsigned layers = source.GetTextureCount(aiTextureType_DIFFUSE); layers > 1)
        add(layers - 1, "further colour layers");
    if (count > 0)
        notes.push_back({"IMPORT_TEXTURE_USES_LEFT_OUT", "material \"" + name + "\"",
                         "Its textures for these uses are left out: " + leftOut + ".", count});
    unsigned moved = 0;
    for (const aiTextureType use : {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR, aiTextureType_NORMALS})
        if (aiUVTransform transform; source.Get(AI_MATKEY_UVTRANSFORM(use, 0), transform) == AI_SUCCESS)
            moved += transform.mTranslation != aiVector2D(0, 0) || transform.mScaling != aiVector2D(1, 1) ||
                             transform.mRotation != 0
                         ? 1
                         : 0;
    if (moved > 0)
        notes.push_back({"IMPORT_TEXTURE_PLACE_LEFT_OUT", "material \"" + name + "\"",
                         "A texture that is moved, turned or scaled lies where it would without that.", moved});
}

} // namespace

void convertMaterials(const aiScene& source, const std::filesystem::path& asset, ImportedScene& target) {
    TextureLoader textures(source, asset, target);
    for (unsigned m = 0; m < source.mNumMaterials; ++m) {
        target.scene.materials.push_back(convertMaterial(*source.mMaterials[m], textures));
        noteFurtherTextures(*source.mMaterials[m], target.scene.materials.back().name, target.notes);
    }
}

} // namespace limber::io
