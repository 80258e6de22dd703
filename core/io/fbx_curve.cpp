#include "core/io/fbx_curve.h"

#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

constexpr double kTicksPerSecond = 46186158000.0;
constexpr double kSamplesPerSecond = 30;
constexpr double kMostSamples = 100000; // of a curve; one with more is played straight from key to key
constexpr double kLongestSeconds = 1e6;

// Bits of KeyAttrFlags.
constexpr std::int64_t kConstant = 0x2, kCubic = 0x8, kConstantNext = 0x100;

template <class T>
std::optional<std::vector<T>> arrayOf(const FbxTree& tree, const FbxNode& curve, std::string_view name) {
    const FbxNode* node = tree.child(curve, name);
    if (!node || node->valueCount == 0)
        return std::nullopt;
    if constexpr (std::is_same_v<T, double>)
        return tree.numbers(tree.valuesOf(*node)[0]);
    else
        return tree.integers(tree.valuesOf(*node)[0]);
}

// How the curve goes from a key to the next.
struct Stretch {
    std::int64_t flags = 0;
    double rightSlope = 0, nextLeftSlope = 0; // percent a second
};

// One for each key; straight ones where the file does not say.
std::vector<Stretch> readStretches(const FbxTree& tree, const FbxNode& curve, std::size_t keys) {
    std::vector<Stretch> out(keys);
    const auto flags = arrayOf<std::int64_t>(tree, curve, "KeyAttrFlags");
    const auto data = arrayOf<double>(tree, curve, "KeyAttrDataFloat");
    const auto counts = arrayOf<std::int64_t>(tree, curve, "KeyAttrRefCount");
    if (!flags || !data || !counts || counts->size() != flags->size() || data->size() / 4 < flags->size())
        return out;
    std::size_t key = 0;
    for (std::size_t a = 0; a < flags->size(); ++a)
        for (std::int64_t n = 0; n < (*counts)[a] && key < keys; ++n)
            out[key++] = {(*flags)[a], (*data)[a * 4], (*data)[a * 4 + 1]};
    return out;
}

double eased(const FbxPercentKey& a, const FbxPercentKey& b, const Stretch& stretch, double t) {
    const double length = b.seconds - a.seconds;
    const double s = 1 - t;
    return s * s * (1 + 2 * t) * a.percent + t * t * (3 - 2 * t) * b.percent +
           length * (t * s * s * stretch.rightSlope - t * t * s * stretch.nextLeftSlope);
}

void addStretch(std::vector<FbxPercentKey>& out, const FbxPercentKey& a, const FbxPercentKey& b, const Stretch& stretch,
                bool sampled) {
    const double length = b.seconds - a.seconds;
    if (stretch.flags & kConstant) {
        constexpr double kInstant = 1e-3;
        const double held = stretch.flags & kConstantNext ? b.percent : a.percent;
        const double step = std::min(kInstant, length / 2);
        if (stretch.flags & kConstantNext)
            out.push_back({a.seconds + step, held});
        else
            out.push_back({b.seconds - step, held});
        return;
    }
    const bool straight = !(stretch.flags & kCubic) || !std::isfinite(stretch.rightSlope) ||
                          !std::isfinite(stretch.nextLeftSlope) ||
                          (a.percent == b.percent && stretch.rightSlope == 0 && stretch.nextLeftSlope == 0);
    if (straight || !sampled)
        return;
    const auto steps = static_cast<int>(std::ceil(length * kSamplesPerSecond));
    for (int i = 1; i < steps; ++i)
        out.push_back({a.seconds + length * i / steps, eased(a, b, stretch, double(i) / steps)});
}

} // namespace

double fbxSeconds(std::int64_t ticks) {
    return static_cast<double>(ticks) / kTicksPerSecond;
}

std::vector<FbxPercentKey> readFbxCurve(const FbxTree& tree, const FbxNode& curve) {
    const auto times = arrayOf<std::int64_t>(tree, curve, "KeyTime");
    const auto values = arrayOf<double>(tree, curve, "KeyValueFloat");
    if (!times || !values || times->size() != values->size() || times->empty())
        return {};
    std::vector<FbxPercentKey> keys;
    for (std::size_t k = 0; k < times->size(); ++k) {
        const double seconds = fbxSeconds((*times)[k]);
        const bool inOrder = keys.empty() || seconds > keys.back().seconds;
        if (!inOrder || !std::isfinite((*values)[k]) || std::abs(seconds) > kLongestSeconds)
            return {};
        keys.push_back({seconds, (*values)[k]});
    }
    const std::vector<Stretch> stretches = readStretches(tree, curve, keys.size());
    const bool sampled = (keys.back().seconds - keys.front().seconds) * kSamplesPerSecond < kMostSamples;
    std::vector<FbxPercentKey> out;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        out.push_back(keys[k]);
        if (k + 1 < keys.size())
            addStretch(out, keys[k], keys[k + 1], stretches[k], sampled);
    }
    return out;
}

} // namespace limber::io
