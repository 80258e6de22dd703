#include "core/mesh/weld.h"

#include "core/base/pieces.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <thread>

namespace limber::mesh {

namespace {

using Key = std::array<std::uint32_t, 3>;

constexpr std::size_t kPiece = 16384;

// Adding zero makes -0 and +0 one key.
Key keyOf(const Eigen::Vector3f& p) {
    return {std::bit_cast<std::uint32_t>(p.x() + 0.0f), std::bit_cast<std::uint32_t>(p.y() + 0.0f),
            std::bit_cast<std::uint32_t>(p.z() + 0.0f)};
}

std::uint64_t hashOf(const Key& k) {
    std::uint64_t h = k[0] * 0x9E3779B97F4A7C15ull;
    h = (h ^ (h >> 29) ^ k[1]) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 32) ^ k[2]) * 0x94D049BB133111EBull;
    return h ^ (h >> 31);
}

// The first vertex of each position, by open addressing: a node-based map costs more than the rest of loading a large
// mesh. Several threads may add vertices at once.
class FirstVertices {
public:
    explicit FirstVertices(std::span<const Eigen::Vector3f> positions)
        : positions_(positions), slots_(std::bit_ceil(std::max<std::size_t>(positions.size() * 2, 16))) {}

    // The slots of the positions of vertices [first, first + slots.size()).
    void add(std::size_t first, std::span<std::uint32_t> slots) {
        // The table is larger than the caches: all places are fetched before the first is needed.
        constexpr std::size_t kAhead = 16;
        for (std::size_t begin = 0; begin < slots.size(); begin += kAhead) {
            const std::size_t end = std::min(begin + kAhead, slots.size());
            for (std::size_t k = begin; k < end; ++k) {
                slots[k] = static_cast<std::uint32_t>(hashOf(keyOf(positions_[first + k])) & (slots_.size() - 1));
                __builtin_prefetch(&slots_[slots[k]], 1);
            }
            for (std::size_t k = begin; k < end; ++k)
                slots[k] = add(static_cast<std::uint32_t>(first + k), slots[k]);
        }
    }

    [[nodiscard]] std::uint32_t at(std::uint32_t slot) const {
        return vertexOf(slots_[slot].load(std::memory_order_relaxed));
    }

private:
    // A part of the position's hash, so that others are told apart without looking at them, and the vertex + 1.
    using Entry = std::uint64_t;
    static constexpr Entry kFree = 0;

    static std::uint32_t vertexOf(Entry entry) { return static_cast<std::uint32_t>(entry) - 1; }

    // Returns the slot that it got, from `slot` on.
    std::uint32_t add(std::uint32_t vertex, std::size_t slot) {
        const Key key = keyOf(positions_[vertex]);
        const Entry entry = (hashOf(key) & 0xffffffff00000000ull) | (vertex + 1);
        while (true) {
            Entry present = slots_[slot].load(std::memory_order_relaxed);
            if (present == kFree && slots_[slot].compare_exchange_strong(present, entry, std::memory_order_relaxed))
                break;
            // A slot that was taken keeps its position; only a smaller vertex of the same may replace it.
            if ((present ^ entry) >> 32 == 0 && keyOf(positions_[vertexOf(present)]) == key) {
                while (entry < present &&
                       !slots_[slot].compare_exchange_weak(present, entry, std::memory_order_relaxed)) {
                }
                break;
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return static_cast<std::uint32_t>(slot);
    }

    std::span<const Eigen::Vector3f> positions_;
    std::vector<std::atomic<Entry>> slots_;
};

std::uint32_t numberPoints(std::span<const Eigen::Vector3f> positions, std::vector<std::uint32_t>& pointOfVertex) {
    FirstVertices table(positions);
    inPieces(positions.size(), kPiece, [&](std::size_t first, std::size_t end) {
        table.add(first, std::span(pointOfVertex).subspan(first, end - first));
    });
    inPieces(positions.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v)
            pointOfVertex[v] = table.at(pointOfVertex[v]);
    });
    std::uint32_t points = 0;
    for (std::size_t v = 0; v < positions.size(); ++v)
        pointOfVertex[v] = pointOfVertex[v] == v ? points++ : pointOfVertex[pointOfVertex[v]];
    return points;
}

// Turns counts behind a leading zero into offsets.
void accumulate(std::vector<std::uint32_t>& offsets) {
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

Rows verticesOf(std::span<const std::uint32_t> pointOfVertex, std::size_t points) {
    Rows rows;
    rows.offsets.assign(points + 1, 0);
    rows.items.resize(pointOfVertex.size());
    if (points == pointOfVertex.size()) {
        std::iota(rows.offsets.begin(), rows.offsets.end(), 0u);
        std::iota(rows.items.begin(), rows.items.end(), 0u);
        return rows;
    }
    for (const std::uint32_t point : pointOfVertex)
        ++rows.offsets[point + 1];
    accumulate(rows.offsets);
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::uint32_t v = 0; v < pointOfVertex.size(); ++v)
        rows.items[next[pointOfVertex[v]]++] = v;
    return rows;
}

// Calls put(point) once for each point of a triangle.
template <class Put>
void eachPoint(std::span<const std::uint32_t> pointOfVertex, const std::uint32_t* corners, const Put& put) {
    const std::uint32_t a = pointOfVertex[corners[0]], b = pointOfVertex[corners[1]], c = pointOfVertex[corners[2]];
    put(a);
    if (b != a)
        put(b);
    if (c != a && c != b)
        put(c);
}

// A counting sort in which each thread counts and then places its own run of triangles, so that rows ascend.
Rows trianglesOf(std::span<const std::uint32_t> pointOfVertex, std::span<const std::uint32_t> triangles,
                 std::size_t points) {
    const std::size_t count = triangles.size() / 3;
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
    const std::size_t run = std::max<std::size_t>((count + threads - 1) / threads, kPiece);
    const auto eachOf = [&](std::size_t first, std::size_t end, const auto& put) {
        for (std::size_t t = first; t < end; ++t)
            eachPoint(pointOfVertex, &triangles[3 * t],
                      [&](std::uint32_t point) { put(point, static_cast<std::uint32_t>(t)); });
    };
    std::vector<std::vector<std::uint32_t>> next((count + run - 1) / run);
    inPieces(count, run, [&](std::size_t first, std::size_t end) {
        std::vector<std::uint32_t>& counts = next[first / run];
        counts.assign(points, 0);
        eachOf(first, end, [&](std::uint32_t point, std::uint32_t) { ++counts[point]; });
    });
    Rows rows;
    rows.offsets.assign(points + 1, 0);
    std::uint32_t total = 0;
    for (std::size_t p = 0; p < points; ++p) {
        for (std::vector<std::uint32_t>& counts : next)
            total += std::exchange(counts[p], total);
        rows.offsets[p + 1] = total;
    }
    rows.items.resize(total);
    inPieces(count, run, [&](std::size_t first, std::size_t end) {
        std::vector<std::uint32_t>& to = next[first / run];
        eachOf(first, end, [&](std::uint32_t point, std::uint32_t t) { rows.items[to[point]++] = t; });
    });
    return rows;
}

// The other points of a point's triangles, sorted and without repeats.
void gatherNeighbours(std::uint32_t point, std::span<const std::uint32_t> around,
                      std::span<const std::uint32_t> pointOfVertex, std::span<const std::uint32_t> triangles,
                      std::vector<std::uint32_t>& out) {
    constexpr std::size_t kFew = 16;
    if (around.size() > kFew) {
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        for (const std::uint32_t t : around)
            eachPoint(pointOfVertex, &triangles[3 * std::size_t(t)], [&](std::uint32_t other) {
                if (other != point)
                    out.push_back(other);
            });
        std::sort(out.begin() + begin, out.end());
        out.erase(std::unique(out.begin() + begin, out.end()), out.end());
        return;
    }
    // Nearly all points: each is put into its place at once.
    std::array<std::uint32_t, 3 * kFew> sorted;
    std::size_t count = 0;
    for (const std::uint32_t t : around)
        for (std::size_t corner = 3 * std::size_t(t); corner < 3 * std::size_t(t) + 3; ++corner) {
            const std::uint32_t other = pointOfVertex[triangles[corner]];
            std::size_t at = count;
            while (at > 0 && sorted[at - 1] > other)
                --at;
            if (other == point || (at > 0 && sorted[at - 1] == other))
                continue;
            for (std::size_t k = count++; k > at; --k)
                sorted[k] = sorted[k - 1];
            sorted[at] = other;
        }
    out.insert(out.end(), sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
}

Rows neighboursOf(const Rows& trianglesOfPoint, std::span<const std::uint32_t> pointOfVertex,
                  std::span<const std::uint32_t> triangles) {
    const std::size_t points = trianglesOfPoint.size();
    Rows rows;
    rows.offsets.assign(points + 1, 0);
    std::vector<std::vector<std::uint32_t>> pieces((points + kPiece - 1) / kPiece);
    inPieces(points, kPiece, [&](std::size_t first, std::size_t end) {
        std::vector<std::uint32_t>& items = pieces[first / kPiece];
        items.reserve(8 * (end - first));
        for (std::size_t p = first; p < end; ++p) {
            const std::size_t before = items.size();
            gatherNeighbours(static_cast<std::uint32_t>(p), trianglesOfPoint[p], pointOfVertex, triangles, items);
            rows.offsets[p + 1] = static_cast<std::uint32_t>(items.size() - before);
        }
    });
    accumulate(rows.offsets);
    rows.items.resize(rows.offsets.back());
    inPieces(points, kPiece, [&](std::size_t first, std::size_t) {
        std::vector<std::uint32_t>& items = pieces[first / kPiece];
        std::copy(items.begin(), items.end(), rows.items.begin() + rows.offsets[first]);
        std::vector<std::uint32_t>().swap(items);
    });
    return rows;
}

// Sorts each row by what name(item) says.
template <class Name> void sortRows(Rows& rows, const Name& name) {
    inPieces(rows.size(), kPiece, [&](std::size_t first, std::size_t end) {
        const auto at = [&](std::size_t row) {
            return rows.items.begin() + static_cast<std::ptrdiff_t>(rows.offsets[row]);
        };
        for (std::size_t row = first; row < end; ++row)
            std::sort(at(row), at(row + 1), [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); });
    });
}

} // namespace

Weld weld(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles,
          const VertexOrder* order) {
    Weld w;
    w.pointOfVertex.resize(positions.size());
    const std::uint32_t points = numberPoints(positions, w.pointOfVertex);
    w.verticesOfPoint = verticesOf(w.pointOfVertex, points);
    w.trianglesOfPoint = trianglesOf(w.pointOfVertex, triangles, points);
    w.neighbours = neighboursOf(w.trianglesOfPoint, w.pointOfVertex, triangles);
    if (order && !order->placeOf.empty()) {
        w.firstOfFile = order->placeOf[0];
        sortRows(w.verticesOfPoint, [&](std::uint32_t v) { return order->fileOf[v]; });
        sortRows(w.neighbours, [&](std::uint32_t p) { return order->fileOf[w.firstVertex(p)]; });
        sortRows(w.trianglesOfPoint, [&](std::uint32_t t) { return order->triangleOf[t]; });
    }
    return w;
}

} // namespace limber::mesh
