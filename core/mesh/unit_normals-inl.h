// From sums of face normals to unit normals, as many at once as a vector has numbers; compiled once for each
// instruction set.
#if defined(LIMBER_UNIT_NORMALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_UNIT_NORMALS_INL
#undef LIMBER_UNIT_NORMALS_INL
#else
#define LIMBER_UNIT_NORMALS_INL
#endif

#include "core/mesh/smooth_normals_kernel.h"

#include <cstring>
#include <hwy/highway.h>

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

HWY_INLINE V inverseRoot(V x) {
    if constexpr (!HWY_ARCH_X86 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
        return hn::Div(hn::Set(d, 1), hn::Sqrt(x));
    const V y = hn::ApproximateReciprocalSqrt(x);
    return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), y), y, hn::Set(d, 1.5f)));
}

// Sums of as many slots as a vector has numbers.
// Of x86 the later of two sets is the smaller number.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
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
static_assert(kWidth == 4); // of a line
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

#endif
