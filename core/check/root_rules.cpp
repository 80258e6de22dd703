#include "core/check/joint_marks.h"
#include "core/check/rules.h"
#include "core/check/wording.h"
#include "core/rig/world_node.h"

#include <algorithm>
#include <cmath>

namespace limber::check {

namespace {

using document::Document;

constexpr int kDigits = 4;
constexpr double kUnits[] = {10, 100, 1000, 2.54, 12, 25.4, 30.48, 39.37, 3.281, 304.8};

// Joints of skins with none of the kind above them.
std::vector<JointId> roots(const Document& doc) {
    std::vector<std::uint8_t> below(doc.skeleton().size(), 0);
    std::vector<JointId> found;
    for (const JointId j : doc.skeleton().order()) {
        const JointId parent = doc.skeleton()[j].parent;
        below[j.index()] = parent.valid() && (below[parent.index()] || doc.skeleton()[parent].deforms);
        if (doc.skeleton()[j].deforms && !below[j.index()])
            found.push_back(j);
    }
    return found;
}

// The roots and every node above, each once, ascending; without the one that an import adds.
std::vector<JointId> rootsAndAbove(const Document& doc) {
    std::vector<std::uint8_t> seen(doc.skeleton().size(), 0);
    std::vector<JointId> nodes;
    for (const JointId root : roots(doc))
        for (JointId j = root; j.valid() && !seen[j.index()]; j = doc.skeleton()[j].parent) {
            seen[j.index()] = 1;
            if (!rig::isWorldNode(doc.skeleton(), j))
                nodes.push_back(j);
        }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

// Factor of a transform that scales all axes alike by something else than one; nothing otherwise.
std::optional<double> unitFactor(const rig::Affine& m) {
    const Eigen::Vector3d scale = m.linear().colwise().norm().transpose();
    const double least = scale.minCoeff(), most = scale.maxCoeff();
    if (!(least > 0) || most > 1.001 * least || std::abs(most - 1) < 0.01)
        return std::nullopt;
    return (least + most) / 2;
}

// Between metres, centimetres, millimetres, inches and feet, either way.
bool isKnownUnit(double factor) {
    return std::any_of(std::begin(kUnits), std::end(kUnits), [&](double unit) {
        return std::abs(factor / unit - 1) < 0.01 || std::abs(factor * unit - 1) < 0.01;
    });
}

// Whether the rotation takes every axis onto another or its opposite, within half a degree, and is not none.
bool isAxisTurn(const rig::Affine& m) {
    constexpr double kNearOne = 0.99996;
    Eigen::Matrix3d axes = m.linear();
    for (int k = 0; k < 3; ++k) {
        if (!(axes.col(k).norm() > 0))
            return false;
        axes.col(k).normalize();
    }
    const bool along = (axes.cwiseAbs().rowwise().maxCoeff().array() > kNearOne).all();
    return along && axes.determinant() > 0 && axes.trace() < 2.9;
}

Finding aboutJoint(const Document& doc, JointId joint, Severity severity, std::string text) {
    Finding f;
    f.severity = severity;
    f.where = placeOf(doc, joint);
    f.text = std::move(text);
    f.joints = {joint};
    return f;
}

} // namespace

Findings findRootUnitFactor(const Document& doc, const Options&) {
    Findings findings;
    for (const JointId j : rootsAndAbove(doc)) {
        const auto factor = unitFactor(doc.skeleton()[j].bindLocal);
        const bool root = doc.skeleton()[j].deforms;
        if (!factor || (!root && !isKnownUnit(*factor))) // what is sized above its joints is harmless
            continue;
        findings.push_back(aboutJoint(
            doc, j, root ? Severity::Warning : Severity::Info,
            root ? "The skeleton's root is scaled by " + rounded(*factor, kDigits) +
                       ": a change of units that sits in the hips, where clips overwrite it and other skeletons do not "
                       "have it. Convert units where it is made."
                 : "A node above the skeleton is scaled by " + rounded(*factor, kDigits) +
                       ", most likely a change of units. The character is shown right; lengths of joints and of "
                       "pose files are in units of that node."));
    }
    return findings;
}

// Joints may be turned as they like; a turn above all of them changes which way is up.
Findings findRootAxisTurn(const Document& doc, const Options&) {
    Findings findings;
    std::vector<std::uint8_t> moved(doc.skeleton().size(), 0); // by clips: no change of axes, whatever its angle
    for (const rig::Clip& clip : doc.state().clips)
        for (const rig::Channel& channel : clip.channels)
            if (channel.path == rig::Channel::Path::Rotation && channel.joint.valid())
                moved[channel.joint.index()] = 1;
    for (const JointId j : rootsAndAbove(doc))
        if (!doc.skeleton()[j].deforms && !moved[j.index()] && isAxisTurn(doc.skeleton()[j].bindLocal))
            findings.push_back(
                aboutJoint(doc, j, Severity::Info,
                           "A node above the skeleton turns the axes by a right angle, as exporters do to change which "
                           "way is up. The character is shown right; programs that leave this node out show it lying "
                           "down."));
    return findings;
}

Findings findUnusualSize(const Document& doc, const Options&) {
    constexpr double kSmall = 0.02, kLarge = 50; // metres
    Eigen::AlignedBox3d box;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const document::Instance& instance = doc.instance(InstanceId(i));
        if (!doc.isSkinned(InstanceId(i)))
            continue;
        Eigen::AlignedBox3f own;
        for (const Eigen::Vector3f& p : doc.mesh(instance.mesh).geometry.positions)
            own.extend(p);
        if (!own.isEmpty())
            box.extend(own.cast<double>().transformed(doc.skin(instance.skin).bindShape));
    }
    if (box.isEmpty() || !box.sizes().allFinite())
        return {};
    const double size = box.sizes().maxCoeff();
    if (size >= kSmall && size <= kLarge)
        return {};
    Finding f;
    f.severity = Severity::Info;
    f.where = "skinned meshes";
    f.text = "The character is " + rounded(size, kDigits) +
             " units long; glTF's unit is the metre, so it looks made in another one. Engines will show it much too " +
             (size > kLarge ? "large" : "small") + "; scale it where it is made.";
    return {f};
}

} // namespace limber::check
