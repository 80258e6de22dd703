#include "core/rig/clip.h"

#include <algorithm>
#include <cassert>

namespace limber::rig {

namespace {

struct KeySpan {
    std::size_t from = 0, to = 0;
    double t = 0;       // 0 .. 1 between them
    double seconds = 0; // their distance
};

KeySpan findKeys(const std::vector<float>& times, double time) {
    const auto after = std::upper_bound(times.begin(), times.end(), time, [](double a, float b) { return a < b; });
    if (after == times.begin())
        return {};
    const auto from = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end())
        return {from, from, 0, 0};
    const double length = double(*after) - times[from];
    return {from, from + 1, (time - times[from]) / length, length};
}

void slerp(std::span<const float> a, std::span<const float> b, double t, std::span<double> out) {
    const Eigen::Quaterniond qa(a[3], a[0], a[1], a[2]), qb(b[3], b[0], b[1], b[2]);
    const Eigen::Quaterniond q = qa.normalized().slerp(t, qb.normalized());
    out[0] = q.x();
    out[1] = q.y();
    out[2] = q.z();
    out[3] = q.w();
}

void normalizeRotation(std::vector<double>& q) {
    const Eigen::Map<Eigen::Vector4d> v(q.data());
    const double length = v.norm();
    if (length > 0)
        Eigen::Map<Eigen::Vector4d>(q.data()) /= length;
}

} // namespace

std::vector<double> sampleChannel(const Channel& channel, double time) {
    const std::size_t width = channel.width;
    std::vector<double> out(width, 0.0);
    if (channel.times.empty())
        return out;
    const bool cubic = channel.interpolation == Interpolation::CubicSpline;
    const std::size_t stride = cubic ? 3 * width : width;
    assert(channel.values.size() >= channel.times.size() * stride);
    const auto value = [&](std::size_t key, std::size_t part = 1) {
        return std::span<const float>(channel.values.data() + key * stride + (cubic ? part * width : 0), width);
    };

    const KeySpan keys = findKeys(channel.times, time);
    const auto a = value(keys.from), b = value(keys.to);
    if (keys.from == keys.to || channel.interpolation == Interpolation::Step) {
        std::copy(a.begin(), a.end(), out.begin());
    } else if (cubic) {
        const double t = keys.t, t2 = t * t, t3 = t2 * t;
        const auto outTangent = value(keys.from, 2), inTangent = value(keys.to, 0);
        for (std::size_t k = 0; k < width; ++k)
            out[k] = (2 * t3 - 3 * t2 + 1) * a[k] + keys.seconds * (t3 - 2 * t2 + t) * outTangent[k] +
                     (-2 * t3 + 3 * t2) * b[k] + keys.seconds * (t3 - t2) * inTangent[k];
    } else if (channel.path == Channel::Path::Rotation) {
        slerp(a, b, keys.t, out);
    } else {
        for (std::size_t k = 0; k < width; ++k)
            out[k] = a[k] + keys.t * (double(b[k]) - a[k]);
    }
    if (channel.path == Channel::Path::Rotation)
        normalizeRotation(out);
    return out;
}

void sampleClip(const Clip& clip, double time, const Skeleton& skeleton, std::span<const Affine> base,
                Pose& userLocal) {
    userLocal.assign(base.begin(), base.end());
    // Channels of one joint change different parts of the same node transform: gather them first.
    std::vector<std::pair<JointId, math::TransformParts>> moved;
    for (const Channel& channel : clip.channels) {
        if (channel.path == Channel::Path::Weights || !channel.joint.valid() || channel.times.empty())
            continue;
        auto it = std::find_if(moved.begin(), moved.end(), [&](const auto& m) { return m.first == channel.joint; });
        if (it == moved.end()) {
            const std::size_t j = channel.joint.index();
            moved.emplace_back(channel.joint, math::decompose(skeleton[channel.joint].bindLocal * base[j]));
            it = moved.end() - 1;
        }
        const std::vector<double> v = sampleChannel(channel, time);
        math::TransformParts& parts = it->second;
        parts.shear.setZero();
        if (channel.path == Channel::Path::Translation)
            parts.translation = {v[0], v[1], v[2]};
        else if (channel.path == Channel::Path::Scale)
            parts.scale = {v[0], v[1], v[2]};
        else
            parts.rotation = Eigen::Quaterniond(v[3], v[0], v[1], v[2]);
    }
    for (const auto& [joint, parts] : moved)
        userLocal[joint.index()] = skeleton[joint].bindLocal.inverse() * math::compose(parts);
}

} // namespace limber::rig
