#include "core/io/mannequin/idle_clip.h"

#include "core/io/mannequin/skeleton_plan.h"

#include <array>
#include <cmath>

namespace limber::io::mannequin {

namespace {

using math::Vector3d;

constexpr double kSeconds = 4;
constexpr int kKeysPerSecond = 10;
constexpr double kDegree = M_PI / 180;

// A joint swings by `degrees` about its local axes, on top of `offset`, `cycles` times a loop, `phase` of a cycle late.
// Sideways turns (Y, Z) of a right joint are the mirror image of the left's when `mirrored`.
struct Swing {
    const char* joint;
    std::array<double, 3> degrees, offset;
    int cycles;
    double phase;
};

// Breathing runs twice a loop, swaying once.
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

BuildChannel rotationChannel(const Swing& swing) {
    BuildChannel channel;
    channel.node = jointNamed(swing.joint);
    channel.times = keyTimes();
    const math::Quaterniond rest(restOf(channel.node).linear());
    math::Quaterniond before = rest;
    for (int k = 0; k < kKeys; ++k) {
        const double s = wave(k, swing.cycles, swing.phase);
        Vector3d angles;
        for (int i = 0; i < 3; ++i)
            angles[i] = kDegree * (swing.offset[i] + s * swing.degrees[i]);
        math::Quaterniond q = (rest * math::rotationFromEulerXyz(angles)).normalized();
        if (q.dot(before) < 0)
            q.coeffs() *= -1; // the short way between keys
        before = q;
        for (const double c : q.coeffs())
            channel.values.push_back(static_cast<float>(c));
    }
    return channel;
}

BuildChannel hipsShift() {
    BuildChannel channel;
    channel.node = jointNamed("hips");
    channel.path = BuildChannel::Path::Translation;
    channel.times = keyTimes();
    const Vector3d rest = restOf(channel.node).translation();
    for (int k = 0; k < kKeys; ++k) {
        const Vector3d at = rest + Vector3d(0.006 * wave(k, 1, 0), -0.001 + 0.0015 * wave(k, 2, 0.1), 0);
        for (const double c : at)
            channel.values.push_back(static_cast<float>(c));
    }
    return channel;
}

} // namespace

BuildClip makeIdleClip() {
    BuildClip clip{"idle", {hipsShift()}};
    for (const Swing& swing : kSwings)
        clip.channels.push_back(rotationChannel(swing));
    return clip;
}

} // namespace limber::io::mannequin
