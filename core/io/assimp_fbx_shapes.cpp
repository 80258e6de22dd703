#include "core/io/assimp_fbx_shapes.h"

#include "core/io/asset_path.h"
#include "core/io/assimp_geometry.h"
#include "core/io/safe_save.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t(512) << 20; // the importer holds the file too

std::string shortPercent(double value) {
    char text[32];
    const double rounded = std::round(value * 100) / 100;
    const auto end = std::to_chars(text, text + sizeof text, rounded, std::chars_format::general, 6).ptr;
    return std::string(text, end) + "%";
}

// The one that a slider at the end of its range reaches.
std::size_t wholeShape(const FbxShapeChannel& channel) {
    std::size_t whole = 0;
    for (std::size_t t = 1; t < channel.targets.size(); ++t)
        if (channel.targets[t].fullPercent > channel.targets[whole].fullPercent)
            whole = t;
    return whole;
}

std::string nameOf(const FbxShapeChannel& channel, std::size_t target) {
    const std::string& name = channel.name.empty() ? channel.targets[target].name : channel.name;
    return target == wholeShape(channel) ? name : name + " " + shortPercent(channel.targets[target].fullPercent);
}

// Assimp names a shape by its slider, with the shape's own name where that has no dot, or by the shape alone.
bool isNamed(const std::string& given, const FbxShapeChannel& channel, const FbxShapeTarget& target) {
    return given == channel.name || given == target.name || given == channel.name + "." + target.name;
}

// Per shape of Assimp's the place among all targets of `mesh`; empty where they are not the same ones.
std::vector<std::size_t> matchTargets(const std::vector<std::string>& given, const FbxShapedMesh& mesh) {
    std::vector<std::pair<const FbxShapeChannel*, const FbxShapeTarget*>> all;
    for (const FbxShapeChannel& channel : mesh.channels)
        for (const FbxShapeTarget& target : channel.targets)
            all.emplace_back(&channel, &target);
    if (all.size() != given.size())
        return {};
    std::vector<std::size_t> out;
    std::vector<char> used(all.size(), 0);
    for (std::size_t s = 0; s < given.size(); ++s) {
        std::size_t tried = 0, at = s; // they come in order, as a rule
        while (tried < all.size() && (used[at] || !isNamed(given[s], *all[at].first, *all[at].second))) {
            ++tried;
            at = (at + 1) % all.size();
        }
        if (tried == all.size())
            return {};
        used[at] = 1;
        out.push_back(at);
    }
    return out;
}

bool carries(const FbxShapedMesh& mesh, const std::string& name) {
    return mesh.name == name || std::find(mesh.nodes.begin(), mesh.nodes.end(), name) != mesh.nodes.end();
}

} // namespace

FbxShapeNames::FbxShapeNames(const aiScene& source, const std::filesystem::path& asset,
                             std::vector<ImportNote>& notes) {
    const bool hasShapes = std::any_of(source.mMeshes, source.mMeshes + source.mNumMeshes,
                                       [](const aiMesh* m) { return m->mNumAnimMeshes > 0; });
    const std::string extension = lowerExtension(asset); // an FBX file may bear the name of a glTF file
    if (!hasShapes || (extension != ".fbx" && extension != ".glb" && extension != ".gltf"))
        return;
    const auto bytes = readFile(asset, kMaxFileBytes);
    auto read = bytes ? readFbxShapes(*bytes) : Result<FbxShapes>(bytes.error());
    if (!read) {
        notes.push_back({"IMPORT_SLIDERS_NOT_READ", "",
                         "How far its sliders are moved could not be read, they stand at zero: " + read.error().text});
        return;
    }
    shapes_ = std::move(read).value();
    for (const FbxShapedMesh& mesh : shapes_->meshes)
        for (const FbxShapeChannel& c : mesh.channels)
            if (c.perVertex)
                notes.push_back({"IMPORT_SHAPE_STRENGTHS_LEFT_OUT", "shape \"" + c.name + "\"",
                                 "Its strength differs by vertex; that is left out, it moves all vertices in full."});
    for (const FbxShapeClip& clip : shapes_->clips)
        if (clip.hasFurtherLayers)
            notes.push_back({"IMPORT_LAYERS_LEFT_OUT", "clip \"" + clip.name + "\"",
                             "Shapes are moved by several animation layers; only the first is read."});
}

std::optional<FbxShapePlan> FbxShapeNames::planOf(const aiMesh& mesh) const {
    if (!shapes_ || mesh.mNumAnimMeshes == 0)
        return std::nullopt;
    std::vector<std::string> given;
    for (unsigned s = 0; s < mesh.mNumAnimMeshes; ++s)
        given.push_back(toString(mesh.mAnimMeshes[s]->mName));
    std::optional<FbxShapePlan> plan;
    for (std::size_t m = 0; m < shapes_->meshes.size(); ++m) {
        const bool named = carries(shapes_->meshes[m], toString(mesh.mName));
        if (plan && !named)
            continue;
        auto targets = matchTargets(given, shapes_->meshes[m]);
        if (targets.empty())
            continue;
        plan = FbxShapePlan{m, std::move(targets), {}, {}, 0};
        if (named)
            break;
    }
    if (!plan)
        return std::nullopt;
    std::vector<std::string> names;
    std::vector<double> weights;
    for (const FbxShapeChannel& channel : shapes_->meshes[plan->mesh].channels) {
        const std::vector<double> own = weightsAt(channel, channel.percent);
        weights.insert(weights.end(), own.begin(), own.end());
        for (std::size_t t = 0; t < channel.targets.size(); ++t)
            names.push_back(nameOf(channel, t));
        plan->inBetweens += channel.targets.empty() ? 0 : channel.targets.size() - 1;
    }
    for (const std::size_t t : plan->targets) {
        plan->names.push_back(names[t]);
        plan->weights.push_back(weights[t]);
    }
    return plan;
}

} // namespace limber::io
