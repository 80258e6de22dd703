#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"

#include <limits>
#include <unordered_set>

namespace limber::io {

namespace {

void checkView(const Json& owner, std::size_t views, const std::string& where) {
    static_cast<void>(indexMember(owner, "bufferView", views, where));
}

void checkViewPlace(const Json& view, std::span<const SourceBuffer> buffers, const std::string& where) {
    const auto buffer = indexMember(view, "buffer", buffers.size(), where);
    if (!buffer)
        refuse(where, "The view names no buffer.", "UNDEFINED_PROPERTY");
    const std::uint64_t size = buffers[*buffer].declaredLength;
    const std::uint64_t offset = wholeMember(view, "byteOffset", 0, where);
    const std::uint64_t length = wholeMember(view, "byteLength", 0, where);
    if (offset > size || length > size - offset)
        refuse(where,
               "The view of " + std::to_string(length) + " bytes at " + std::to_string(offset) +
                   " does not fit its buffer of " + std::to_string(size) + " bytes.",
               "BUFFER_VIEW_TOO_LONG");
}

void checkScene(ReadContext& context, const Json& scene, const std::string& where) {
    std::unordered_set<std::size_t> seen;
    std::size_t inner = 0, twice = 0;
    for (const Json& item : list(scene, "nodes", where)) {
        const std::size_t node = indexValue(item, context.nodes.size(), where + ".nodes");
        inner += context.parents[node].valid();
        twice += !seen.insert(node).second;
    }
    if (inner)
        context.note("SCENE_NON_ROOT_NODE", where, "The scene lists nodes that are children of others.", inner);
    if (twice)
        context.note("DUPLICATE_ELEMENTS", where, "The scene lists nodes more than once.", twice);
}

double largest(const std::vector<Eigen::Vector3f>& positions) {
    float most = 0;
    for (const Eigen::Vector3f& p : positions)
        most = std::max(most, p.cwiseAbs().maxCoeff());
    return static_cast<double>(most);
}

double largest(const math::Affine& m) {
    return m.matrix().cwiseAbs().maxCoeff();
}

} // namespace

void checkReferences(ReadContext& context) {
    const Json& views = objects(context.json, "bufferViews", "bufferViews");
    for (std::size_t v = 0; v < views.size(); ++v) {
        checkViewPlace(views[v], context.source.buffers, place("bufferViews", v));
        const Json* extensions = member(views[v], "extensions");
        if (const Json* packed = extensions ? member(*extensions, "EXT_meshopt_compression") : nullptr)
            checkViewPlace(*packed, context.source.buffers, place("bufferViews", v) + ".EXT_meshopt_compression");
    }
    const Json& accessors = objects(context.json, "accessors", "accessors");
    for (std::size_t a = 0; a < accessors.size(); ++a) {
        const std::string where = place("accessors", a);
        checkView(accessors[a], views.size(), where);
        if (const Json* sparse = member(accessors[a], "sparse"))
            for (const char* key : {"indices", "values"})
                if (const Json* part = member(*sparse, key))
                    checkView(*part, views.size(), where + ".sparse." + key);
    }
    const Json& scenes = objects(context.json, "scenes", "scenes");
    for (std::size_t s = 0; s < scenes.size(); ++s)
        checkScene(context, scenes[s], place("scenes", s));
}

std::optional<RangeFault> rangeFault(const document::DocumentState& state) {
    // Room for the sums of skinning.
    constexpr double kMost = double(std::numeric_limits<float>::max()) / 16;
    rig::Transforms world;
    rig::forwardKinematics(state.skeleton, state.pose, world);
    for (std::size_t n = 0; n < world.size(); ++n)
        if (!fitsFloats(world[n]) || !math::allFinite(state.pose[n]))
            return RangeFault{JointId(n), "The node and those above it scale or move beyond the range of floats."};
    for (const document::Instance& instance : state.instances) {
        const double size = 1 + largest(state.meshes[instance.mesh.index()].geometry.positions);
        double reach = largest(world[instance.node.index()]);
        if (instance.skin.valid()) {
            reach = 0;
            const document::Skin& skin = state.skins[instance.skin.index()];
            for (std::size_t k = 0; k < skin.joints.size(); ++k)
                reach = std::max(reach, largest(world[skin.joints[k].index()] * skin.inverseBinds[k]));
        }
        if (!(reach * size <= kMost))
            return RangeFault{instance.node, "The mesh is scaled or moved beyond the range of floats."};
    }
    return {};
}

void checkRange(const ReadContext& context) {
    if (const auto fault = rangeFault(context.state))
        refuse(place("nodes", fault->node.index()), fault->text);
}

} // namespace limber::io
