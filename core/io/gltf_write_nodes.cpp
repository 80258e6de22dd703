#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_shear.h"
#include "core/io/gltf_write_steps.h"
#include "core/rig/bind_pose.h"

#include <set>

namespace limber::io {

namespace {

using Parents = std::vector<std::optional<std::size_t>>;

// Of the nodes as they are being written.
Parents parentsIn(const Json& nodes) {
    Parents parents(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n)
        for (const Json& child : list(nodes[n], "children", place("nodes", n)))
            parents[indexValue(child, nodes.size(), place("nodes", n))] = n;
    return parents;
}

std::size_t topOf(const Parents& parents, std::size_t node) {
    while (parents[node])
        node = *parents[node];
    return node;
}

std::size_t commonAncestor(const Parents& parents, std::size_t a, std::size_t b) {
    std::set<std::size_t> above{a};
    for (std::size_t n = a; parents[n]; n = *parents[n])
        above.insert(*parents[n]);
    while (!above.contains(b) && parents[b])
        b = *parents[b];
    return b;
}

// A node above all of `tops`, in their place in every scene.
void joinTrees(Json& root, const std::set<std::size_t>& tops) {
    Json& nodes = root["nodes"];
    const std::size_t joined = nodes.size();
    nodes.push_back({{"name", "Common root"}, {"children", tops}});
    if (!root.contains("scenes"))
        return;
    for (Json& scene : root["scenes"]) {
        if (!scene.contains("nodes"))
            continue;
        Json kept = Json::array();
        bool placed = false;
        for (const Json& node : scene["nodes"]) {
            const bool below = tops.contains(wholeNumber(node, "scenes"));
            if (!below || !placed)
                kept.push_back(below ? Json(joined) : node);
            placed |= below;
        }
        scene["nodes"] = std::move(kept);
    }
}

// The joints of a skin have a common root, and `skeleton`, where there is one, is above them all: so it stays for
// joints that come to skin `s`, whose first `before` joints were there.
void keepCommonRoot(WriteContext& context, std::size_t s, std::size_t before) {
    Json& root = context.patch.json();
    const std::vector<JointId>& joints = context.after.skins[s].joints;
    Parents parents = parentsIn(root["nodes"]);
    std::set<std::size_t> topsBefore, tops;
    for (std::size_t k = 0; k < joints.size(); ++k)
        (k < before ? topsBefore : tops).insert(topOf(parents, joints[k].index()));
    tops.insert(topsBefore.begin(), topsBefore.end());
    if (topsBefore.size() > 1)
        return; // the file had it otherwise
    if (tops.size() > 1) {
        joinTrees(root, tops);
        parents = parentsIn(root["nodes"]);
    }
    Json& skin = root["skins"][s];
    if (const auto skeleton = indexMember(skin, "skeleton", parents.size(), place("skins", s))) {
        std::size_t above = *skeleton;
        for (std::size_t k = before; k < joints.size(); ++k)
            above = commonAncestor(parents, above, joints[k].index());
        if (above != *skeleton)
            skin["skeleton"] = above;
    }
}

} // namespace

void writeLocks(WriteContext& context) {
    for (std::size_t j = 0; j < context.after.locked.size(); ++j)
        if (const bool locked = context.after.locked[j] != 0; locked != (context.before.locked[j] != 0))
            setLimberExtra(context.node(JointId(j)), "locked", locked ? Json(true) : Json(nullptr));
}

void writeJointNames(WriteContext& context) {
    for (std::size_t j = 0; j < context.after.skeleton.size(); ++j) {
        const std::string& name = context.after.skeleton[JointId(j)].name;
        if (name == context.before.skeleton[JointId(j)].name)
            continue;
        if (name.empty())
            context.node(JointId(j)).erase("name");
        else
            context.node(JointId(j))["name"] = name;
    }
}

void writeSkins(WriteContext& context) {
    for (std::size_t s = 0; s < context.after.skins.size(); ++s) {
        const document::Skin& skin = context.after.skins[s];
        const std::size_t before = context.before.skins[s].joints.size();
        if (skin.joints.size() <= before)
            continue;
        Json& json = context.patch.json()["skins"][s];
        for (std::size_t k = before; k < skin.joints.size(); ++k)
            json["joints"].push_back(skin.joints[k].index());
        std::vector<float> matrices;
        for (const math::Affine& m : skin.inverseBinds)
            for (int i = 0; i < 16; ++i)
                matrices.push_back(static_cast<float>(m.matrix()(i % 4, i / 4)));
        std::optional<std::size_t> accessor;
        if (const Json* present = member(json, "inverseBindMatrices"))
            accessor = wholeNumber(*present, place("skins", s));
        json["inverseBindMatrices"] = context.patch.put(accessor, encodeFloats(matrices, 16), TreePatch::Use::Other);
        if (before > 0)
            keepCommonRoot(context, s, before);
    }
}

void writeBindShapes(WriteContext& context) {
    std::vector<rig::SkinBind> binds;
    for (const document::Skin& skin : context.after.skins) {
        rig::SkinBind bind{skin.joints, skin.inverseBinds, {}};
        // As a reader will see them.
        for (math::Affine& m : bind.inverseBinds)
            m.matrix() = m.matrix().cast<float>().cast<double>();
        binds.push_back(std::move(bind));
    }
    const Json& nodes = list(context.patch.json(), "nodes", "nodes");
    bool posedNodes = false;
    rig::Transforms local;
    std::vector<JointId> parents;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        local.push_back(readNodeLocal(nodes[n], place("nodes", n), nullptr));
        // A helper that this save adds is a leaf for a reader: where it hangs does not matter.
        const bool added = n >= context.after.skeleton.size();
        parents.push_back(added ? JointId() : context.after.skeleton[JointId(n)].parent);
        posedNodes |= limberTransform(nodes[n], "bind").has_value();
        const auto skin = indexMember(nodes[n], "skin", binds.size(), "");
        if (skin && member(nodes[n], "mesh") && !binds[*skin].carrier.valid())
            binds[*skin].carrier = JointId(n);
    }
    std::vector<JointId> unused(parents.size()); // the skeleton's parents are merged already
    mergeShear(context.patch.json(), local, unused);
    const rig::BindPose derived = rig::deriveBindPose(local, parents, binds);
    for (std::size_t s = 0; s < binds.size(); ++s) {
        const math::Affine& own = context.after.skins[s].bindShape;
        Json& skin = context.patch.json()["skins"][s];
        const double size = std::max(1e-3, own.matrix().cwiseAbs().maxCoeff());
        const bool differs = posedNodes || math::distance(own, derived.bindShape[s]) > 1e-6 * size;
        // One that is written stays: a file that is saved again keeps its bind pose to the last digit.
        if (differs && !(limberExtras(skin) && member(*limberExtras(skin), "bindShape")))
            setLimberExtra(skin, "bindShape", columnsOf(own));
    }
}

} // namespace limber::io
