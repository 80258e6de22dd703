#include "core/mesh/smooth_normals_kernel.h"

#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/mesh/smooth_normals_kernel.cpp"
// Each depends on those before it.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace limber::mesh::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kSlotsAtOnce>;
using V = hn::Vec<D>;
constexpr D d;
constexpr std::size_t kWidth = hn::MaxLanes(d);

// Sums of squares between these are floats with all their digits.
constexpr float kLeastSquare = 1e-30f, kMostSquare = 1e30f;

// Four floats in one register, as the compilers have them for every processor.
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
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
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

void fillOne(const float* point, float* slots, std::size_t slot) {
    float* at = slots + slotFloat(slot);
    std::memcpy(at, point, 3 * sizeof(float));
    std::memset(at + kFloatsOfLine, 0, sizeof(Four));
}

void fill(const float* points, std::size_t count, float* slots) {
    std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
    constexpr std::size_t kPoints = kWidth / 4;
    HWY_ALIGN std::int32_t from[kWidth];
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        from[lane] = static_cast<std::int32_t>(lane / 4 * 3 + lane % 4);
    const auto apart = hn::SetTableIndices(d, from);
    for (; k + kPoints + (kPoints + 2) / 3 <= count; k += kPoints) {
        float* at = slots + slotFloat(k);
        hn::Store(hn::TableLookupLanes(hn::LoadU(d, points + 3 * k), apart), d, at);
        hn::Store(hn::Zero(d), d, at + kFloatsOfLine);
    }
#endif
    for (; k < count; ++k)
        fillOne(points + 3 * k, slots, k);
}

void fillOf(const float* points, const std::uint32_t* which, std::size_t count, float* slots, std::size_t first) {
    for (std::size_t k = 0; k < count; ++k)
        fillOne(points + 3 * std::size_t{which[k]}, slots, first + k);
}

HWY_INLINE V inverseRoot(V x) {
    if constexpr (!HWY_ARCH_X86 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
        return hn::Div(hn::Set(d, 1), hn::Sqrt(x));
    const V y = hn::ApproximateReciprocalSqrt(x);
    return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), y), y, hn::Set(d, 1.5f)));
}

// Sums of as many slots as a vector has numbers.
#if HWY_TARGET == HWY_AVX3
struct Apart {
    HWY_ALIGN std::int32_t two[2][16], four[3][16];
    // Of two lines: their z and x, and their y. Of two such: each alone.
    constexpr Apart() : two(), four() {
        for (int k = 0; k < 16; ++k) {
            two[0][k] = k % 8 * 4 + k / 8;
            two[1][k] = k % 8 * 4 + 2;
            four[0][k] = k < 8 ? k : k + 8;
            four[1][k] = k < 8 ? k + 8 : k + 16;
            four[2][k] = four[0][k];
        }
    }
};
constexpr Apart kApart;

HWY_INLINE __m512 pick(const std::int32_t (&indices)[16], __m512 a, __m512 b) {
    return _mm512_permutex2var_ps(a, _mm512_load_si512(indices), b);
}
HWY_INLINE void readSums(const float* at, V& z, V& x, V& y) {
    const __m512 a = _mm512_load_ps(at), b = _mm512_load_ps(at + 32);
    const __m512 c = _mm512_load_ps(at + 64), e = _mm512_load_ps(at + 96);
    const __m512 zxLow = pick(kApart.two[0], a, b), zxHigh = pick(kApart.two[0], c, e);
    z = V{pick(kApart.four[0], zxLow, zxHigh)};
    x = V{pick(kApart.four[1], zxLow, zxHigh)};
    y = V{pick(kApart.four[2], pick(kApart.two[1], a, b), pick(kApart.two[1], c, e))};
}
#elif HWY_TARGET == HWY_AVX2
HWY_INLINE __m256 halves(const float* low, const float* high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}
HWY_INLINE void readSums(const float* at, V& z, V& x, V& y) {
    const __m256 a = halves(at, at + 32), b = halves(at + 4, at + 36);
    const __m256 c = halves(at + 8, at + 40), e = halves(at + 12, at + 44);
    const __m256 ab = _mm256_unpacklo_ps(a, b), ce = _mm256_unpacklo_ps(c, e); // z z x x
    z = V{_mm256_shuffle_ps(ab, ce, _MM_SHUFFLE(1, 0, 1, 0))};
    x = V{_mm256_shuffle_ps(ab, ce, _MM_SHUFFLE(3, 2, 3, 2))};
    y = V{_mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, e), _MM_SHUFFLE(1, 0, 1, 0))};
}
#elif HWY_TARGET == HWY_SCALAR
HWY_INLINE void readSums(const float* at, V& z, V& x, V& y) {
    z = hn::Load(d, at);
    x = hn::Load(d, at + 1);
    y = hn::Load(d, at + 2);
}
#else
HWY_INLINE void readSums(const float* at, V& z, V& x, V& y) {
    V w;
    hn::LoadInterleaved4(d, at, z, x, y, w);
}
#endif

// Returns the lanes that are unusual, a bit each.
HWY_INLINE std::uint32_t unitGroup(const float* slots, std::size_t first, float* normals) {
    V z, x, y;
    readSums(slots + slotFloat(first) + kFloatsOfLine, z, x, y);
    const V square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    const auto usual = hn::And(hn::Gt(square, hn::Set(d, kLeastSquare)), hn::Lt(square, hn::Set(d, kMostSquare)));
    const V scale = inverseRoot(square);
    hn::StoreInterleaved3(hn::Mul(x, scale), hn::Mul(y, scale), hn::Mul(z, scale), d, normals);
    if (HWY_LIKELY(hn::AllTrue(d, usual)))
        return 0;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, usual, bits);
    return ~(bits[0] | static_cast<std::uint32_t>(bits[1]) << 8) & ((1u << kWidth) - 1);
}

std::size_t unit(const float* slots, std::size_t first, std::size_t count, float* normals, std::uint32_t* unusual) {
    std::size_t found = 0;
    const auto note = [&](std::size_t at, std::uint32_t lanes) HWY_ATTR {
        for (; lanes; lanes &= lanes - 1)
            unusual[found++] = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(__builtin_ctz(lanes));
    };
    std::size_t k = 0;
    for (; k + kWidth <= count; k += kWidth)
        if (const std::uint32_t lanes = unitGroup(slots, first + k, normals + 3 * k); HWY_UNLIKELY(lanes))
            note(k, lanes);
    if (k == count)
        return found;
    HWY_ALIGN float last[3 * kWidth];
    note(k, unitGroup(slots, first + k, last) & ((1u << (count - k)) - 1));
    std::memcpy(normals + 3 * k, last, 3 * (count - k) * sizeof(float));
    return found;
}

} // namespace
} // namespace limber::mesh::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber::mesh {

HWY_EXPORT(fill);
HWY_EXPORT(fillOf);
HWY_EXPORT(add);
HWY_EXPORT(unit);

void fillSlots(const float* points, std::size_t count, float* slots) {
    HWY_DYNAMIC_DISPATCH(fill)(points, count, slots);
}

void fillSlotsOf(const float* points, const std::uint32_t* which, std::size_t count, float* slots, std::size_t first) {
    HWY_DYNAMIC_DISPATCH(fillOf)(points, which, count, slots, first);
}

void addFaces(float* slots, const FaceLists& faces) {
    HWY_DYNAMIC_DISPATCH(add)(slots, faces);
}

std::size_t unitNormals(const float* slots, std::size_t first, std::size_t count, float* normals,
                        std::uint32_t* unusual) {
    return HWY_DYNAMIC_DISPATCH(unit)(slots, first, count, normals, unusual);
}

} // namespace limber::mesh
#endif
