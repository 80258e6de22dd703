// Three arrows, three squares for two axes at once, and a centre that moves in the plane of the view.
#include "ui/gizmos/gizmo_draw.h"

#include <array>
#include <cmath>
#include <limits>

namespace limber::ui {

namespace {

constexpr double kCenterPx = 7;
constexpr double kHeadPx = 15;
constexpr double kFlattestSquare = 0.2; // sine of the angle of sight below which a plane square is hidden
constexpr std::array kPlanes = {GizmoHandle::PlaneX, GizmoHandle::PlaneY, GizmoHandle::PlaneZ};

std::optional<QPolygonF> planeSquare(const Camera& camera, const GizmoPlace& place, GizmoHandle plane) {
    const int axis = axisOf(plane);
    if (std::abs(place.axes.col(axis).dot(viewDirection(camera, place.origin))) < kFlattestSquare)
        return std::nullopt;
    const double radius = gizmoRadius(camera, place.origin);
    const Vector3d u = radius * place.axes.col((axis + 1) % 3), v = radius * place.axes.col((axis + 2) % 3);
    QPolygonF square;
    for (const auto& [a, b] : {std::pair(kPlaneNear, kPlaneNear),
                               {kPlaneFar, kPlaneNear},
                               {kPlaneFar, kPlaneFar},
                               {kPlaneNear, kPlaneFar}}) {
        const auto corner = projected(camera, place.origin + a * u + b * v);
        if (!corner)
            return std::nullopt;
        square << *corner;
    }
    return square;
}

class TranslateGizmo final : public Gizmo {
public:
    GizmoHandle hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const override;
    void draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap& snap,
              Overlay& overlay) const override;

protected:
    void start(const Camera& camera, const PointerSample& sample) override;
    void measure(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) override;
    void setTyped(double value) override;

private:
    [[nodiscard]] bool onAxis() const { return axisOf(handle_) >= 0 && !isPlane(handle_); }
    [[nodiscard]] Vector3d planeNormal() const {
        return isPlane(handle_) ? Vector3d(frame().col(axisOf(handle_))) : Vector3d(place_.view.col(2));
    }

    std::optional<double> pressAlong_;
    std::optional<Vector3d> pressPoint_;
};

GizmoHandle TranslateGizmo::hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const {
    const auto center = projected(camera, place.origin);
    if (!center)
        return GizmoHandle::None;
    if (std::hypot(pixel.x() - center->x(), pixel.y() - center->y()) <= kCenterPx + 2)
        return GizmoHandle::Center;
    for (const GizmoHandle plane : kPlanes)
        if (const auto square = planeSquare(camera, place, plane))
            if (square->containsPoint(toPoint(pixel), Qt::OddEvenFill))
                return plane;
    GizmoHandle best = GizmoHandle::None;
    double bestDistance = kGizmoTolerancePx;
    for (int axis = 0; axis < 3; ++axis)
        if (const auto arm = axisArm(camera, place, axis, kAxisStart, 1.05)) {
            const double distance = segmentDistance(pixel, arm->start, arm->tip);
            if (distance <= bestDistance) {
                best = axisHandle(axis);
                bestDistance = distance;
            }
        }
    return best;
}

void TranslateGizmo::start(const Camera&, const PointerSample& sample) {
    amount_.kind = GizmoAmount::Kind::Translate;
    pressAlong_.reset();
    pressPoint_.reset();
    if (onAxis())
        pressAlong_ = alongAxis(sample.ray, place_.origin, frame().col(axisOf(handle_)));
    else
        pressPoint_ = onPlane(sample.ray, place_.origin, planeNormal());
}

void TranslateGizmo::measure(const Camera&, const PointerSample& sample, const GizmoSnap& snap) {
    if (onAxis()) {
        const int axis = axisOf(handle_);
        const auto along = alongAxis(sample.ray, place_.origin, frame().col(axis));
        if (along && pressAlong_)
            amount_.translation = snapped(*along - *pressAlong_, snap.length) * Vector3d::Unit(axis);
        return;
    }
    const auto point = onPlane(sample.ray, place_.origin, planeNormal());
    if (!point || !pressPoint_)
        return;
    Vector3d moved = frame().transpose() * (*point - *pressPoint_);
    moved[isPlane(handle_) ? axisOf(handle_) : 2] = 0; // exactly in the plane
    for (double& component : moved)
        component = snapped(component, snap.length);
    amount_.translation = moved;
}

void TranslateGizmo::setTyped(double value) {
    if (onAxis())
        amount_.translation = value * Vector3d::Unit(axisOf(handle_));
}

void TranslateGizmo::draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap&,
                          Overlay& overlay) const {
    GizmoPlace shown = place;
    if (handle_ != GizmoHandle::None) {
        shown = {place.origin, place_.axes, place_.view};
        const auto from = projected(camera, place_.origin), to = projected(camera, place.origin);
        QColor trace = handleColor(handle_);
        trace.setAlpha(150);
        if (from && to) {
            addLine(overlay, *from, *to, trace, 1.5);
            addDisc(overlay, *from, 3.5, trace, QColor(), 1.5);
        }
    }
    const GizmoHandle strong = handle_ != GizmoHandle::None ? handle_ : hovered;
    for (const GizmoHandle plane : kPlanes)
        if (const auto square = planeSquare(camera, shown, plane)) {
            const QColor line = shownColor(plane, hovered, handle_);
            QColor fill = line;
            fill.setAlpha(line.alpha() * (plane == strong ? 3 : 1) / 5);
            overlay.paths.push_back({*square, line, fill, 1.5, true});
        }
    for (int axis = 0; axis < 3; ++axis)
        if (const auto arm = axisArm(camera, shown, axis, kAxisStart, 1)) {
            const QColor color = shownColor(axisHandle(axis), hovered, handle_);
            const bool bold = strong == axisHandle(axis);
            addRimmed(overlay, QPolygonF({arm->start, arm->tip}), color, bold ? kHoveredLinePx : kLinePx);
            addArrowHead(overlay, *arm, color, bold ? kHeadPx + 3 : kHeadPx);
        }
    if (const auto center = projected(camera, shown.origin)) {
        const QColor line = shownColor(GizmoHandle::Center, hovered, handle_);
        QColor fill = line;
        fill.setAlpha(strong == GizmoHandle::Center ? 140 : 40);
        addDisc(overlay, *center, kCenterPx, line, fill, 2);
    }
}

} // namespace

std::unique_ptr<Gizmo> makeTranslateGizmo() {
    return std::make_unique<TranslateGizmo>();
}

} // namespace limber::ui
