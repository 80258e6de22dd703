// Adds up the face normals of lists of triangles at their corners, compiled once for each instruction set.
#if defined(LIMBER_FACE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_FACE_SUMS_INL
#undef LIMBER_FACE_SUMS_INL
#else
#define LIMBER_FACE_SUMS_INL
#endif

#include "core/mesh/smooth_normals_kernel.h"

#include <cstring>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::mesh::HWY_NAMESPACE {
namespace {

// As in four_floats.h, which may not be compiled in here. A product of the cross product may not be fused with the
// difference (CMakeLists.txt sees to it): edges in one direction would leave its rounding instead of nothing.
using Four [[gnu::vector_size(16)]] = float;

HWY_INLINE Four load(const float* at, std::uint32_t bytes) {
    Four v;
    std::memcpy(&v, reinterpret_cast<const char*>(at) + bytes, sizeof v);
    return v;
}
HWY_INLINE void addTo(float* at, std::uint32_t bytes, Four v) {
    const Four sum = load(at, bytes) + v;
    std::memcpy(reinterpret_cast<char*>(at) + bytes, &sum, sizeof sum);
}
// y z x.
HWY_INLINE Four turned(Four v) {
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}
// The cross product as z x y, given the second factor and the same turned.
HWY_INLINE Four turnedCross(Four a, Four b, Four turnedB) {
    return a * turnedB - turned(a) * b;
}

HWY_INLINE void addPair(float* slots, const std::uint32_t* at) {
    const std::uint32_t a = at[0], b = at[1], c = at[2], e = at[3];
    const Four middle = load(slots, b), edge = load(slots, c) - middle, edgeTurned = turned(edge);
    const Four one = turnedCross(middle - load(slots, a), edge, edgeTurned);
    const Four other = turnedCross(load(slots, e) - middle, edge, edgeTurned);
    const Four both = one + other;
    addTo(slots + kFloatsOfLine, a, one);
    addTo(slots + kFloatsOfLine, e, other);
    addTo(slots + kFloatsOfLine, b, both);
    addTo(slots + kFloatsOfLine, c, both);
}

// Of two ladders each.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
using Eight [[gnu::vector_size(32)]] = float;
struct Two {
    Eight v;
};
HWY_INLINE Two loadTwo(const float* slots, std::uint32_t first, std::uint32_t second) {
    return {_mm256_insertf128_ps(_mm256_castps128_ps256(load(slots, first)), load(slots, second), 1)};
}
HWY_INLINE Four firstOf(Two a) {
    return _mm256_castps256_ps128(a.v);
}
HWY_INLINE Four secondOf(Two a) {
    return _mm256_extractf128_ps(a.v, 1);
}
HWY_INLINE Two operator+(Two a, Two b) {
    return {a.v + b.v};
}
HWY_INLINE Two operator-(Two a, Two b) {
    return {a.v - b.v};
}
HWY_INLINE Two turned(Two a) {
    return {__builtin_shufflevector(a.v, a.v, 1, 2, 0, 3, 5, 6, 4, 7)};
}
HWY_INLINE Two turnedCross(Two a, Two b, Two turnedB) {
    return {a.v * turnedB.v - turned(a).v * b.v};
}
#else
struct Two {
    Four first, second;
};
HWY_INLINE Two loadTwo(const float* slots, std::uint32_t first, std::uint32_t second) {
    return {load(slots, first), load(slots, second)};
}
HWY_INLINE Four firstOf(const Two& a) {
    return a.first;
}
HWY_INLINE Four secondOf(const Two& a) {
    return a.second;
}
HWY_INLINE Two operator+(const Two& a, const Two& b) {
    return {a.first + b.first, a.second + b.second};
}
HWY_INLINE Two operator-(const Two& a, const Two& b) {
    return {a.first - b.first, a.second - b.second};
}
HWY_INLINE Two turned(const Two& a) {
    return {turned(a.first), turned(a.second)};
}
HWY_INLINE Two turnedCross(const Two& a, const Two& b, const Two& turnedB) {
    return {turnedCross(a.first, b.first, turnedB.first), turnedCross(a.second, b.second, turnedB.second)};
}
#endif
HWY_INLINE void addTwo(float* slots, std::uint32_t first, std::uint32_t second, const Two& v) {
    addTo(slots + kFloatsOfLine, first, firstOf(v));
    addTo(slots + kFloatsOfLine, second, secondOf(v));
}

// What a rung takes from the one before stays in registers: half as much is read and written as for pairs.
template <bool kMirrored> HWY_INLINE void addLadders(float* slots, const std::uint32_t* at, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        std::uint32_t a0 = at[0], c0 = at[1], a1 = at[2], c1 = at[3];
        Two a = loadTwo(slots, a0, a1), c = loadTwo(slots, c0, c1);
        Two sumOfA{}, sumOfC{};
        for (std::size_t line = 0; line < kLadderSlots; line += kFloatsOfLine)
            __builtin_prefetch(at + 2 * kLadderSlots + line);
        at += 4;
#pragma GCC unroll 2
        for (std::size_t rung = 0; rung < kRungs; ++rung, at += 4) {
            const std::uint32_t b0 = at[0], e0 = at[1], b1 = at[2], e1 = at[3];
            const Two b = loadTwo(slots, b0, b1), e = loadTwo(slots, e0, e1);
            const Two edge = kMirrored ? b - c : c - b, edgeTurned = turned(edge);
            const Two one = turnedCross(b - a, edge, edgeTurned), other = turnedCross(e - b, edge, edgeTurned);
            const Two both = one + other;
            addTwo(slots, a0, a1, sumOfA + one);
            addTwo(slots, c0, c1, sumOfC + both);
            a = b, c = e, sumOfA = both, sumOfC = other;
            a0 = b0, c0 = e0, a1 = b1, c1 = e1;
        }
        addTwo(slots, a0, a1, sumOfA);
        addTwo(slots, c0, c1, sumOfC);
    }
}

HWY_INLINE void addSingle(float* slots, const std::uint32_t* at) {
    const Four a = load(slots, at[0]), edge = load(slots, at[2]) - a;
    const Four face = turnedCross(load(slots, at[1]) - a, edge, turned(edge));
    for (int k = 0; k < 3; ++k)
        addTo(slots + kFloatsOfLine, at[k], face);
}

// Neighbouring pairs add to the same points and wait for each other; so four places of the list take turns.
void add(float* slots, const FaceLists& faces) {
    addLadders<false>(slots, faces.ladders, faces.ladderCount);
    addLadders<true>(slots, faces.mirrored, faces.mirroredCount);
    constexpr std::size_t kStreams = 4;
    const std::size_t stream = faces.pairCount / kStreams;
    for (std::size_t k = 0; k < stream; ++k)
        for (std::size_t s = 0; s < kStreams; ++s) {
            const std::uint32_t* at = faces.pairs + 4 * (s * stream + k);
            __builtin_prefetch(at + 256);
            addPair(slots, at);
        }
    for (std::size_t k = kStreams * stream; k < faces.pairCount; ++k)
        addPair(slots, faces.pairs + 4 * k);
    for (std::size_t k = 0; k < faces.singleCount; ++k)
        addSingle(slots, faces.singles + 3 * k);
}

} // namespace
} // namespace limber::mesh::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
