#include "core/mesh/smooth_normals.h"

#include "core/base/pieces.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle_walk.h"

#include <algorithm>
#include <array>

namespace limber::mesh {

namespace {

// Enough pieces for the threads. Where they are thin strips, large ones share fewer triangles.
std::size_t piecePoints(std::size_t points) {
    return std::clamp<std::size_t>(points / 16, 2048, 65536);
}

// Slots of the threads, kept.
float* scratch(std::size_t slots) {
    thread_local std::vector<float> memory;
    constexpr std::size_t kLine = kFloatsOfLine * sizeof(float);
    const std::size_t count = slotFloat(slots + kSlotsAtOnce) + 2 * kFloatsOfLine;
    if (memory.size() < count + kFloatsOfLine)
        memory.resize(count + kFloatsOfLine);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (kLine - address % kLine) % kLine / sizeof(float);
}

constexpr std::size_t kWritten = 1024; // normals at once

std::uint32_t bytesOf(std::uint32_t slot) {
    return static_cast<std::uint32_t>(slotFloat(slot) * sizeof(float));
}

} // namespace

// Makes the lists of one piece.
class SmoothNormals::Builder {
public:
    Builder(const SmoothNormals& all, Piece& piece) : all_(all), piece_(piece) {}

    // `around`: the triangles of the piece's points, those that share an edge mostly one after the other.
    void build(std::span<const Triangle> around) {
        listOthers(around);
        pairs_.reserve(around.size() / 2);
        for (std::size_t k = 0; k < around.size(); ++k)
            if (k + 1 < around.size() && addPair(around[k], around[k + 1]))
                ++k;
            else
                for (const std::uint32_t point : around[k])
                    piece_.singles.push_back(slotOf(point));
        piece_.rows = laddersOf(pairs_);
    }

private:
    [[nodiscard]] bool inside(std::uint32_t point) const { return point >= piece_.first && point < piece_.end; }

    // The points of other pieces get their slots, ascending.
    void listOthers(std::span<const Triangle> around) {
        std::uint32_t high = 0;
        low_ = static_cast<std::uint32_t>(all_.weld_.pointCount());
        for (const Triangle& t : around)
            for (const std::uint32_t point : t) {
                low_ = std::min(low_, point);
                high = std::max(high, point + 1);
            }
        slots_.assign(high > low_ ? high - low_ : 0, kNone);
        for (const Triangle& t : around)
            for (const std::uint32_t point : t)
                slots_[point - low_] = 0;
        std::uint32_t next = piece_.end - piece_.first;
        for (std::uint32_t k = 0; k < slots_.size(); ++k) {
            const std::uint32_t point = low_ + k;
            if (slots_[k] == kNone)
                continue;
            slots_[k] = bytesOf(inside(point) ? point - piece_.first : next++);
            if (!inside(point))
                piece_.others.push_back(all_.weld_.firstVertex(point));
        }
    }

    [[nodiscard]] std::uint32_t slotOf(std::uint32_t point) const { return slots_[point - low_]; }

    bool addPair(const Triangle& p, const Triangle& q) {
        const auto across = cornersAcross(p, q);
        if (!across)
            return false;
        const auto [i, j] = *across;
        pairs_.push_back({slotOf(p[i]), slotOf(p[(i + 1) % 3]), slotOf(p[(i + 2) % 3]), slotOf(q[j])});
        return true;
    }

    const SmoothNormals& all_;
    Piece& piece_;
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t low_ = 0;
    std::vector<std::uint32_t> slots_; // of the points from low_ on
    std::vector<FacePair> pairs_;
};

SmoothNormals::SmoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles)
    : weld_(weld), triangles_(triangles), plain_(weld.pointCount() == weld.pointOfVertex.size()) {
    cut(piecePoints(weld.pointCount()));
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) {
        Builder(*this, pieces_[k]).build(trianglesAround(weld_, triangles_, pieces_[k].first, pieces_[k].end));
    });
    joinLists();
}

// From here on nothing moves the lists.
void SmoothNormals::joinLists() {
    std::size_t size = 0;
    for (Piece& p : pieces_)
        size += p.rows.ladders.size() + p.rows.mirrored.size() + p.rows.pairs.size() + p.singles.size();
    lists_.reserve(size);
    for (Piece& p : pieces_) {
        const auto join = [&](std::vector<std::uint32_t>& list, const std::uint32_t*& at, std::size_t& count,
                              std::size_t slots) {
            at = lists_.data() + lists_.size();
            count = list.size() / slots;
            lists_.insert(lists_.end(), list.begin(), list.end());
            list = {};
        };
        join(p.rows.ladders, p.faces.ladders, p.faces.ladderCount, kLadderSlots);
        join(p.rows.mirrored, p.faces.mirrored, p.faces.mirroredCount, kLadderSlots);
        join(p.rows.pairs, p.faces.pairs, p.faces.pairCount, 4);
        join(p.singles, p.faces.singles, p.faces.singleCount, 3);
    }
}

void SmoothNormals::cut(std::size_t size) {
    const std::size_t points = weld_.pointCount();
    pieces_.resize((points + size - 1) / size);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        pieces_[k].first = static_cast<std::uint32_t>(k * size);
        pieces_[k].end = static_cast<std::uint32_t>(std::min(points, (k + 1) * size));
    }
}

Eigen::Vector3f SmoothNormals::exactNormal(std::uint32_t point, std::span<const Eigen::Vector3f> positions) const {
    const Eigen::Vector3f normal = pointNormal(weld_, triangles_, positions, point);
    return normal.isZero() ? Eigen::Vector3f::UnitY() : normal;
}

// Of the points in `count` slots of a piece.
void SmoothNormals::write(const Piece& piece, std::size_t slot, std::size_t count, const float* slots,
                          std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> out) const {
    std::array<std::uint32_t, kWritten> unusual;
    std::array<Eigen::Vector3f, kWritten> room;
    const auto point = static_cast<std::uint32_t>(piece.first + slot);
    Eigen::Vector3f* normals = plain_ ? out.data() + point : room.data();
    const std::size_t found = unitNormals(slots, slot, count, normals->data(), unusual.data());
    for (std::size_t k = 0; k < found; ++k)
        normals[unusual[k]] = exactNormal(point + unusual[k], positions);
    if (plain_)
        return;
    for (std::size_t k = 0; k < count; ++k)
        for (const std::uint32_t v : weld_.verticesOfPoint[point + k])
            out[v] = room[k];
}

void SmoothNormals::fill(const Piece& piece, std::span<const Eigen::Vector3f> positions, float* slots) const {
    const std::size_t count = piece.end - piece.first;
    if (plain_)
        return fillSlots(positions[piece.first].data(), count, slots);
    std::array<std::uint32_t, kWritten> which;
    for (std::size_t k = 0; k < count; k += kWritten) {
        const std::size_t some = std::min(kWritten, count - k);
        for (std::size_t i = 0; i < some; ++i)
            which[i] = weld_.firstVertex(static_cast<std::uint32_t>(piece.first + k + i));
        fillSlotsOf(positions.front().data(), which.data(), some, slots, k);
    }
}

void SmoothNormals::run(const Piece& piece, std::span<const Eigen::Vector3f> positions,
                        std::span<Eigen::Vector3f> out) const {
    const std::size_t count = piece.end - piece.first;
    float* slots = scratch(count + piece.others.size());
    fillSlotsOf(positions.front().data(), piece.others.data(), piece.others.size(), slots, count);
    fill(piece, positions, slots);
    addFaces(slots, piece.faces);
    for (std::size_t k = 0; k < count; k += kWritten)
        write(piece, k, std::min(kWritten, count - k), slots, positions, out);
}

void SmoothNormals::compute(std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> normals) const {
    inPieces(pieces_.size(), 1, [&](std::size_t k, std::size_t) { run(pieces_[k], positions, normals); });
}

} // namespace limber::mesh
