// One touch of a brush on the posed surface.
#pragma once

#include "core/stroke/falloff.h"

#include <Eigen/Core>

namespace limber::document {

struct BrushDab {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();          // world, on the surface
    Eigen::Vector3d viewDirection = -Eigen::Vector3d::UnitZ(); // world, unit, from the eye into the scene
    Eigen::Vector3d motion = Eigen::Vector3d::Zero();          // world, since the press: what grab moves by
    double radius = 0.1;                                       // world units
    double strength = 0.5;                                     // 0 .. 1, pressure included; below zero inflate draws in
    stroke::Falloff falloff = stroke::Falloff::Smooth;
    bool frontFacesOnly = true; // leave out points whose normal looks away from the eye
    // Under the center the eye sees the back of the triangles; of use where points are judged by their faces.
    bool seesBack = false;
};

} // namespace limber::document
