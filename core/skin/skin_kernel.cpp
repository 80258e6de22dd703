#include "core/skin/skin_kernel.h"

// One each of 4, 8 and 16 lanes: what lies between them gains nothing here. Vectors of no fixed size cannot be members.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/skin/skin_kernel.cpp"
// Each depends on those before it.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include "core/skin/skin_linear-inl.h"
#include "core/skin/skin_spherical-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

constexpr std::size_t kRigidStride = sizeof(RigidSlot) / sizeof(float);

HWY_INLINE Motion dualQuaternion(const KernelJob& job, const SlotTable& table, const Group& g) {
    Quat real{hn::Zero(d), hn::Zero(d), hn::Zero(d), g.bare}, dual{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    V sum = g.bare;
    forSigned(table, g, job.rigid, [&](std::size_t s, V w, V signedWeight) LIMBER_INNER {
        const RigidSlot& slot = job.rigid[g.slots[s]];
        addQuat(real, signedWeight, slot.rotation);
        addQuat(dual, signedWeight, slot.dual);
        sum = hn::Add(sum, w);
    });
    // t = 2 (a0 de - ae d0 + d0 x de) of the unit pair.
    const Vec3 d0{real.x, real.y, real.z}, de{dual.x, dual.y, dual.z};
    const V scale = inverseRoot(mulAdd(real.w, real.w, dot(d0, d0)));
    const Vec3 t = addScaled(addScaled(cross(d0, de), real.w, de), hn::Neg(dual.w), d0);
    return {{mul(real.x, scale), mul(real.y, scale), mul(real.z, scale), mul(real.w, scale)},
            zero3(),
            scaled(t, mul(mul(hn::Add(scale, scale), scale), sum)),
            sum};
}

HWY_INLINE Map stretchOf(const KernelJob& job, const Group& g, V weight) {
    static constexpr float kIdentity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (job.stretch == Stretch::None || g.count == 0)
        return broadcastMap(kIdentity, weight);
    if (job.stretch == Stretch::Common && !g.anyBare)
        return broadcastMap(job.rigid[g.slots[0]].stretch, weight);
    return blend(g, job.rigid->stretch, kRigidStride);
}

HWY_INLINE std::uint32_t moveBy(const KernelJob& job, const Map& m, V sign, V least, const Points& points) {
    writePoints(apply(m, readPoints(points.p)), points.outP, job.past);
    std::uint32_t lost = 0;
    if (!job.withNormals)
        return lost;
    writePoints(unitNormal(cofactorTimes(m, readPoints(points.n)), sign, least, lost), points.outN, job.past);
    return lost;
}

// x1 - W r, which the rotation about a centre r starts from.
HWY_INLINE Vec3 fromCentre(const Motion& motion, const Vec3& stretched) {
    return addScaled(stretched, hn::Neg(motion.weight), motion.centre);
}

// mu of the method and the rest of the linear blend, as maps.
// By value: what a call may look at stays in memory.
HWY_NOINLINE std::uint32_t mixed(const KernelJob& job, Group g, Motion motion, Points points, V share) {
    const Map s = stretchOf(job, g, motion.weight);
    const Vec3 x = rotated(motion.q, {s.x.x, s.y.x, s.z.x}), y = rotated(motion.q, {s.x.y, s.y.y, s.z.y});
    const Vec3 z = rotated(motion.q, {s.x.z, s.y.z, s.z.z});
    const Vec3 t = add(rotated(motion.q, fromCentre(motion, s.t)), motion.t);
    const Map l = blend(g, job.linear, 12);
    const V rest = hn::Sub(all(1), share);
    const Map m{addScaled(scaled({x.x, y.x, z.x}, share), rest, l.x),
                addScaled(scaled({x.y, y.y, z.y}, share), rest, l.y),
                addScaled(scaled({x.z, y.z, z.z}, share), rest, l.z), addScaled(scaled(t, share), rest, l.t)};
    return moveBy(job, m, signOf(g, job.signs), leastOf(m), points);
}

template <Turn kTurn>
HWY_INLINE std::uint32_t moved(const KernelJob& job, const Group& g, const Motion& motion, const Points& points) {
    constexpr bool kCentred = kTurn != Turn::DualQuaternion;
    std::uint32_t lost = 0;
    if (job.stretch == Stretch::None) {
        const Vec3 p = readPoints(points.p);
        const Vec3 off = kCentred ? addScaled(p, all(-1), motion.centre) : p;
        writePoints(add(rotated(motion.q, scaled(off, motion.weight)), motion.t), points.outP, job.past);
        if (job.withNormals)
            writePoints(rotated(motion.q, readPoints(points.n)), points.outN, job.past);
        return lost;
    }
    const Map s = stretchOf(job, g, motion.weight);
    const Vec3 p = apply(s, readPoints(points.p));
    writePoints(add(rotated(motion.q, kCentred ? fromCentre(motion, p) : p), motion.t), points.outP, job.past);
    if (!job.withNormals)
        return lost;
    const Vec3 n = unitNormal(cofactorTimes(s, readPoints(points.n)), signOf(g, job.signs), leastOf(s), lost);
    writePoints(rotated(motion.q, n), points.outN, job.past);
    return lost;
}

// `share` [kWidth] of the method, none for 1.
template <Turn kTurn>
HWY_INLINE std::uint32_t move(const KernelJob& job, const Group& g, const Motion& motion, const Points& points,
                              const float* share) {
    return share ? mixed(job, g, motion, points, hn::Load(d, share)) : moved<kTurn>(job, g, motion, points);
}

// Where the rotations of a block are far apart; rare, and apart from the rest so that it takes no registers there.
HWY_NOINLINE std::uint32_t farSpherical(const KernelJob& job, const SlotTable& table, Group g, Points points,
                                        const float* share) {
    if (g.count == 0) {
        const Motion still{{hn::Zero(d), hn::Zero(d), hn::Zero(d), all(1)}, zero3(), zero3(), all(1)};
        return move<Turn::Spherical>(job, g, still, points, share);
    }
    return move<Turn::Spherical>(job, g, aboutCentre(table, g, farSpread(job, table, g)), points, share);
}

template <Turn kTurn>
HWY_INLINE std::uint32_t turnGroup(const KernelJob& job, const SlotTable& table, const Group& g, std::size_t place,
                                   const Points& points, const float* share) {
    if constexpr (kTurn == Turn::DualQuaternion)
        return move<kTurn>(job, g, dualQuaternion(job, table, g), points, share);
    if constexpr (kTurn == Turn::SphericalPerSet)
        return move<kTurn>(job, g, sphericalOfSets(job, table, g, job.sets + place), points, share);
    if (HWY_UNLIKELY(g.count == 0 || !table.near))
        return farSpherical(job, table, g, points, share);
    return move<kTurn>(job, g, aboutCentre(table, g, nearSpread(job, table, g)), points, share);
}

template <Turn kTurn> HWY_INLINE void runBlock(const KernelJob& job, std::size_t index, SlotTable& table) {
    const Block b = blockOf(job, index);
    prepare(table, job, b, kTurn == Turn::SphericalPerSet ? job.blockSets[index] : kMixedSets);
    Copies copies;
    const Points points = pointsOf(job, b, copies);
    fetchAhead(job, b, points);
    if (job.shares)
        copyShares(job, b, copies);
    std::uint32_t lost = 0;
    for (std::size_t lane = 0; lane < kLanes; lane += kWidth)
        lost |= turnGroup<kTurn>(job, table, groupOf(job, b, lane), b.first + lane, from(points, lane),
                                 job.shares ? copies.shares + lane : nullptr)
                << lane;
    if (!b.direct)
        copyOut(job, b, copies);
    repair(job, index, lost & ((1u << b.count) - 1));
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
        return job.withNormals ? linearBlocks<true>(job, list, begin, end) : linearBlocks<false>(job, list, begin, end);
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
    if (job.past)
        hwy::FlushStream();
}

const char* kernelTarget() {
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

} // namespace limber::skin
#endif
