#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_shear.h"
#include "core/rig/bind_pose.h"

#include <unordered_set>

namespace limber::io {

namespace {

math::Affine fromMatrix(const std::vector<double>& m, const std::string& where) {
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
        refuse(where + ".matrix", "The last row of the matrix is not 0 0 0 1.", "NODE_MATRIX_NON_TRS");
    math::Affine affine = math::Affine::Identity();
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
            affine.matrix()(row, column) = m[static_cast<std::size_t>(4 * column + row)];
    return affine;
}

// Parents of all nodes; refuses a node with two parents and circles.
std::vector<JointId> parentsOf(const Json& nodes) {
    std::vector<JointId> parents(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::string where = place("nodes", n);
        for (const Json& item : list(nodes[n], "children", where)) {
            const std::size_t child = indexValue(item, nodes.size(), where + ".children");
            if (parents[child].valid())
                refuse(where, "Node " + std::to_string(child) + " has several parents.", "NODE_PARENT_OVERRIDE");
            parents[child] = JointId(n);
        }
    }
    // Walking up from every node, a walk that meets its own steps has found a circle; walked nodes are not walked
    // again.
    std::vector<std::size_t> walk(nodes.size(), nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n)
        for (JointId j{n}; j.valid() && walk[j.index()] != n; j = parents[j.index()]) {
            if (walk[j.index()] != nodes.size())
                break;
            walk[j.index()] = n;
            const JointId up = parents[j.index()];
            if (up.valid() && walk[up.index()] == n)
                refuse(place("nodes", n), "The node is its own ancestor: the nodes form a circle.", "NODE_LOOP");
        }
    return parents;
}

void markScene(ReadContext& context, const Json& nodes) {
    const Json& scenes = objects(context.json, "scenes", "scenes");
    const auto scene = indexMember(context.json, "scene", scenes.size(), "file");
    if (!scene) {
        for (NodeFacts& node : context.nodes)
            node.inScene = true;
        return;
    }
    const std::string where = place("scenes", *scene);
    std::vector<std::size_t> open;
    for (const Json& item : list(scenes[*scene], "nodes", where)) {
        const std::size_t root = indexValue(item, nodes.size(), where + ".nodes");
        open.push_back(root);
    }
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        if (context.nodes[node].inScene)
            continue;
        context.nodes[node].inScene = true;
        for (const Json& item : list(nodes[node], "children", place("nodes", node)))
            open.push_back(indexValue(item, nodes.size(), place("nodes", node)));
    }
}

rig::Transforms inverseBinds(ReadContext& context, const Json& skin, std::size_t joints, const std::string& where) {
    rig::Transforms matrices(joints, math::Affine::Identity());
    const auto accessor = indexMember(skin, "inverseBindMatrices", context.accessors.count(), where);
    if (!accessor)
        return matrices;
    const AccessorInfo& info = context.accessors.info(*accessor);
    if (info.type != ComponentType::F32 || info.components != 16)
        refuse(where, "The inverse bind matrices are not 4x4 matrices of floats.", "SKIN_IBM_INVALID_FORMAT");
    if (info.count < joints)
        refuse(where,
               "There are " + std::to_string(info.count) + " inverse bind matrices for " + std::to_string(joints) +
                   " joints.",
               "INVALID_IBM_ACCESSOR_COUNT");
    if (info.view && context.accessors.viewInfo(*info.view).stride)
        context.note("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", where,
                     "The inverse bind matrices lie in a view with a stride.");
    const std::vector<float> values = context.accessors.floats(*accessor, 16);
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < joints; ++j) {
        const float* m = &values[16 * j];
        wrong += m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1;
        for (std::size_t column = 0; column < 4; ++column)
            for (std::size_t row = 0; row < 3; ++row)
                matrices[j].matrix()(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
                    static_cast<double>(m[4 * column + row]);
    }
    if (wrong)
        context.note("ACCESSOR_INVALID_IBM", where,
                     "The last row of inverse bind matrices is not 0 0 0 1; it was taken as if it were.", wrong);
    return matrices;
}

// For every node the ancestor (or itself) that has no parent or is `stop`. O(nodes), however deep they are.
std::vector<JointId> topmost(std::span<const JointId> parents, JointId stop = {}) {
    std::vector<JointId> tops(parents.size());
    std::vector<JointId> path;
    for (std::size_t n = 0; n < parents.size(); ++n) {
        JointId j(n);
        while (!tops[j.index()].valid() && j != stop && parents[j.index()].valid()) {
            path.push_back(j);
            j = parents[j.index()];
        }
        const JointId top = tops[j.index()].valid() ? tops[j.index()] : j;
        tops[j.index()] = top;
        for (; !path.empty(); path.pop_back())
            tops[path.back().index()] = top;
    }
    return tops;
}

// Limber needs no common root and ignores the hint; other programs may not.
void checkSkinRoots(ReadContext& context, std::span<const JointId> roots, const Json& json, const document::Skin& skin,
                    const std::string& where) {
    const JointId root = roots[skin.joints.front().index()];
    if (std::any_of(skin.joints.begin(), skin.joints.end(), [&](JointId j) { return roots[j.index()] != root; }))
        context.note("SKIN_NO_COMMON_ROOT", where, "The joints have no common root; they were taken as they are.");
    const auto hint = indexMember(json, "skeleton", context.nodes.size(), where);
    if (!hint)
        return;
    const JointId top(*hint);
    const std::vector<JointId> tops = topmost(context.parents, top);
    if (std::any_of(skin.joints.begin(), skin.joints.end(), [&](JointId j) { return tops[j.index()] != top; }))
        context.note("SKIN_SKELETON_INVALID", where,
                     "The skin names a skeleton root that is not above all of its joints; it was not used.");
}

// The shortest joint list of the skins that each mesh is used with. A node outside the scene counts only where the
// scene does not show the mesh with a skin.
void findJointLimits(ReadContext& context, std::size_t meshes) {
    const Json& skins = list(context.json, "skins", "skins");
    std::vector<std::optional<std::size_t>> shown(meshes), hidden(meshes);
    for (const NodeFacts& node : context.nodes) {
        if (!node.mesh || !node.skin)
            continue;
        const std::size_t joints = list(skins[*node.skin], "joints", place("skins", *node.skin)).size();
        std::optional<std::size_t>& limit = (node.inScene ? shown : hidden)[*node.mesh];
        limit = std::min(limit.value_or(joints), joints);
    }
    for (std::size_t m = 0; m < meshes; ++m)
        context.jointLimits.push_back(shown[m] ? shown[m] : hidden[m]);
}

// Before anything asks how many joints a mesh may name.
void checkSkins(const ReadContext& context) {
    const Json& skins = objects(context.json, "skins", "skins");
    for (std::size_t s = 0; s < skins.size(); ++s)
        if (list(skins[s], "joints", place("skins", s)).empty())
            refuse(place("skins", s), "The skin has no joints.",
                   member(skins[s], "joints") ? "EMPTY_ENTITY" : "UNDEFINED_PROPERTY");
}

// Whether scenes that show a skinned mesh have the joints that move it.
void checkScenesOfSkins(ReadContext& context, std::span<const JointId> roots) {
    constexpr std::size_t kMostScenes = 100; // no real file has more
    const Json& scenes = list(context.json, "scenes", "scenes");
    for (std::size_t s = 0; s < std::min(scenes.size(), kMostScenes); ++s) {
        std::unordered_set<JointId> shown;
        for (const Json& item : list(scenes[s], "nodes", place("scenes", s)))
            shown.insert(JointId(indexValue(item, context.nodes.size(), place("scenes", s))));
        std::vector<std::uint8_t> lacksJoints; // per skin; many nodes may share one of many joints
        for (const document::Skin& skin : context.state.skins)
            lacksJoints.push_back(std::any_of(skin.joints.begin(), skin.joints.end(),
                                              [&](JointId j) { return !shown.contains(roots[j.index()]); }));
        std::size_t lost = 0;
        for (std::size_t n = 0; n < context.nodes.size(); ++n) {
            const NodeFacts& node = context.nodes[n];
            lost += node.skin && node.mesh && shown.contains(roots[n]) && lacksJoints[*node.skin];
        }
        if (lost)
            context.note("NODE_SKIN_NO_SCENE", place("scenes", s),
                         "The scene shows skinned meshes without their joints.", lost);
    }
}

void readSkins(ReadContext& context) {
    const Json& skins = objects(context.json, "skins", "skins");
    const std::vector<JointId> roots = topmost(context.parents);
    for (std::size_t s = 0; s < skins.size(); ++s) {
        const std::string where = place("skins", s);
        document::Skin skin;
        skin.name = stringMember(skins[s], "name", where);
        for (const Json& item : list(skins[s], "joints", where))
            skin.joints.emplace_back(indexValue(item, context.nodes.size(), where + ".joints"));
        if (std::unordered_set<JointId>(skin.joints.begin(), skin.joints.end()).size() != skin.joints.size())
            context.note("DUPLICATE_ELEMENTS", where, "The skin lists a joint more than once.");
        skin.inverseBinds = inverseBinds(context, skins[s], skin.joints.size(), where);
        checkSkinRoots(context, roots, skins[s], skin, where);
        context.state.skins.push_back(std::move(skin));
    }
    if (context.complete && !skins.empty())
        checkScenesOfSkins(context, roots);
}

// What an earlier save noted in extras.limber because the nodes alone no longer tell it: the bind-shape matrices of
// skins, and the bind transforms of posed nodes that no skin names. Returns the nodes' transforms with those in place.
rig::Transforms bindOverrides(const ReadContext& context, std::vector<rig::SkinBind>& binds) {
    const Json& skins = list(context.json, "skins", "skins");
    for (std::size_t s = 0; s < binds.size(); ++s)
        binds[s].bindShape = limberTransform(skins[s], "bindShape");
    rig::Transforms local = context.nodeLocal;
    const Json& nodes = list(context.json, "nodes", "nodes");
    for (std::size_t n = 0; n < local.size(); ++n)
        if (const auto bind = limberTransform(nodes[n], "bind"))
            local[n] = *bind;
    return local;
}

} // namespace

math::Affine readNodeLocal(const Json& node, const std::string& where, std::vector<Repair>* repairs) {
    if (const auto matrix = numbersMember(node, "matrix", 16, where))
        return fromMatrix(*matrix, where);
    const auto t = numbersMember(node, "translation", 3, where);
    const auto r = numbersMember(node, "rotation", 4, where);
    const auto s = numbersMember(node, "scale", 3, where);
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    if (r) {
        rotation = Eigen::Quaterniond((*r)[3], (*r)[0], (*r)[1], (*r)[2]);
        const double length = rotation.norm();
        if (!(length > 1e-6))
            refuse(where + ".rotation", "The rotation is zero, which is no rotation.", "ROTATION_NON_UNIT");
        if (std::abs(length - 1) > kUnitTolerance4 && repairs)
            repairs->push_back(
                {rotation.coeffs().cwiseAbs().maxCoeff() > 1 ? "VALUE_NOT_IN_RANGE" : "ROTATION_NON_UNIT", where,
                 "The rotation was not of length one; it was normalised.", 1});
        rotation.normalize();
    }
    return math::composeTrs(t ? Eigen::Vector3d((*t)[0], (*t)[1], (*t)[2]) : Eigen::Vector3d::Zero().eval(), rotation,
                            s ? Eigen::Vector3d((*s)[0], (*s)[1], (*s)[2]) : Eigen::Vector3d::Ones().eval());
}

void readNodes(ReadContext& context) {
    const Json& nodes = objects(context.json, "nodes", "nodes");
    const std::size_t meshes = list(context.json, "meshes", "meshes").size();
    const std::size_t skins = list(context.json, "skins", "skins").size();
    checkSkins(context);
    context.parents = parentsOf(nodes);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::string where = place("nodes", n);
        NodeFacts facts;
        facts.mesh = indexMember(nodes[n], "mesh", meshes, where);
        facts.skin = indexMember(nodes[n], "skin", skins, where);
        context.nodes.push_back(facts);
        context.nodeLocal.push_back(readNodeLocal(nodes[n], where, &context.repairs));
    }
    markScene(context, nodes);
    findJointLimits(context, meshes);
    if (context.complete)
        checkReferences(context);
    mergeShear(context.json, context.nodeLocal, context.parents);
}

void readSkeleton(ReadContext& context) {
    readSkins(context);
    std::vector<rig::SkinBind> binds;
    for (const document::Skin& skin : context.state.skins)
        binds.push_back({skin.joints, skin.inverseBinds, {}});
    for (std::size_t n = 0; n < context.nodes.size(); ++n)
        if (const auto skin = context.nodes[n].skin; skin && context.nodes[n].mesh && !binds[*skin].carrier.valid())
            binds[*skin].carrier = JointId(n);
    const rig::Transforms atBind = bindOverrides(context, binds);
    rig::BindPose bind = rig::deriveBindPose(atBind, context.parents, binds);
    for (std::size_t n = 0; n < context.nodes.size(); ++n)
        if (!math::identical(atBind[n], context.nodeLocal[n]))
            bind.userLocal[n] = bind.bindLocal[n].inverse() * context.nodeLocal[n];

    std::vector<rig::Joint> joints(context.nodes.size());
    const Json& nodes = list(context.json, "nodes", "nodes");
    for (std::size_t n = 0; n < joints.size(); ++n) {
        joints[n].name = stringMember(nodes[n], "name", place("nodes", n));
        joints[n].parent = context.parents[n];
        joints[n].bindLocal = bind.bindLocal[n];
    }
    for (std::size_t s = 0; s < binds.size(); ++s) {
        context.state.skins[s].bindShape = bind.bindShape[s];
        context.state.skins[s].sameBind = bind.sameBind[s] != 0;
        for (const JointId j : binds[s].joints)
            joints[j.index()].deforms = true;
    }
    for (const std::size_t n : bind.singular)
        context.note("SKIN_IBM_SINGULAR", place("nodes", n),
                     "The joint's inverse bind matrix cannot be inverted; its node's transform serves as bind pose.");
    context.state.skeleton = rig::Skeleton(std::move(joints));
    context.state.pose = rig::Pose(bind.userLocal.begin(), bind.userLocal.end());
    context.state.filePose = context.state.pose;
    context.state.locked.assign(context.nodes.size(), 0);
}

} // namespace limber::io
