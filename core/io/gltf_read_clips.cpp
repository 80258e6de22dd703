#include "core/io/gltf_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace limber::io {

namespace {

using rig::Channel;
using rig::Interpolation;

struct Target {
    std::size_t node = 0;
    Channel::Path path = Channel::Path::Rotation;
    std::size_t width = 0;
};

// Empty for what Limber does not play: no node, or a path that an extension defines.
std::optional<Target> readTarget(const ReadContext& context, const Json& channel, const std::string& where) {
    const Json* json = member(channel, "target");
    if (!json || !json->is_object())
        refuse(where, "The channel has no target.", "UNDEFINED_PROPERTY");
    const auto node = indexMember(*json, "node", context.nodes.size(), where + ".target");
    const std::string path = stringMember(*json, "path", where);
    if (!node)
        return std::nullopt;
    if (path == "translation")
        return Target{*node, Channel::Path::Translation, 3};
    if (path == "rotation")
        return Target{*node, Channel::Path::Rotation, 4};
    if (path == "scale")
        return Target{*node, Channel::Path::Scale, 3};
    if (path != "weights")
        return std::nullopt;
    const auto mesh = context.nodes[*node].mesh;
    return Target{*node, Channel::Path::Weights, mesh ? context.targetCounts[*mesh] : 0};
}

struct Fault {
    std::string code, text;
};

// Why the channel cannot be played; the rest of the clip is.
std::vector<Fault> findFaults(const Channel& channel) {
    std::vector<Fault> faults;
    if (channel.width == 0)
        faults.push_back(
            {"ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "It animates shapes of a mesh that has none."});
    const bool cubic = channel.interpolation == Interpolation::CubicSpline;
    if (cubic && channel.times.size() < 2)
        faults.push_back({"ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", "A spline has at least two keys."});
    const std::vector<float>& times = channel.times;
    if (std::any_of(times.begin(), times.end(), [](float t) { return t < 0; }))
        faults.push_back({"ACCESSOR_ANIMATION_INPUT_NEGATIVE", "A time is negative."});
    if (std::adjacent_find(times.begin(), times.end(), [](float a, float b) { return b <= a; }) != times.end())
        faults.push_back({"ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "The times do not increase."});
    if (channel.width && channel.values.size() != times.size() * channel.width * (cubic ? 3 : 1))
        faults.push_back({"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
                          "The number of values does not fit the number of times."});
    return faults;
}

// Rotations among the keys that are none.
std::size_t countNonUnit(const Channel& channel) {
    if (channel.path != Channel::Path::Rotation)
        return 0;
    const bool cubic = channel.interpolation == Interpolation::CubicSpline;
    std::size_t wrong = 0;
    for (std::size_t k = cubic ? 4 : 0; k + 4 <= channel.values.size(); k += cubic ? 12 : 4) {
        double squared = 0;
        for (std::size_t c = 0; c < 4; ++c)
            squared += double(channel.values[k + c]) * double(channel.values[k + c]);
        wrong += std::abs(std::sqrt(squared) - 1) > kUnitTolerance4;
    }
    return wrong;
}

// Empty for one that only a later standard may know.
std::optional<Interpolation> readInterpolation(const Json& sampler, const std::string& where) {
    const std::string name = stringMember(sampler, "interpolation", where);
    if (name == "STEP")
        return Interpolation::Step;
    if (name == "CUBICSPLINE")
        return Interpolation::CubicSpline;
    return name.empty() || name == "LINEAR" ? std::optional(Interpolation::Linear) : std::nullopt;
}

void readChannel(ReadContext& context, const Json& json, const Json& samplers, const std::string& where,
                 rig::Clip& clip) {
    const auto index = indexMember(json, "sampler", samplers.size(), where);
    if (!index)
        refuse(where, "The channel has no sampler.", "UNDEFINED_PROPERTY");
    const Json& sampler = samplers[*index];
    const auto input = indexMember(sampler, "input", context.accessors.count(), where);
    const auto output = indexMember(sampler, "output", context.accessors.count(), where);
    if (!input || !output)
        refuse(where, "The channel's sampler lacks its input or output.", "UNDEFINED_PROPERTY");
    const std::optional<Target> target = readTarget(context, json, where);
    if (!target)
        return;
    Channel channel;
    channel.joint = JointId(target->node);
    channel.path = target->path;
    channel.width = target->width;
    const std::optional<Interpolation> interpolation = readInterpolation(sampler, where);
    if (!interpolation) {
        context.note("VALUE_NOT_IN_LIST", where, "The channel's interpolation is not one of glTF's; it was left out.");
        return;
    }
    channel.interpolation = *interpolation;
    const std::size_t components = target->path == Channel::Path::Weights ? 1 : target->width;
    if (context.accessors.info(*input).components != 1) {
        context.note("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", where,
                     "The channel's times are not single numbers; it was left out.");
        return;
    }
    if (context.accessors.info(*output).components != components) {
        context.note("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", where,
                     "The channel's values are not of the kind it animates; it was left out.");
        return;
    }
    channel.times = context.accessors.floats(*input, 1);
    channel.values = context.accessors.floats(*output, components);
    if (const std::size_t wrong = countNonUnit(channel))
        context.note("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", where,
                     std::to_string(wrong) + " rotations are not of length one; they are normalised in playing.",
                     wrong);
    const std::vector<Fault> faults = findFaults(channel);
    for (const Fault& fault : faults)
        context.note(fault.code, where, fault.text + " The channel was left out.");
    if (!faults.empty())
        return;
    clip.duration = std::max(clip.duration, static_cast<double>(channel.times.back()));
    clip.channels.push_back(std::move(channel));
}

void checkSampler(ReadContext& context, const Json& sampler, const std::string& where, FaultList& faults) {
    const std::size_t views = list(context.json, "bufferViews", "bufferViews").size();
    for (const std::string key : {"input", "output"}) {
        const std::string here = where + "." + key;
        const auto index = indexMember(sampler, key.c_str(), context.accessors.count(), where);
        const Json* accessor = index ? &context.json["accessors"][*index] : nullptr;
        if (!accessor)
            continue;
        const auto view = indexMember(*accessor, "bufferView", views, here);
        if (view && context.accessors.viewInfo(*view).stride)
            faults.add("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", here, "The keys lie in a view with a stride.");
        if (key == "output")
            continue;
        if (!member(*accessor, "min") || !member(*accessor, "max"))
            faults.add("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", here,
                       "The first and the last time are missing.");
        if (stringMember(*accessor, "type", here) == "SCALAR" &&
            wholeMember(*accessor, "componentType", 0, here) != 5126)
            faults.add("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", here, "Times are kept as floats.");
    }
}

void checkTargets(const ReadContext& context, const Json& channels, const std::string& where, FaultList& faults) {
    std::map<std::pair<std::size_t, std::string>, std::size_t> seen;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const std::string here = where + "." + place("channels", c) + ".target";
        const Json* target = member(channels[c], "target");
        const auto node = target ? indexMember(*target, "node", context.nodes.size(), here) : std::nullopt;
        if (!node)
            continue;
        const auto [first, isNew] = seen.emplace(std::pair(*node, stringMember(*target, "path", here)), c);
        if (!isNew)
            faults.add("ANIMATION_DUPLICATE_TARGETS", here,
                       "It animates the same as channel " + std::to_string(first->second) + "; the last one plays.");
        if (first->first.second != "weights" && member(context.json["nodes"][*node], "matrix"))
            faults.add("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", here,
                       "The node has a matrix; it was taken apart to be animated.");
    }
}

Channel constantChannel(JointId joint, Channel::Path path, const std::vector<double>& values) {
    Channel channel;
    channel.joint = joint;
    channel.path = path;
    channel.interpolation = Interpolation::Step;
    channel.times = {0};
    channel.values.assign(values.begin(), values.end());
    channel.width = values.size();
    return channel;
}

// A scale of zero hides the rotation in the node's matrix: where a clip moves such a node, what the clip leaves alone
// comes from the file.
void addHiddenParts(const ReadContext& context, rig::Clip& clip) {
    std::map<std::size_t, std::vector<Channel::Path>> animated;
    for (const Channel& channel : clip.channels)
        animated[channel.joint.index()].push_back(channel.path);
    const auto addMissing = [&](std::size_t n, const char* key, std::size_t count, Channel::Path path) {
        const auto values = numbersMember(context.json["nodes"][n], key, count, place("nodes", n));
        const auto& paths = animated[n];
        if (values && std::find(paths.begin(), paths.end(), path) == paths.end())
            clip.channels.push_back(constantChannel(JointId(n), path, *values));
    };
    for (const auto& [n, paths] : animated) {
        const auto scale = numbersMember(context.json["nodes"][n], "scale", 3, place("nodes", n));
        if (!scale || std::find(scale->begin(), scale->end(), 0.0) == scale->end() ||
            std::all_of(paths.begin(), paths.end(), [](Channel::Path p) { return p == Channel::Path::Weights; }))
            continue;
        addMissing(n, "rotation", 4, Channel::Path::Rotation);
        addMissing(n, "scale", 3, Channel::Path::Scale);
    }
}

} // namespace

void readClips(ReadContext& context, FaultList& faults) {
    const Json& animations = objects(context.json, "animations", "animations");
    for (std::size_t a = 0; a < animations.size(); ++a) {
        const std::string where = place("animations", a);
        const Json& samplers = objects(animations[a], "samplers", where);
        const Json& channels = objects(animations[a], "channels", where);
        rig::Clip clip;
        clip.name = stringMember(animations[a], "name", where);
        for (std::size_t c = 0; c < channels.size(); ++c)
            readChannel(context, channels[c], samplers, where + "." + place("channels", c), clip);
        for (std::size_t s = 0; s < samplers.size(); ++s)
            checkSampler(context, samplers[s], where + "." + place("samplers", s), faults);
        checkTargets(context, channels, where, faults);
        addHiddenParts(context, clip);
        context.state.clips.push_back(std::move(clip));
    }
}

} // namespace limber::io
