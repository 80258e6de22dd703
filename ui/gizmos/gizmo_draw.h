// The gizmos' colours and the few shapes they are made of, as paths of the overlay.
#pragma once

#include "ui/gizmos/gizmo.h"

namespace limber::ui {

// Shares of the gizmo's radius.
inline constexpr double kViewRing = 1.22;
inline constexpr double kPlaneNear = 0.26, kPlaneFar = 0.46; // sides of the plane squares
inline constexpr double kAxisStart = 0.14;                   // arrows leave the centre free

inline constexpr double kLinePx = 3, kHoveredLinePx = 5;

[[nodiscard]] QColor axisColor(int axis); // X, Y, Z; others: the view's near-white
[[nodiscard]] QColor handleColor(GizmoHandle handle);
[[nodiscard]] QColor accentColor();
// The handle's colour as it is shown: faded when another one is dragged, bright under the pointer.
[[nodiscard]] QColor shownColor(GizmoHandle handle, GizmoHandle hovered, GizmoHandle dragged);

[[nodiscard]] QPointF toPoint(const Eigen::Vector2d& pixel);
// Empty behind the eye.
[[nodiscard]] std::optional<QPointF> projected(const Camera& camera, const Vector3d& world);

// Unit direction from the eye to a point.
[[nodiscard]] Vector3d viewDirection(const Camera& camera, const Vector3d& at);

// Pixels from `pixel` to the segment.
[[nodiscard]] double segmentDistance(const Eigen::Vector2d& pixel, const QPointF& a, const QPointF& b);

// An arm from the centre along an axis, from `startShare` to `endShare` of the radius: both ends, or nothing where it
// points so nearly at the eye that it could not be grabbed.
struct Arm {
    QPointF start, tip;
};
[[nodiscard]] std::optional<Arm> axisArm(const Camera& camera, const GizmoPlace& place, int axis, double startShare,
                                         double endShare);

// A line with a dark rim, which keeps it readable on a light mesh and on one of its own colour.
void addRimmed(Overlay& overlay, const QPolygonF& points, const QColor& color, double width);
void addLine(Overlay& overlay, const QPointF& a, const QPointF& b, const QColor& color, double width);
void addArrowHead(Overlay& overlay, const Arm& arm, const QColor& color, double lengthPx);
void addSquare(Overlay& overlay, const QPointF& center, double halfPx, const QColor& color);
void addDisc(Overlay& overlay, const QPointF& center, double radiusPx, const QColor& line, const QColor& fill,
             double width);

} // namespace limber::ui
