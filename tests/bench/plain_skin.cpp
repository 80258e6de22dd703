// Compiled twice: for AVX2 with LIMBER_BENCH_AVX2, where Eigen has another name so that none of its code is shared.
#include "tests/bench/plain_skin.h"

#include <Eigen/Core>

namespace limber::bench {

namespace {

void loop(const PlainSkin& s) {
    for (std::size_t v = 0; v < s.vertices; ++v) {
        Eigen::Matrix4f m = s.weights[4 * v] * Eigen::Map<const Eigen::Matrix4f, Eigen::Aligned16>(
                                                   s.matrices + 16 * std::size_t{s.joints[4 * v]});
        for (std::size_t k = 1; k < 4; ++k)
            m += s.weights[4 * v + k] * Eigen::Map<const Eigen::Matrix4f, Eigen::Aligned16>(
                                            s.matrices + 16 * std::size_t{s.joints[4 * v + k]});
        const float* p = s.positions + 3 * v;
        const float* n = s.normals + 3 * v;
        const Eigen::Vector4f position = m.col(0) * p[0] + m.col(1) * p[1] + m.col(2) * p[2] + m.col(3);
        const Eigen::Vector4f normal = (m.col(0) * n[0] + m.col(1) * n[1] + m.col(2) * n[2]).normalized();
        for (Eigen::Index k = 0; k < 3; ++k) {
            s.outPositions[3 * v + static_cast<std::size_t>(k)] = position[k];
            s.outNormals[3 * v + static_cast<std::size_t>(k)] = normal[k];
        }
    }
}

} // namespace

#ifdef LIMBER_BENCH_AVX2

void eigenLoopAvx2(const PlainSkin& skin) {
    loop(skin);
}

namespace {

using Lanes = std::uint32_t __attribute__((vector_size(32), aligned(4), may_alias));

} // namespace

std::uint64_t sameBytes(const PlainSkin& s) {
    Lanes sum{}, other{};
    for (std::size_t v = 0; v + 16 <= s.vertices; v += 16) {
        const auto* p = reinterpret_cast<const Lanes*>(s.positions + 3 * v);
        const auto* n = reinterpret_cast<const Lanes*>(s.normals + 3 * v);
        const auto* w = reinterpret_cast<const Lanes*>(s.weights + 4 * v);
        const auto* j = reinterpret_cast<const Lanes*>(s.joints + 4 * v);
        auto* outP = reinterpret_cast<Lanes*>(s.outPositions + 3 * v);
        auto* outN = reinterpret_cast<Lanes*>(s.outNormals + 3 * v);
        for (std::size_t k = 0; k < 6; ++k) {
            outP[k] = p[k];
            outN[k] = n[k];
        }
        for (std::size_t k = 0; k < 8; k += 2) {
            sum += w[k];
            other += w[k + 1];
        }
        sum += j[0];
        other += j[1];
    }
    const Lanes both = sum + other;
    return std::uint64_t{both[0]} + both[3] + both[7];
}

#else

void eigenLoop(const PlainSkin& skin) {
    loop(skin);
}

#endif

} // namespace limber::bench
