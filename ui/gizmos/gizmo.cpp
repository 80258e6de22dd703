#include "ui/gizmos/gizmo.h"

#include "ui/gizmos/gizmo_draw.h"

#include <cmath>

namespace limber::ui {

int axisOf(GizmoHandle handle) {
    switch (handle) {
    case GizmoHandle::AxisX:
    case GizmoHandle::PlaneX:
        return 0;
    case GizmoHandle::AxisY:
    case GizmoHandle::PlaneY:
        return 1;
    case GizmoHandle::AxisZ:
    case GizmoHandle::PlaneZ:
        return 2;
    default:
        return -1;
    }
}

bool isPlane(GizmoHandle handle) {
    return handle == GizmoHandle::PlaneX || handle == GizmoHandle::PlaneY || handle == GizmoHandle::PlaneZ;
}

GizmoHandle axisHandle(int axis) {
    constexpr GizmoHandle kAxes[] = {GizmoHandle::AxisX, GizmoHandle::AxisY, GizmoHandle::AxisZ};
    return kAxes[axis];
}

void Gizmo::begin(GizmoHandle handle, const Camera& camera, const GizmoPlace& place, const PointerSample& sample) {
    handle_ = handle;
    place_ = place;
    press_ = sample;
    amount_ = {};
    start(camera, sample);
}

const GizmoAmount& Gizmo::update(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) {
    measure(camera, sample, snap);
    return amount_;
}

const GizmoAmount& Gizmo::type(double value) {
    setTyped(value);
    return amount_;
}

bool Gizmo::inViewFrame(GizmoHandle handle) const {
    return handle == GizmoHandle::View || handle == GizmoHandle::Center;
}

double gizmoRadius(const Camera& camera, const Vector3d& origin) {
    return kGizmoRadiusPx * camera.worldPerPixel(origin);
}

GizmoPlace gizmoPlace(const Camera& camera, const Vector3d& origin, const Matrix3d& axes) {
    GizmoPlace place{origin, axes, Matrix3d::Identity()};
    place.view.col(0) = camera.right();
    place.view.col(1) = camera.up();
    place.view.col(2) = -camera.forward();
    return place;
}

Vector3d ringPoint(const Camera& camera, const GizmoPlace& place, GizmoHandle ring, double angleRad) {
    const bool outer = ring == GizmoHandle::View;
    const Matrix3d& axes = outer ? place.view : place.axes;
    const int axis = outer ? 2 : axisOf(ring);
    const double radius = gizmoRadius(camera, place.origin) * (outer ? kViewRing : 1);
    return place.origin +
           radius * (std::cos(angleRad) * axes.col((axis + 1) % 3) + std::sin(angleRad) * axes.col((axis + 2) % 3));
}

Vector3d handlePoint(const Camera& camera, const GizmoPlace& place, GizmoHandle handle) {
    const double radius = gizmoRadius(camera, place.origin);
    const int axis = axisOf(handle);
    if (axis < 0)
        return place.origin;
    if (!isPlane(handle))
        return place.origin + radius * place.axes.col(axis);
    const double middle = radius * (kPlaneNear + kPlaneFar) / 2;
    return place.origin + middle * (place.axes.col((axis + 1) % 3) + place.axes.col((axis + 2) % 3));
}

} // namespace limber::ui
