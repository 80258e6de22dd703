#include "core/io/mannequin/body_shapes.h"

#include <Eigen/Geometry>

namespace limber::io::mannequin {

Ellipsoid mass(const Vector3d& centre, const Vector3d& along, const Vector3d& front, const Vector3d& radii) {
    Ellipsoid e;
    e.centre = centre;
    const Vector3d y = along.normalized(), x = y.cross(front).normalized();
    e.axes << x, y, x.cross(y);
    e.radii = radii;
    return e;
}

BodyField makeBodyField() {
    BodyField field;
    addTorso(field);
    addHead(field);
    addArm(field);
    addHand(field);
    addLeg(field);
    addFoot(field);
    addFingers(field);
    return field;
}

} // namespace limber::io::mannequin
