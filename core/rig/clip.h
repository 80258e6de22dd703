// Animation clips as files hold them: keys of node translation, rotation, scale and shape weights.
#pragma once

#include "core/base/ids.h"
#include "core/rig/skeleton.h"

#include <string>
#include <vector>

namespace limber::rig {

enum class Interpolation { Step, Linear, CubicSpline };

struct Channel {
    enum class Path { Translation, Rotation, Scale, Weights };
    JointId joint;
    Path path = Path::Rotation;
    Interpolation interpolation = Interpolation::Linear;
    std::vector<float> times;  // seconds, ascending
    std::vector<float> values; // `width` values a key (cubic: in-tangent, value, out-tangent)
    std::size_t width = 4;     // 3, 4 (x y z w) or the number of shapes
};

struct Clip {
    std::string name;
    double duration = 0; // seconds, the last key of any channel
    std::vector<Channel> channels;
};

// `width` values at `time`, held at the ends; rotations by shortest-arc slerp, normalised (glTF 2.0, appendix C).
[[nodiscard]] std::vector<double> sampleChannel(const Channel& channel, double time);

// The pose of the clip: joints it does not move keep `base`. `nodeLocal` N = L Ul of a joint starts from its
// L base in parts, so that a clip of rotations keeps translation and scale.
void sampleClip(const Clip& clip, double time, const Skeleton& skeleton, std::span<const Affine> base, Pose& userLocal);

} // namespace limber::rig
