#include "core/io/mannequin/idle_clip.h"

#include "core/io/mannequin/skeleton_plan.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <string>

namespace limber::io::mannequin {

namespace {

using math::Vector3d;

constexpr double kSeconds = 4;
constexpr int kKeysPerSecond = 10;
constexpr double kDegree = M_PI / 180;

// A joint swings by `degrees` about its local axes, on top of `offset`, `cycles` times a loop, `phase` of a cycle late.
struct Swing {
    const char* joint;
    std::array<double, 3> degrees, offset;
    int cycles;
    double phase;
};

// Breathing runs twice a loop, swaying once. The hips come first.
constexpr std::array<Swing, 20> kSwings = {{
    {"hips", {0.0, 0.5, 0.7}, {0, 0, 0}, 1, 0.00},
    {"spine_01", {0.5, -0.3, -0.5}, {0, 0, 0}, 1, 0.05},
    {"spine_02", {-0.7, 0.0, 0.0}, {0.4, 0, 0}, 2, 0.00},
    {"spine_03", {-1.1, 0.0, 0.0}, {0.4, 0, 0}, 2, 0.05},
    {"neck", {0.9, 0.4, 0.0}, {-0.3, 0, 0}, 2, 0.12},
    {"head", {0.6, 1.6, 0.5}, {-0.5, 0, 0}, 1, 0.20},
    {"clavicle_l", {0.0, 0.0, 1.1}, {0, 0, 0}, 2, 0.06},
    {"clavicle_r", {0.0, 0.0, -1.1}, {0, 0, 0}, 2, 0.06},
    {"upperarm_l", {0.8, 0.0, 0.9}, {2.0, 0, -14.0}, 2, 0.12},
    {"upperarm_r", {0.8, 0.0, -0.9}, {2.0, 0, 14.0}, 2, 0.12},
    {"lowerarm_l", {1.3, 0.0, 0.0}, {11.0, 0, 0}, 2, 0.20},
    {"lowerarm_r", {1.3, 0.0, 0.0}, {11.0, 0, 0}, 2, 0.20},
    {"hand_l", {1.2, 0.0, 0.0}, {3.0, 0, 0}, 2, 0.30},
    {"hand_r", {1.2, 0.0, 0.0}, {3.0, 0, 0}, 2, 0.30},
    {"index_01_l", {1.5, 0.0, 0.0}, {6.0, 0, 0}, 1, 0.30},
    {"index_01_r", {1.5, 0.0, 0.0}, {6.0, 0, 0}, 1, 0.35},
    {"middle_01_l", {1.5, 0.0, 0.0}, {8.0, 0, 0}, 1, 0.34},
    {"middle_01_r", {1.5, 0.0, 0.0}, {8.0, 0, 0}, 1, 0.39},
    {"ring_01_l", {1.5, 0.0, 0.0}, {10.0, 0, 0}, 1, 0.38},
    {"ring_01_r", {1.5, 0.0, 0.0}, {10.0, 0, 0}, 1, 0.43},
}};

constexpr int kKeys = static_cast<int>(kSeconds) * kKeysPerSecond + 1; // the last one equals the first

std::vector<float> keyTimes() {
    std::vector<float> times;
    for (int k = 0; k < kKeys; ++k)
        times.push_back(static_cast<float>(k) / kKeysPerSecond);
    return times;
}

double wave(int key, int cycles, double phase) {
    return std::sin(2 * M_PI * (cycles * static_cast<double>(key % (kKeys - 1)) / (kKeys - 1) - phase));
}

math::Affine restOf(int joint) {
    const std::vector<JointPlan>& joints = skeletonPlan();
    const int parent = joints[joint].parent;
    return parent < 0 ? joints[joint].modelFromJoint
                      : joints[parent].modelFromJoint.inverse() * joints[joint].modelFromJoint;
}

// `localAt(key)` is the joint's rotation in its parent.
template <class LocalAt> BuildChannel rotationChannel(int joint, LocalAt&& localAt) {
    BuildChannel channel;
    channel.node = joint;
    channel.times = keyTimes();
    math::Quaterniond before(restOf(joint).linear());
    for (int k = 0; k < kKeys; ++k) {
        math::Quaterniond q = math::Quaterniond(localAt(k)).normalized();
        if (q.dot(before) < 0)
            q.coeffs() *= -1; // the short way between keys
        before = q;
        for (const double c : q.coeffs())
            channel.values.push_back(static_cast<float>(c));
    }
    return channel;
}

math::Quaterniond swung(const Swing& swing, int key) {
    const double s = wave(key, swing.cycles, swing.phase);
    Vector3d angles;
    for (int i = 0; i < 3; ++i)
        angles[i] = kDegree * (swing.offset[i] + s * swing.degrees[i]);
    return math::Quaterniond(restOf(jointNamed(swing.joint)).linear()) * math::rotationFromEulerXyz(angles);
}

// In model space: the root stands still.
math::Affine hipsAt(int key) {
    const Vector3d shift(0.006 * wave(key, 1, 0), -0.0008 + 0.0008 * wave(key, 2, 0.1), 0);
    return Eigen::Translation3d(restOf(jointNamed("hips")).translation() + shift) * swung(kSwings.front(), key);
}

BuildChannel hipsShift() {
    BuildChannel channel;
    channel.node = jointNamed("hips");
    channel.path = BuildChannel::Path::Translation;
    channel.times = keyTimes();
    for (int k = 0; k < kKeys; ++k)
        for (const double c : Vector3d(hipsAt(k).translation()))
            channel.values.push_back(static_cast<float>(c));
    return channel;
}

// The shortest turn of one direction into another that is not opposite to it.
math::Quaterniond turnBetween(const Vector3d& from, const Vector3d& to) {
    const Vector3d axis = from.cross(to);
    return math::Quaterniond(from.norm() * to.norm() + from.dot(to), axis.x(), axis.y(), axis.z()).normalized();
}

// The foot keeps its place while the hips move: the stretched leg turns so that the ankle stays where it was.
void plantFoot(BuildClip& clip, const std::string& side) {
    const std::vector<JointPlan>& joints = skeletonPlan();
    const int thigh = jointNamed("thigh" + side), foot = jointNamed("foot" + side);
    const Vector3d ankle = joints[foot].modelFromJoint.translation();
    const Vector3d restLeg = ankle - joints[thigh].modelFromJoint.translation();
    const auto turn = [&](int key) {
        const Vector3d hip = hipsAt(key) * restOf(thigh).translation();
        return turnBetween(restLeg, ankle - hip);
    };
    clip.channels.push_back(rotationChannel(thigh, [&](int key) {
        return math::Quaterniond(hipsAt(key).linear()).conjugate() * turn(key) *
               math::Quaterniond(joints[thigh].modelFromJoint.linear());
    }));
    clip.channels.push_back(rotationChannel(foot, [&](int key) {
        const math::Quaterniond calf(joints[joints[foot].parent].modelFromJoint.linear());
        return calf.conjugate() * turn(key).conjugate() * math::Quaterniond(joints[foot].modelFromJoint.linear());
    }));
}

} // namespace

BuildClip makeIdleClip() {
    BuildClip clip{"idle", {hipsShift()}};
    for (const Swing& swing : kSwings)
        clip.channels.push_back(rotationChannel(jointNamed(swing.joint), [&](int key) { return swung(swing, key); }));
    for (const char* side : {"_l", "_r"})
        plantFoot(clip, side);
    return clip;
}

} // namespace limber::io::mannequin
