// The anatomy of the built-in figure: tables of profiles and blended masses around the joints of the body plan.
#pragma once

#include "core/io/mannequin/body_field.h"

namespace limber::io::mannequin {

void addTorso(BodyField& field);
void addHead(BodyField& field);
void addArm(BodyField& field);
void addHand(BodyField& field);
void addFingers(BodyField& field);
void addLeg(BodyField& field);
void addFoot(BodyField& field);

[[nodiscard]] BodyField makeBodyField();

// An ellipsoid whose second axis lies along `along`, third as near as possible to `front`.
[[nodiscard]] Ellipsoid mass(const Vector3d& centre, const Vector3d& along, const Vector3d& front,
                             const Vector3d& radii);

} // namespace limber::io::mannequin
