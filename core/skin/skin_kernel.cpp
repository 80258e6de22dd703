#include "core/skin/skin_kernel.h"

#include <cstring>

// One each of 4, 8 and 16 lanes: what lies between them gains nothing here. Vectors of no fixed size cannot be members.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/skin/skin_kernel.cpp"
// Each of the three depends on those before it.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/skin/skin_kernel-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTable = 64; // slots of a block that are prepared at once
constexpr std::size_t kRigidStride = sizeof(RigidSlot) / sizeof(float);

// A slot against the first one of its block, about that one's bind origin c: E = R - R0, e = D c - D0 c.
struct SlotDifference {
    float rows[12];  // of [E | e]
    float square[6]; // E^T E: xx xy xz yy yz zz
    float pull[3];   // E^T e
    float place[3];  // D r of the set's centre r, where the block has one set
};

// What blocks with the same slots share; neighbours mostly do.
struct SlotTable {
    std::size_t count = 0;
    std::uint32_t slots[kTable];
    bool near = false; // signs against the first rotation are signs against any pivot
    float flips[kTable];
    float anchor[3], anchorPlace[3]; // c and D0 c
    SlotDifference differences[kTable];
    std::uint32_t set = kMixedSets;
};

// Within a quarter turn of the first rotation, all are within half a turn of each other.
void findSigns(SlotTable& table, const RigidSlot* rigid, const std::uint32_t* slots, std::size_t count) {
    constexpr float kCosine = 0.7072f;
    const float* first = rigid[slots[0]].rotation;
    table.near = count <= kTable;
    for (std::size_t s = 0; table.near && s < count; ++s) {
        const float* q = rigid[slots[s]].rotation;
        const float cosine = q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3];
        table.near = cosine > kCosine || cosine < -kCosine;
        table.flips[s] = cosine < 0 ? -0.0f : 0.0f;
    }
}

void place(const float* rows, const float* p, float* out) {
    for (int r = 0; r < 3; ++r)
        out[r] = rows[4 * r] * p[0] + rows[4 * r + 1] * p[1] + rows[4 * r + 2] * p[2] + rows[4 * r + 3];
}

SlotDifference differenceOf(const SlotTable& table, const RigidSlot& first, const RigidSlot& slot) {
    SlotDifference t;
    float at[3];
    place(slot.rows, table.anchor, at);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            t.rows[4 * r + c] = slot.rows[4 * r + c] - first.rows[4 * r + c];
        t.rows[4 * r + 3] = at[r] - table.anchorPlace[r];
    }
    const auto columns = [&](int a, int b) {
        return t.rows[a] * t.rows[b] + t.rows[4 + a] * t.rows[4 + b] + t.rows[8 + a] * t.rows[8 + b];
    };
    int k = 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b)
            t.square[k++] = columns(a, b);
        t.pull[a] = columns(a, 3);
    }
    return t;
}

void prepare(SlotTable& table, const KernelJob& job, const std::uint32_t* slots, std::size_t count, std::uint32_t set) {
    if (count == 0 || (count <= kTable && count == table.count && set == table.set &&
                       std::memcmp(slots, table.slots, count * sizeof(*slots)) == 0))
        return;
    const bool fits = count <= kTable;
    table.count = fits ? count : 0;
    table.set = set;
    if (fits)
        std::memcpy(table.slots, slots, count * sizeof(*slots));
    findSigns(table, job.rigid, slots, count);
    if (job.turn == Turn::DualQuaternion)
        return;
    const RigidSlot& first = job.rigid[slots[0]];
    std::memcpy(table.anchor, first.origin, sizeof(table.anchor));
    place(first.rows, table.anchor, table.anchorPlace);
    for (std::size_t s = 0; fits && s < count; ++s) {
        const RigidSlot& slot = job.rigid[slots[s]];
        if (job.turn == Turn::Spherical)
            table.differences[s] = differenceOf(table, first, slot);
        else if (set != kMixedSets)
            place(slot.rows, job.centres + 3 * set, table.differences[s].place);
    }
}

// Sums over the slots of a group with the signs of the blend: f(s, weight, weight with sign).
template <class F>
HWY_INLINE void forSigned(const SlotTable& table, const Group& g, const RigidSlot* rigid, const F& f) {
    if (table.near) {
        for (std::size_t s = 0; s < g.count; ++s) {
            const V w = weightOf(g, s);
            f(s, w, hn::Xor(w, all(table.flips[s])));
        }
        return;
    }
    const Quat pivot = pivotOf(g, rigid);
    for (std::size_t s = 0; s < g.count; ++s) {
        const V w = weightOf(g, s);
        const auto behind = hn::Lt(dot4(pivot, rigid[g.slots[s]].rotation), hn::Zero(d));
        f(s, w, hn::IfThenElse(behind, hn::Neg(w), w));
    }
}

HWY_INLINE Motion dualQuaternion(const KernelJob& job, const SlotTable& table, const Group& g) {
    Quat real{hn::Zero(d), hn::Zero(d), hn::Zero(d), g.bare}, dual{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    V sum = g.bare;
    forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) HWY_ATTR {
        const RigidSlot& slot = job.rigid[g.slots[s]];
        addQuat(real, signedWeight, slot.rotation);
        addQuat(dual, signedWeight, slot.dual);
        sum = hn::Add(sum, w);
    });
    // t = 2 (a0 de - ae d0 + d0 x de) of the unit pair.
    const Vec3 d0{real.x, real.y, real.z}, de{dual.x, dual.y, dual.z};
    const V inverse = inverseRoot(mulAdd(real.w, real.w, dot(d0, d0)));
    const Vec3 t = addScaled(addScaled(cross(d0, de), real.w, de), hn::Neg(dual.w), d0);
    return {{mul(real.x, inverse), mul(real.y, inverse), mul(real.z, inverse), mul(real.w, inverse)},
            scaled(t, mul(mul(hn::Add(inverse, inverse), inverse), sum)),
            sum};
}

// Part of the trace that rounding may take from the least direction of the centre.
constexpr float kRounding = 1.2e-7f;

// Sums of w E^T E and w E^T e over the differences from the mean, and `sum`, which carries c + r by sum w D: its rows
// times r plus its translation.
struct Spread {
    V xx, xy, xz, yy, yz, zz;
    Vec3 pull;
    V trace; // of the sum before the mean was taken from it
    Motion motion;
    Map sum;
};

// Differences against the block's first rotation, whose squares are prepared: S - E^T E / W.
HWY_INLINE Spread nearSpread(const KernelJob& job, const SlotTable& table, const Group& g) {
    const V none = hn::Zero(d);
    Quat real{none, none, none, g.bare};
    Spread s{none, none, none, none, none, none, zero3(), none, {}, {zero3(), zero3(), zero3(), zero3()}};
    V weight = g.bare;
    forSigned(table, g, job.rigid, [&](std::size_t k, V w, V signedWeight) HWY_ATTR {
        const SlotDifference& t = table.differences[k];
        addQuat(real, signedWeight, job.rigid[g.slots[k]].rotation);
        addMap(s.sum, w, t.rows);
        s.xx = mulAdd(w, all(t.square[0]), s.xx);
        s.xy = mulAdd(w, all(t.square[1]), s.xy);
        s.xz = mulAdd(w, all(t.square[2]), s.xz);
        s.yy = mulAdd(w, all(t.square[3]), s.yy);
        s.yz = mulAdd(w, all(t.square[4]), s.yz);
        s.zz = mulAdd(w, all(t.square[5]), s.zz);
        s.pull = addScaled(s.pull, w, broadcast(t.pull));
        weight = hn::Add(weight, w);
    });
    s.trace = hn::Add(s.xx, hn::Add(s.yy, s.zz));
    const V less = hn::Div(all(-1), weight);
    const Vec3 x{s.sum.x.x, s.sum.y.x, s.sum.z.x}, y{s.sum.x.y, s.sum.y.y, s.sum.z.y},
        z{s.sum.x.z, s.sum.y.z, s.sum.z.z};
    s.pull = addScaled(s.pull, less, {dot(x, s.sum.t), dot(y, s.sum.t), dot(z, s.sum.t)});
    s.xx = mulAdd(less, dot(x, x), s.xx);
    s.xy = mulAdd(less, dot(x, y), s.xy);
    s.xz = mulAdd(less, dot(x, z), s.xz);
    s.yy = mulAdd(less, dot(y, y), s.yy);
    s.yz = mulAdd(less, dot(y, z), s.yz);
    s.zz = mulAdd(less, dot(z, z), s.zz);
    // W D0 and what differs from it, about c.
    const RigidSlot& first = job.rigid[g.slots[0]];
    const V carried = hn::Sub(weight, g.bare);
    s.sum.x = addScaled(s.sum.x, carried, broadcast(first.rows));
    s.sum.y = addScaled(s.sum.y, carried, broadcast(first.rows + 4));
    s.sum.z = addScaled(s.sum.z, carried, broadcast(first.rows + 8));
    s.sum.t = addScaled(s.sum.t, carried, broadcast(table.anchorPlace));
    s.motion = {unit(real), zero3(), weight};
    return s;
}

// Where the rotations of a block are far apart, those of one vertex may still be near each other: the mean is taken
// first, so that nothing is lost.
HWY_NOINLINE Spread farSpread(const KernelJob& job, const SlotTable& table, const Group& g) {
    const V none = hn::Zero(d);
    Quat real{none, none, none, g.bare};
    Spread s{none, none, none, none, none, none, zero3(), none, {}, {zero3(), zero3(), zero3(), zero3()}};
    V weight = g.bare;
    forSigned(table, g, job.rigid, [&](std::size_t k, V w, V signedWeight) HWY_ATTR {
        addQuat(real, signedWeight, job.rigid[g.slots[k]].rotation);
        addMap(s.sum, w, job.rigid[g.slots[k]].rows);
        weight = hn::Add(weight, w);
    });
    s.sum.t = apply(s.sum, broadcast(table.anchor));
    const V part = hn::Div(all(1), weight);
    const Map mean{scaled(s.sum.x, part), scaled(s.sum.y, part), scaled(s.sum.z, part), scaled(s.sum.t, part)};
    for (std::size_t k = 0; k < g.count; ++k) {
        const float* rows = job.rigid[g.slots[k]].rows;
        float at[3];
        place(rows, table.anchor, at);
        const V w = weightOf(g, k);
        const auto column = [&](int c, V mx, V my, V mz) HWY_ATTR {
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
    s.trace = hn::Add(s.xx, hn::Add(s.yy, s.zz));
    s.motion = {unit(real), zero3(), weight};
    return s;
}

// Vertices without weights stay: Q is the identity and nothing carries them.
HWY_INLINE Motion about(const Motion& motion, const Vec3& carried, const Vec3& centre, V bare) {
    const Vec3 back = scaled(rotated(motion.q, centre), motion.weight);
    const auto still = hn::Gt(bare, hn::Zero(d));
    return {motion.q,
            {hn::IfThenZeroElse(still, hn::Sub(carried.x, back.x)),
             hn::IfThenZeroElse(still, hn::Sub(carried.y, back.y)),
             hn::IfThenZeroElse(still, hn::Sub(carried.z, back.z))},
            motion.weight};
}

// The centre r of each vertex makes sum w |D r - mean of D r|^2 least: (sum w E^T E + epsilon) (r - c) = - sum w E^T e,
// scaled to a trace near one so that all stays within float's range.
HWY_INLINE Motion spherical(const KernelJob& job, const SlotTable& table, const Group& g) {
    if (g.count == 0)
        return {{hn::Zero(d), hn::Zero(d), hn::Zero(d), all(1)}, zero3(), all(1)};
    const Spread s = table.near && table.count > 0 ? nearSpread(job, table, g) : farSpread(job, table, g);
    const V epsilon = mul(s.motion.weight, all(kCentreEpsilon));
    const V scale = hn::Div(all(1), hn::Add(s.trace, epsilon));
    const V firm = mulAdd(epsilon, scale, all(kRounding));
    const Vec3 r =
        solvePositive(mulAdd(s.xx, scale, firm), mul(s.xy, scale), mul(s.xz, scale), mulAdd(s.yy, scale, firm),
                      mul(s.yz, scale), mulAdd(s.zz, scale, firm), scaled(s.pull, hn::Neg(scale)), kRounding);
    return about(s.motion, apply(s.sum, r), add(broadcast(table.anchor), r), g.bare);
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
    Vec3 carried = zero3(), r;
    if (table.set != kMixedSets && table.count > 0) {
        r = broadcast(job.centres + 3 * table.set);
        forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) HWY_ATTR {
            addQuat(real, signedWeight, job.rigid[g.slots[s]].rotation);
            carried = addScaled(carried, w, broadcast(table.differences[s].place));
            weight = hn::Add(weight, w);
        });
    } else {
        r = gatherCentres(job.centres, sets);
        Map sum{zero3(), zero3(), zero3(), zero3()};
        forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) HWY_ATTR {
            addQuat(real, signedWeight, job.rigid[g.slots[s]].rotation);
            addMap(sum, w, job.rigid[g.slots[s]].rows);
            weight = hn::Add(weight, w);
        });
        carried = apply(sum, r);
    }
    return about({unit(real), zero3(), weight}, carried, r, g.bare);
}

// Where the points of a group are read and written. Read only when needed: sixteen vectors do not hold them beside the
// sums.
struct Points {
    const float *p, *n;
    float *outP, *outN;
};

HWY_INLINE std::uint32_t moveBy(const Map& m, V sign, V least, const Points& points) {
    writePoints(apply(m, readPoints(points.p)), points.outP);
    std::uint32_t lost = 0;
    writePoints(turnNormal(m, readPoints(points.n), sign, least, lost), points.outN);
    return lost;
}

// No blend of a block is larger than its largest joint: one number for all, and repair() looks closer.
HWY_INLINE float leastOfBlock(const KernelJob& job, const std::uint32_t* slots, std::size_t count) {
    float size = 0;
    for (std::size_t s = 0; s < count; ++s)
        size = job.sizes[slots[s]] > size ? job.sizes[slots[s]] : size;
    size *= 1e-5f;
    return size * size;
}

HWY_INLINE std::uint32_t linear(const KernelJob& job, const Group& g, float least, const Points& points) {
    return moveBy(blend(g, job.linear, 12), signOf(g, job.signs), all(least), points);
}

HWY_INLINE Map stretchOf(const KernelJob& job, const Group& g, V weight) {
    static constexpr float kIdentity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (job.stretch == Stretch::None || g.count == 0)
        return broadcastMap(kIdentity, weight);
    if (job.stretch == Stretch::Common && !g.anyBare)
        return broadcastMap(job.rigid[g.slots[0]].stretch, weight);
    return blend(g, job.rigid->stretch, kRigidStride);
}

HWY_INLINE void rotateColumn(const Quat& q, const Vec3& in, V& x, V& y, V& z) {
    const Vec3 out = rotated(q, in);
    x = out.x, y = out.y, z = out.z;
}

// mu of the method and the rest of the linear blend, as maps.
HWY_NOINLINE std::uint32_t mixed(const KernelJob& job, const Group& g, const Motion& motion, const Points& points,
                                 V share) {
    const Map s = stretchOf(job, g, motion.weight);
    Map m;
    rotateColumn(motion.q, {s.x.x, s.y.x, s.z.x}, m.x.x, m.y.x, m.z.x);
    rotateColumn(motion.q, {s.x.y, s.y.y, s.z.y}, m.x.y, m.y.y, m.z.y);
    rotateColumn(motion.q, {s.x.z, s.y.z, s.z.z}, m.x.z, m.y.z, m.z.z);
    m.t = add(rotated(motion.q, s.t), motion.t);
    const Map l = blend(g, job.linear, 12);
    const V rest = hn::Sub(all(1), share);
    m = {addScaled(scaled(m.x, share), rest, l.x), addScaled(scaled(m.y, share), rest, l.y),
         addScaled(scaled(m.z, share), rest, l.z), addScaled(scaled(m.t, share), rest, l.t)};
    return moveBy(m, signOf(g, job.signs), leastOf(m), points);
}

HWY_INLINE std::uint32_t moved(const KernelJob& job, const Group& g, const Motion& motion, const Points& points) {
    std::uint32_t lost = 0;
    if (job.stretch == Stretch::None) {
        writePoints(add(rotated(motion.q, scaled(readPoints(points.p), motion.weight)), motion.t), points.outP);
        writePoints(rotated(motion.q, readPoints(points.n)), points.outN);
        return lost;
    }
    const Map s = stretchOf(job, g, motion.weight);
    writePoints(add(rotated(motion.q, apply(s, readPoints(points.p))), motion.t), points.outP);
    const Vec3 n = turnNormal(s, readPoints(points.n), signOf(g, job.signs), leastOf(s), lost);
    writePoints(rotated(motion.q, n), points.outN);
    return lost;
}

HWY_INLINE void copy3(const float* from, float* to) {
    to[0] = from[0], to[1] = from[1], to[2] = from[2];
}

// The vertices of a block that do not lie together, or are fewer than a block has, by way of a copy.
struct Copies {
    HWY_ALIGN float points[4 * 3 * kLanes];
    HWY_ALIGN float shares[kLanes];
};

HWY_INLINE std::size_t vertexAt(const KernelJob& job, std::size_t place) {
    return job.order ? job.order[place] : place;
}

HWY_NOINLINE void copyIn(const KernelJob& job, std::size_t first, std::size_t count, Copies& copies) {
    for (std::size_t k = 0; k < kLanes; ++k) { // beyond the last vertex: the last one again
        const std::size_t v = vertexAt(job, first + (k < count ? k : count - 1));
        copy3(job.positions + 3 * v, copies.points + 3 * k);
        copy3(job.normals + 3 * v, copies.points + 3 * (kLanes + k));
    }
}
HWY_NOINLINE void copyOut(const KernelJob& job, std::size_t first, std::size_t count, const Copies& copies) {
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t v = vertexAt(job, first + k);
        copy3(copies.points + 3 * (2 * kLanes + k), job.outPositions + 3 * v);
        copy3(copies.points + 3 * (3 * kLanes + k), job.outNormals + 3 * v);
    }
}
HWY_NOINLINE void copyShares(const KernelJob& job, std::size_t first, std::size_t count, Copies& copies) {
    for (std::size_t k = 0; k < kLanes; ++k)
        copies.shares[k] = k < count ? job.shares[vertexAt(job, first + k)] : 1;
}

HWY_INLINE V bareLanes(std::uint32_t bare, std::size_t group) {
    HWY_ALIGN float lanes[kWidth];
    for (std::size_t k = 0; k < kWidth; ++k)
        lanes[k] = static_cast<float>(bare >> (group * kWidth + k) & 1);
    return hn::Load(d, lanes);
}

template <Turn kTurn> HWY_INLINE void runBlock(const KernelJob& job, std::size_t block, SlotTable& table) {
    const WeightBlock& b = job.blocks[block];
    const std::uint32_t* slots = job.slots + b.first;
    if constexpr (kTurn != Turn::None)
        prepare(table, job, slots, b.count, kTurn == Turn::SphericalPerSet ? job.blockSets[block] : kMixedSets);
    const std::size_t first = block * kLanes;
    const std::size_t count = job.vertices - first < kLanes ? job.vertices - first : kLanes;
    const bool direct = !job.order && count == kLanes;
    Copies copies;
    Points points{job.positions + 3 * first, job.normals + 3 * first, job.outPositions + 3 * first,
                  job.outNormals + 3 * first};
    if (!direct) {
        copyIn(job, first, count, copies);
        points = {copies.points, copies.points + 3 * kLanes, copies.points + 6 * kLanes, copies.points + 9 * kLanes};
    }
    if (kTurn != Turn::None && job.shares)
        copyShares(job, first, count, copies);
    const float least = kTurn == Turn::None ? leastOfBlock(job, slots, b.count) : 0;
    std::uint32_t lost = 0;
    for (std::size_t at = 0; at < kLanes; at += kWidth) {
        const Group g{slots, job.lanes + b.first * kLanes + at, b.count,
                      HWY_UNLIKELY(b.bare) ? bareLanes(b.bare, at / kWidth) : hn::Zero(d), b.bare != 0};
        const Points here{points.p + 3 * at, points.n + 3 * at, points.outP + 3 * at, points.outN + 3 * at};
        std::uint32_t bits = 0;
        if constexpr (kTurn == Turn::None) {
            bits = linear(job, g, least, here);
        } else {
            const Motion motion = kTurn == Turn::DualQuaternion ? dualQuaternion(job, table, g)
                                  : kTurn == Turn::Spherical    ? spherical(job, table, g)
                                                                : sphericalOfSets(job, table, g, job.sets + first + at);
            bits =
                job.shares ? mixed(job, g, motion, here, hn::Load(d, copies.shares + at)) : moved(job, g, motion, here);
        }
        lost |= (bits & ((1u << kWidth) - 1)) << at;
    }
    if (!direct)
        copyOut(job, first, count, copies);
    lost &= (1u << count) - 1;
    if (HWY_UNLIKELY(lost))
        job.repair(job, block, lost);
}

template <Turn kTurn>
void runBlocks(const KernelJob& job, const std::uint32_t* list, std::size_t begin, std::size_t end) {
    SlotTable table;
    for (std::size_t k = begin; k < end; ++k)
        runBlock<kTurn>(job, list ? list[k] : k, table);
}

void run(const KernelJob& job, const std::uint32_t* list, std::size_t begin, std::size_t end) {
    switch (job.turn) {
    case Turn::None:
        return runBlocks<Turn::None>(job, list, begin, end);
    case Turn::DualQuaternion:
        return runBlocks<Turn::DualQuaternion>(job, list, begin, end);
    case Turn::Spherical:
        return runBlocks<Turn::Spherical>(job, list, begin, end);
    case Turn::SphericalPerSet:
        return runBlocks<Turn::SphericalPerSet>(job, list, begin, end);
    }
}

const char* targetName() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber::skin {

HWY_EXPORT(run);
HWY_EXPORT(targetName);

void runKernel(const KernelJob& job, const std::uint32_t* list, std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(run)(job, list, begin, end);
}

const char* kernelTarget() {
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

} // namespace limber::skin
#endif
