#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"

#include <map>

namespace limber::io {

namespace {

bool animatesWeightsOf(const Json& channel, const Json& nodes, MeshId mesh) {
    const Json* target = member(channel, "target");
    const Json* node = target ? member(*target, "node") : nullptr;
    if (!node || stringMember(*target, "path", "") != "weights")
        return false;
    const Json* found = member(nodes[wholeNumber(*node, "")], "mesh");
    return found && wholeNumber(*found, "") == mesh.index();
}

// Changes one clip's samplers so that they have a column for every target.
class ClipColumns {
public:
    ClipColumns(WriteContext& context, std::size_t animation, MeshId mesh, const TargetMap& map)
        : patch_(context.patch), animation_(animation), mesh_(mesh), map_(map) {}

    void write() {
        const Json& nodes = list(patch_.json(), "nodes", "nodes");
        Json kept = Json::array();
        for (Json& channel : json()["channels"]) {
            const bool ours = animatesWeightsOf(channel, nodes, mesh_);
            if (ours && !map_.from.empty())
                channel["sampler"] = samplerFor(wholeNumber(channel["sampler"], ""));
            if (!ours || !map_.from.empty())
                kept.push_back(channel);
        }
        json()["channels"] = std::move(kept);
    }

private:
    Json& json() { return patch_.json()["animations"][animation_]; }

    [[nodiscard]] bool usedByOthers(std::size_t sampler) {
        const Json& nodes = list(patch_.json(), "nodes", "nodes");
        for (const Json& channel : json()["channels"])
            if (wholeNumber(channel["sampler"], "") == sampler && !animatesWeightsOf(channel, nodes, mesh_))
                return true;
        return false;
    }

    std::size_t samplerFor(std::size_t sampler) {
        if (const auto known = done_.find(sampler); known != done_.end())
            return known->second;
        const std::size_t output = wholeNumber(json()["samplers"][sampler]["output"], "");
        std::vector<float> values;
        // Values that do not fit were not read as a channel either; they stay as they are.
        if (output < patch_.reader().count() && patch_.reader().info(output).components == 1)
            values = patch_.reader().floats(output, 1, NonFinite::Keep);
        if (values.empty() || values.size() % map_.oldCount != 0)
            return done_[sampler] = sampler;
        std::size_t target = sampler;
        std::optional<std::size_t> accessor = output;
        if (usedByOthers(sampler)) {
            target = json()["samplers"].size();
            json()["samplers"].push_back(Json(json()["samplers"][sampler]));
            accessor.reset();
        }
        json()["samplers"][target]["output"] =
            patch_.put(accessor, encodeFloats(remapColumns(values, map_), 1), TreePatch::Use::Other);
        return done_[sampler] = target;
    }

    TreePatch& patch_;
    std::size_t animation_;
    MeshId mesh_;
    const TargetMap& map_;
    std::map<std::size_t, std::size_t> done_;
};

} // namespace

std::vector<float> remapColumns(std::span<const float> values, const TargetMap& map) {
    std::vector<float> out;
    out.reserve(values.size() / map.oldCount * map.from.size());
    for (std::size_t row = 0; row < values.size(); row += map.oldCount)
        for (const auto& from : map.from)
            out.push_back(from ? values[row + *from] : 0.0f);
    return out;
}

void remapClipWeights(WriteContext& context, MeshId mesh, const TargetMap& map) {
    if (map.oldCount == 0)
        return;
    Json& root = context.patch.json();
    if (!member(root, "animations"))
        return;
    Json& animations = root["animations"];
    for (std::size_t a = 0; a < animations.size(); ++a)
        ClipColumns(context, a, mesh, map).write();
    // A clip must move something.
    for (std::size_t a = animations.size(); a-- > 0;)
        if (animations[a]["channels"].empty())
            animations.erase(a);
    if (animations.empty())
        root.erase("animations");
}

} // namespace limber::io
