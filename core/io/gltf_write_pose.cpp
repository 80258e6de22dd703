#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_shear.h"
#include "core/io/gltf_write_steps.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

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
    const Eigen::Vector4d &q = trs.rotation.coeffs(), &old = oldRotation.coeffs();
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

bool isSheared(const math::Affine& m) {
    return math::distance(m, nearestTrs(m)) > kNoShear * m.linear().cwiseAbs().maxCoeff();
}

// Writes joints one by one; those with shear become two nodes where no clip would pull them apart.
class PoseWriter {
public:
    explicit PoseWriter(WriteContext& context)
        : context_(context), animated_(animatedNodes(context.patch.json())), helpers_(shearHelpers(root())) {
        for (const auto& helper : helpers_)
            if (helper)
                isHelper_.insert(*helper);
    }

    void write(JointId joint) {
        const std::size_t j = joint.index();
        if (isHelper_.contains(j) || done_.contains(j))
            return; // what a helper holds is the joint's below it
        const math::Affine exact = localOf(joint);
        const bool sheared = isSheared(exact);
        if (sheared && !animated_[j]) {
            if (!helpers_[j])
                helpers_[j] = addShearHelper(root(), j);
            writeSplit(root()["nodes"][*helpers_[j]], context_.node(joint), exact);
        } else {
            if (helpers_[j])
                resetShearHelper(root()["nodes"][*helpers_[j]]);
            writeOne(context_.node(joint), sheared ? nearestTrs(exact) : exact);
        }
        writeExtras(joint, sheared && animated_[j] ? columnsOf(exact) : Json(nullptr));
    }

    // A helper that a skin names by now is a joint of its own: it stands where the document has it, and its joint gets
    // another helper below it.
    void freeSkinnedHelpers() {
        for (std::size_t j = 0; j < helpers_.size(); ++j) {
            if (!helpers_[j] || !isSkinned(JointId(*helpers_[j])))
                continue;
            const JointId former(*helpers_[j]);
            setLimberExtra(context_.node(former), "shear", nullptr);
            const math::Affine own = localOf(former), exact = own.inverse() * localOf(JointId(j));
            resetShearHelper(context_.node(former));
            writeOne(context_.node(former), own);
            const std::size_t helper = addShearHelper(root(), j);
            writeSplit(root()["nodes"][helper], context_.node(JointId(j)), exact);
            helpers_[j].reset();
            done_.insert({former.index(), j});
        }
    }

private:
    [[nodiscard]] bool isSkinned(JointId joint) const {
        return std::any_of(context_.after.skins.begin(), context_.after.skins.end(), [&](const document::Skin& skin) {
            return std::find(skin.joints.begin(), skin.joints.end(), joint) != skin.joints.end();
        });
    }

    // Whether a reader finds the joint's bind pose in a skin, whatever the node's own transform says.
    [[nodiscard]] bool isBound(JointId joint) const {
        const rig::Joint& facts = context_.after.skeleton[joint];
        if (!facts.deforms || (facts.parent.valid() && !isInvertible(context_.after.skeleton[facts.parent].bindWorld)))
            return false;
        return std::any_of(context_.after.skins.begin(), context_.after.skins.end(), [&](const document::Skin& skin) {
            const auto slot = skin.slotOf(joint);
            return slot && isInvertible(skin.inverseBinds[*slot]);
        });
    }

    [[nodiscard]] math::Affine localOf(JointId joint) const {
        return context_.after.skeleton[joint].bindLocal * context_.after.pose[joint.index()];
    }

    [[nodiscard]] Json& root() const { return context_.patch.json(); }

    static void writeOne(Json& node, const math::Affine& m) {
        if (member(node, "matrix"))
            writeMatrix(node, m);
        else
            writeTrs(node, m);
    }

    void writeExtras(JointId joint, Json transform) {
        Json& node = context_.node(joint);
        const rig::Joint& facts = context_.after.skeleton[joint];
        const bool atBind = math::identical(context_.after.pose[joint.index()], math::Affine::Identity());
        if (!isBound(joint))
            setLimberExtra(node, "bind", atBind ? Json(nullptr) : columnsOf(facts.bindLocal));
        if (!transform.is_null())
            context_.patch.notes.push_back("The joint \"" + facts.name +
                                           "\" is sheared and moved by a clip, which glTF cannot hold: other programs "
                                           "see the nearest rotation and scale.");
        setLimberExtra(node, "transform", std::move(transform));
    }

    WriteContext& context_;
    std::vector<std::uint8_t> animated_;
    std::vector<std::optional<std::size_t>> helpers_; // per node of the source
    std::unordered_set<std::size_t> isHelper_, done_;
};

// glTF's numbers are floats, and so are those of whoever reads them. What reading would refuse is not written.
void checkRange(const document::DocumentState& state) {
    const auto tooFar = [&](JointId j) {
        refuse(place("nodes", j.index()), "\"" + state.skeleton[j].name +
                                              "\" is moved or scaled beyond the numbers that glTF holds; reset it, or "
                                              "the joints that move it.");
    };
    for (std::size_t j = 0; j < state.pose.size(); ++j)
        if (!fitsFloats(state.skeleton[JointId(j)].bindLocal * state.pose[j]))
            tooFar(JointId(j));
    if (const auto fault = rangeFault(state))
        tooFar(fault->node);
}

} // namespace

void writePose(WriteContext& context) {
    checkRange(context.after);
    PoseWriter writer(context);
    writer.freeSkinnedHelpers();
    for (std::size_t j = 0; j < context.after.pose.size(); ++j)
        if (!math::identical(context.before.pose[j], context.after.pose[j]))
            writer.write(JointId(j));
}

} // namespace limber::io
