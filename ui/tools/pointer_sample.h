// One pointer event, freed of GUI types' lifetime: what tools and gizmos work on, in the window and in tests alike.
#pragma once

#include "core/mesh/ray_caster.h"

#include <Qt>

namespace limber::ui {

struct PointerSample {
    mesh::Ray ray;                                   // world
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero(); // in the view, device-independent, y down
    double pressure = 1;                             // 0 .. 1; a mouse has 1
    Qt::KeyboardModifiers modifiers = Qt::NoModifier;
    double time = 0; // seconds
};

} // namespace limber::ui
