#include "core/io/scene_build_check.h"

#include <cmath>
#include <set>

namespace limber::io {

namespace {

Error fault(std::string text, std::string where) {
    return {ErrorCode::Failed, std::move(text), std::move(where)};
}

std::string at(const std::string& list, std::size_t index) {
    return list + "[" + std::to_string(index) + "]";
}

template <class T> bool refers(int index, const std::vector<T>& list) {
    return index >= 0 && static_cast<std::size_t>(index) < list.size();
}

template <class T> bool refersOrNone(int index, const std::vector<T>& list) {
    return index == -1 || refers(index, list);
}

template <class V> bool allFinite(const std::vector<V>& values) {
    for (const V& v : values)
        if (!v.allFinite())
            return false;
    return true;
}

bool allFinite(const std::vector<float>& values) {
    for (const float v : values)
        if (!std::isfinite(v))
            return false;
    return true;
}

template <class V>
Status checkAttribute(const std::vector<V>& values, std::size_t count, bool optional, const std::string& where) {
    if (values.size() != count && !(optional && values.empty()))
        return fault("has " + std::to_string(values.size()) + " entries for " + std::to_string(count) + " vertices",
                     where);
    if (!allFinite(values))
        return fault("holds a value that is not finite", where);
    return {};
}

Status checkInfluences(const BuildPrimitive& p, const std::string& where) {
    if (p.influences.empty())
        return {};
    if (p.influences.size() != p.positions.size())
        return fault("has " + std::to_string(p.influences.size()) + " rows for " + std::to_string(p.positions.size()) +
                         " vertices",
                     where);
    for (std::size_t v = 0; v < p.influences.size(); ++v) {
        double sum = 0;
        for (const BuildInfluence& influence : p.influences[v]) {
            if (!(influence.weight >= 0) || !std::isfinite(influence.weight))
                return fault("holds a weight that is negative or not finite", at(where, v));
            sum += influence.weight;
        }
        if (!(sum > 0))
            return fault("has no weight at all", at(where, v));
    }
    return {};
}

Status checkShapes(const BuildPrimitive& p, const std::string& where) {
    for (std::size_t s = 0; s < p.shapes.size(); ++s) {
        const std::string place = at(where + ".shapes", s);
        if (Status status = checkAttribute(p.shapes[s].deltas, p.positions.size(), false, place + ".deltas"); !status)
            return status;
        if (Status status = checkAttribute(p.shapes[s].normalDeltas, p.positions.size(), true, place + ".normalDeltas");
            !status)
            return status;
    }
    return {};
}

Status checkPrimitive(const SceneBuild& scene, const BuildPrimitive& p, const std::string& where) {
    const std::size_t count = p.positions.size();
    if (count == 0 || p.triangles.empty())
        return fault("has no vertices or no triangles", where);
    if (p.triangles.size() % 3 != 0)
        return fault("is not a whole number of triangles", where + ".triangles");
    for (const std::uint32_t index : p.triangles)
        if (index >= count)
            return fault("names vertex " + std::to_string(index) + " of " + std::to_string(count),
                         where + ".triangles");
    if (!refersOrNone(p.material, scene.materials))
        return fault("names a material that does not exist", where + ".material");
    for (const Status& status : {checkAttribute(p.positions, count, false, where + ".positions"),
                                 checkAttribute(p.normals, count, true, where + ".normals"),
                                 checkAttribute(p.uvs, count, true, where + ".uvs"),
                                 checkAttribute(p.secondUvs, p.uvs.size(), true, where + ".secondUvs"),
                                 checkAttribute(p.colors, count, true, where + ".colors"),
                                 checkInfluences(p, where + ".influences"), checkShapes(p, where)})
        if (!status)
            return status;
    return {};
}

Status checkMesh(const SceneBuild& scene, const BuildMesh& mesh, const std::string& where) {
    if (mesh.primitives.empty())
        return fault("has nothing to draw", where);
    if (!mesh.shapeWeights.empty() && mesh.shapeWeights.size() != mesh.primitives.front().shapes.size())
        return fault("has " + std::to_string(mesh.shapeWeights.size()) + " sliders for " +
                         std::to_string(mesh.primitives.front().shapes.size()) + " shapes",
                     where + ".shapeWeights");
    for (const double weight : mesh.shapeWeights)
        if (!std::isfinite(weight))
            return fault("holds a value that is not finite", where + ".shapeWeights");
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        const std::string place = at(where + ".primitives", i);
        const BuildPrimitive& p = mesh.primitives[i];
        if (Status status = checkPrimitive(scene, p, place); !status)
            return status;
        const std::vector<BuildShape>& expected = mesh.primitives.front().shapes;
        bool same = p.shapes.size() == expected.size();
        for (std::size_t s = 0; same && s < expected.size(); ++s)
            same = p.shapes[s].name == expected[s].name;
        if (!same)
            return fault("differ from those of the mesh's first primitive", place + ".shapes");
    }
    return {};
}

Status checkSkinUse(const SceneBuild& scene, const BuildNode& node, const std::string& where) {
    if (node.skin == -1)
        return {};
    if (node.mesh == -1)
        return fault("has a skin but no mesh", where);
    const std::size_t joints = scene.skins[node.skin].joints.size();
    for (const BuildPrimitive& p : scene.meshes[node.mesh].primitives) {
        if (p.influences.empty())
            return fault("is skinned, but its mesh has no influences", where);
        for (const auto& row : p.influences)
            for (const BuildInfluence& influence : row)
                if (influence.joint >= joints)
                    return fault("is skinned by joint " + std::to_string(influence.joint) + " of a skin of " +
                                     std::to_string(joints),
                                 where);
    }
    return {};
}

Status checkNode(const SceneBuild& scene, std::size_t index, const std::string& where) {
    const BuildNode& node = scene.nodes[index];
    if (!refersOrNone(node.parent, scene.nodes) || !refersOrNone(node.mesh, scene.meshes) ||
        !refersOrNone(node.skin, scene.skins))
        return fault("names a parent, mesh or skin that does not exist", where);
    if (!math::allFinite(node.local))
        return fault("has a transform that is not finite", where);
    std::size_t steps = 0;
    for (int up = node.parent; refers(up, scene.nodes); up = scene.nodes[up].parent)
        if (++steps > scene.nodes.size())
            return fault("is its own ancestor", where);
    return checkSkinUse(scene, node, where);
}

Status checkSkin(const SceneBuild& scene, const BuildSkin& skin, const std::string& where) {
    if (skin.joints.empty() || skin.inverseBinds.size() != skin.joints.size())
        return fault("has " + std::to_string(skin.joints.size()) + " joints and " +
                         std::to_string(skin.inverseBinds.size()) + " inverse bind matrices",
                     where);
    std::set<int> seen;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        if (!refers(skin.joints[i], scene.nodes))
            return fault("names a node that does not exist", at(where + ".joints", i));
        if (!seen.insert(skin.joints[i]).second)
            return fault("names a joint twice", at(where + ".joints", i));
        if (!math::allFinite(skin.inverseBinds[i]))
            return fault("is not finite", at(where + ".inverseBinds", i));
    }
    return {};
}

Status checkChannel(const SceneBuild& scene, const BuildChannel& channel, const std::string& where) {
    if (!refers(channel.node, scene.nodes))
        return fault("names a node that does not exist", where);
    const std::size_t width = valuesPerKey(scene, channel);
    if (width == 0)
        return fault("drives the shapes of a node that has none", where);
    if (channel.times.empty() || channel.values.size() != channel.times.size() * width)
        return fault("has " + std::to_string(channel.values.size()) + " values for " +
                         std::to_string(channel.times.size()) + " keys of " + std::to_string(width),
                     where);
    if (!allFinite(channel.times) || !allFinite(channel.values) || channel.times.front() < 0)
        return fault("holds a time below zero or a value that is not finite", where);
    for (std::size_t k = 1; k < channel.times.size(); ++k)
        if (!(channel.times[k] > channel.times[k - 1]))
            return fault("has times that do not increase", where);
    return {};
}

Status checkClip(const SceneBuild& scene, const BuildClip& clip, const std::string& where) {
    if (clip.channels.empty())
        return fault("has no channels", where);
    std::set<std::pair<int, BuildChannel::Path>> driven;
    for (std::size_t i = 0; i < clip.channels.size(); ++i) {
        const BuildChannel& channel = clip.channels[i];
        const std::string place = at(where + ".channels", i);
        if (Status status = checkChannel(scene, channel, place); !status)
            return status;
        if (!driven.insert({channel.node, channel.path}).second)
            return fault("drives what an earlier channel drives", place);
    }
    return {};
}

Status checkLooks(const SceneBuild& scene) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const BuildMaterial& m = scene.materials[i];
        for (const int image : {m.baseColorImage, m.emissiveImage, m.normalImage, m.occlusionImage})
            if (!refersOrNone(image, scene.images))
                return fault("names an image that does not exist", at("materials", i));
        if (!m.baseColor.allFinite() || !m.emissive.allFinite())
            return fault("has a colour that is not finite", at("materials", i));
    }
    for (std::size_t i = 0; i < scene.images.size(); ++i)
        if (scene.images[i].bytes.empty() ||
            (scene.images[i].mimeType != "image/png" && scene.images[i].mimeType != "image/jpeg"))
            return fault("is empty or neither PNG nor JPEG", at("images", i));
    return {};
}

} // namespace

std::size_t valuesPerKey(const SceneBuild& scene, const BuildChannel& channel) {
    switch (channel.path) {
    case BuildChannel::Path::Rotation:
        return 4;
    case BuildChannel::Path::Weights: {
        const int mesh = scene.nodes[channel.node].mesh;
        return refers(mesh, scene.meshes) && !scene.meshes[mesh].primitives.empty()
                   ? scene.meshes[mesh].primitives.front().shapes.size()
                   : 0;
    }
    default:
        return 3;
    }
}

Status checkSceneBuild(const SceneBuild& scene) {
    if (Status status = checkLooks(scene); !status)
        return status;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
        if (Status status = checkMesh(scene, scene.meshes[i], at("meshes", i)); !status)
            return status;
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (Status status = checkSkin(scene, scene.skins[i], at("skins", i)); !status)
            return status;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (Status status = checkNode(scene, i, at("nodes", i)); !status)
            return status;
    for (std::size_t i = 0; i < scene.clips.size(); ++i)
        if (Status status = checkClip(scene, scene.clips[i], at("clips", i)); !status)
            return status;
    return {};
}

} // namespace limber::io
