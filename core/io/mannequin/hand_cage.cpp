#include "core/io/mannequin/body_cage.h"
#include "core/io/mannequin/body_plan.h"

#include <Eigen/Geometry>

namespace limber::io::mannequin {

namespace {

constexpr unsigned kHandSees = kArm | kPalm | kFingers;

// Five points along the back of the hand from the thumb's side, and five below them in the palm.
struct PalmRow {
    std::array<double, 5> along, thumbward;
    double back, palm; // heights over the hand's middle plane
};
constexpr std::array<PalmRow, 3> kPalmRows = {{
    {{0.022, 0.020, 0.020, 0.020, 0.022}, {0.034, 0.017, 0.000, -0.017, -0.033}, 0.018, -0.020},
    {{0.062, 0.060, 0.059, 0.058, 0.056}, {0.040, 0.020, 0.000, -0.020, -0.039}, 0.016, -0.018},
    {{0.098, 0.104, 0.106, 0.101, 0.092}, {0.0420, 0.0208, 0.000, -0.0210, -0.0410}, 0.010, -0.011},
}};

// The last ring lies beyond the tip's centre, so that what closes it is pushed forwards and not sideways.
struct FingerRing {
    int bone;      // from points[bone]
    double along;  // share of the bone
    double radius; // of the finger's own
};
constexpr std::array<FingerRing, 4> kFingerRings = {{{0, 0.80, 1.0}, {1, 0.30, 1.0}, {2, 0.10, 1.0}, {2, 1.25, 0.75}}};
constexpr std::array<FingerRing, 4> kThumbRings = {{{0, 0.85, 1.0}, {1, 0.30, 1.0}, {2, 0.10, 1.0}, {2, 1.25, 0.75}}};

// back[i], palm[i]: i = 0 at the thumb's side. In loop order, as the wrist's.
struct PalmLoop {
    std::array<int, 5> back, palm;
    [[nodiscard]] Loop loop() const {
        return {back[2], back[1], back[0], palm[0], palm[1], palm[2], palm[3], palm[4], back[4], back[3]};
    }
};

PalmLoop addPalmRow(HalfMesh& mesh, const PalmRow& row) {
    const BodyPlan& body = bodyPlan();
    PalmLoop loop;
    for (int i = 0; i < 5; ++i) {
        loop.back[i] = mesh.addPoint(body.handPoint(row.along[i], row.thumbward[i], row.back), kHandSees);
        loop.palm[i] = mesh.addPoint(body.handPoint(row.along[i], row.thumbward[i], row.palm), kHandSees);
    }
    return loop;
}

// The wrist's eight points meet ten: the two at the sides fan out into a triangle each.
void addWristRow(HalfMesh& mesh, const Loop& w, const PalmLoop& p) {
    const auto face = [&](std::span<const int> corners) { addFace(mesh, corners, Region::Palm, 0); };
    face(std::array{w[0], w[1], p.back[1], p.back[2]});
    face(std::array{w[1], w[2], p.back[0], p.back[1]});
    face(std::array{w[2], p.palm[0], p.back[0]});
    face(std::array{w[2], w[3], p.palm[1], p.palm[0]});
    face(std::array{w[3], w[4], p.palm[2], p.palm[1]});
    face(std::array{w[4], w[5], p.palm[3], p.palm[2]});
    face(std::array{w[5], w[6], p.palm[4], p.palm[3]});
    face(std::array{w[6], p.back[4], p.palm[4]});
    face(std::array{w[6], w[7], p.back[3], p.back[4]});
    face(std::array{w[7], w[0], p.back[2], p.back[3]});
}

// `root` runs: back and far side, back and near side, palm and near side, palm and far side; `near` is the unit
// direction of the near side.
void addFingerCage(HalfMesh& mesh, Loop root, const FingerPlan& finger, const Vector3d& nearSide, unsigned sees,
                   std::span<const FingerRing> rings) {
    float row = 0;
    for (const FingerRing& ring : rings) {
        const Vector3d bone = finger.points[ring.bone + 1] - finger.points[ring.bone];
        const Vector3d centre = finger.points[ring.bone] + ring.along * bone;
        const double size =
            ring.radius * (finger.radii[ring.bone] * (1 - ring.along) + finger.radii[ring.bone + 1] * ring.along);
        const Vector3d along = bone.normalized();
        const Vector3d near = (nearSide - nearSide.dot(along) * along).normalized();
        const Vector3d back = finger.dorsal - finger.dorsal.dot(along) * along - finger.dorsal.dot(near) * near;
        const Vector3d a = size * near, b = size * back.normalized();
        Loop loop;
        for (const Vector3d& off : {Vector3d(b - a), Vector3d(b + a), Vector3d(a - b), Vector3d(-a - b)})
            loop.push_back(mesh.addPoint(centre + off, sees));
        bridge(mesh, root, loop, {Region::Finger, row});
        root = loop;
        row += 1;
    }
    addFace(mesh, root, Region::Finger, row);
}

} // namespace

void addHandCage(HalfMesh& mesh, const Loop& wrist) {
    const BodyPlan& body = bodyPlan();
    const PalmLoop base = addPalmRow(mesh, kPalmRows[0]);
    const PalmLoop middle = addPalmRow(mesh, kPalmRows[1]);
    const PalmLoop knuckles = addPalmRow(mesh, kPalmRows[2]);
    addWristRow(mesh, wrist, base);
    bridge(mesh, middle.loop(), knuckles.loop(), {Region::Palm, 2});

    const Loop low = base.loop(), high = middle.loop();
    for (std::size_t i = 0; i < low.size(); ++i) {
        const std::size_t j = (i + 1) % low.size();
        if (i != 2) // the thumb grows here
            addFace(mesh, std::array{low[i], low[j], high[j], high[i]}, Region::Palm, 1);
    }
    // The thumb's near side is the one towards the wrist.
    const FingerPlan& thumb = body.fingers[Thumb];
    const Vector3d towardsWrist = thumb.dorsal.cross((thumb.points[3] - thumb.points[0]).normalized());
    addFingerCage(mesh, {middle.back[0], base.back[0], base.palm[0], middle.palm[0]}, thumb,
                  towardsWrist.dot(body.handAlong) < 0 ? towardsWrist : Vector3d(-towardsWrist), kPalm | kThumb,
                  kThumbRings);
    for (int f = 0; f < 4; ++f)
        addFingerCage(mesh, {knuckles.back[f + 1], knuckles.back[f], knuckles.palm[f], knuckles.palm[f + 1]},
                      body.fingers[Index + f], body.handThumbward, kPalm | static_cast<unsigned>(kThumb) << (Index + f),
                      kFingerRings);
}

} // namespace limber::io::mannequin
