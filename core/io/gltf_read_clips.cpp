#include "core/io/gltf_reader.h"

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
        refuse(where, "The channel has no target.");
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
std::optional<Fault> findFault(const Channel& channel) {
    if (channel.width == 0)
        return Fault{"ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "It animates shapes of a mesh that has none."};
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        if (channel.times[k] < 0)
            return Fault{"ACCESSOR_ANIMATION_INPUT_NEGATIVE", "A time is negative."};
        if (k && channel.times[k] <= channel.times[k - 1])
            return Fault{"ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "The times do not increase."};
    }
    const std::size_t values = channel.interpolation == Interpolation::CubicSpline ? 3 : 1;
    if (channel.values.size() != channel.times.size() * channel.width * values)
        return Fault{"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
                     "The number of values does not fit the number of times."};
    return std::nullopt;
}

Interpolation readInterpolation(const Json& sampler, const std::string& where) {
    const std::string name = stringMember(sampler, "interpolation", where);
    if (name == "STEP")
        return Interpolation::Step;
    if (name == "CUBICSPLINE")
        return Interpolation::CubicSpline;
    if (!name.empty() && name != "LINEAR")
        refuse(where, "The interpolation \"" + name + "\" is not one of glTF's.");
    return Interpolation::Linear;
}

void readChannel(ReadContext& context, const Json& json, const Json& samplers, const std::string& where,
                 rig::Clip& clip) {
    const auto index = indexMember(json, "sampler", samplers.size(), where);
    if (!index)
        refuse(where, "The channel has no sampler.");
    const Json& sampler = samplers[*index];
    const auto input = indexMember(sampler, "input", context.accessors.count(), where);
    const auto output = indexMember(sampler, "output", context.accessors.count(), where);
    if (!input || !output)
        refuse(where, "The channel's sampler lacks its input or output.");
    const std::optional<Target> target = readTarget(context, json, where);
    if (!target)
        return;
    Channel channel;
    channel.joint = JointId(target->node);
    channel.path = target->path;
    channel.width = target->width;
    channel.interpolation = readInterpolation(sampler, where);
    const std::size_t components = target->path == Channel::Path::Weights ? 1 : target->width;
    if (context.accessors.info(*input).components != 1 || context.accessors.info(*output).components != components) {
        context.note("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", where,
                     "The channel's values are not of the kind it animates; it was left out.");
        return;
    }
    channel.times = context.accessors.floats(*input, 1);
    channel.values = context.accessors.floats(*output, components);
    if (const auto fault = findFault(channel)) {
        context.note(fault->code, where, fault->text + " The channel was left out.");
        return;
    }
    clip.duration = std::max(clip.duration, static_cast<double>(channel.times.back()));
    clip.channels.push_back(std::move(channel));
}

} // namespace

void readClips(ReadContext& context) {
    const Json& animations = objects(context.json, "animations", "animations");
    for (std::size_t a = 0; a < animations.size(); ++a) {
        const std::string where = place("animations", a);
        const Json& samplers = objects(animations[a], "samplers", where);
        const Json& channels = objects(animations[a], "channels", where);
        rig::Clip clip;
        clip.name = stringMember(animations[a], "name", where);
        for (std::size_t c = 0; c < channels.size(); ++c)
            readChannel(context, channels[c], samplers, where + "." + place("channels", c), clip);
        context.state.clips.push_back(std::move(clip));
    }
}

} // namespace limber::io
