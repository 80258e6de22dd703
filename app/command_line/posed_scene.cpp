#include "app/command_line/posed_scene.h"

#include "core/io/skinning_names.h"

#include <algorithm>

namespace limber::app {

namespace {

// By its name, or "#2" by its place; null where there is none.
const rig::Clip* findClip(const std::vector<rig::Clip>& clips, const std::string& name) {
    for (const rig::Clip& clip : clips)
        if (clip.name == name)
            return &clip;
    for (std::size_t i = 0; i < clips.size(); ++i)
        if (name == "#" + std::to_string(i))
            return &clips[i];
    return nullptr;
}

// "a, b, #2" of at most ten, as findClip takes them.
std::string clipList(const std::vector<rig::Clip>& clips) {
    constexpr std::size_t kShown = 10;
    std::string text;
    for (std::size_t i = 0; i < clips.size() && i < kShown; ++i) {
        const bool named = !clips[i].name.empty() && findClip(clips, clips[i].name) == &clips[i];
        text += (i ? ", " : "") + (named ? clips[i].name : "#" + std::to_string(i));
    }
    return clips.size() > kShown ? text + ", ..." : text;
}

// From here on the sliders say what the drivers and mutes said.
void freezeShapeWeights(document::DocumentState& state) {
    std::vector<std::vector<double>> weights;
    {
        const document::Document doc(state);
        const document::Preview preview;
        document::Evaluator evaluator(doc, preview);
        for (std::size_t i = 0; i < state.instances.size(); ++i) {
            const auto effective = evaluator.shapeWeights(InstanceId(i));
            weights.emplace_back(effective.begin(), effective.end());
        }
    }
    for (std::size_t i = 0; i < state.instances.size(); ++i)
        state.instances[i].shapeWeights = weights[i];
    for (document::MeshData& mesh : state.meshes) {
        mesh.drivers.clear();
        for (shape::Shape& s : mesh.shapes)
            s.muted = false;
    }
}

} // namespace

Result<ShapeOverride> parseShapeOverride(const std::string& word) {
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return usageError("--shape: \"" + word + "\" is not NAME=WEIGHT.");
    const auto weight = parseNumber("--shape", std::string_view(word).substr(equals + 1));
    if (!weight)
        return weight.error();
    return ShapeOverride{word.substr(0, equals), *weight};
}

Result<std::optional<skin::Method>> methodOption(const Arguments& arguments) {
    if (!arguments.has("--method"))
        return std::optional<skin::Method>();
    const std::string& word = arguments.value("--method");
    if (const auto method = io::methodOf(word))
        return method;
    return usageError("--method: \"" + word + "\" is not a method; there are " + std::string(io::kMethodWords) + ".");
}

Status poseFromClip(document::DocumentState& state, const std::string& name, double seconds) {
    const rig::Clip* clip = findClip(state.clips, name);
    if (!clip)
        return usageError(state.clips.empty()
                              ? "--clip: the file has no clips."
                              : "--clip: there is no \"" + name + "\"; there is " + clipList(state.clips) + ".");
    const rig::Pose base = state.pose;
    rig::sampleClip(*clip, seconds, state.skeleton, base, state.pose);
    for (const rig::Channel& channel : clip->channels) {
        if (channel.path != rig::Channel::Path::Weights)
            continue;
        const std::vector<double> weights = rig::sampleChannel(channel, seconds);
        for (document::Instance& instance : state.instances)
            if (instance.node == channel.joint)
                std::copy_n(weights.begin(), std::min(weights.size(), instance.shapeWeights.size()),
                            instance.shapeWeights.begin());
    }
    return {};
}

Result<document::DocumentState> overrideShapes(document::DocumentState state,
                                               const std::vector<ShapeOverride>& overrides) {
    if (overrides.empty())
        return state;
    freezeShapeWeights(state);
    for (const ShapeOverride& o : overrides) {
        bool found = false;
        for (document::Instance& instance : state.instances) {
            const auto& shapes = state.meshes[instance.mesh.index()].shapes;
            for (std::size_t s = 0; s < shapes.size(); ++s)
                if (shapes[s].name == o.name) {
                    instance.shapeWeights[s] = o.weight;
                    found = true;
                }
        }
        if (!found)
            return usageError("--shape: no mesh has a shape \"" + o.name + "\"; limber info lists them.");
    }
    return state;
}

} // namespace limber::app
