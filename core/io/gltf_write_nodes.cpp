#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"
#include "core/rig/bind_pose.h"

#include <cmath>

namespace limber::io {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// What rounding leaves between a number in a file and the same number taken apart and put together again.
constexpr double kSame = 1e-10;

// Inverse bind matrices are floats: what they bring of shear into a joint is noise.
constexpr double kNoShear = 1e-5;

template <class V> bool same(const V& a, const V& b) {
    return (a - b).cwiseAbs().maxCoeff() <= kSame * std::max(1.0, a.cwiseAbs().maxCoeff());
}

template <class V> Json jsonOf(const V& values) {
    Json json = Json::array();
    for (const double v : values)
        json.push_back(v);
    return json;
}

Vector3d vectorOf(const Json& node, const char* key, const Vector3d& otherwise) {
    const auto values = numbersMember(node, key, 3, key);
    return values ? Vector3d((*values)[0], (*values)[1], (*values)[2]) : otherwise;
}

Quaterniond rotationOf(const Json& node) {
    const auto r = numbersMember(node, "rotation", 4, "rotation");
    return r ? Quaterniond((*r)[3], (*r)[0], (*r)[1], (*r)[2]).normalized() : Quaterniond::Identity();
}

struct Trs {
    Vector3d translation, scale;
    Quaterniond rotation;
};

// Takes `m` apart with the signs of the scale that the node had, so that a mirrored node keeps its other parts.
Trs takeApart(const math::Affine& m, const Vector3d& oldScale, const Quaterniond& oldRotation) {
    Trs trs{m.translation(), m.linear().colwise().norm(), oldRotation};
    for (int i = 0; i < 3; ++i)
        if (oldScale[i] < 0)
            trs.scale[i] = -trs.scale[i];
    if (trs.scale.cwiseAbs().minCoeff() < 1e-12)
        return trs; // a flattened joint keeps the rotation it had
    Eigen::Matrix3d r = m.linear() * trs.scale.cwiseInverse().asDiagonal();
    if (r.determinant() < 0) {
        trs.scale.x() = -trs.scale.x();
        r.col(0) = -r.col(0);
    }
    trs.rotation = math::canonical(Quaterniond(r));
    return trs;
}

void writeTrs(Json& node, const math::Affine& m) {
    const Vector3d oldScale = vectorOf(node, "scale", Vector3d::Ones());
    const Quaterniond oldRotation = rotationOf(node);
    const Trs trs = takeApart(m, oldScale, oldRotation);
    if (!same(trs.translation, vectorOf(node, "translation", Vector3d::Zero())))
        node["translation"] = jsonOf(trs.translation);
    const Eigen::Vector4d q = trs.rotation.coeffs(), old = oldRotation.coeffs();
    if (!same(q, old) && !same(q, Eigen::Vector4d(-old)))
        node["rotation"] = jsonOf(q);
    if (!same(trs.scale, oldScale))
        node["scale"] = jsonOf(trs.scale);
}

void writeMatrix(Json& node, const math::Affine& m) {
    Json numbers = Json::array();
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            numbers.push_back(m.matrix()(row, column));
    node["matrix"] = std::move(numbers);
}

void writeNode(WriteContext& context, JointId joint) {
    Json& node = context.node(joint);
    const math::Affine exact = context.after.skeleton[joint].bindLocal * context.after.pose[joint.index()];
    const math::Affine nearest = nearestTrs(exact);
    const bool sheared = math::distance(exact, nearest) > kNoShear * exact.linear().cwiseAbs().maxCoeff();
    const math::Affine& written = sheared ? nearest : exact;
    if (member(node, "matrix"))
        writeMatrix(node, written);
    else
        writeTrs(node, written);
    const math::Affine& userLocal = context.after.pose[joint.index()];
    const bool atBind = math::identical(userLocal, math::Affine::Identity());
    if (!context.after.skeleton[joint].deforms)
        setLimberExtra(node, "bind", atBind ? Json(nullptr) : columnsOf(context.after.skeleton[joint].bindLocal));
    setLimberExtra(node, "transform", sheared ? columnsOf(exact) : Json(nullptr));
    if (sheared)
        context.patch.notes.push_back("The joint \"" + context.after.skeleton[joint].name +
                                      "\" is sheared, which glTF cannot hold: other programs see the nearest rotation "
                                      "and scale.");
}

} // namespace

void writePose(WriteContext& context) {
    for (std::size_t j = 0; j < context.after.pose.size(); ++j)
        if (!math::identical(context.before.pose[j], context.after.pose[j]))
            writeNode(context, JointId(j));
}

void writeLocks(WriteContext& context) {
    for (std::size_t j = 0; j < context.after.locked.size(); ++j)
        if (const bool locked = context.after.locked[j] != 0; locked != (context.before.locked[j] != 0))
            setLimberExtra(context.node(JointId(j)), "locked", locked ? Json(true) : Json(nullptr));
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
        parents.push_back(context.after.skeleton[JointId(n)].parent);
        posedNodes |= limberTransform(nodes[n], "bind").has_value();
        const auto skin = indexMember(nodes[n], "skin", binds.size(), "");
        if (skin && member(nodes[n], "mesh") && !binds[*skin].carrier.valid())
            binds[*skin].carrier = JointId(n);
    }
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
