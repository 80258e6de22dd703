// What the rigid methods prepare for the slots of a block, and sums over slots by the sign rule.
#if defined(LIMBER_SKIN_SLOT_TABLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_SLOT_TABLE_INL
#undef LIMBER_SKIN_SLOT_TABLE_INL
#else
#define LIMBER_SKIN_SLOT_TABLE_INL
#endif

#include "core/skin/skin_block-inl.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace limber::skin::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTable = 64; // slots of a block that are prepared at once

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

HWY_NOINLINE void fill(SlotTable& table, const KernelJob& job, const Block& b, std::uint32_t set) {
    const std::size_t count = b.weights->count;
    const bool fits = count <= kTable;
    table.count = fits ? count : 0;
    table.set = set;
    if (fits)
        std::memcpy(table.slots, b.slots, count * sizeof(*b.slots));
    findSigns(table, job.rigid, b.slots, count);
    if (job.turn == Turn::DualQuaternion)
        return;
    const RigidSlot& first = job.rigid[b.slots[0]];
    std::memcpy(table.anchor, first.origin, sizeof(table.anchor));
    place(first.rows, table.anchor, table.anchorPlace);
    for (std::size_t s = 0; fits && s < count; ++s) {
        const RigidSlot& slot = job.rigid[b.slots[s]];
        if (job.turn == Turn::Spherical)
            table.differences[s] = differenceOf(table, first, slot);
        else if (set != kMixedSets)
            place(slot.rows, job.centres + 3 * set, table.differences[s].place);
    }
}

HWY_INLINE void prepare(SlotTable& table, const KernelJob& job, const Block& b, std::uint32_t set) {
    const std::size_t count = b.weights->count;
    if (count != 0 && !(count == table.count && set == table.set && sameSlots(b.slots, table.slots, count)))
        fill(table, job, b, set);
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

} // namespace
} // namespace limber::skin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
