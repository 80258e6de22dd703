// Points between memory, where they lie one after the other, and vectors of x, y and z: an own way where the library's
// takes twice as many steps.
#if defined(LIMBER_SKIN_POINTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_POINTS_INL
#undef LIMBER_SKIN_POINTS_INL
#else
#define LIMBER_SKIN_POINTS_INL
#endif

#include "core/skin/skin_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

// `past` the caches, where `at` is aligned.
HWY_INLINE void write(V v, float* at, bool past) {
    if (past)
        hn::Stream(v, d, at);
    else
        hn::StoreU(v, d, at);
}

#if HWY_TARGET == HWY_AVX3
// Two permutations of two vectors for each of the three.
struct Permutations {
    HWY_ALIGN std::int32_t apart[3][2][16];
    HWY_ALIGN std::int32_t together[3][2][16];
    constexpr Permutations() : apart(), together() {
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 16; ++k) {
                const int from = 3 * k + c; // of 48
                apart[c][0][k] = from < 32 ? from : 0;
                apart[c][1][k] = from < 32 ? k : from - 16;
                const int axis = (16 * c + k) % 3, vertex = (16 * c + k) / 3;
                together[c][0][k] = axis == 2 ? 0 : 16 * axis + vertex;
                together[c][1][k] = axis == 2 ? 16 + vertex : k;
            }
    }
};
constexpr Permutations kPermutations;

HWY_INLINE V permute(const std::int32_t (&indices)[2][16], V a, V b, V c) {
    const __m512 ab = _mm512_permutex2var_ps(a.raw, _mm512_load_si512(indices[0]), b.raw);
    return V{_mm512_permutex2var_ps(ab, _mm512_load_si512(indices[1]), c.raw)};
}
HWY_INLINE Vec3 readPoints(const float* at) {
    const V a = hn::LoadU(d, at), b = hn::LoadU(d, at + 16), c = hn::LoadU(d, at + 32);
    return {permute(kPermutations.apart[0], a, b, c), permute(kPermutations.apart[1], a, b, c),
            permute(kPermutations.apart[2], a, b, c)};
}
HWY_INLINE void writePoints(const Vec3& p, float* at, bool past) {
    for (int k = 0; k < 3; ++k)
        write(permute(kPermutations.together[k], p.x, p.y, p.z), at + 16 * k, past);
}
#elif HWY_TARGET == HWY_AVX2
// Vertices 0-3 in the lower halves and 4-7 in the upper ones: then five shuffles take the axes apart, and six put them
// together.
HWY_INLINE __m256 halves(const float* low, const float* high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}
HWY_INLINE Vec3 readPoints(const float* at) {
    const __m256 a = halves(at, at + 12), b = halves(at + 4, at + 16), c = halves(at + 8, at + 20);
    const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    const __m256 yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    return {V{_mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0))}, V{_mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0))},
            V{_mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1))}};
}
HWY_INLINE void writePoints(const Vec3& p, float* at, bool past) {
    const __m256 xy = _mm256_shuffle_ps(p.x.raw, p.y.raw, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 yz = _mm256_shuffle_ps(p.y.raw, p.z.raw, _MM_SHUFFLE(3, 1, 3, 1));
    const __m256 zx = _mm256_shuffle_ps(p.z.raw, p.x.raw, _MM_SHUFFLE(3, 1, 2, 0));
    const __m256 a = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 b = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    const __m256 c = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
    write(V{_mm256_insertf128_ps(a, _mm256_castps256_ps128(b), 1)}, at, past);
    write(V{_mm256_blend_ps(c, a, 0xf0)}, at + 8, past);
    write(V{_mm256_permute2f128_ps(b, c, 0x31)}, at + 16, past);
}
#else
HWY_INLINE Vec3 readPoints(const float* at) {
    V x, y, z;
    hn::LoadInterleaved3(d, at, x, y, z);
    return {x, y, z};
}
HWY_INLINE void writePoints(const Vec3& p, float* at, bool) {
    hn::StoreInterleaved3(p.x, p.y, p.z, d, at);
}
#endif

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
