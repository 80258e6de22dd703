#include "core/io/mannequin/body_plan.h"
#include "core/io/mannequin/body_shapes.h"

#include <Eigen/Geometry>

namespace limber::io::mannequin {

namespace {

// 0 shoulder, 1 elbow, 2 wrist; sides: outer, inner, front, back.
const std::vector<Station> kArmProfile = {
    {-0.10, 0.040, 0.040, 0.040, 0.040},    {0.05, 0.052, 0.050, 0.053, 0.053},
    {0.25, 0.049, 0.049, 0.051, 0.051}, // deltoid ends
    {0.50, 0.043, 0.046, 0.049, 0.049}, // biceps, triceps
    {0.75, 0.039, 0.041, 0.043, 0.044},     {0.95, 0.037, 0.035, 0.036, 0.038},
    {1.05, 0.038, 0.035, 0.037, 0.037}, // elbow
    {1.22, 0.042, 0.038, 0.043, 0.038}, // forearm's bulk
    {1.45, 0.037, 0.035, 0.039, 0.036},     {1.75, 0.027, 0.026, 0.031, 0.029},
    {1.95, 0.0205, 0.0205, 0.0275, 0.0265}, // wrist
    {2.10, 0.0190, 0.0195, 0.0290, 0.0280},
};

// Metres from the wrist; sides: thumb, little finger, back of the hand, palm.
const std::vector<Station> kPalmProfile = {
    {-0.010, 0.0275, 0.0265, 0.0195, 0.0195}, {0.020, 0.0330, 0.0320, 0.0180, 0.0205},
    {0.050, 0.0395, 0.0385, 0.0155, 0.0195},  {0.078, 0.0415, 0.0390, 0.0140, 0.0165},
    {0.096, 0.0400, 0.0370, 0.0110, 0.0130},
};

// 0 hip, 1 knee, 2 ankle; sides: outer, inner, front, back.
const std::vector<Station> kLegProfile = {
    {0.02, 0.062, 0.062, 0.070, 0.078}, {0.12, 0.073, 0.080, 0.084, 0.088}, // thigh
    {0.30, 0.070, 0.080, 0.085, 0.082}, {0.52, 0.062, 0.068, 0.079, 0.072},
    {0.75, 0.052, 0.054, 0.064, 0.058}, {0.92, 0.047, 0.048, 0.053, 0.050},
    {1.00, 0.045, 0.046, 0.050, 0.048},                                     // knee
    {1.10, 0.045, 0.045, 0.045, 0.052}, {1.27, 0.051, 0.051, 0.042, 0.066}, // calf
    {1.45, 0.047, 0.049, 0.041, 0.063}, {1.70, 0.034, 0.035, 0.035, 0.044},
    {1.90, 0.029, 0.029, 0.031, 0.038}, // above the ankle
    {2.00, 0.030, 0.030, 0.033, 0.040}, {2.08, 0.028, 0.028, 0.030, 0.036},
};

// Metres from the heel; sides: outer, inner, up, down.
const std::vector<Station> kFootProfile = {
    {-0.006, 0.022, 0.022, 0.026, 0.028}, {0.018, 0.030, 0.030, 0.034, 0.044},
    {0.060, 0.033, 0.032, 0.044, 0.046},  {0.100, 0.037, 0.034, 0.038, 0.044},  // instep
    {0.140, 0.043, 0.038, 0.028, 0.040},  {0.175, 0.047, 0.041, 0.021, 0.036},  // ball
    {0.202, 0.044, 0.041, 0.0175, 0.032}, {0.222, 0.040, 0.039, 0.0165, 0.029}, // toes
    {0.236, 0.033, 0.034, 0.0155, 0.027}, {0.244, 0.026, 0.029, 0.0150, 0.026},
};

} // namespace

void addArm(BodyField& field) {
    const BodyPlan& body = bodyPlan();
    Sweep arm;
    arm.axis = {body.shoulder, body.elbow, body.wrist};
    arm.front = body.handThumbward;
    arm.side = body.handDorsal;
    arm.stations = kArmProfile;
    field.add({kArm, arm, 0.030});

    const Vector3d along = (body.wrist - body.elbow).normalized();
    const Vector3d tip = body.elbow - 0.012 * along - 0.024 * body.handThumbward + 0.006 * body.handDorsal;
    field.add({kArm, mass(tip, along, body.handThumbward, {0.016, 0.024, 0.014}), 0.020}); // olecranon
    const Vector3d ulna = body.wrist - 0.012 * along - 0.020 * body.handThumbward + 0.011 * body.handDorsal;
    field.add({kArm | kPalm, mass(ulna, along, body.handThumbward, {0.009, 0.013, 0.009}), 0.012}); // ulna's head
}

void addHand(BodyField& field) {
    const BodyPlan& body = bodyPlan();
    Sweep palm;
    palm.axis = {body.wrist, body.wrist + body.handAlong};
    palm.side = body.handThumbward;
    palm.front = body.handDorsal;
    palm.stations = kPalmProfile;
    palm.roundness = 2.6;
    field.add({kPalm, palm, 0.020});

    const Vector3d ball = body.handPoint(0.036, 0.026, -0.011);
    const Vector3d thumbward = body.fingers[Thumb].points[1] - body.fingers[Thumb].points[0];
    field.add({kPalm, mass(ball, thumbward, body.handDorsal, {0.017, 0.032, 0.014}), 0.016}); // thenar
    const Vector3d heel = body.handPoint(0.038, -0.024, -0.010);
    field.add({kPalm, mass(heel, body.handAlong, body.handDorsal, {0.013, 0.036, 0.012}), 0.014}); // hypothenar

    for (int f = Index; f < kFingerCount; ++f) {
        const FingerPlan& finger = body.fingers[f];
        const Vector3d knuckle = finger.points[0] + 0.005 * body.handDorsal;
        field.add({kPalm, mass(knuckle, body.handAlong, body.handDorsal, {0.0085, 0.0115, 0.0080}), 0.010});
    }
}

void addFingers(BodyField& field) {
    const BodyPlan& body = bodyPlan();
    for (int f = 0; f < kFingerCount; ++f) {
        const FingerPlan& finger = body.fingers[f];
        for (int i = 0; i < 3; ++i)
            field.add({static_cast<unsigned>(kThumb) << f,
                       Cone{finger.points[i], finger.points[i + 1], finger.radii[i], finger.radii[i + 1]},
                       i == 0 ? (f == Thumb ? 0.014 : 0.010) : 0.004});
    }
}

void addLeg(BodyField& field) {
    const BodyPlan& body = bodyPlan();
    Sweep leg;
    leg.axis = {body.hip, body.knee, body.ankle};
    leg.side = Vector3d::UnitX();
    leg.front = Vector3d::UnitZ();
    leg.stations = kLegProfile;
    leg.roundness = 2.1;
    field.add({kLeg, leg, 0.045});

    const Vector3d up = Vector3d::UnitY(), front = Vector3d::UnitZ();
    field.add({kLeg, mass(body.knee + Vector3d(0, 0.004, 0.034), up, front, {0.027, 0.034, 0.020}), 0.022}); // patella
    field.add({kLeg, mass(body.knee + Vector3d(0.036, 0.16, 0.030), {-0.05, 1, 0}, front, {0.026, 0.120, 0.034}),
               0.040}); // vastus lateralis
    field.add({kLeg, mass(body.knee + Vector3d(-0.030, 0.095, 0.026), {-0.15, 1, 0}, front, {0.025, 0.060, 0.028}),
               0.030}); // vastus medialis
    field.add({kLeg, mass(body.knee + Vector3d(-0.021, -0.125, -0.034), {0.05, 1, 0}, front, {0.028, 0.080, 0.032}),
               0.030}); // inner calf
    field.add({kLeg, mass(body.knee + Vector3d(0.024, -0.105, -0.032), up, front, {0.026, 0.075, 0.030}),
               0.030}); // outer calf
    field.add(
        {kLeg | kFoot, mass(body.ankle + Vector3d(0.027, 0.000, -0.004), up, front, {0.009, 0.013, 0.011}), 0.014});
    field.add(
        {kLeg | kFoot, mass(body.ankle + Vector3d(-0.026, 0.008, 0.003), up, front, {0.009, 0.013, 0.011}), 0.014});
}

void addFoot(BodyField& field) {
    const BodyPlan& body = bodyPlan();
    const Vector3d forward = Vector3d(body.toe.x() - body.ankle.x(), 0, body.toe.z() - body.ankle.z()).normalized();
    const Vector3d heel = Vector3d(body.ankle.x(), 0.034, body.ankle.z()) - 0.029 * forward;
    Sweep foot;
    foot.axis = {heel, heel + forward + Vector3d(0, -0.06, 0)};
    foot.side = Vector3d::UnitY().cross(forward);
    foot.front = Vector3d::UnitY();
    foot.stations = kFootProfile;
    foot.roundness = 2.15;
    field.add({kFoot, foot, 0.030});
    // From the shin over the instep.
    field.add({kFoot,
               Cone{body.ankle + Vector3d(0, 0.005, 0.010), body.ankle + Vector3d(0.012, -0.042, 0.075), 0.030, 0.022},
               0.030});
}

} // namespace limber::io::mannequin
