#include "core/document/skinning_intents.h"

#include <algorithm>
#include <cmath>

namespace limber::document {

namespace {

std::string methodWords(skin::Method method) {
    switch (method) {
    case skin::Method::DualQuaternion:
        return "dual quaternion";
    case skin::Method::Spherical:
        return "spherical blend";
    case skin::Method::Linear:
        break;
    }
    return "linear blend";
}

skin::Skinning withinRange(skin::Skinning s, const skin::Skinning& before) {
    s.mush.iterations = std::clamp<std::uint32_t>(s.mush.iterations, 1, skin::kMaxMushIterations);
    if (!std::isfinite(s.mush.lambda))
        s.mush.lambda = before.mush.lambda;
    else if (s.mush.lambda != before.mush.lambda)
        s.mush.lambda = std::clamp(s.mush.lambda, kLeastMushLambda, 1.0);
    return s;
}

std::string labelOf(const skin::Skinning& before, const skin::Skinning& after, const std::string& mesh) {
    if (before.method != after.method)
        return "Skin " + mesh + " by " + methodWords(after.method);
    if (before.mush.on != after.mush.on)
        return std::string(after.mush.on ? "Delta mush on " : "No delta mush on ") + mesh;
    if (before.mush.iterations != after.mush.iterations)
        return "Delta mush of " + mesh + ": " + std::to_string(after.mush.iterations) + " iterations";
    return "Delta mush of " + mesh + ": strength";
}

} // namespace

const char* mapName(skin::PaintedMap map) {
    return map == skin::PaintedMap::MethodShare ? "method share" : "delta mush share";
}

bool isSkinned(const DocumentState& state, MeshId mesh) {
    return !state.meshes[mesh.index()].weights.empty() &&
           std::any_of(state.instances.begin(), state.instances.end(),
                       [&](const Instance& instance) { return instance.mesh == mesh && instance.skin.valid(); });
}

std::string meshName(const Document& doc, MeshId mesh) {
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh && !instance.name.empty())
            return instance.name;
    return "mesh " + std::to_string(mesh.index());
}

Edit setSkinning(const Document& doc, MeshId mesh, skin::Skinning skinning) {
    const skin::Skinning& before = doc.mesh(mesh).skinning;
    const skin::Skinning after = withinRange(skinning, before);
    if (after == before)
        return {};
    return {labelOf(before, after, meshName(doc, mesh)), {SkinningPatch{mesh, before, after}}};
}

Edit fillPaintedMap(const Document& doc, MeshId mesh, skin::PaintedMap map, float value) {
    const MeshData& data = doc.mesh(mesh);
    const float after = std::clamp(value, 0.0f, 1.0f);
    PaintedMapPatch patch;
    patch.mesh = mesh;
    patch.map = map;
    const auto count = static_cast<std::uint32_t>(data.geometry.vertexCount());
    for (std::uint32_t v = 0; v < count; ++v)
        if (const float before = data.mapValue(map, v); before != after) {
            patch.vertices.push_back(v);
            patch.before.push_back(before);
        }
    if (patch.vertices.empty())
        return {};
    patch.after.assign(patch.vertices.size(), after);
    const std::string verb = after == 1.0f ? "Clear the " : "Fill the ";
    return {verb + mapName(map) + " of " + meshName(doc, mesh), {std::move(patch)}};
}

} // namespace limber::document
