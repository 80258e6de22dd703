#include "core/io/assimp_skeletons.h"

#include "core/io/asset_path.h"
#include "core/io/assimp_files.h"
#include "core/io/fbx_tree.h"
#include "core/io/safe_save.h"

#include <assimp/material.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t(512) << 20; // the importer holds the file too

std::string beside(const fs::path& asset, const std::string& name) {
    return fileInside(asset.parent_path(), name) ? "could not be used"
                                                 : "was not found beside the file (capital letters count)";
}

// Ogre's M_MESH_SKELETON_LINK: 0x6000, its length with these six bytes, a name, a line feed. Empty where there is none.
std::string ogreSkeleton(std::string_view bytes) {
    constexpr std::size_t kHead = 6, kLongest = 512;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    constexpr std::string_view kId("\x00\x60", 2);
    for (std::size_t at = bytes.find(kId); at != bytes.npos && at + kHead < bytes.size();
         at = bytes.find(kId, at + 1)) {
        const std::size_t length = byte(at + 2) | std::size_t(byte(at + 3)) << 8 | std::size_t(byte(at + 4)) << 16 |
                                   std::size_t(byte(at + 5)) << 24;
        if (length < kHead + 2 || length > kLongest || length > bytes.size() - at)
            continue;
        const std::string_view name = bytes.substr(at + kHead, length - kHead);
        const auto isPrinted = [](char c) { return static_cast<unsigned char>(c) >= 0x20; };
        if (name.back() == '\n' && std::all_of(name.begin(), name.end() - 1, isPrinted))
            return std::string(name.substr(0, name.size() - 1));
    }
    return {};
}

void noteOgre(const fs::path& asset, std::string_view bytes, ImportedScene& target) {
    const std::string skeleton = ogreSkeleton(bytes);
    if (!skeleton.empty() && target.scene.skins.empty())
        target.notes.push_back({"IMPORT_SKELETON_MISSING", "",
                                "The skeleton \"" + skeleton + "\" " + beside(asset, skeleton) +
                                    ": opened without joints and weights. Put it into the same folder and open the "
                                    "file again."});
    const std::string materials = asset.stem().string() + ".material";
    const auto isDefault = [](const BuildMaterial& m) { return m.name == AI_DEFAULT_MATERIAL_NAME; };
    if (std::all_of(target.scene.materials.begin(), target.scene.materials.end(), isDefault))
        target.notes.push_back({"IMPORT_MATERIALS_MISSING", "",
                                "Its materials: \"" + materials + "\" " + beside(asset, materials) +
                                    ": opened without colours and textures."});
}

FbxWanted wanted(std::size_t depth, std::string_view name) {
    if (depth == 0)
        return name == "Objects" || name == "Connections" ? FbxWanted::Whole : FbxWanted::No;
    return name == "Deformer" || name == "Model" || name == "C" ? FbxWanted::WithoutChildren : FbxWanted::No;
}

struct FbxSkins {
    std::size_t skins = 0, parts = 0, boneless = 0; // a part ("cluster") is what one bone moves
};

FbxSkins countFbxSkins(const FbxTree& tree) {
    FbxSkins count;
    std::set<std::int64_t> parts, models;
    const auto each = [&](const char* section, auto&& visit) {
        const FbxNode* list = tree.child(tree.nodes[0], section);
        for (std::uint32_t c = list ? list->firstChild : kNoFbxNode; c != kNoFbxNode; c = tree.nodes[c].nextSibling)
            if (const auto values = tree.valuesOf(tree.nodes[c]); values.size() > 2)
                visit(tree.nodes[c], values);
    };
    each("Objects", [&](const FbxNode& node, auto values) {
        const std::string kind = tree.text(values[2]);
        count.skins += node.name == "Deformer" && kind == "Skin";
        if (node.name == "Model")
            models.insert(values[0].integer);
        else if (kind == "Cluster")
            parts.insert(values[0].integer);
    });
    count.parts = parts.size();
    each("Connections", [&](const FbxNode&, auto values) {
        if (models.contains(values[1].integer))
            parts.erase(values[2].integer);
    });
    count.boneless = parts.size();
    return count;
}

void noteFbx(std::span<const std::byte> bytes, ImportedScene& target) {
    const auto tree = readFbxTree(bytes, wanted);
    if (!tree)
        return;
    const FbxSkins count = countFbxSkins(*tree);
    if (count.boneless > 0)
        target.notes.push_back({"IMPORT_SKIN_WITHOUT_BONES", "",
                                std::to_string(count.boneless) + " of " + std::to_string(count.parts) +
                                    " parts of skins name no bone; their weights are left out. Export the bones "
                                    "together with the meshes.",
                                count.boneless});
    else if (count.skins > 0 && target.scene.skins.empty())
        target.notes.push_back({"IMPORT_SKELETON_MISSING", "",
                                "The file has skins, but no bones came with them: opened without joints and weights. "
                                "Export the bones together with the meshes.",
                                count.skins});
}

// Collada's skins, and the weights in text files of DirectX.
bool speaksOfSkins(std::string_view text, const std::string& extension) {
    if (extension == ".dae")
        return text.find("<skin ") != text.npos || text.find("<skin>") != text.npos;
    constexpr std::string_view kTemplate = "template ";
    for (std::size_t at = text.find("SkinWeights"); at != text.npos; at = text.find("SkinWeights", at + 1))
        if (at < kTemplate.size() || text.substr(at - kTemplate.size(), kTemplate.size()) != kTemplate)
            return true;
    return false;
}

} // namespace

void noteLostSkeletons(const fs::path& asset, ImportedScene& target) {
    const std::string extension = lowerExtension(asset);
    const bool asked = extension == ".dae" || extension == ".x"
                           ? target.scene.skins.empty()
                           : extension == ".mesh" || extension == ".fbx" || extension == ".glb" || extension == ".gltf";
    if (!asked)
        return;
    const auto bytes = readFile(asset, kMaxFileBytes);
    if (!bytes)
        return;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (extension == ".mesh")
        noteOgre(asset, text, target);
    else if (extension != ".dae" && extension != ".x") // FBX, by whatever name
        noteFbx(*bytes, target);
    else if (speaksOfSkins(text, extension))
        target.notes.push_back({"IMPORT_SKELETON_MISSING", "",
                                "The file has skins, but no bones came with them: opened without joints and weights. "
                                "Export it again with its skeleton, or as glTF (.glb)."});
}

} // namespace limber::io
