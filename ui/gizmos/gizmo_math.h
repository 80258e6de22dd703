// What a drag in the view means in the scene, and what that does to a joint. Pure functions, no window.
// Every drag is measured as the total since the press and applied to the press-time snapshot: nothing drifts.
// deformation-math.md section 2. World space, radians, unless said otherwise.
#pragma once

#include "core/math/transform.h"
#include "core/mesh/ray_caster.h"
#include "ui/editor/brush_settings.h"

#include <optional>

namespace limber::ui {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The frame F of a space: a rotation whose columns are the gizmo's axes.
[[nodiscard]] Matrix3d gizmoFrame(GizmoSettings::Space space, const math::Affine& parentWorld,
                                  const math::Affine& world);

// Parameter t of the point of the line `origin + t axis` nearest to the ray; `axis` unit.
// Empty where the two are nearly parallel or the ray meets the line behind its start.
[[nodiscard]] std::optional<double> alongAxis(const mesh::Ray& ray, const Vector3d& origin, const Vector3d& axis);

// Where the ray meets the plane through `origin`. Empty where it runs along the plane or away from it.
[[nodiscard]] std::optional<Vector3d> onPlane(const mesh::Ray& ray, const Vector3d& origin, const Vector3d& normal);

// Angle about `axis` of a point, from the direction `zero` (unit, orthogonal to the axis), in (-pi, pi].
[[nodiscard]] double angleAbout(const Vector3d& point, const Vector3d& origin, const Vector3d& axis,
                                const Vector3d& zero);

// The angle equal to `angleRad` up to whole turns that is nearest to `near`.
[[nodiscard]] double unwrapped(double angleRad, double near);

// round(total / step) step; `total` itself for a step of zero.
[[nodiscard]] double snapped(double total, double step);

// Scales of joints stay above this, whatever is typed or dragged: at zero the rotation could not be told any more.
inline constexpr double kSmallestScale = 1e-6;

// What a drag amounts to so far, in the frame F of whatever it is applied to.
struct GizmoAmount {
    enum class Kind { Translate, Rotate, Scale };
    Kind kind = Kind::Translate;
    Vector3d translation = Vector3d::Zero();
    Vector3d axis = Vector3d::UnitZ(); // unit
    double angleRad = 0;
    Vector3d scale = Vector3d::Ones();

    [[nodiscard]] bool isNothing() const;
};

// A joint at the press.
struct JointSnapshot {
    math::Affine parentWorld = math::Affine::Identity();
    math::Affine bindLocal = math::Affine::Identity();
    math::Affine userLocal = math::Affine::Identity();
    Matrix3d frame = Matrix3d::Identity(); // F
    Vector3d pivot = Vector3d::Zero();     // c, world

    [[nodiscard]] math::Affine world() const { return parentWorld * bindLocal * userLocal; }
};

// U = Tr(c) F X F^T Tr(-c); Tr(F delta) for a translation.
[[nodiscard]] math::Affine worldIncrement(const GizmoAmount& amount, const Matrix3d& frame, const Vector3d& pivot);

// The joint's new user-local transform. With `keepTrs` a rotation leaves its shear and scale alone and a scale
// acts along the joint's own axes (decision D2); without, a scale does so only where `localScale` is set.
// A scale stops before it makes the joint smaller than kSmallestScale. Empty where the parent is scaled to nothing.
[[nodiscard]] std::optional<math::Affine> applyAmount(const JointSnapshot& joint, const GizmoAmount& amount,
                                                      bool keepTrs, bool localScale);

} // namespace limber::ui
