#include "core/check/joint_marks.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>
#include <cmath>

namespace limber::check {

namespace {

using document::Document;

constexpr double kNoise = 1e-3;
constexpr double kZero = 1e-7;

Eigen::Vector3d scalesOf(const rig::Affine& m) {
    return m.linear().colwise().norm().transpose();
}

// Largest cosine between two axes.
double shearOf(const rig::Affine& m) {
    const Eigen::Vector3d scale = scalesOf(m);
    if (!(scale.minCoeff() > 0))
        return 0;
    const Eigen::Matrix3d axes = m.linear() * scale.cwiseInverse().asDiagonal();
    return std::max({std::abs(axes.col(0).dot(axes.col(1))), std::abs(axes.col(0).dot(axes.col(2))),
                     std::abs(axes.col(1).dot(axes.col(2)))});
}

template <class Wrong> std::vector<JointId> jointsWhere(const std::vector<std::uint8_t>& marks, Wrong wrong) {
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < marks.size(); ++j)
        if (marks[j] && wrong(JointId(j)))
            joints.emplace_back(j);
    return joints;
}

Findings aboutJoints(const Document& doc, std::vector<JointId> joints, const std::string& text,
                     Severity severity = Severity::Warning) {
    if (joints.empty())
        return {};
    Finding f;
    f.severity = severity;
    f.where = placeOf(doc, joints);
    f.count = joints.size();
    f.text = counted(f.count, "joint") + text;
    f.joints = std::move(joints);
    return {f};
}

} // namespace

Findings findNonUniformScale(const Document& doc, const Options&) {
    const auto stretched = [&](JointId j) {
        const Eigen::Vector3d scale = scalesOf(fileLocal(doc, j));
        return scale.minCoeff() > kZero && scale.maxCoeff() > (1 + kNoise) * scale.minCoeff();
    };
    return aboutJoints(doc, jointsWhere(skeletal(doc), stretched),
                       " with different scales along the axes: what hangs below shears as it turns, and many "
                       "programs do not show that. Give the skeleton uniform scales where it is made.");
}

Findings findShear(const Document& doc, const Options&) {
    rig::Transforms world;
    rig::forwardKinematics(doc.skeleton(), doc.state().filePose, world);
    const auto sheared = [&](JointId j) {
        return std::max(shearOf(world[j.index()]), shearOf(doc.skeleton()[j].bindWorld)) > kNoise;
    };
    return aboutJoints(
        doc, jointsWhere(moving(doc), sheared),
        " skewed by uneven scales above: translation, rotation and scale cannot hold that, so programs that "
        "go by them show something else. Make those scales even.");
}

Findings findNegativeScale(const Document& doc, const Options&) {
    const auto mirrored = [&](JointId j) { return fileLocal(doc, j).linear().determinant() < 0; };
    return aboutJoints(doc, jointsWhere(moving(doc), mirrored),
                       " mirrored by a negative scale: surfaces may turn inside out and rotations run the other way "
                       "elsewhere. Mirror the geometry instead where it is made.");
}

Findings findZeroScale(const Document& doc, const Options&) {
    const auto flat = [&](JointId j) { return !(scalesOf(fileLocal(doc, j)).minCoeff() > kZero); };
    return aboutJoints(
        doc, jointsWhere(skeletal(doc), flat),
        " scaled to nothing: what hangs there collapses and cannot be posed or sculpted there. Give it a "
        "scale, or hide the mesh in another way.");
}

} // namespace limber::check
