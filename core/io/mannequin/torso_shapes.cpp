#include "core/io/mannequin/body_plan.h"
#include "core/io/mannequin/body_shapes.h"

#include <Eigen/Geometry>

namespace limber::io::mannequin {

namespace {

// Heights in metres above the ground: the trunk's axis is one unit a metre.
const std::vector<Station> kTrunk = {
    {0.838, 0.052, 0.052, 0.044, 0.052},                                      // crotch
    {0.866, 0.108, 0.108, 0.076, 0.084}, {0.900, 0.148, 0.148, 0.094, 0.100}, // hips
    {0.955, 0.150, 0.150, 0.095, 0.102}, {1.010, 0.142, 0.142, 0.092, 0.090},
    {1.065, 0.132, 0.132, 0.088, 0.078}, {1.115, 0.127, 0.127, 0.087, 0.075}, // waist
    {1.170, 0.135, 0.135, 0.093, 0.080}, {1.230, 0.150, 0.150, 0.104, 0.090},
    {1.290, 0.162, 0.162, 0.111, 0.100}, // chest
    {1.345, 0.165, 0.165, 0.108, 0.104}, {1.395, 0.156, 0.156, 0.096, 0.096},
    {1.435, 0.120, 0.120, 0.070, 0.076}, // collar bones
    {1.470, 0.070, 0.070, 0.050, 0.056},
};

} // namespace

void addTorso(BodyField& field) {
    const Vector3d up = Vector3d::UnitY(), front = Vector3d::UnitZ();
    const BodyPlan& body = bodyPlan();

    Sweep trunk;
    trunk.axis = {{0, 0, -0.004}, {0, 1, -0.008}, {0, 2, -0.050}};
    trunk.side = Vector3d::UnitX();
    trunk.front = front;
    trunk.stations = kTrunk;
    trunk.roundness = 2.35;
    field.add({kTorso, trunk, 0.01, false, false});

    const auto muscle = [&](const Ellipsoid& e, double blend) { field.add({kTorso, e, blend}); };
    muscle(mass({0.072, 1.322, 0.050}, {0.85, 0.25, -0.25}, front, {0.054, 0.086, 0.048}), 0.030); // pectoralis
    muscle(mass({0.105, 1.240, -0.060}, {0.22, 1, 0}, front, {0.050, 0.110, 0.048}), 0.050);       // latissimus
    muscle(mass({0.075, 1.370, -0.085}, {0.35, 1, 0}, front, {0.055, 0.080, 0.032}), 0.040);       // shoulder blade
    muscle(mass({0.078, 0.888, -0.058}, {0.25, 1, 0}, front, {0.074, 0.078, 0.062}), 0.040);       // gluteus
    muscle(mass({0.000, 1.060, 0.052}, up, front, {0.070, 0.110, 0.036}), 0.050);                  // abdomen

    field.add({kTorso, Cone{{0.026, 1.508, -0.036}, {0.150, 1.443, -0.030}, 0.030, 0.024}, 0.045}); // trapezius
    field.add({kTorso, Cone{{0.022, 1.434, 0.030}, {0.156, 1.450, -0.008}, 0.015, 0.014}, 0.036});  // clavicle

    // Furrows along the breastbone and the spine.
    field.add({kTorso, Cone{{0, 1.350, 0.117}, {0, 1.225, 0.109}, 0.005, 0.005}, 0.034, true, false});
    field.add({kTorso, Cone{{0, 1.200, 0.103}, {0, 1.000, 0.114}, 0.004, 0.002}, 0.030, true, false});
    field.add({kTorso, Cone{{0, 1.360, -0.158}, {0, 1.060, -0.098}, 0.008, 0.008}, 0.040, true, false});

    Sweep neck;
    neck.axis = {{0, 1.400, -0.044}, {0, 1.600, -0.004}};
    neck.side = Vector3d::UnitX();
    neck.front = front;
    neck.stations = {
        {0.0, 0.058, 0.058, 0.058, 0.060}, {0.4, 0.053, 0.053, 0.053, 0.058}, {1.0, 0.053, 0.053, 0.050, 0.058}};
    field.add({kTorso | kHead, neck, 0.035, false, false});
    field.add(
        {kTorso | kHead, Cone{{0.056, 1.590, -0.012}, {0.016, 1.452, 0.030}, 0.012, 0.010}, 0.020}); // sternomastoid

    // The shoulder cap is part of both, so that trunk and arm agree where they meet.
    const Vector3d arm = (body.elbow - body.shoulder).normalized();
    const Vector3d cap = body.shoulder + Vector3d(0.011, -0.019, 0.000);
    field.add({kTorso | kArm, mass(cap, arm, front, {0.054, 0.085, 0.060}), 0.040}); // deltoid
}

} // namespace limber::io::mannequin
