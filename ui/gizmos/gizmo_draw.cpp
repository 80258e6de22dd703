#include "ui/gizmos/gizmo_draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::ui {

namespace {
constexpr double kShortestArmPx = 16; // a foreshortened arm below this cannot be aimed at
}

QColor axisColor(int axis) {
    switch (axis) {
    case 0:
        return QColor(0xff, 0x6b, 0x6f);
    case 1:
        return QColor(0x5f, 0xc8, 0x73);
    case 2:
        return QColor(0x5a, 0xa2, 0xff);
    default:
        return QColor(0xd7, 0xda, 0xdd);
    }
}

QColor handleColor(GizmoHandle handle) {
    return axisColor(axisOf(handle));
}

QColor accentColor() {
    return QColor(0xf2, 0xa3, 0x3a);
}

QColor shownColor(GizmoHandle handle, GizmoHandle hovered, GizmoHandle dragged) {
    QColor color = handleColor(handle);
    if (dragged != GizmoHandle::None)
        color.setAlpha(handle == dragged ? 255 : 70);
    else if (handle == hovered)
        color = color.lighter(118);
    else
        color.setAlpha(handle == GizmoHandle::View ? 170 : 235);
    return color;
}

QPointF toPoint(const Eigen::Vector2d& pixel) {
    return {pixel.x(), pixel.y()};
}

std::optional<QPointF> projected(const Camera& camera, const Vector3d& world) {
    const Vector3d p = camera.project(world);
    if (p.z() <= camera.nearPlane() && !camera.orthographic())
        return std::nullopt;
    return QPointF(p.x(), p.y());
}

Vector3d viewDirection(const Camera& camera, const Vector3d& at) {
    return camera.orthographic() ? camera.forward() : (at - camera.eye()).normalized();
}

double segmentDistance(const Eigen::Vector2d& pixel, const QPointF& a, const QPointF& b) {
    const Eigen::Vector2d start(a.x(), a.y()), along(b.x() - a.x(), b.y() - a.y());
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((pixel - start).dot(along) / length2, 0.0, 1.0) : 0;
    return (pixel - start - t * along).norm();
}

std::optional<Arm> axisArm(const Camera& camera, const GizmoPlace& place, int axis, double startShare,
                           double endShare) {
    const Vector3d arm = gizmoRadius(camera, place.origin) * place.axes.col(axis);
    const auto start = projected(camera, place.origin + startShare * arm);
    const auto tip = projected(camera, place.origin + endShare * arm);
    const auto unit = projected(camera, place.origin + arm);
    const auto center = projected(camera, place.origin);
    if (!start || !tip || !unit || !center)
        return std::nullopt;
    if (std::hypot(unit->x() - center->x(), unit->y() - center->y()) < kShortestArmPx)
        return std::nullopt;
    return Arm{*start, *tip};
}

void addRimmed(Overlay& overlay, const QPolygonF& points, const QColor& color, double width) {
    overlay.paths.push_back({points, QColor(0, 0, 0, color.alpha() * 80 / 255), QColor(), width + 2, false});
    overlay.paths.push_back({points, color, QColor(), width, false});
}

void addLine(Overlay& overlay, const QPointF& a, const QPointF& b, const QColor& color, double width) {
    overlay.paths.push_back({QPolygonF({a, b}), color, QColor(), width, false});
}

void addArrowHead(Overlay& overlay, const Arm& arm, const QColor& color, double lengthPx) {
    QPointF along = arm.tip - arm.start;
    const double length = std::hypot(along.x(), along.y());
    if (length < 1e-6)
        return;
    along /= length;
    const QPointF across(-along.y(), along.x());
    const double half = 0.42 * lengthPx;
    const QPointF base = arm.tip - 0.35 * lengthPx * along;
    const QPointF point = arm.tip + 0.65 * lengthPx * along;
    overlay.paths.push_back({QPolygonF({point, base + half * across, base - half * across}), color, color, 1, true});
}

void addSquare(Overlay& overlay, const QPointF& c, double half, const QColor& color) {
    const QPolygonF square(
        {c + QPointF(-half, -half), c + QPointF(half, -half), c + QPointF(half, half), c + QPointF(-half, half)});
    overlay.paths.push_back({square, color, color, 1, true});
}

void addDisc(Overlay& overlay, const QPointF& center, double radiusPx, const QColor& line, const QColor& fill,
             double width) {
    constexpr int kSides = 32;
    QPolygonF circle;
    for (int i = 0; i < kSides; ++i) {
        const double a = 2 * std::numbers::pi * i / kSides;
        circle << center + radiusPx * QPointF(std::cos(a), std::sin(a));
    }
    overlay.paths.push_back({circle, line, fill, width, true});
}

} // namespace limber::ui
