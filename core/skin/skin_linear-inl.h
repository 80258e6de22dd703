// Linear blend. What takes long, is done beside something else: making normals unit beside the next blend.
#if defined(LIMBER_SKIN_LINEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_LINEAR_INL
#undef LIMBER_SKIN_LINEAR_INL
#else
#define LIMBER_SKIN_LINEAR_INL
#endif

#include "core/skin/skin_block-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

// What blocks with the same slots share. Where a multiply-add cannot broadcast on its own, each number of the slots
// lies here as a whole vector, which halves the instructions of a blend.
struct LinearTable {
    static constexpr std::size_t kSlots = 16;
    static constexpr bool kSpread = kWidth < kLanes;
    static constexpr std::size_t kTooMany = ~std::size_t{0};
    std::size_t count = kTooMany;
    std::uint32_t slots[kSlots];
    float least = 0; // leastOfBlock()
    HWY_ALIGN float rows[kSpread ? kSlots * 12 * kWidth : 1];
};

// No blend of a block is larger than its largest joint: one number for all, and repair() looks closer.
HWY_INLINE float leastOfBlock(const KernelJob& job, const Block& b) {
    float size = 0;
    for (std::size_t s = 0; s < b.weights->count; ++s)
        size = job.sizes[b.slots[s]] > size ? job.sizes[b.slots[s]] : size;
    size *= 1e-5f;
    return size * size > kLeastSquare ? size * size : kLeastSquare;
}

HWY_INLINE void prepare(LinearTable& table, const KernelJob& job, const Block& b) {
    const std::size_t count = b.weights->count;
    if (count == table.count && sameSlots(b.slots, table.slots, count))
        return;
    table.least = leastOfBlock(job, b);
    table.count = count <= LinearTable::kSlots ? count : LinearTable::kTooMany;
    if (table.count != count)
        return;
    std::memcpy(table.slots, b.slots, count * sizeof(*b.slots));
    float* at = table.rows;
    for (std::size_t s = 0; LinearTable::kSpread && s < count; ++s)
        for (std::size_t k = 0; k < 12; ++k, at += kWidth)
            hn::Store(all(job.linear[12 * std::size_t{b.slots[s]} + k]), d, at);
}

HWY_INLINE void addSpreadRow(Vec3& row, V& t, V w, const float* f) {
    row.x = mulAdd(w, hn::Load(d, f), row.x);
    row.y = mulAdd(w, hn::Load(d, f + kWidth), row.y);
    row.z = mulAdd(w, hn::Load(d, f + 2 * kWidth), row.z);
    t = mulAdd(w, hn::Load(d, f + 3 * kWidth), t);
}
HWY_INLINE Map blendOf(const KernelJob& job, const Group& g, const LinearTable& table) {
    if (!LinearTable::kSpread || table.count == LinearTable::kTooMany)
        return blend(g, job.linear, 12);
    Map m{zero3(), zero3(), zero3(), zero3()};
    m.x.x = m.y.y = m.z.z = g.bare;
    const float* f = table.rows;
    const float* lanes = g.lanes;
    for (std::size_t s = g.count; s > 0; --s, f += 12 * kWidth, lanes += kLanes) {
        const V w = hn::Load(d, lanes);
        addSpreadRow(m.x, m.t.x, w, f);
        addSpreadRow(m.y, m.t.y, w, f + 4 * kWidth);
        addSpreadRow(m.z, m.t.z, w, f + 8 * kWidth);
    }
    return m;
}

// A group whose normals are not yet unit.
struct Pending {
    Vec3 normal;
    V sign, least;
    float* out;
    std::size_t block, lane;
};
HWY_INLINE Pending nothing(float* nowhere) {
    return {{all(1), all(1), all(1)}, all(1), hn::Zero(d), nowhere, 0, 0};
}
// Bits of the lanes that lost their normal.
template <bool kNormals> HWY_INLINE std::uint32_t finish(const KernelJob& job, const Pending& p) {
    std::uint32_t lost = 0;
    if constexpr (!kNormals)
        return lost;
    writePoints(unitNormal(p.normal, p.sign, p.least, lost), p.out, job.past);
    return lost << p.lane;
}

template <bool kNormals>
HWY_INLINE Pending linearGroup(const KernelJob& job, const Group& g, const LinearTable& table, const Points& points,
                               const Pending& last, std::uint32_t& lost) {
    const Map m = blendOf(job, g, table);
    lost = finish<kNormals>(job, last);
    writePoints(apply(m, readPoints(points.p)), points.outP, job.past);
    if constexpr (!kNormals)
        return last;
    return {cofactorTimes(m, readPoints(points.n)), signOf(g, job.signs), all(table.least), points.outN, 0, 0};
}

// Returns what it leaves to be finished.
template <bool kNormals>
HWY_INLINE Pending linearBlock(const KernelJob& job, std::size_t index, LinearTable& table, Pending pending,
                               float* nowhere) {
    const Block b = blockOf(job, index);
    prepare(table, job, b);
    Copies copies;
    if (!b.direct) {
        repair(job, pending.block, finish<kNormals>(job, pending));
        pending = nothing(nowhere);
    }
    const Points points = pointsOf(job, b, copies);
    fetchAhead(job, b, points);
    std::uint32_t lostOfCopy = 0;
    for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
        std::uint32_t lost = 0;
        const std::size_t before = pending.block;
        pending = linearGroup<kNormals>(job, groupOf(job, b, lane), table, from(points, lane), pending, lost);
        pending.block = index;
        pending.lane = lane;
        if (b.direct)
            repair(job, before, lost);
        else
            lostOfCopy |= lost;
    }
    if (b.direct)
        return pending;
    lostOfCopy |= finish<kNormals>(job, pending);
    copyOut(job, b, copies);
    repair(job, index, lostOfCopy & ((1u << b.count) - 1));
    return nothing(nowhere);
}

// Twice, with normals and without: a branch for each group would cost a processor with few registers a sixth.
template <bool kNormals>
void linearBlocks(const KernelJob& job, const std::uint32_t* list, std::size_t begin, std::size_t end) {
    LinearTable table;
    HWY_ALIGN float nowhere[3 * kWidth];
    Pending pending = nothing(nowhere);
    for (std::size_t k = begin; k < end; ++k)
        pending = linearBlock<kNormals>(job, list ? list[k] : k, table, pending, nowhere);
    repair(job, pending.block, finish<kNormals>(job, pending));
}

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
