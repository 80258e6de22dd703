// A block's vertices as the kernels go through them: in place, or by way of a copy.
#if defined(LIMBER_SKIN_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_BLOCK_INL
#undef LIMBER_SKIN_BLOCK_INL
#else
#define LIMBER_SKIN_BLOCK_INL
#endif

#include "core/skin/skin_points-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

// Where the points of a group are read and written. Read only when needed: sixteen vectors do not hold them beside the
// sums.
struct Points {
    const float *p, *n;
    float *outP, *outN;
};

struct Block {
    const WeightBlock* weights;
    const std::uint32_t* slots;
    std::size_t first, count; // vertices
    bool direct;              // they are as many as a block has
};

HWY_INLINE Block blockOf(const KernelJob& job, std::size_t index) {
    const WeightBlock& weights = job.blocks[index];
    const std::size_t first = index * kLanes, left = job.vertices - first;
    return {&weights, job.slots + weights.first, first, left < kLanes ? left : kLanes, left >= kLanes};
}

HWY_INLINE void copy3(const float* from, float* to) {
    std::memcpy(to, from, 3 * sizeof(float));
}

struct Copies {
    HWY_ALIGN float points[4 * 3 * kLanes];
    HWY_ALIGN float shares[kLanes];
};

HWY_NOINLINE void copyIn(const KernelJob& job, const Block& b, Copies& copies) {
    for (std::size_t k = 0; k < kLanes; ++k) { // beyond the last vertex: the last one again
        const std::size_t v = b.first + (k < b.count ? k : b.count - 1);
        copy3(job.positions + 3 * v, copies.points + 3 * k);
        if (job.withNormals)
            copy3(job.normals + 3 * v, copies.points + 3 * (kLanes + k));
    }
}
HWY_NOINLINE void copyOut(const KernelJob& job, const Block& b, const Copies& copies) {
    for (std::size_t k = 0; k < b.count; ++k) {
        const std::size_t v = b.first + k;
        copy3(copies.points + 3 * (2 * kLanes + k), job.outPositions + 3 * v);
        if (job.withNormals)
            copy3(copies.points + 3 * (3 * kLanes + k), job.outNormals + 3 * v);
    }
}
HWY_NOINLINE void copyShares(const KernelJob& job, const Block& b, Copies& copies) {
    for (std::size_t k = 0; k < kLanes; ++k)
        copies.shares[k] = k < b.count ? job.shares[b.first + k] : 1;
}

HWY_INLINE Points pointsOf(const KernelJob& job, const Block& b, Copies& copies) {
    if (HWY_LIKELY(b.direct)) {
        const std::size_t at = 3 * b.first;
        return {job.positions + at, job.normals + at, job.outPositions + at, job.outNormals + at};
    }
    copyIn(job, b, copies);
    return {copies.points, copies.points + 3 * kLanes, copies.points + 6 * kLanes, copies.points + 9 * kLanes};
}
HWY_INLINE Points from(const Points& points, std::size_t lane) {
    return {points.p + 3 * lane, points.n + 3 * lane, points.outP + 3 * lane, points.outN + 3 * lane};
}

HWY_INLINE V bareLanes(std::uint32_t bare, std::size_t lane) {
    HWY_ALIGN float lanes[kWidth];
    for (std::size_t k = 0; k < kWidth; ++k)
        lanes[k] = static_cast<float>(bare >> (lane + k) & 1);
    return hn::Load(d, lanes);
}
HWY_INLINE Group groupOf(const KernelJob& job, const Block& b, std::size_t lane) {
    const std::uint32_t bare = b.weights->bare;
    return {b.slots, job.lanes + b.weights->first * kLanes + lane, b.weights->count,
            HWY_UNLIKELY(bare) ? bareLanes(bare, lane) : hn::Zero(d), bare != 0};
}

// Of more vertices than caches hold, reading and writing seven arrays at once is more than processors foresee on their
// own.
HWY_INLINE void fetchAhead(const KernelJob& job, const Block& b, const Points& points) {
    constexpr std::size_t kBlocks = 2, kLine = 64 / sizeof(float), kSlots = 4;
    if (!b.direct || job.vertices < kBeyondCaches)
        return;
    const std::size_t ahead = kBlocks * 3 * kLanes;
    const auto fetch = [ahead](const float* from, int write) HWY_ATTR {
        for (std::size_t k = ahead; k < ahead + 3 * kLanes; k += kLine)
            write ? __builtin_prefetch(from + k, 1) : __builtin_prefetch(from + k);
    };
    fetch(points.p, 0);
    if (job.withNormals)
        fetch(points.n, 0);
    if (!job.past) {
        fetch(points.outP, 1);
        if (job.withNormals)
            fetch(points.outN, 1);
    }
    const float* lanes = job.lanes + (b.weights->first + kBlocks * kSlots) * kLanes;
    for (std::size_t s = 0; s < kSlots; ++s)
        __builtin_prefetch(lanes + s * kLanes);
}

// Written in full; `lost`: a bit for each lane.
HWY_INLINE void repair(const KernelJob& job, std::size_t index, std::uint32_t lost) {
    if (HWY_UNLIKELY(lost))
        job.repair(job, index, lost);
}

// Neighbouring blocks mostly have the same slots: what is prepared for them is kept.
HWY_INLINE bool sameSlots(const std::uint32_t* a, const std::uint32_t* b, std::size_t count) {
    std::uint32_t differ = 0;
    for (std::size_t s = 0; s < count; ++s)
        differ |= a[s] ^ b[s];
    return differ == 0;
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
