// Vector arithmetic of the kernels, compiled once for each instruction set. A vector holds one number of up to kLanes
// vertices; what belongs to a slot is broadcast.
#if defined(LIMBER_SKIN_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_KERNEL_INL
#undef LIMBER_SKIN_KERNEL_INL
#else
#define LIMBER_SKIN_KERNEL_INL
#endif

#include "core/skin/skin_kernel.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D d;
constexpr std::size_t kWidth = hn::MaxLanes(d);
constexpr std::size_t kGroups = kLanes / kWidth;

struct Vec3 {
    V x, y, z;
};
struct Quat {
    V x, y, z, w;
};
// Rows of A and the translation.
struct Map {
    Vec3 x, y, z, t;
};
// The vertices of a block that one vector holds.
struct Group {
    const std::uint32_t* slots;
    const float* lanes;
    std::size_t count;
    V bare; // 1 for vertices without weights, which stay where they are
    bool anyBare;
};

HWY_INLINE V mulAdd(V a, V b, V c) {
    return hn::MulAdd(a, b, c);
}
HWY_INLINE V mul(V a, V b) {
    return hn::Mul(a, b);
}
HWY_INLINE V all(float f) {
    return hn::Set(d, f);
}
HWY_INLINE V dot(const Vec3& a, const Vec3& b) {
    return mulAdd(a.x, b.x, mulAdd(a.y, b.y, mul(a.z, b.z)));
}
HWY_INLINE Vec3 cross(const Vec3& a, const Vec3& b) {
    return {hn::NegMulAdd(a.z, b.y, mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, mul(a.z, b.x)),
            hn::NegMulAdd(a.y, b.x, mul(a.x, b.y))};
}
HWY_INLINE Vec3 scaled(const Vec3& a, V s) {
    return {mul(a.x, s), mul(a.y, s), mul(a.z, s)};
}
HWY_INLINE Vec3 add(const Vec3& a, const Vec3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vec3 addScaled(const Vec3& a, V s, const Vec3& b) {
    return {mulAdd(s, b.x, a.x), mulAdd(s, b.y, a.y), mulAdd(s, b.z, a.z)};
}
HWY_INLINE Vec3 broadcast(const float* f) {
    return {all(f[0]), all(f[1]), all(f[2])};
}
HWY_INLINE Vec3 zero3() {
    return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
}
// One Newton step takes the processor's estimate to float's accuracy.
HWY_INLINE V inverseRoot(V x) {
    const V y = hn::ApproximateReciprocalSqrt(x);
    return mul(y, hn::NegMulAdd(mul(mul(all(0.5f), x), y), y, all(1.5f)));
}

#if HWY_TARGET == HWY_AVX3
// Points one after the other to vectors of x, y and z and back: two permutations of two vectors for each, where the
// library's own way takes twice as many.
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
HWY_INLINE void writePoints(const Vec3& p, float* at) {
    for (int k = 0; k < 3; ++k)
        hn::StoreU(permute(kPermutations.together[k], p.x, p.y, p.z), d, at + 16 * k);
}
#else
HWY_INLINE Vec3 readPoints(const float* at) {
    Vec3 p;
    hn::LoadInterleaved3(d, at, p.x, p.y, p.z);
    return p;
}
HWY_INLINE void writePoints(const Vec3& p, float* at) {
    hn::StoreInterleaved3(p.x, p.y, p.z, d, at);
}
#endif

HWY_INLINE V weightOf(const Group& g, std::size_t s) {
    return hn::Load(d, g.lanes + s * kLanes);
}

HWY_INLINE void addRow(Vec3& row, V& t, V w, const float* f) {
    row.x = mulAdd(w, all(f[0]), row.x);
    row.y = mulAdd(w, all(f[1]), row.y);
    row.z = mulAdd(w, all(f[2]), row.z);
    t = mulAdd(w, all(f[3]), t);
}
HWY_INLINE void addMap(Map& m, V w, const float* f) {
    addRow(m.x, m.t.x, w, f);
    addRow(m.y, m.t.y, w, f + 4);
    addRow(m.z, m.t.z, w, f + 8);
}
// Sum of w times the 3x4 rows at `base` + slot * stride.
HWY_INLINE Map blend(const Group& g, const float* base, std::size_t stride) {
    Map m{zero3(), zero3(), zero3(), zero3()};
    m.x.x = m.y.y = m.z.z = g.bare;
    for (std::size_t s = 0; s < g.count; ++s)
        addMap(m, weightOf(g, s), base + g.slots[s] * stride);
    return m;
}
HWY_INLINE Map broadcastMap(const float* f, V w) {
    Map m{zero3(), zero3(), zero3(), zero3()};
    addMap(m, w, f);
    return m;
}
HWY_INLINE Vec3 apply(const Map& m, const Vec3& p) {
    return {mulAdd(m.x.x, p.x, mulAdd(m.x.y, p.y, mulAdd(m.x.z, p.z, m.t.x))),
            mulAdd(m.y.x, p.x, mulAdd(m.y.y, p.y, mulAdd(m.y.z, p.z, m.t.y))),
            mulAdd(m.z.x, p.x, mulAdd(m.z.y, p.y, mulAdd(m.z.z, p.z, m.t.z)))};
}

HWY_INLINE std::uint32_t bitsOf(hn::Mask<D> mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

// What a squared length of cof(A) n must be above to be one: 1e-5 |A|^2, squared.
HWY_INLINE V leastOf(const Map& m) {
    const V size = mul(hn::Add(dot(m.x, m.x), hn::Add(dot(m.y, m.y), dot(m.z, m.z))), all(1e-5f));
    return mul(size, size);
}

// Unit normal by the cofactor matrix; a bit in `lost` where the map has no rank left for it.
HWY_INLINE Vec3 turnNormal(const Map& m, const Vec3& n, V sign, V least, std::uint32_t& lost) {
    const Vec3 c = {dot(cross(m.y, m.z), n), dot(cross(m.z, m.x), n), dot(cross(m.x, m.y), n)};
    const V square = dot(c, c);
    lost = ~bitsOf(hn::Gt(square, least)); // what is not a number counts as lost
    return scaled(c, mul(sign, inverseRoot(square)));
}

// Sign of the heaviest joint, ties to the lower slot.
HWY_INLINE V signOf(const Group& g, const float* signs) {
    V best = hn::Zero(d), sign = all(1);
    for (std::size_t s = 0; signs && s < g.count; ++s) {
        const V w = weightOf(g, s);
        sign = hn::IfThenElse(hn::Gt(w, best), all(signs[g.slots[s]]), sign);
        best = hn::Max(w, best);
    }
    return sign;
}

HWY_INLINE V dot4(const Quat& a, const float* q) {
    return mulAdd(a.x, all(q[0]), mulAdd(a.y, all(q[1]), mulAdd(a.z, all(q[2]), mul(a.w, all(q[3])))));
}
HWY_INLINE void addQuat(Quat& sum, V w, const float* q) {
    sum.x = mulAdd(w, all(q[0]), sum.x);
    sum.y = mulAdd(w, all(q[1]), sum.y);
    sum.z = mulAdd(w, all(q[2]), sum.z);
    sum.w = mulAdd(w, all(q[3]), sum.w);
}

// Rotation of each vertex's heaviest joint, ties to the lower slot.
HWY_INLINE Quat pivotOf(const Group& g, const RigidSlot* rigid) {
    V best = hn::Zero(d);
    Quat pivot{best, best, best, all(1)};
    for (std::size_t s = 0; s < g.count; ++s) {
        const V w = weightOf(g, s);
        const float* q = rigid[g.slots[s]].rotation;
        const auto heavier = hn::Gt(w, best);
        best = hn::Max(w, best);
        pivot = {hn::IfThenElse(heavier, all(q[0]), pivot.x), hn::IfThenElse(heavier, all(q[1]), pivot.y),
                 hn::IfThenElse(heavier, all(q[2]), pivot.z), hn::IfThenElse(heavier, all(q[3]), pivot.w)};
    }
    return pivot;
}

// A rigid motion, and the sum of the weights.
struct Motion {
    Quat q; // unit
    Vec3 t;
    V weight;
};

HWY_INLINE Quat unit(const Quat& q) {
    const V inverse = inverseRoot(mulAdd(q.x, q.x, mulAdd(q.y, q.y, mulAdd(q.z, q.z, mul(q.w, q.w)))));
    return {mul(q.x, inverse), mul(q.y, inverse), mul(q.z, inverse), mul(q.w, inverse)};
}
HWY_INLINE Vec3 rotated(const Quat& q, const Vec3& p) {
    const Vec3 axis{q.x, q.y, q.z};
    const Vec3 c = cross(axis, p), twice = add(c, c);
    const Vec3 turned = cross(axis, twice);
    return add(addScaled(p, q.w, twice), turned);
}

// M^-1 x of the positive matrix a b c / b e f / c f i with a trace near one, by L D L^T: the adjugate would lose all
// digits where one direction is free. `least` is kept in D whatever rounding takes away.
HWY_INLINE Vec3 solvePositive(V a, V b, V c, V e, V f, V i, const Vec3& x, float least) {
    const V one = all(1), floor = all(least);
    const V invA = hn::Div(one, hn::Max(a, floor));
    const V lb = mul(b, invA), lc = mul(c, invA);
    const V fe = hn::NegMulAdd(lc, b, f);
    const V invE = hn::Div(one, hn::Max(hn::NegMulAdd(lb, b, e), floor));
    const V lf = mul(fe, invE);
    const V invI = hn::Div(one, hn::Max(hn::NegMulAdd(lf, fe, hn::NegMulAdd(lc, c, i)), floor));
    const V y = hn::NegMulAdd(lb, x.x, x.y);
    const V z = mul(hn::NegMulAdd(lf, y, hn::NegMulAdd(lc, x.x, x.z)), invI);
    const V outY = hn::NegMulAdd(lf, z, mul(y, invE));
    return {hn::NegMulAdd(lb, outY, hn::NegMulAdd(lc, z, mul(x.x, invA))), outY, z};
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
