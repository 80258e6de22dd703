#include "ui/tools/pose_drag.h"

#include "core/rig/world_increment.h"
#include "ui/editor/editor.h"
#include "ui/tools/joint_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::ui {

namespace {

double degrees(double rad) {
    return rad * 180 / std::numbers::pi;
}

QString spaceName(GizmoSettings::Space space) {
    switch (space) {
    case GizmoSettings::Space::World:
        return QStringLiteral("world");
    case GizmoSettings::Space::Parent:
        return QStringLiteral("parent");
    case GizmoSettings::Space::Local:
        return QStringLiteral("local");
    }
    return {};
}

QString axesName(GizmoHandle handle) {
    constexpr const char* kAxes[] = {"X", "Y", "Z"};
    constexpr const char* kPlanes[] = {"YZ", "XZ", "XY"};
    const int axis = axisOf(handle);
    if (axis < 0)
        return {};
    return QString::fromLatin1(isPlane(handle) ? kPlanes[axis] : kAxes[axis]);
}

QString translationText(const Vector3d& t, GizmoHandle handle, int decimals) {
    if (axisOf(handle) < 0)
        return QString::number(t.norm(), 'f', decimals);
    if (!isPlane(handle))
        return signedNumber(t[axisOf(handle)], decimals);
    QStringList parts;
    for (int k = 0; k < 3; ++k)
        if (k != axisOf(handle))
            parts << signedNumber(t[k], decimals);
    return parts.join(QStringLiteral("  "));
}

// The factor that stands for a scale: of the axis that changed, or of all.
double scaleFactor(const Vector3d& scale) {
    const Vector3d change = (scale - Vector3d::Ones()).cwiseAbs();
    Eigen::Index largest = 0;
    (void)change.maxCoeff(&largest);
    return scale[largest];
}

} // namespace

std::vector<JointId> draggedJoints(const document::Document& doc, const document::Selection& selection) {
    std::vector<JointId> joints;
    for (const JointId j : doc.skeleton().order()) {
        if (!selection.contains(j))
            continue;
        const bool carried = std::ranges::any_of(
            selection.joints(), [&](JointId other) { return other != j && doc.skeleton().isAncestor(other, j); });
        if (!carried)
            joints.push_back(j);
    }
    return joints;
}

GizmoSettings::Space effectiveSpace(const GizmoSettings& settings, GizmoAmount::Kind kind) {
    return kind == GizmoAmount::Kind::Scale && settings.keepTrs ? GizmoSettings::Space::Local : settings.space;
}

Result<PoseDrag> PoseDrag::begin(Editor& editor, GizmoAmount::Kind kind) {
    PoseDrag drag;
    drag.space_ = effectiveSpace(editor.gizmo(), kind);
    drag.keepTrs_ = editor.gizmo().keepTrs;
    const document::Document& doc = editor.document();
    const auto world = editor.evaluator().world();
    for (const JointId j : draggedJoints(doc, editor.selection())) {
        JointSnapshot s;
        s.parentWorld = rig::parentWorld(doc.skeleton(), world, j);
        s.bindLocal = doc.skeleton()[j].bindLocal;
        s.userLocal = doc.state().pose[j.index()];
        s.pivot = world[j.index()].translation();
        s.frame = gizmoFrame(drag.space_, s.parentWorld, world[j.index()]);
        if (!rig::applyWorldIncrement(s.parentWorld, s.bindLocal, s.userLocal, math::Affine::Identity()))
            return Error{ErrorCode::Failed,
                         "‘" + jointLabel(doc, j).toStdString() +
                             "’ cannot be dragged: a joint above it is scaled to nothing. Give that one a scale first.",
                         {}};
        drag.joints_.push_back(j);
        drag.snapshots_.push_back(s);
    }
    return drag;
}

void PoseDrag::apply(Editor& editor, const GizmoAmount& amount, const Matrix3d* viewFrame) const {
    document::ChangeSet changes;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        JointSnapshot joint = snapshots_[k];
        if (viewFrame)
            joint.frame = *viewFrame;
        const bool localScale = space_ == GizmoSettings::Space::Local;
        if (const auto userLocal = applyAmount(joint, amount, keepTrs_, localScale))
            changes.merge(editor.preview().setJoint(joints_[k], *userLocal));
    }
    editor.previewChanged(changes);
}

QString PoseDrag::label(const Editor& editor, const GizmoAmount& amount, GizmoHandle handle, int lengthDecimals) const {
    const QString what = joints_.size() == 1 ? jointLabel(editor.document(), joints_.front())
                                             : QStringLiteral("%1 joints").arg(joints_.size());
    const QString axes = axesName(handle);
    const auto along = [&](const char* word) {
        return axes.isEmpty() ? QString() : QStringLiteral(" %1 %2").arg(QLatin1String(word), axes);
    };
    switch (amount.kind) {
    case GizmoAmount::Kind::Translate: {
        const bool oneAxis = axisOf(handle) >= 0 && !isPlane(handle);
        const double length = oneAxis ? amount.translation[axisOf(handle)] : amount.translation.norm();
        return QStringLiteral("Move %1 %2").arg(what, plainNumber(length, lengthDecimals)) +
               along(isPlane(handle) ? "in" : "along");
    }
    case GizmoAmount::Kind::Rotate:
        return QStringLiteral("Rotate %1 %2° about ").arg(what, plainNumber(degrees(amount.angleRad), 1)) +
               (axes.isEmpty() ? QStringLiteral("the view axis") : axes);
    case GizmoAmount::Kind::Scale:
        return QStringLiteral("Scale %1 ×%2").arg(what, plainNumber(scaleFactor(amount.scale), 2)) +
               along(isPlane(handle) ? "in" : "along");
    }
    return {};
}

QString amountText(const GizmoAmount& amount, GizmoHandle handle, GizmoSettings::Space space, int lengthDecimals) {
    QStringList words;
    if (handle == GizmoHandle::View || (handle == GizmoHandle::Center && amount.kind != GizmoAmount::Kind::Scale))
        words << QStringLiteral("View");
    else if (handle == GizmoHandle::Center)
        words << QStringLiteral("All axes");
    else
        words << axesName(handle) << spaceName(space);
    switch (amount.kind) {
    case GizmoAmount::Kind::Translate:
        words << translationText(amount.translation, handle, lengthDecimals);
        break;
    case GizmoAmount::Kind::Rotate:
        words << signedNumber(degrees(amount.angleRad), 1) + QChar(0xb0);
        break;
    case GizmoAmount::Kind::Scale:
        words << QChar(0xd7) + plainNumber(scaleFactor(amount.scale), 2);
        break;
    }
    return words.join(QChar(' '));
}

} // namespace limber::ui
