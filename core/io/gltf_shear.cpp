#include "core/io/gltf_shear.h"

#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"

#include <charconv>

namespace limber::io {

namespace {

void clearTransform(Json& node) {
    for (const char* key : {"matrix", "translation", "rotation", "scale"})
        node.erase(key);
}

// The node of "/nodes/3/rotation"; nothing for other pointers.
std::optional<std::size_t> pointedNode(const std::string& pointer) {
    constexpr std::string_view kNodes = "/nodes/";
    std::size_t node = 0;
    if (!pointer.starts_with(kNodes))
        return std::nullopt;
    const char* begin = pointer.data() + kNodes.size();
    const bool good = std::from_chars(begin, pointer.data() + pointer.size(), node).ec == std::errc();
    return good ? std::optional(node) : std::nullopt;
}

std::optional<std::size_t> animatedNode(const Json& channel) {
    const Json* target = member(channel, "target");
    if (!target)
        return std::nullopt;
    if (const Json* node = member(*target, "node"))
        return wholeNumber(*node, "animations");
    const Json* extensions = member(*target, "extensions");
    const Json* pointer = extensions ? member(*extensions, "KHR_animation_pointer") : nullptr;
    return pointer ? pointedNode(stringMember(*pointer, "pointer", "animations")) : std::nullopt;
}

bool isTagged(const Json& node) {
    const Json* extras = limberExtras(node);
    const Json* tag = extras ? member(*extras, "shear") : nullptr;
    return tag && tag->is_boolean() && tag->get<bool>();
}

std::vector<std::uint8_t> skinnedNodes(const Json& root, std::size_t count) {
    std::vector<std::uint8_t> named(count, 0);
    for (const Json& skin : objects(root, "skins", "skins"))
        for (const Json& joint : list(skin, "joints", "skins"))
            named[indexValue(joint, count, "skins")] = 1;
    return named;
}

} // namespace

std::vector<std::uint8_t> animatedNodes(const Json& root) {
    std::vector<std::uint8_t> animated(list(root, "nodes", "nodes").size(), 0);
    for (const Json& animation : objects(root, "animations", "animations"))
        for (const Json& channel : objects(animation, "channels", "animations"))
            if (const auto node = animatedNode(channel); node && *node < animated.size())
                animated[*node] = 1;
    return animated;
}

std::vector<std::optional<std::size_t>> shearHelpers(const Json& root) {
    const Json& nodes = list(root, "nodes", "nodes");
    std::vector<std::optional<std::size_t>> helpers(nodes.size());
    if (std::none_of(nodes.begin(), nodes.end(), isTagged))
        return helpers;
    const std::vector<std::uint8_t> animated = animatedNodes(root), skinned = skinnedNodes(root, nodes.size());
    for (std::size_t h = 0; h < nodes.size(); ++h) {
        if (!isTagged(nodes[h]) || animated[h] || skinned[h] || member(nodes[h], "mesh") || member(nodes[h], "camera"))
            continue;
        const Json& children = list(nodes[h], "children", place("nodes", h));
        if (children.size() != 1)
            continue;
        const std::size_t joint = indexValue(children[0], nodes.size(), place("nodes", h));
        if (!animated[joint] && !isTagged(nodes[joint]))
            helpers[joint] = h;
    }
    return helpers;
}

void mergeShear(const Json& root, rig::Transforms& local, std::vector<JointId>& parents) {
    const std::vector<std::optional<std::size_t>> helpers = shearHelpers(root);
    for (std::size_t j = 0; j < helpers.size(); ++j) {
        if (!helpers[j])
            continue;
        local[j] = local[*helpers[j]] * local[j];
        local[*helpers[j]] = math::Affine::Identity();
        parents[j] = parents[*helpers[j]];
    }
}

std::size_t addShearHelper(Json& root, std::size_t joint) {
    Json& nodes = root["nodes"];
    const std::size_t helper = nodes.size();
    const auto replace = [&](Json& owner, const char* key) {
        if (owner.contains(key))
            for (Json& item : owner[key])
                if (wholeNumber(item, key) == joint)
                    item = helper;
    };
    for (Json& node : nodes)
        replace(node, "children");
    if (root.contains("scenes"))
        for (Json& scene : root["scenes"])
            replace(scene, "nodes");
    Json json = Json::object();
    if (const std::string name = stringMember(nodes[joint], "name", "nodes"); !name.empty())
        json["name"] = name + " (shear)";
    json["children"] = {joint};
    setLimberExtra(json, "shear", true);
    nodes.push_back(std::move(json));
    return helper;
}

void writeSplit(Json& helper, Json& joint, const math::Affine& exact) {
    const math::ShearSplit split = math::splitShear(exact.linear());
    clearTransform(helper);
    clearTransform(joint);
    helper["translation"] = jsonOf(exact.translation());
    helper["rotation"] = jsonOf(math::canonical(Eigen::Quaterniond(split.outer)).coeffs());
    helper["scale"] = jsonOf(split.scale);
    joint["rotation"] = jsonOf(math::canonical(Eigen::Quaterniond(split.inner)).coeffs());
}

void resetShearHelper(Json& helper) {
    clearTransform(helper);
}

} // namespace limber::io
