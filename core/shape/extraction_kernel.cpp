#include "core/shape/extraction_kernel.h"

#include "core/skin/skin_weights.h"

#include <cstring>

#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/shape/extraction_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::shape::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kWidth = HWY_LANES(double) < 8 ? HWY_LANES(double) : 8;
constexpr float kLeastWeight = 1e-6f; // skin::kWeightEpsilon
const hn::FixedTag<double, kWidth> d;
const hn::FixedTag<float, kWidth> floats;
using V = hn::Vec<decltype(d)>;
using M = hn::Mask<decltype(d)>;
constexpr std::size_t kRun = ExtractionRun::kVertices;

struct Vec3 {
    V x, y, z;
};

HWY_INLINE V mul(V a, V b) {
    return hn::Mul(a, b);
}

// Sums as the plain code makes them: no fused steps, so that every processor has the same values.
HWY_INLINE V dot(const Vec3& a, const Vec3& b) {
    return hn::Add(hn::Add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z));
}

HWY_INLINE V minor(V a, V b, V c, V e) {
    return hn::Sub(mul(a, e), mul(b, c));
}

HWY_INLINE Vec3 cross(const Vec3& a, const Vec3& b) {
    return {minor(a.y, a.z, b.y, b.z), minor(a.z, a.x, b.z, b.x), minor(a.x, a.y, b.x, b.y)};
}

// The lanes of one piece of a joint's row go to the same place of its map, of which the rows lie apart.
HWY_INLINE void storeMap(ExtractionRun& run, std::size_t k, std::size_t at, V value) {
#if HWY_CAP_GE512
    const hn::Half<decltype(d)> half;
    hn::Store(hn::LowerHalf(half, value), half, run.maps[at / 4][k]);
    hn::Store(hn::UpperHalf(half, value), half, run.maps[at / 4 + 1][k]);
#else
    hn::Store(value, d, run.maps[at / 4][k] + at % 4);
#endif
}

void setIdentity(ExtractionRun& run, std::size_t k) {
    std::memset(run.maps[0][k], 0, 4 * sizeof(double));
    std::memset(run.maps[1][k], 0, 4 * sizeof(double));
    std::memset(run.maps[2][k], 0, 4 * sizeof(double));
    run.maps[0][k][0] = run.maps[1][k][1] = run.maps[2][k][2] = run.maps[3][k][0] = 1;
}

void blend(const BlendRows& rows, std::size_t first, std::size_t count, ExtractionRun& run) {
    for (std::size_t k = 0; k < count; ++k) {
        const skin::Influence* row = rows.influences + (first + k) * rows.capacity;
        const std::uint32_t influences = rows.counts[first + k];
        bool any = false;
        for (std::size_t at = 0; at < kJointRow; at += kWidth) {
            V sum = hn::Zero(d);
            for (std::uint32_t i = 0; i < influences; ++i) {
                if (!(row[i].weight > kLeastWeight))
                    continue;
                any = true;
                const V joint = hn::LoadU(d, rows.joints + row[i].slot * kJointRow + at);
                sum = hn::Add(sum, mul(hn::Set(d, double(row[i].weight)), joint));
            }
            storeMap(run, k, at, sum);
        }
        if (!any)
            setIdentity(run, k);
    }
}

struct Matrix {
    Vec3 x, y, z; // rows
    Vec3 b;
    V scale;
};

HWY_INLINE Matrix loadMaps(const ExtractionRun& run, std::size_t k) {
    Matrix m;
    V unused0, unused1, unused2;
    hn::LoadInterleaved4(d, run.maps[0][k], m.x.x, m.x.y, m.x.z, m.b.x);
    hn::LoadInterleaved4(d, run.maps[1][k], m.y.x, m.y.y, m.y.z, m.b.y);
    hn::LoadInterleaved4(d, run.maps[2][k], m.z.x, m.z.y, m.z.z, m.b.z);
    hn::LoadInterleaved4(d, run.maps[3][k], m.scale, unused0, unused1, unused2);
    return m;
}

HWY_INLINE Vec3 turned(const Matrix& m, const Vec3& p) {
    return {dot(m.x, p), dot(m.y, p), dot(m.z, p)};
}

struct Limits {
    V weight, threshold, floor;
};

// One vector of vertices; whether all of `sculpted` is finite.
HWY_INLINE bool invertLanes(const float* points, const double* sculpted, const Limits& limits, ExtractionRun& run,
                            std::size_t k) {
    hn::Vec<decltype(floats)> px, py, pz;
    hn::LoadInterleaved3(floats, points + 3 * k, px, py, pz);
    const Vec3 p{hn::PromoteTo(d, px), hn::PromoteTo(d, py), hn::PromoteTo(d, pz)};
    Vec3 y;
    hn::LoadInterleaved3(d, sculpted + 3 * k, y.x, y.y, y.z);
    const Matrix m = loadMaps(run, k);
    const Vec3 ap = turned(m, p);
    const Vec3 offset{hn::Sub(y.x, hn::Add(ap.x, m.b.x)), hn::Sub(y.y, hn::Add(ap.y, m.b.y)),
                      hn::Sub(y.z, hn::Add(ap.z, m.b.z))};
    const M moved = hn::Gt(hn::Sqrt(dot(offset, offset)), limits.threshold);

    // Columns of the adjugate; sigma_3 = |det| / (sigma_1 sigma_2) >= 2 |det| / |A|_F^2.
    const Vec3 u = cross(m.y, m.z), v = cross(m.z, m.x), w = cross(m.x, m.y);
    const V det = dot(m.x, u);
    const V square = hn::Add(hn::Add(dot(m.x, m.x), dot(m.y, m.y)), dot(m.z, m.z));
    const V bound = hn::Div(hn::Abs(hn::Add(det, det)), square);
    const M regular = hn::And(hn::Gt(bound, mul(limits.floor, m.scale)), hn::Gt(bound, hn::Zero(d)));

    const V inverse = hn::Div(hn::Set(d, 1.0), det);
    const auto column = [&](V a, V b, V c) HWY_ATTR {
        return mul(hn::Add(hn::Add(mul(a, offset.x), mul(b, offset.y)), mul(c, offset.z)), inverse);
    };
    const Vec3 delta{column(u.x, v.x, w.x), column(u.y, v.y, w.y), column(u.z, v.z, w.z)};
    const Vec3 reached = turned(m, delta);
    const Vec3 rest{hn::Sub(offset.x, reached.x), hn::Sub(offset.y, reached.y), hn::Sub(offset.z, reached.z)};
    hn::Store(hn::Div(delta.x, limits.weight), d, run.delta[0] + k);
    hn::Store(hn::Div(delta.y, limits.weight), d, run.delta[1] + k);
    hn::Store(hn::Div(delta.z, limits.weight), d, run.delta[2] + k);
    hn::Store(hn::Sqrt(dot(rest, rest)), d, run.residual + k);

    std::uint8_t movedBits[8] = {}, regularBits[8] = {};
    hn::StoreMaskBits(d, moved, movedBits);
    hn::StoreMaskBits(d, regular, regularBits);
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        run.states[k + lane] = !(movedBits[0] >> lane & 1)    ? Extracted::Still
                               : (regularBits[0] >> lane & 1) ? Extracted::Moved
                                                              : Extracted::Irregular;
    return hn::AllTrue(d, hn::And(hn::IsFinite(y.x), hn::And(hn::IsFinite(y.y), hn::IsFinite(y.z))));
}

bool invert(const float* points, const double* sculpted, std::size_t count, double weight, double threshold,
            double floor, ExtractionRun& run) {
    const Limits limits{hn::Set(d, weight), hn::Set(d, threshold), hn::Set(d, floor)};
    const std::size_t whole = count - count % kWidth;
    bool finite = true;
    for (std::size_t k = 0; k < whole; k += kWidth)
        finite &= invertLanes(points, sculpted, limits, run, k);
    if (whole == count)
        return finite;
    // The last, short vector: copies, with its first vertex in the lanes beyond.
    alignas(64) float lastPoints[3 * kRun];
    alignas(64) double lastSculpted[3 * kRun];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
        const std::size_t k = whole + lane < count ? whole + lane : whole;
        std::memcpy(lastPoints + 3 * (whole + lane), points + 3 * k, 3 * sizeof(float));
        std::memcpy(lastSculpted + 3 * (whole + lane), sculpted + 3 * k, 3 * sizeof(double));
        for (auto& row : run.maps)
            std::memcpy(row[whole + lane], row[k], sizeof(row[k]));
    }
    return invertLanes(lastPoints, lastSculpted, limits, run, whole) && finite;
}

} // namespace
} // namespace limber::shape::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber::shape {

HWY_EXPORT(blend);
HWY_EXPORT(invert);

void blendMaps(const BlendRows& rows, std::size_t first, std::size_t count, ExtractionRun& run) {
    HWY_DYNAMIC_DISPATCH(blend)(rows, first, count, run);
}

bool invertMaps(const float* points, const double* sculpted, std::size_t count, double weight, double threshold,
                double floor, ExtractionRun& run) {
    return HWY_DYNAMIC_DISPATCH(invert)(points, sculpted, count, weight, threshold, floor, run);
}

} // namespace limber::shape
#endif
