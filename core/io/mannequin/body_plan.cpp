#include "core/io/mannequin/body_plan.h"

#include <Eigen/Geometry>

#include <cmath>

namespace limber::io::mannequin {

namespace {

constexpr double kDegree = M_PI / 180;

struct FingerRow {
    double along, thumbward, dorsal; // first joint, hand coordinates
    double spreadDeg;                // towards the thumb
    double pitchDeg;                 // of the first phalanx towards the palm
    double curlDeg;                  // added at each further joint
    std::array<double, 3> lengths;
    std::array<double, 4> radii;
};

constexpr std::array<FingerRow, 4> kFingers = {{
    {0.086, 0.0300, 0.003, 4.5, 6, 10, {0.048, 0.029, 0.022}, {0.0108, 0.0096, 0.0088, 0.0074}},
    {0.090, 0.0100, 0.004, 0.5, 7, 11, {0.052, 0.033, 0.023}, {0.0110, 0.0098, 0.0090, 0.0076}},
    {0.086, -0.0102, 0.003, -4, 8, 12, {0.048, 0.031, 0.022}, {0.0106, 0.0094, 0.0086, 0.0072}},
    {0.079, -0.0288, 0.001, -9, 9, 12, {0.039, 0.023, 0.019}, {0.0096, 0.0084, 0.0077, 0.0065}},
}};

FingerPlan planFinger(const BodyPlan& body, const FingerRow& row) {
    FingerPlan finger;
    finger.radii = row.radii;
    finger.points[0] = body.handPoint(row.along, row.thumbward, row.dorsal);
    const double spread = row.spreadDeg * kDegree;
    const Vector3d level = std::cos(spread) * body.handAlong + std::sin(spread) * body.handThumbward;
    double pitch = row.pitchDeg * kDegree;
    for (int i = 0; i < 3; ++i) {
        finger.points[i + 1] =
            finger.points[i] + row.lengths[i] * (std::cos(pitch) * level - std::sin(pitch) * body.handDorsal);
        pitch += row.curlDeg * kDegree;
    }
    finger.dorsal = body.handDorsal;
    return finger;
}

FingerPlan planThumb(const BodyPlan& body) {
    FingerPlan thumb;
    thumb.points = {body.handPoint(0.024, 0.020, -0.006), body.handPoint(0.054, 0.047, -0.019),
                    body.handPoint(0.082, 0.063, -0.027), body.handPoint(0.107, 0.074, -0.033)};
    thumb.radii = {0.0150, 0.0118, 0.0104, 0.0082};
    // The thumb's back looks sideways: it closes across the palm.
    const Vector3d along = (thumb.points[3] - thumb.points[1]).normalized();
    const Vector3d back = 0.75 * body.handDorsal + 0.66 * body.handThumbward - 0.3 * body.handAlong;
    thumb.dorsal = (back - back.dot(along) * along).normalized();
    return thumb;
}

BodyPlan makePlan() {
    BodyPlan b;
    b.hips = {0, 0.945, -0.005};
    b.spine1 = {0, 1.045, -0.010};
    b.spine2 = {0, 1.150, -0.016};
    b.spine3 = {0, 1.270, -0.028};
    b.neck = {0, 1.470, -0.030};
    b.head = {0, 1.562, -0.008};
    b.crown = {0, 1.750, -0.008};
    b.clavicle = {0.028, 1.432, 0.000};
    b.shoulder = {0.180, 1.424, -0.022};
    b.elbow = {0.386, 1.222, -0.034};
    b.wrist = {0.562, 1.048, -0.006};
    b.hip = {0.092, 0.910, -0.002};
    b.knee = {0.101, 0.497, 0.010};
    b.ankle = {0.107, 0.088, -0.028};
    b.ball = {0.126, 0.020, 0.092};
    b.toe = {0.137, 0.018, 0.165};
    b.handAlong = Vector3d(0.700, -0.710, 0.080).normalized();
    const Vector3d front = Vector3d::UnitZ();
    b.handThumbward = (front - front.dot(b.handAlong) * b.handAlong).normalized();
    b.handDorsal = b.handThumbward.cross(b.handAlong);
    b.fingers[Thumb] = planThumb(b);
    for (int i = 0; i < 4; ++i)
        b.fingers[Index + i] = planFinger(b, kFingers[i]);
    return b;
}

} // namespace

const BodyPlan& bodyPlan() {
    static const BodyPlan plan = makePlan();
    return plan;
}

} // namespace limber::io::mannequin
