#include "core/check/poses.h"

#include "core/check/wording.h"

#include <algorithm>
#include <cmath>

namespace limber::check {

namespace {

using document::Document;

constexpr int kDigits = 3;
constexpr double kTurnDegrees = 0.1;
constexpr double kShift = 1e-3; // of the skeleton's size
constexpr double kScale = 1e-3;

// Diagonal of the bind pose of what deforms.
double skeletonSize(const Document& doc) {
    Eigen::AlignedBox3d box;
    for (const rig::Joint& joint : doc.skeleton().joints())
        if (joint.deforms && joint.bindWorld.translation().allFinite())
            box.extend(joint.bindWorld.translation());
    return box.isEmpty() || !(box.diagonal().norm() > 0) ? 1 : box.diagonal().norm();
}

// Of a joint, in its parent's frame.
struct Step {
    double degrees = 0, shift = 0, scale = 1;
};

Step stepBetween(const rig::Affine& from, const rig::Affine& to) {
    const math::TransformParts parts = math::decompose(from.inverse() * to);
    Step step;
    step.degrees = Eigen::AngleAxisd(parts.rotation).angle() * 180 / M_PI;
    step.shift = (to.translation() - from.translation()).norm();
    for (int k = 0; k < 3; ++k) {
        const double s = std::abs(parts.scale[k]);
        step.scale = std::max(step.scale, s > 1e-9 ? std::max(s, 1 / s) : 1e9);
    }
    return step;
}

// `from` may be empty: bind.
PoseDifference difference(const Document& doc, std::span<const rig::Affine> from, std::span<const rig::Affine> to) {
    PoseDifference found;
    const double size = skeletonSize(doc);
    for (std::size_t j = 0; j < to.size(); ++j) {
        const rig::Joint& joint = doc.skeleton()[JointId(j)];
        const rig::Affine a = from.empty() ? joint.bindLocal : joint.bindLocal * from[j];
        const rig::Affine b = joint.bindLocal * to[j];
        const bool comparable = math::allFinite(a) && math::allFinite(b) && std::abs(a.linear().determinant()) > 0;
        if (!comparable)
            continue;
        // A move is measured in the world, where the parent's scale counts.
        const double parent = joint.parent.valid()
                                  ? std::cbrt(std::abs(doc.skeleton()[joint.parent].bindWorld.linear().determinant()))
                                  : 1;
        Step step = stepBetween(a, b);
        step.shift *= parent;
        if (step.degrees < kTurnDegrees && step.shift < kShift * size && step.scale < 1 + kScale)
            continue;
        const bool most = !found.most.valid() || step.degrees > found.degrees + 1e-3 ||
                          (std::abs(step.degrees - found.degrees) <= 1e-3 && step.shift > found.shift);
        if (most)
            found.most = JointId(j);
        found.joints.emplace_back(j);
        found.degrees = std::max(found.degrees, step.degrees);
        found.shift = std::max(found.shift, step.shift);
        found.scale = std::max(found.scale, step.scale);
    }
    return found;
}

} // namespace

PoseDifference fileFromBind(const Document& doc) {
    return difference(doc, {}, doc.state().filePose);
}

PoseDifference currentFromBind(const Document& doc) {
    return difference(doc, {}, doc.state().pose);
}

PoseDifference currentFromFile(const Document& doc) {
    return difference(doc, doc.state().filePose, doc.state().pose);
}

std::string described(const Document& doc, const PoseDifference& d) {
    if (d.joints.empty())
        return "the same";
    std::string text = counted(d.joints.size(), "joint differs", "joints differ") + ", up to ";
    if (d.degrees >= kTurnDegrees)
        text += rounded(d.degrees, kDigits) + " degrees";
    else if (d.scale >= 1 + kScale)
        text += rounded(d.scale, kDigits) + " times the size";
    else
        text += rounded(d.shift, kDigits) + " units";
    return text + " at " + placeOf(doc, d.most);
}

} // namespace limber::check
