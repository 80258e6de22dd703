#include "core/mesh/smooth_normals_kernel.h"

#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/mesh/smooth_normals_kernel.cpp"
// Each depends on those before it.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/mesh/face_sums-inl.h"
#include "core/mesh/unit_normals-inl.h"
// clang-format on

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace limber::mesh::HWY_NAMESPACE {
namespace {

void fillOne(const float* point, float* slots, std::size_t slot) {
    float* at = slots + slotFloat(slot);
    std::memcpy(at, point, 3 * sizeof(float));
    std::memset(at + kFloatsOfLine, 0, 4 * sizeof(float));
}

void fill(const float* points, std::size_t count, float* slots) {
    std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
    constexpr std::size_t kPoints = kWidth / 4;
    HWY_ALIGN std::int32_t from[kWidth];
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        from[lane] = static_cast<std::int32_t>(lane / 4 * 3 + lane % 4);
    const auto apart = hn::SetTableIndices(d, from);
    for (; k + kPoints + (kPoints + 2) / 3 <= count; k += kPoints) {
        float* at = slots + slotFloat(k);
        hn::Store(hn::TableLookupLanes(hn::LoadU(d, points + 3 * k), apart), d, at);
        hn::Store(hn::Zero(d), d, at + kFloatsOfLine);
    }
#endif
    for (; k < count; ++k)
        fillOne(points + 3 * k, slots, k);
}

void fillOf(const float* points, const std::uint32_t* which, std::size_t count, float* slots, std::size_t first) {
    for (std::size_t k = 0; k < count; ++k)
        fillOne(points + 3 * std::size_t{which[k]}, slots, first + k);
}

} // namespace
} // namespace limber::mesh::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber::mesh {

HWY_EXPORT(fill);
HWY_EXPORT(fillOf);
HWY_EXPORT(add);
HWY_EXPORT(unit);

void fillSlots(const float* points, std::size_t count, float* slots) {
    HWY_DYNAMIC_DISPATCH(fill)(points, count, slots);
}

void fillSlotsOf(const float* points, const std::uint32_t* which, std::size_t count, float* slots, std::size_t first) {
    HWY_DYNAMIC_DISPATCH(fillOf)(points, which, count, slots, first);
}

void addFaces(float* slots, const FaceLists& faces) {
    HWY_DYNAMIC_DISPATCH(add)(slots, faces);
}

std::size_t unitNormals(const float* slots, std::size_t first, std::size_t count, float* normals,
                        std::uint32_t* unusual) {
    return HWY_DYNAMIC_DISPATCH(unit)(slots, first, count, normals, unusual);
}

} // namespace limber::mesh
#endif
