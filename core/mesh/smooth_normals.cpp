#include "core/mesh/smooth_normals.h"

#include "core/base/pieces.h"
#include "core/mesh/four_floats.h"
#include "core/mesh/normals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace limber::mesh {

struct PointSlot {
    Four position;
    Four sum; // of the face normals: z x y
};

namespace {

// Sums of squares between these are floats with all their digits.
constexpr float kLeastSquare = 1e-30f, kMostSquare = 1e30f;

// Enough pieces for the threads. Where they are thin strips, large ones share fewer triangles.
std::size_t piecePoints(std::size_t points) {
    return std::clamp<std::size_t>(points / 16, 2048, 65536);
}

// Slots of the threads, kept.
std::vector<PointSlot>& scratch(std::size_t count) {
    thread_local std::vector<PointSlot> slots;
    if (slots.size() < count)
        slots.resize(count);
    return slots;
}

// Slots are named by their bytes: multiplying for each corner would cost as much as adding to it.
PointSlot& slotAt(PointSlot* slots, std::uint32_t bytes) {
    return *reinterpret_cast<PointSlot*>(reinterpret_cast<std::byte*>(slots) + bytes);
}

void addPair(PointSlot* slots, const std::uint32_t* at) {
    PointSlot &a = slotAt(slots, at[0]), &b = slotAt(slots, at[1]), &c = slotAt(slots, at[2]),
              &d = slotAt(slots, at[3]);
    const Four middle = b.position;
    const Four edge = c.position - middle, edgeTurned = turned(edge);
    const Four one = turnedCross(middle - a.position, edge, edgeTurned);
    const Four other = turnedCross(d.position - middle, edge, edgeTurned);
    const Four both = one + other;
    a.sum += one;
    d.sum += other;
    b.sum += both;
    c.sum += both;
}

void addSingle(PointSlot* slots, const std::uint32_t* at) {
    PointSlot &a = slotAt(slots, at[0]), &b = slotAt(slots, at[1]), &c = slotAt(slots, at[2]);
    const Four edge = c.position - a.position;
    const Four face = turnedCross(b.position - a.position, edge, turned(edge));
    a.sum += face;
    b.sum += face;
    c.sum += face;
}

// Neighbouring pairs add to the same points and wait for each other; so four places of the list take turns.
void addPairs(PointSlot* slots, std::span<const std::uint32_t> pairs) {
    constexpr std::size_t kStreams = 4;
    const std::size_t count = pairs.size() / 4, stream = count / kStreams;
    for (std::size_t k = 0; k < stream; ++k)
        for (std::size_t s = 0; s < kStreams; ++s)
            addPair(slots, pairs.data() + 4 * (s * stream + k));
    for (std::size_t k = kStreams * stream; k < count; ++k)
        addPair(slots, pairs.data() + 4 * k);
}

using FourFlags [[gnu::vector_size(16)]] = std::int32_t;

bool allTrue(FourFlags flags) {
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(flags);
    return (halves[0] & halves[1]) == ~std::uint64_t(0);
}

Four rootOf(Four v) {
#ifdef __SSE__
    return _mm_sqrt_ps(v);
#else
    return Four{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

// The unit normals of four slots, one after the other; false where one of them needs a closer look.
bool writeFour(const PointSlot* slots, float* out) {
    const Four a = slots[0].sum, b = slots[1].sum, c = slots[2].sum, d = slots[3].sum; // z x y
    const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    Four z = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), x = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    Four y = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 6, 2, 6),
                                     __builtin_shufflevector(c, d, 2, 6, 2, 6), 0, 1, 4, 5);
    const Four square = x * x + y * y + z * z;
    if (!allTrue((square > kLeastSquare) & (square < kMostSquare)))
        return false;
    const Four inverse = 1.0f / rootOf(square);
    x *= inverse;
    y *= inverse;
    z *= inverse;
    const Four xy = __builtin_shufflevector(x, y, 0, 4, 1, 5), xyEnd = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    const Four first = __builtin_shufflevector(xy, __builtin_shufflevector(z, x, 0, 5, 0, 5), 0, 1, 4, 5);
    const Four second = __builtin_shufflevector(__builtin_shufflevector(y, z, 1, 5, 1, 5), xyEnd, 0, 1, 4, 5);
    const Four third = __builtin_shufflevector(__builtin_shufflevector(z, x, 2, 7, 2, 7),
                                               __builtin_shufflevector(y, z, 3, 7, 3, 7), 0, 1, 4, 5);
    std::memcpy(out, &first, sizeof first);
    std::memcpy(out + 4, &second, sizeof second);
    std::memcpy(out + 8, &third, sizeof third);
    return true;
}

} // namespace

// Makes the lists of one piece.
class SmoothNormals::Builder {
public:
    Builder(const Weld& weld, std::span<const std::uint32_t> triangles, Piece& piece)
        : weld_(weld), triangles_(triangles), piece_(piece) {}

    void build() {
        const std::vector<std::uint32_t> around = trianglesAround();
        listOthers(around);
        piece_.pairs.reserve(2 * around.size());
        for (std::size_t k = 0; k < around.size(); ++k)
            if (k + 1 < around.size() && addPair(around[k], around[k + 1]))
                ++k;
            else
                for (const std::uint32_t point : pointsOf(around[k]))
                    piece_.singles.push_back(slotOf(point));
    }

private:
    using Triangle = std::array<std::uint32_t, 3>;

    [[nodiscard]] Triangle pointsOf(std::uint32_t t) const {
        Triangle points;
        for (std::size_t k = 0; k < 3; ++k)
            points[k] = weld_.pointOfVertex[triangles_[3 * std::size_t(t) + k]];
        return points;
    }
    [[nodiscard]] bool inside(std::uint32_t point) const { return point >= piece_.first && point < piece_.end; }

    // Those of the piece's points, ascending.
    [[nodiscard]] std::vector<std::uint32_t> trianglesAround() const {
        const auto& rows = weld_.trianglesOfPoint;
        const auto all =
            std::span(rows.items)
                .subspan(rows.offsets[piece_.first], rows.offsets[piece_.end] - rows.offsets[piece_.first]);
        std::vector<std::uint32_t> around;
        if (all.empty())
            return around;
        const auto [low, high] = std::minmax_element(all.begin(), all.end());
        std::vector<std::uint8_t> listed(*high - *low + 1, 0);
        for (const std::uint32_t t : all)
            listed[t - *low] = 1;
        around.reserve(all.size() / 3 + 16);
        for (std::uint32_t k = 0; k < listed.size(); ++k)
            if (listed[k])
                around.push_back(*low + k);
        return around;
    }

    // The points of other pieces get their slots, ascending.
    void listOthers(std::span<const std::uint32_t> around) {
        std::uint32_t high = 0;
        low_ = static_cast<std::uint32_t>(weld_.pointCount());
        for (const std::uint32_t t : around)
            for (const std::uint32_t point : pointsOf(t)) {
                low_ = std::min(low_, point);
                high = std::max(high, point + 1);
            }
        slots_.assign(high > low_ ? high - low_ : 0, kNone);
        for (const std::uint32_t t : around)
            for (const std::uint32_t point : pointsOf(t))
                slots_[point - low_] = 0;
        std::uint32_t next = piece_.end - piece_.first;
        for (std::uint32_t k = 0; k < slots_.size(); ++k) {
            const std::uint32_t point = low_ + k;
            if (slots_[k] == kNone)
                continue;
            slots_[k] = (inside(point) ? point - piece_.first : next++) * std::uint32_t(sizeof(PointSlot));
            if (!inside(point))
                piece_.others.push_back(weld_.firstVertex(point));
        }
    }

    [[nodiscard]] std::uint32_t slotOf(std::uint32_t point) const { return slots_[point - low_]; }

    // Two triangles that run along an edge in opposite ways.
    bool addPair(std::uint32_t first, std::uint32_t second) {
        const Triangle p = pointsOf(first), q = pointsOf(second);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                if (p[(i + 1) % 3] == q[(j + 2) % 3] && p[(i + 2) % 3] == q[(j + 1) % 3]) {
                    for (const std::uint32_t point : {p[i], p[(i + 1) % 3], p[(i + 2) % 3], q[j]})
                        piece_.pairs.push_back(slotOf(point));
                    return true;
                }
        return false;
    }

    const Weld& weld_;
    std::span<const std::uint32_t> triangles_;
    Piece& piece_;
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t low_ = 0;
    std::vector<std::uint32_t> slots_; // of the points from low_ on
};

SmoothNormals::SmoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles)
    : weld_(weld), triangles_(triangles), plain_(weld.pointCount() == weld.pointOfVertex.size()) {
    const std::size_t points = weld.pointCount(), size = piecePoints(points);
    pieces_.resize((points + size - 1) / size);
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) {
        pieces_[k].first = static_cast<std::uint32_t>(k * size);
        pieces_[k].end = static_cast<std::uint32_t>(std::min(points, (k + 1) * size));
        Builder(weld, triangles, pieces_[k]).build();
    });
}

void SmoothNormals::writeOne(std::uint32_t point, std::span<const Eigen::Vector3f> positions,
                             std::span<Eigen::Vector3f> normals) const {
    Eigen::Vector3f normal = pointNormal(weld_, triangles_, positions, point);
    if (normal.isZero())
        normal = Eigen::Vector3f::UnitY();
    for (const std::uint32_t v : weld_.verticesOfPoint[point])
        normals[v] = normal;
}

// Four slots, of which the first ones are points from `point` on.
void SmoothNormals::writeSome(std::uint32_t point, std::span<const PointSlot> slots,
                              std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> normals) const {
    std::array<Eigen::Vector3f, 4> four;
    const bool inPlace = plain_ && slots.size() == 4;
    const bool usual = writeFour(slots.data(), inPlace ? normals[point].data() : four[0].data());
    if (usual && inPlace)
        return;
    for (std::size_t k = 0; k < slots.size(); ++k, ++point)
        if (!usual)
            writeOne(point, positions, normals);
        else
            for (const std::uint32_t v : weld_.verticesOfPoint[point])
                normals[v] = four[k];
}

void SmoothNormals::run(const Piece& piece, std::span<const Eigen::Vector3f> positions,
                        std::span<Eigen::Vector3f> normals) const {
    const std::size_t count = piece.end - piece.first;
    PointSlot* slots = scratch(count + piece.others.size()).data();
    if (plain_) {
        for (std::size_t k = 0; k + 1 < count; ++k)
            slots[k] = {loadFourOf(positions[piece.first + k]), Four{}};
        slots[count - 1] = {loadFour(positions, piece.end - 1), Four{}};
    } else {
        for (std::size_t k = 0; k < count; ++k)
            slots[k] = {loadFour(positions, weld_.firstVertex(static_cast<std::uint32_t>(piece.first + k))), Four{}};
    }
    for (std::size_t k = 0; k < piece.others.size(); ++k)
        slots[count + k] = {loadFour(positions, piece.others[k]), Four{}};
    addPairs(slots, piece.pairs);
    for (std::size_t k = 0; k < piece.singles.size(); k += 3)
        addSingle(slots, piece.singles.data() + k);

    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
        writeSome(static_cast<std::uint32_t>(piece.first + k), {slots + k, 4}, positions, normals);
    if (k == count)
        return;
    std::array<PointSlot, 4> last;
    last.fill({Four{}, Four{1, 0, 0, 0}});
    std::copy(slots + k, slots + count, last.begin());
    writeSome(static_cast<std::uint32_t>(piece.first + k), {last.data(), count - k}, positions, normals);
}

void SmoothNormals::compute(std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> normals) const {
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) { run(pieces_[k], positions, normals); });
}

} // namespace limber::mesh
