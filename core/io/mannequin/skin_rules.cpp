#include "core/io/mannequin/skin_rules.h"

#include "core/io/mannequin/body_plan.h"
#include "core/io/mannequin/skeleton_plan.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace limber::io::mannequin {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>; // [points x joints]
using Row = Eigen::Ref<Eigen::RowVectorXd>;

constexpr std::size_t kMaxInfluences = 4;
constexpr double kLeast = 0.012; // taken off every weight, so that they fade to nothing instead of breaking off

double smooth(double low, double high, double x) {
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// Joints by name, looked up once.
struct Joints {
    int hips = jointNamed("hips"), neck = jointNamed("neck"), head = jointNamed("head");
    std::array<int, 3> spine = {jointNamed("spine_01"), jointNamed("spine_02"), jointNamed("spine_03")};
    int clavicle = jointNamed("clavicle_l"), upperarm = jointNamed("upperarm_l"), lowerarm = jointNamed("lowerarm_l");
    int hand = jointNamed("hand_l");
    std::array<int, kFingerCount> fingers = {jointNamed("thumb_01_l"), jointNamed("index_01_l"),
                                             jointNamed("middle_01_l"), jointNamed("ring_01_l"),
                                             jointNamed("pinky_01_l")};
    int thigh = jointNamed("thigh_l"), calf = jointNamed("calf_l"), foot = jointNamed("foot_l"),
        ball = jointNamed("ball_l");
};

// Moves `share` of what the row holds so far to `joint`: the next link of a chain takes over.
void handOver(Row row, int joint, double share) {
    row *= 1 - share;
    row[joint] += share;
}

// How far beyond `joint` a point lies along the chain, measured across the bisecting plane.
double beyond(const Vector3d& p, const Vector3d& before, const Vector3d& joint, const Vector3d& after) {
    const Vector3d across = ((joint - before).normalized() + (after - joint).normalized()).normalized();
    return (p - joint).dot(across);
}

void weighTrunk(Row row, const Vector3d& p, const Joints& j) {
    const BodyPlan& body = bodyPlan();
    row[j.hips] = 1;
    handOver(row, j.spine[0], smooth(-0.055, 0.055, p.y() - body.spine1.y()));
    handOver(row, j.spine[1], smooth(-0.055, 0.055, p.y() - body.spine2.y()));
    handOver(row, j.spine[2], smooth(-0.060, 0.060, p.y() - body.spine3.y()));
    // The planes of the neck run down to the front, along jaw and collar bones; behind, the skull's base is flatter.
    handOver(row, j.neck, smooth(-0.030, 0.034, (p - body.neck).dot(Vector3d(0, 0.90, 0.44))));
    const Vector3d skull = p - body.head;
    handOver(row, j.head, smooth(-0.026, 0.026, 0.85 * skull.y() + (skull.z() > 0 ? 0.66 : 0.28) * skull.z()));
}

void weighArm(Row row, const Vector3d& p, const Joints& j) {
    const BodyPlan& body = bodyPlan();
    const double collar = smooth(0.030, 0.140, p.x()) * smooth(1.300, 1.420, p.y()) * smooth(1.560, 1.500, p.y());
    handOver(row, j.clavicle, collar);
    // Sideways rather than along the arm, so that the flank below the armpit stays with the chest.
    handOver(row, j.upperarm, smooth(-0.035, 0.055, (p - body.shoulder).dot(Vector3d(0.98, 0.20, 0))));
}

void weighForearm(Row row, const Vector3d& p, const Joints& j) {
    const BodyPlan& body = bodyPlan();
    handOver(row, j.lowerarm, smooth(-0.040, 0.040, beyond(p, body.shoulder, body.elbow, body.wrist)));
    handOver(row, j.hand, smooth(-0.024, 0.024, beyond(p, body.elbow, body.wrist, body.wrist + body.handAlong)));
}

void weighFinger(Row row, const Vector3d& p, const Joints& j, int f, double share) {
    const FingerPlan& finger = bodyPlan().fingers[f];
    const Vector3d first = (finger.points[1] - finger.points[0]).normalized();
    const double width = f == Thumb ? 0.016 : 0.012;
    handOver(row, j.fingers[f], share * smooth(-width, width, (p - finger.points[0]).dot(first)));
    for (int i = 1; i < 3; ++i) {
        const double reach = 0.9 * finger.radii[i];
        handOver(row, j.fingers[f] + i,
                 share *
                     smooth(-reach, reach, beyond(p, finger.points[i - 1], finger.points[i], finger.points[i + 1])));
    }
}

// Each knuckle owns the palm up to the next one; the thumb its ball.
void weighPalm(Row row, const Vector3d& p, const Joints& j) {
    const BodyPlan& body = bodyPlan();
    const double across = (p - body.wrist).dot(body.handThumbward);
    std::array<double, kFingerCount> centre{};
    for (int f = Index; f < kFingerCount; ++f)
        centre[f] = (body.fingers[f].points[0] - body.wrist).dot(body.handThumbward);
    const double at = std::clamp(across, centre[Pinky], centre[Index]);
    for (int f = Index; f < kFingerCount; ++f) {
        const double gap = at > centre[f] ? (f == Index ? 1 : centre[f - 1] - centre[f])
                                          : (f == Pinky ? 1 : centre[f] - centre[f + 1]);
        const double share = 1 - std::abs(at - centre[f]) / gap;
        if (share > 0) {
            const Vector3d first = (body.fingers[f].points[1] - body.fingers[f].points[0]).normalized();
            handOver(row, j.fingers[f], share * smooth(-0.012, 0.014, (p - body.fingers[f].points[0]).dot(first)));
        }
    }
    const FingerPlan& thumb = body.fingers[Thumb];
    const Vector3d bone = thumb.points[1] - thumb.points[0];
    const double t = std::clamp((p - thumb.points[0]).dot(bone) / bone.squaredNorm(), 0.0, 1.0);
    const double away = (p - thumb.points[0] - t * bone).norm();
    handOver(row, j.fingers[Thumb], smooth(0.034, 0.014, away) * smooth(-0.1, 0.7, t));
}

void weighLeg(Row row, const Vector3d& p, const Joints& j) {
    const BodyPlan& body = bodyPlan();
    // The groin: a plane from the crotch up to the side of the hip.
    const double below = (p - Vector3d(0.02, 0.815, 0)).dot(Vector3d(0.50, -0.866, 0));
    handOver(row, j.thigh, smooth(-0.055, 0.050, below) * smooth(0.98, 0.90, p.y()));
    handOver(row, j.calf, smooth(-0.045, 0.045, beyond(p, body.hip, body.knee, body.ankle)));
    const Vector3d shin = (body.ankle - body.knee).normalized();
    handOver(row, j.foot, smooth(-0.030, 0.026, (p - body.ankle).dot((shin + 0.45 * Vector3d::UnitZ()).normalized())));
    const Vector3d forward = Vector3d(body.toe.x() - body.ankle.x(), 0, body.toe.z() - body.ankle.z()).normalized();
    handOver(row, j.ball, smooth(-0.022, 0.022, (p - body.ball).dot(forward)) * smooth(0.15, 0.12, p.y()));
}

int fingerOf(unsigned parts) {
    const unsigned fingers = parts & kFingers;
    for (int f = 0; f < kFingerCount; ++f)
        if (fingers == static_cast<unsigned>(kThumb) << f)
            return f;
    return -1; // sees several: belongs to the palm
}

void weigh(Row row, const Vector3d& p, Region region, unsigned parts, const Joints& j) {
    weighTrunk(row, p, j);
    switch (region) {
    case Region::Torso:
        weighArm(row, p, j);
        if (p.y() < 1.0)
            weighLeg(row, p, j);
        break;
    case Region::Arm:
    case Region::Palm:
    case Region::Finger:
        weighArm(row, p, j);
        weighForearm(row, p, j);
        if (const int f = fingerOf(parts); f >= 0 && region == Region::Finger)
            weighFinger(row, p, j, f, 1);
        else if (region != Region::Arm)
            weighPalm(row, p, j);
        break;
    case Region::Leg:
    case Region::Foot:
        weighLeg(row, p, j);
        break;
    case Region::Head:
        break;
    }
}

int diffusionRounds(Region region) {
    switch (region) {
    case Region::Torso:
        return 14;
    case Region::Arm:
    case Region::Leg:
        return 5;
    case Region::Palm:
        return 4;
    default:
        return 2;
    }
}

std::vector<Region> regionsOf(const HalfMesh& mesh) {
    std::vector<Region> regions(mesh.points.size(), Region::Torso);
    for (const Face& face : mesh.faces)
        for (const int corner : face.corners)
            regions[corner] = std::max(regions[corner], face.region);
    return regions;
}

// All edge neighbours; the seam also sees the other half through the mirror.
void diffuse(Rows& rows, const HalfMesh& mesh, const std::vector<Region>& regions) {
    std::vector<std::vector<int>> around(mesh.points.size());
    for (const Face& face : mesh.faces)
        for (int i = 0; i < face.size; ++i) {
            const int a = face.corners[i], b = face.corners[(i + 1) % face.size];
            around[a].push_back(b); // the neighbouring face adds the other direction
            if (mesh.seam[a] && mesh.seam[b])
                around[b].push_back(a);
        }
    const std::vector<JointPlan>& joints = skeletonPlan();
    Eigen::RowVectorXd mean(rows.cols());
    for (int round = 0; round < diffusionRounds(Region::Torso); ++round) {
        const Rows before = rows;
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            if (round >= diffusionRounds(regions[i]))
                continue;
            mean.setZero();
            for (const int k : around[i])
                mean += before.row(k);
            mean /= static_cast<double>(around[i].size());
            rows.row(i) = 0.5 * before.row(i) + 0.5 * mean;
            if (mesh.seam[i])
                for (Eigen::Index c = 0; c < rows.cols(); ++c) {
                    const int m = joints[c].mirror;
                    if (m > c)
                        rows(i, c) = rows(i, m) = (rows(i, c) + rows(i, m)) / 2;
                }
        }
    }
}

std::vector<Weight> strongest(const Eigen::RowVectorXd& row) {
    std::vector<Weight> weights;
    for (Eigen::Index c = 0; c < row.size(); ++c)
        if (row[c] > kLeast)
            weights.push_back({static_cast<int>(c), row[c] - kLeast});
    std::stable_sort(weights.begin(), weights.end(),
                     [](const Weight& a, const Weight& b) { return a.amount > b.amount; });
    if (weights.size() > kMaxInfluences) {
        // A pair of mirror images is kept or dropped together.
        const bool splitsPair =
            skeletonPlan()[weights[kMaxInfluences].joint].mirror == weights[kMaxInfluences - 1].joint &&
            weights[kMaxInfluences].amount == weights[kMaxInfluences - 1].amount;
        weights.resize(splitsPair ? kMaxInfluences - 1 : kMaxInfluences);
    }
    double sum = 0;
    for (const Weight& w : weights)
        sum += w.amount;
    for (Weight& w : weights)
        w.amount /= sum;
    return weights;
}

} // namespace

std::vector<std::vector<Weight>> skinWeights(const HalfMesh& mesh) {
    const Joints joints;
    const std::vector<Region> regions = regionsOf(mesh);
    Rows rows =
        Rows::Zero(static_cast<Eigen::Index>(mesh.points.size()), static_cast<Eigen::Index>(skeletonPlan().size()));
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        weigh(rows.row(static_cast<Eigen::Index>(i)), mesh.points[i], regions[i], mesh.parts[i], joints);
    diffuse(rows, mesh, regions);
    std::vector<std::vector<Weight>> weights;
    weights.reserve(mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        weights.push_back(strongest(rows.row(static_cast<Eigen::Index>(i))));
    return weights;
}

} // namespace limber::io::mannequin
