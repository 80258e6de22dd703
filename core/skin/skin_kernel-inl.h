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

// Of a lambda whose sums must stay in registers.
#ifndef LIMBER_INNER
#define LIMBER_INNER HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D d;
constexpr std::size_t kWidth = hn::MaxLanes(d);
constexpr std::uint32_t kAllLanes = (1u << kWidth) - 1;

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
// Where the processor's estimates have at least eleven bits, one Newton step takes them to float's accuracy.
constexpr bool kGoodEstimates = HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;

HWY_INLINE V inverseRoot(V x) {
    if constexpr (!kGoodEstimates)
        return hn::Div(all(1), hn::Sqrt(x));
    const V y = hn::ApproximateReciprocalSqrt(x);
    return mul(y, hn::NegMulAdd(mul(mul(all(0.5f), x), y), y, all(1.5f)));
}
HWY_INLINE V inverse(V x) {
    if constexpr (!kGoodEstimates)
        return hn::Div(all(1), x);
    const V y = hn::ApproximateReciprocal(x);
    return mul(y, hn::NegMulAdd(x, y, all(2)));
}
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

// Squared lengths that the processors' estimates of a root are good for.
constexpr float kLeastSquare = 1e-30f, kMostSquare = 1e30f;

// What a squared length of cof(A) n must be above to be one: 1e-5 |A|^2, squared.
HWY_INLINE V leastOf(const Map& m) {
    const V size = mul(hn::Add(dot(m.x, m.x), hn::Add(dot(m.y, m.y), dot(m.z, m.z))), all(1e-5f));
    return hn::Max(mul(size, size), all(kLeastSquare));
}

// cof(A) n by triple products, which share a cross product.
HWY_INLINE Vec3 cofactorTimes(const Map& m, const Vec3& n) {
    const Vec3 zn = cross(m.z, n);
    return {dot(m.y, zn), hn::NegMulSub(m.x.x, zn.x, mulAdd(m.x.y, zn.y, mul(m.x.z, zn.z))), dot(m.x, cross(m.y, n))};
}
// Unit normal of cof(A) n; a bit in `lost` where the map has no rank left for it.
HWY_INLINE Vec3 unitNormal(const Vec3& c, V sign, V least, std::uint32_t& lost) {
    const V square = dot(c, c);
    // What is not a number counts as lost, and so do lengths that the root does not take.
    const auto firm = hn::And(hn::Gt(square, least), hn::Lt(square, all(kMostSquare)));
    lost = HWY_UNLIKELY(!hn::AllTrue(d, firm)) ? ~bitsOf(firm) & kAllLanes : 0;
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

// x = q (x1 - weight centre) + t of a stretched point x1.
struct Motion {
    Quat q; // unit
    Vec3 centre, t;
    V weight; // sum of the weights
};

HWY_INLINE Quat unit(const Quat& q) {
    const V scale = inverseRoot(mulAdd(q.x, q.x, mulAdd(q.y, q.y, mulAdd(q.z, q.z, mul(q.w, q.w)))));
    return {mul(q.x, scale), mul(q.y, scale), mul(q.z, scale), mul(q.w, scale)};
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
    const V floor = all(least);
    const V invA = inverse(hn::Max(a, floor));
    const V lb = mul(b, invA), lc = mul(c, invA);
    const V fe = hn::NegMulAdd(lc, b, f);
    const V invE = inverse(hn::Max(hn::NegMulAdd(lb, b, e), floor));
    const V lf = mul(fe, invE);
    const V invI = inverse(hn::Max(hn::NegMulAdd(lf, fe, hn::NegMulAdd(lc, c, i)), floor));
    const V y = hn::NegMulAdd(lb, x.x, x.y);
    const V z = mul(hn::NegMulAdd(lf, y, hn::NegMulAdd(lc, x.x, x.z)), invI);
    const V outY = hn::NegMulAdd(lf, z, mul(y, invE));
    return {hn::NegMulAdd(lb, outY, hn::NegMulAdd(lc, z, mul(x.x, invA))), outY, z};
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
