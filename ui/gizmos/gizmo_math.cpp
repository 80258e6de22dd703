#include "ui/gizmos/gizmo_math.h"

#include "core/rig/world_increment.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::ui {

namespace {
constexpr double kParallel = 1e-4; // squared sine of the angle below which a line is seen end on
constexpr double kGrazing = 1e-4;  // sine of the angle below which a plane is seen edge on
} // namespace

Matrix3d gizmoFrame(GizmoSettings::Space space, const math::Affine& parentWorld, const math::Affine& world) {
    switch (space) {
    case GizmoSettings::Space::World:
        return Matrix3d::Identity();
    case GizmoSettings::Space::Parent:
        return math::nearestRotation(parentWorld.linear());
    case GizmoSettings::Space::Local:
        return math::nearestRotation(world.linear());
    }
    return Matrix3d::Identity();
}

std::optional<double> alongAxis(const mesh::Ray& ray, const Vector3d& origin, const Vector3d& axis) {
    const Vector3d w = origin - ray.origin;
    const double b = axis.dot(ray.direction);
    const double sine2 = 1 - b * b;
    if (sine2 < kParallel)
        return std::nullopt;
    const double t = (b * ray.direction.dot(w) - axis.dot(w)) / sine2;
    const double s = ray.direction.dot(w) + t * b;
    if (s <= 0)
        return std::nullopt;
    return t;
}

std::optional<Vector3d> onPlane(const mesh::Ray& ray, const Vector3d& origin, const Vector3d& normal) {
    const double cosine = normal.dot(ray.direction);
    if (std::abs(cosine) < kGrazing)
        return std::nullopt;
    const double s = normal.dot(origin - ray.origin) / cosine;
    if (s <= 0)
        return std::nullopt;
    return ray.origin + s * ray.direction;
}

double angleAbout(const Vector3d& point, const Vector3d& origin, const Vector3d& axis, const Vector3d& zero) {
    const Vector3d arm = point - origin;
    return std::atan2(arm.dot(axis.cross(zero)), arm.dot(zero));
}

double unwrapped(double angleRad, double near) {
    const double turn = 2 * std::numbers::pi;
    return angleRad + turn * std::round((near - angleRad) / turn);
}

double snapped(double total, double step) {
    return step > 0 ? std::round(total / step) * step : total;
}

bool GizmoAmount::isNothing() const {
    switch (kind) {
    case Kind::Translate:
        return translation.isZero(0);
    case Kind::Rotate:
        return angleRad == 0;
    case Kind::Scale:
        return scale == Vector3d::Ones();
    }
    return true;
}

math::Affine worldIncrement(const GizmoAmount& amount, const Matrix3d& frame, const Vector3d& pivot) {
    math::Affine u = math::Affine::Identity();
    switch (amount.kind) {
    case GizmoAmount::Kind::Translate:
        u.translation() = frame * amount.translation;
        break;
    case GizmoAmount::Kind::Rotate:
        return math::rotationAbout(pivot, (frame * amount.axis).normalized(), amount.angleRad);
    case GizmoAmount::Kind::Scale:
        u.linear() = frame * amount.scale.asDiagonal() * frame.transpose();
        u.translation() = pivot - u.linear() * pivot;
        break;
    }
    return u;
}

namespace {

// The amount with factors that leave each of the joint's axes, or for others the smallest stretch, at kSmallestScale,
// or where it is if it is smaller already.
GizmoAmount limitedScale(GizmoAmount amount, const math::Affine& userLocal, bool ownAxes) {
    const Matrix3d& m = userLocal.linear();
    for (int k = 0; k < 3; ++k) {
        const double size = ownAxes ? m.col(k).norm() : Eigen::JacobiSVD<Matrix3d>(m).singularValues().z();
        amount.scale[k] = std::max(amount.scale[k], size > kSmallestScale ? kSmallestScale / size : 1.0);
    }
    return amount;
}

} // namespace

std::optional<math::Affine> applyAmount(const JointSnapshot& joint, const GizmoAmount& dragged, bool keepTrs,
                                        bool localScale) {
    const GizmoAmount amount = dragged.kind == GizmoAmount::Kind::Scale
                                   ? limitedScale(dragged, joint.userLocal, keepTrs || localScale)
                                   : dragged;
    // Exactly nothing must give back exactly what was there: a cancelled move leaves no trace of rounding.
    if (amount.isNothing())
        return joint.userLocal;
    if (amount.kind == GizmoAmount::Kind::Scale && (keepTrs || localScale)) {
        math::Affine scaled = joint.userLocal;
        scaled.linear() = joint.userLocal.linear() * amount.scale.asDiagonal();
        return scaled;
    }
    const std::optional<math::Affine> after = rig::applyWorldIncrement(
        joint.parentWorld, joint.bindLocal, joint.userLocal, worldIncrement(amount, joint.frame, joint.pivot));
    if (!after)
        return std::nullopt;
    if (amount.kind == GizmoAmount::Kind::Rotate && keepTrs)
        return rig::keepTrs(joint.userLocal, *after);
    if (amount.kind == GizmoAmount::Kind::Translate) {
        math::Affine moved = joint.userLocal; // the linear part stays bit for bit
        moved.translation() = after->translation();
        return moved;
    }
    return after;
}

} // namespace limber::ui
