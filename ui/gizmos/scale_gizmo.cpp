// Three handles for one axis each and a centre for all three.
#include "ui/gizmos/gizmo_draw.h"

#include <algorithm>
#include <cmath>

namespace limber::ui {

namespace {

constexpr double kSmallestFactor = 0.01; // a joint scaled to nothing could not be scaled back
constexpr double kCenterPx = 8;
constexpr double kHandlePx = 6;

class ScaleGizmo final : public Gizmo {
public:
    GizmoHandle hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const override;
    bool inViewFrame(GizmoHandle) const override { return false; }
    void draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap& snap,
              Overlay& overlay) const override;

protected:
    void start(const Camera& camera, const PointerSample& sample) override;
    void measure(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) override;
    void setTyped(double factor) override { setFactor(factor); }

private:
    void setFactor(double factor);

    std::optional<double> pressAlong_;
};

GizmoHandle ScaleGizmo::hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const {
    const auto center = projected(camera, place.origin);
    if (!center)
        return GizmoHandle::None;
    if (std::max(std::abs(pixel.x() - center->x()), std::abs(pixel.y() - center->y())) <= kCenterPx + 3)
        return GizmoHandle::Center;
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

void ScaleGizmo::setFactor(double factor) {
    factor = std::max(factor, kSmallestFactor);
    amount_.scale = Vector3d::Ones();
    if (handle_ == GizmoHandle::Center)
        amount_.scale.setConstant(factor);
    else
        amount_.scale[axisOf(handle_)] = factor;
}

void ScaleGizmo::start(const Camera&, const PointerSample& sample) {
    amount_.kind = GizmoAmount::Kind::Scale;
    pressAlong_.reset();
    if (handle_ != GizmoHandle::Center)
        pressAlong_ = alongAxis(sample.ray, place_.origin, frame().col(axisOf(handle_)));
}

void ScaleGizmo::measure(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) {
    if (handle_ == GizmoHandle::Center) {
        // Right and up grow, left and down shrink; a radius of the gizmo doubles.
        const Eigen::Vector2d moved = sample.pixel - press_.pixel;
        setFactor(1 + snapped(std::exp2((moved.x() - moved.y()) / kGizmoRadiusPx) - 1, snap.scale));
        return;
    }
    const auto along = alongAxis(sample.ray, place_.origin, frame().col(axisOf(handle_)));
    if (!along || !pressAlong_)
        return;
    // Pressed away from the handle (its axis was picked by a key), the handle's length is the measure.
    const double radius = gizmoRadius(camera, place_.origin);
    const double reference = *pressAlong_ > 0.2 * radius ? *pressAlong_ : radius;
    setFactor(1 + snapped((*along - *pressAlong_) / reference, snap.scale));
}

void ScaleGizmo::draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap&,
                      Overlay& overlay) const {
    const GizmoPlace shown = handle_ != GizmoHandle::None ? GizmoPlace{place.origin, place_.axes, place_.view} : place;
    const GizmoHandle strong = handle_ != GizmoHandle::None ? handle_ : hovered;
    for (int axis = 0; axis < 3; ++axis) {
        const double reach = handle_ != GizmoHandle::None ? std::clamp(amount_.scale[axis], 0.2, 6.0) : 1;
        if (const auto arm = axisArm(camera, shown, axis, kAxisStart, reach)) {
            const GizmoHandle handle = axisHandle(axis);
            const bool all = strong == GizmoHandle::Center;
            QColor color = shownColor(handle, hovered, handle_);
            if (all)
                color.setAlpha(255);
            addRimmed(overlay, QPolygonF({arm->start, arm->tip}), color, strong == handle ? kHoveredLinePx : kLinePx);
            addSquare(overlay, arm->tip, strong == handle ? kHandlePx + 1.5 : kHandlePx, color);
        }
    }
    if (const auto center = projected(camera, shown.origin)) {
        QColor color = shownColor(GizmoHandle::Center, hovered, handle_);
        color.setAlpha(strong == GizmoHandle::Center ? 240 : std::min(color.alpha(), 150));
        addSquare(overlay, *center, kCenterPx, color);
    }
}

} // namespace

std::unique_ptr<Gizmo> makeScaleGizmo() {
    return std::make_unique<ScaleGizmo>();
}

} // namespace limber::ui
