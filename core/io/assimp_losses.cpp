#include "core/io/assimp_losses.h"

#include "core/io/asset_path.h"
#include "core/io/safe_save.h"

#include <string_view>

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t(512) << 20;

// Assimp reads the morph controllers of Collada wrongly or not at all, and may leave out their meshes.
std::size_t countMorphs(const std::filesystem::path& asset) {
    const auto bytes = readFile(asset, kMaxFileBytes);
    if (!bytes)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    std::size_t count = 0;
    for (std::size_t at = text.find("<morph"); at != text.npos; at = text.find("<morph", at + 1))
        ++count;
    return count;
}

} // namespace

void noteLosses(const aiScene& source, const std::filesystem::path& asset, ImportedScene& target) {
    const auto note = [&](std::size_t count, const char* code, const char* text) {
        if (count > 0)
            target.notes.push_back({code, "", std::to_string(count) + text, count});
    };
    note(source.mNumCameras, "IMPORT_CAMERAS_LEFT_OUT", " cameras are left out; their nodes are kept.");
    note(source.mNumLights, "IMPORT_LIGHTS_LEFT_OUT", " lights are left out; their nodes are kept.");
    std::size_t movingMeshes = 0;
    for (unsigned a = 0; a < source.mNumAnimations; ++a)
        movingMeshes += source.mAnimations[a]->mNumMeshChannels;
    note(movingMeshes, "IMPORT_VERTEX_ANIMATION_LEFT_OUT", " motions of whole meshes, vertex by vertex, are left out.");
    const std::string extension = lowerExtension(asset);
    if (extension == ".dae")
        note(countMorphs(asset), "IMPORT_SHAPES_LEFT_OUT",
             " meshes have shapes, which cannot be read from Collada files; such a mesh may be missing. FBX and glTF "
             "(.glb) keep them.");
    // Assimp shows a skeleton without a mesh as one.
    if (target.scene.materials.size() == 1 && target.scene.materials[0].name == "SkeletonMaterial")
        target.notes.push_back(
            {"IMPORT_NO_MESH", "", "There is no mesh in this file; the one that is shown is made of its bones.", 0});
    for (const char* unitless : {".bvh", ".smd", ".md5mesh", ".md5anim", ".mdl", ".x", ".mesh"})
        if (extension == unitless)
            target.notes.push_back({"IMPORT_UNITS_UNKNOWN", "",
                                    "Files of this kind do not tell their unit; one unit is taken as a metre.", 0});
}

} // namespace limber::io
