#include "core/mesh/smooth_normals.h"

#include "core/base/pieces.h"
#include "core/mesh/four_floats.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle_walk.h"

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

namespace {

// Pieces of a mesh in any order: all their slots are near.
constexpr std::size_t kScatteredPiece = 16384;

} // namespace

// Makes the lists of one piece.
class SmoothNormals::Builder {
public:
    Builder(const SmoothNormals& all, Piece& piece) : all_(all), piece_(piece) {}

    // `around`: the triangles of the piece's points, those that share an edge mostly one after the other.
    void build(std::span<const Triangle> around) {
        listOthers(around);
        piece_.pairs.reserve(2 * around.size());
        for (std::size_t k = 0; k < around.size(); ++k)
            if (k + 1 < around.size() && addPair(around[k], around[k + 1]))
                ++k;
            else
                for (const std::uint32_t place : around[k])
                    piece_.singles.push_back(slotOf(place));
    }

private:
    [[nodiscard]] bool inside(std::uint32_t place) const { return place >= piece_.first && place < piece_.end; }

    // The points of other pieces get their slots, ascending.
    void listOthers(std::span<const Triangle> around) {
        std::uint32_t high = 0;
        low_ = static_cast<std::uint32_t>(all_.weld_.pointCount());
        for (const Triangle& t : around)
            for (const std::uint32_t place : t) {
                low_ = std::min(low_, place);
                high = std::max(high, place + 1);
            }
        slots_.assign(high > low_ ? high - low_ : 0, kNone);
        for (const Triangle& t : around)
            for (const std::uint32_t place : t)
                slots_[place - low_] = 0;
        std::uint32_t next = piece_.end - piece_.first;
        for (std::uint32_t k = 0; k < slots_.size(); ++k) {
            const std::uint32_t place = low_ + k;
            if (slots_[k] == kNone)
                continue;
            slots_[k] = (inside(place) ? place - piece_.first : next++) * std::uint32_t(sizeof(PointSlot));
            if (!inside(place))
                piece_.others.push_back(all_.weld_.firstVertex(all_.pointAt(place)));
        }
    }

    [[nodiscard]] std::uint32_t slotOf(std::uint32_t place) const { return slots_[place - low_]; }

    bool addPair(const Triangle& p, const Triangle& q) {
        const auto across = cornersAcross(p, q);
        if (!across)
            return false;
        const auto [i, j] = *across;
        for (const std::uint32_t place : {p[i], p[(i + 1) % 3], p[(i + 2) % 3], q[j]})
            piece_.pairs.push_back(slotOf(place));
        return true;
    }

    const SmoothNormals& all_;
    Piece& piece_;
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t low_ = 0;
    std::vector<std::uint32_t> slots_; // of the places from low_ on
};

SmoothNormals::SmoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles)
    : weld_(weld), triangles_(triangles), plain_(weld.pointCount() == weld.pointOfVertex.size()) {
    const std::size_t size = piecePoints(weld.pointCount());
    if (isScattered(weld, size)) {
        buildScattered(std::min(size, kScatteredPiece));
        return;
    }
    cut(size);
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) {
        Builder(*this, pieces_[k]).build(trianglesAround(weld_, triangles_, pieces_[k].first, pieces_[k].end));
    });
}

void SmoothNormals::cut(std::size_t size) {
    const std::size_t points = weld_.pointCount();
    pieces_.resize((points + size - 1) / size);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        pieces_[k].first = static_cast<std::uint32_t>(k * size);
        pieces_[k].end = static_cast<std::uint32_t>(std::min(points, (k + 1) * size));
    }
}

// The points of a piece are neighbours of each other.
void SmoothNormals::buildScattered(std::size_t size) {
    cut(size);
    std::vector<std::uint32_t> walk = reachedOrder(weld_);
    order_ = walk;
    placeOf_.resize(walk.size());
    placed_.resize(walk.size());
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) {
        std::sort(order_.begin() + pieces_[k].first, order_.begin() + pieces_[k].end);
        for (std::uint32_t place = pieces_[k].first; place < pieces_[k].end; ++place)
            placeOf_[order_[place]] = place;
        for (std::uint32_t at = pieces_[k].first; at < pieces_[k].end; ++at)
            walk[at] = placeOf_[walk[at]];
    });
    std::vector<std::vector<Triangle>> ofPieces(pieces_.size());
    for (std::size_t t = 0; t < triangles_.size() / 3; ++t) {
        Triangle places = pointsOf(weld_, triangles_, t);
        for (std::uint32_t& place : places)
            place = placeOf_[place];
        const std::size_t a = places[0] / size, b = places[1] / size, c = places[2] / size;
        ofPieces[a].push_back(places);
        if (b != a)
            ofPieces[b].push_back(places);
        if (c != a && c != b)
            ofPieces[c].push_back(places);
    }
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) {
        const Piece& piece = pieces_[k];
        const auto own = std::span(walk).subspan(piece.first, piece.end - piece.first);
        Builder(*this, pieces_[k]).build(pairedAlong(own, piece.first, ofPieces[k]));
    });
}

Eigen::Vector3f SmoothNormals::exactNormal(std::uint32_t point, std::span<const Eigen::Vector3f> positions) const {
    const Eigen::Vector3f normal = pointNormal(weld_, triangles_, positions, point);
    return normal.isZero() ? Eigen::Vector3f::UnitY() : normal;
}

// Four slots, of which the first ones are the points from `place` on.
void SmoothNormals::writeSome(std::uint32_t place, std::span<const PointSlot> slots,
                              std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> out) const {
    std::array<Eigen::Vector3f, 4> four;
    const bool inPlace = byPlace() && slots.size() == 4;
    const bool usual = writeFour(slots.data(), inPlace ? out[place].data() : four[0].data());
    if (usual && inPlace)
        return;
    for (std::size_t k = 0; k < slots.size(); ++k, ++place) {
        if (!usual)
            four[k] = exactNormal(pointAt(place), positions);
        if (byPlace())
            out[place] = four[k];
        else
            for (const std::uint32_t v : weld_.verticesOfPoint[place])
                out[v] = four[k];
    }
}

// `own` and `out`: by places, or by vertices.
void SmoothNormals::run(const Piece& piece, std::span<const Eigen::Vector3f> own,
                        std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> out) const {
    const std::size_t count = piece.end - piece.first;
    PointSlot* slots = scratch(count + piece.others.size()).data();
    if (byPlace()) {
        for (std::size_t k = 0; k + 1 < count; ++k)
            slots[k] = {loadFourOf(own[piece.first + k]), Four{}};
        slots[count - 1] = {loadFour(own, piece.end - 1), Four{}};
    } else {
        for (std::size_t k = 0; k < count; ++k)
            slots[k] = {loadFour(own, weld_.firstVertex(static_cast<std::uint32_t>(piece.first + k))), Four{}};
    }
    for (std::size_t k = 0; k < piece.others.size(); ++k)
        slots[count + k] = {loadFour(positions, piece.others[k]), Four{}};
    addPairs(slots, piece.pairs);
    for (std::size_t k = 0; k < piece.singles.size(); k += 3)
        addSingle(slots, piece.singles.data() + k);

    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
        writeSome(static_cast<std::uint32_t>(piece.first + k), {slots + k, 4}, positions, out);
    if (k == count)
        return;
    std::array<PointSlot, 4> last;
    last.fill({Four{}, Four{1, 0, 0, 0}});
    std::copy(slots + k, slots + count, last.begin());
    writeSome(static_cast<std::uint32_t>(piece.first + k), {last.data(), count - k}, positions, out);
}

void SmoothNormals::compute(std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> normals) const {
    if (order_.empty()) {
        inPieces(pieces_.size(), 1,
                 [&](std::size_t k, std::size_t) { run(pieces_[k], positions, positions, normals); });
        return;
    }
    // The points of each piece ascend: the file's order is gone through once, and so is each piece.
    inPieces(order_.size(), kScatteredPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p)
            placed_[placeOf_[p]] = positions[plain_ ? p : weld_.firstVertex(static_cast<std::uint32_t>(p))];
    });
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) { run(pieces_[k], placed_, positions, placed_); });
    inPieces(normals.size(), kScatteredPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v)
            normals[v] = placed_[placeOf_[weld_.pointOfVertex[v]]];
    });
}

} // namespace limber::mesh
