// Sliders with in-betweens as weights of shapes.
#include "core/io/fbx_shapes.h"

#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

constexpr std::size_t kRest = SIZE_MAX;
constexpr double kMostWeight = 1e6;
constexpr std::size_t kMostValues = std::size_t(1) << 24; // keys times targets of a mesh

// A percentage at which the surface is one shape, or at rest.
struct Knot {
    double percent = 0;
    std::size_t target = kRest;
};

// In order, each percentage once, the rest shape among them.
std::vector<Knot> knotsOf(const FbxShapeChannel& channel) {
    std::vector<Knot> knots{{}};
    for (std::size_t t = 0; t < channel.targets.size(); ++t)
        knots.push_back({channel.targets[t].fullPercent, t});
    std::stable_sort(knots.begin(), knots.end(), [](const Knot& a, const Knot& b) { return a.percent < b.percent; });
    const auto same = [](const Knot& a, const Knot& b) { return a.percent == b.percent; };
    knots.erase(std::unique(knots.begin(), knots.end(), same), knots.end());
    return knots;
}

double percentAt(const std::vector<FbxPercentKey>& keys, double seconds) {
    const auto next = std::upper_bound(keys.begin(), keys.end(), seconds,
                                       [](double s, const FbxPercentKey& k) { return s < k.seconds; });
    if (next == keys.begin() || next == keys.end())
        return next == keys.begin() ? keys.front().percent : keys.back().percent;
    const FbxPercentKey& a = *(next - 1);
    const double t = (seconds - a.seconds) / (next->seconds - a.seconds);
    return a.percent + t * (next->percent - a.percent);
}

// The times at which the weights bend: the keys, and where the slider passes a shape on its way.
void addTimes(std::vector<double>& times, const std::vector<FbxPercentKey>& keys, const std::vector<Knot>& knots) {
    for (std::size_t k = 0; k < keys.size() && times.size() < kMostValues; ++k) {
        times.push_back(keys[k].seconds);
        if (k + 1 == keys.size())
            return;
        const FbxPercentKey &a = keys[k], &b = keys[k + 1];
        const auto [low, high] = std::minmax(a.percent, b.percent);
        for (const Knot& knot : knots)
            if (knot.percent > low && knot.percent < high)
                times.push_back(a.seconds +
                                (b.seconds - a.seconds) * (knot.percent - a.percent) / (b.percent - a.percent));
    }
}

} // namespace

std::vector<double> weightsAt(const FbxShapeChannel& channel, double percent) {
    std::vector<double> weights(channel.targets.size(), 0.0);
    const std::vector<Knot> knots = knotsOf(channel);
    if (knots.size() < 2 || !std::isfinite(percent))
        return weights;
    std::size_t i = 0;
    while (i + 2 < knots.size() && percent >= knots[i + 1].percent)
        ++i;
    const Knot &a = knots[i], &b = knots[i + 1];
    const double t = (percent - a.percent) / (b.percent - a.percent);
    if (!(std::abs(t) <= kMostWeight)) // percentages so far apart, or so near, that their differences overflow
        return weights;
    if (a.target != kRest)
        weights[a.target] = 1 - t;
    if (b.target != kRest)
        weights[b.target] = t;
    return weights;
}

FbxWeightKeys weightKeys(const FbxShapes& shapes, const FbxShapeClip& clip, std::size_t mesh) {
    const std::vector<FbxShapeChannel>& channels = shapes.meshes[mesh].channels;
    std::vector<const std::vector<FbxPercentKey>*> curves(channels.size(), nullptr);
    FbxWeightKeys out;
    std::size_t targets = 0;
    for (const FbxShapeChannel& c : channels)
        targets += c.targets.size();
    for (const FbxPercentCurve& curve : clip.curves)
        if (curve.mesh == mesh && !curve.keys.empty()) {
            curves[curve.channel] = &curve.keys;
            addTimes(out.seconds, curve.keys, knotsOf(channels[curve.channel]));
        }
    std::sort(out.seconds.begin(), out.seconds.end());
    out.seconds.erase(std::unique(out.seconds.begin(), out.seconds.end()), out.seconds.end());
    if (out.seconds.size() * std::max<std::size_t>(targets, 1) > kMostValues)
        return {};
    for (const double seconds : out.seconds) {
        std::vector<double>& row = out.weights.emplace_back();
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const double percent = curves[c] ? percentAt(*curves[c], seconds) : channels[c].percent;
            const std::vector<double> weights = weightsAt(channels[c], percent);
            row.insert(row.end(), weights.begin(), weights.end());
        }
    }
    return out;
}

} // namespace limber::io
