// Spherical blend: the centre of each vertex, or of the joint sets, and the motion about it.
#if defined(LIMBER_SKIN_SPHERICAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_SPHERICAL_INL
#undef LIMBER_SKIN_SPHERICAL_INL
#else
#define LIMBER_SKIN_SPHERICAL_INL
#endif

#include "core/skin/skin_slot_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

// Part of the trace that rounding may take from the least direction of the centre.
constexpr float kRounding = 1.2e-7f;

// Sums of w E^T E and w E^T e over the differences from the mean, and `sum`, which carries c + r by sum w D: its rows
// times r plus its translation.
struct Spread {
    V xx, xy, xz, yy, yz, zz;
    Vec3 pull;
    V trace; // of the sum before the mean was taken from it
    Quat q;  // unit
    V weight;
    Map sum;
};

// From sums over differences to sums over those from their mean: S - E^T E / W.
HWY_INLINE void takeMean(Spread& s, V weight) {
    s.trace = hn::Add(s.xx, hn::Add(s.yy, s.zz));
    const V less = hn::Neg(inverse(weight));
    const Vec3 x{s.sum.x.x, s.sum.y.x, s.sum.z.x}, y{s.sum.x.y, s.sum.y.y, s.sum.z.y},
        z{s.sum.x.z, s.sum.y.z, s.sum.z.z};
    s.pull = addScaled(s.pull, less, {dot(x, s.sum.t), dot(y, s.sum.t), dot(z, s.sum.t)});
    s.xx = mulAdd(less, dot(x, x), s.xx);
    s.xy = mulAdd(less, dot(x, y), s.xy);
    s.xz = mulAdd(less, dot(x, z), s.xz);
    s.yy = mulAdd(less, dot(y, y), s.yy);
    s.yz = mulAdd(less, dot(y, z), s.yz);
    s.zz = mulAdd(less, dot(z, z), s.zz);
}

HWY_INLINE Spread noSpread() {
    const V none = hn::Zero(d);
    return {none,
            none,
            none,
            none,
            none,
            none,
            zero3(),
            none,
            {none, none, none, none},
            none,
            {zero3(), zero3(), zero3(), zero3()}};
}

// Differences against the block's first rotation, whose squares are prepared and whose signs are known; its own are
// zero.
HWY_INLINE Spread nearSpread(const KernelJob& job, const SlotTable& table, const Group& g) {
    const V none = hn::Zero(d);
    Spread s = noSpread();
    Quat real{none, none, none, g.bare};
    V weight = hn::Add(g.bare, weightOf(g, 0));
    addQuat(real, weightOf(g, 0), job.rigid[g.slots[0]].rotation);
    for (std::size_t k = 1; k < g.count; ++k) {
        const V w = weightOf(g, k);
        const SlotDifference& t = table.differences[k];
        addQuat(real, hn::Xor(w, all(table.flips[k])), job.rigid[g.slots[k]].rotation);
        addMap(s.sum, w, t.rows);
        s.xx = mulAdd(w, all(t.square[0]), s.xx);
        s.xy = mulAdd(w, all(t.square[1]), s.xy);
        s.xz = mulAdd(w, all(t.square[2]), s.xz);
        s.yy = mulAdd(w, all(t.square[3]), s.yy);
        s.yz = mulAdd(w, all(t.square[4]), s.yz);
        s.zz = mulAdd(w, all(t.square[5]), s.zz);
        s.pull = addScaled(s.pull, w, broadcast(t.pull));
        weight = hn::Add(weight, w);
    }
    takeMean(s, weight);
    // W D0 and what differs from it, about c.
    const RigidSlot& first = job.rigid[g.slots[0]];
    const V carried = hn::Sub(weight, g.bare);
    s.sum.x = addScaled(s.sum.x, carried, broadcast(first.rows));
    s.sum.y = addScaled(s.sum.y, carried, broadcast(first.rows + 4));
    s.sum.z = addScaled(s.sum.z, carried, broadcast(first.rows + 8));
    s.sum.t = addScaled(s.sum.t, carried, broadcast(table.anchorPlace));
    s.q = unit(real);
    s.weight = weight;
    return s;
}

// Where the rotations of a block are far apart, those of one vertex may still be near each other: the mean is taken
// first, so that nothing is lost.
HWY_INLINE void addFarSquares(Spread& s, const KernelJob& job, const SlotTable& table, const Group& g, V part) {
    const Map mean{scaled(s.sum.x, part), scaled(s.sum.y, part), scaled(s.sum.z, part), scaled(s.sum.t, part)};
    for (std::size_t k = 0; k < g.count; ++k) {
        const float* rows = job.rigid[g.slots[k]].rows;
        float at[3];
        place(rows, table.anchor, at);
        const V w = weightOf(g, k);
        const auto column = [&](int c, V mx, V my, V mz) LIMBER_INNER {
            return Vec3{hn::Sub(all(rows[c]), mx), hn::Sub(all(rows[4 + c]), my), hn::Sub(all(rows[8 + c]), mz)};
        };
        const Vec3 x = column(0, mean.x.x, mean.y.x, mean.z.x), y = column(1, mean.x.y, mean.y.y, mean.z.y);
        const Vec3 z = column(2, mean.x.z, mean.y.z, mean.z.z);
        const Vec3 e{hn::Sub(all(at[0]), mean.t.x), hn::Sub(all(at[1]), mean.t.y), hn::Sub(all(at[2]), mean.t.z)};
        s.xx = mulAdd(w, dot(x, x), s.xx);
        s.xy = mulAdd(w, dot(x, y), s.xy);
        s.xz = mulAdd(w, dot(x, z), s.xz);
        s.yy = mulAdd(w, dot(y, y), s.yy);
        s.yz = mulAdd(w, dot(y, z), s.yz);
        s.zz = mulAdd(w, dot(z, z), s.zz);
        s.pull = addScaled(s.pull, w, {dot(x, e), dot(y, e), dot(z, e)});
    }
}
HWY_INLINE Spread farSpread(const KernelJob& job, const SlotTable& table, const Group& g) {
    const V none = hn::Zero(d);
    Quat real{none, none, none, g.bare};
    Spread s = noSpread();
    V weight = g.bare;
    forSigned(table, g, job.rigid, [&](std::size_t k, V w, V signedWeight) LIMBER_INNER {
        addQuat(real, signedWeight, job.rigid[g.slots[k]].rotation);
        addMap(s.sum, w, job.rigid[g.slots[k]].rows);
        weight = hn::Add(weight, w);
    });
    s.sum.t = apply(s.sum, broadcast(table.anchor));
    addFarSquares(s, job, table, g, inverse(weight));
    s.trace = hn::Add(s.xx, hn::Add(s.yy, s.zz));
    s.q = unit(real);
    s.weight = weight;
    return s;
}

// Vertices without weights stay: their rotation is the identity and nothing carries them.
HWY_INLINE Vec3 withoutBare(const Group& g, const Vec3& centre) {
    if (HWY_LIKELY(!g.anyBare))
        return centre;
    const auto still = hn::Gt(g.bare, hn::Zero(d));
    return {hn::IfThenZeroElse(still, centre.x), hn::IfThenZeroElse(still, centre.y),
            hn::IfThenZeroElse(still, centre.z)};
}

// The centre r of each vertex makes sum w |D r - mean of D r|^2 least: (sum w E^T E + epsilon) (r - c) = - sum w E^T e,
// scaled to a trace near one so that all stays within float's range.
HWY_INLINE Motion aboutCentre(const SlotTable& table, const Group& g, const Spread& s) {
    const V epsilon = mul(s.weight, all(static_cast<float>(kCentreTerm)));
    const V scale = inverse(hn::Add(s.trace, epsilon));
    const V firm = mulAdd(epsilon, scale, all(kRounding));
    const Vec3 r =
        solvePositive(mulAdd(s.xx, scale, firm), mul(s.xy, scale), mul(s.xz, scale), mulAdd(s.yy, scale, firm),
                      mul(s.yz, scale), mulAdd(s.zz, scale, firm), scaled(s.pull, hn::Neg(scale)), kRounding);
    return {s.q, withoutBare(g, add(broadcast(table.anchor), r)), apply(s.sum, r), s.weight};
}

HWY_INLINE Vec3 gatherCentres(const float* centres, const std::uint32_t* sets) {
    HWY_ALIGN float x[kWidth], y[kWidth], z[kWidth];
    for (std::size_t k = 0; k < kWidth; ++k) {
        const float* c = centres + 3 * sets[k];
        x[k] = c[0], y[k] = c[1], z[k] = c[2];
    }
    return {hn::Load(d, x), hn::Load(d, y), hn::Load(d, z)};
}

// The same with centres that belong to sets of joints.
HWY_INLINE Motion sphericalOfSets(const KernelJob& job, const SlotTable& table, const Group& g,
                                  const std::uint32_t* sets) {
    const V none = hn::Zero(d);
    Quat real{none, none, none, g.bare};
    V weight = g.bare;
    Vec3 carried = zero3(), r = carried;
    if (table.set != kMixedSets && table.count > 0) {
        r = broadcast(job.centres + 3 * table.set);
        forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) LIMBER_INNER {
            addQuat(real, signedWeight, job.rigid[g.slots[s]].rotation);
            carried = addScaled(carried, w, broadcast(table.differences[s].place));
            weight = hn::Add(weight, w);
        });
    } else {
        r = gatherCentres(job.centres, sets);
        Map sum{zero3(), zero3(), zero3(), zero3()};
        forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) LIMBER_INNER {
            addQuat(real, signedWeight, job.rigid[g.slots[s]].rotation);
            addMap(sum, w, job.rigid[g.slots[s]].rows);
            weight = hn::Add(weight, w);
        });
        carried = apply(sum, r);
    }
    return {unit(real), withoutBare(g, r), carried, weight};
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
