#include "core/mesh/weld.h"

#include <algorithm>
#include <array>
#include <bit>

namespace limber::mesh {

namespace {

using Key = std::array<std::uint32_t, 3>;

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

// Open addressing: a node-based map costs more than the rest of loading a large mesh.
std::uint32_t numberPoints(std::span<const Eigen::Vector3f> positions, std::vector<std::uint32_t>& pointOfVertex) {
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(positions.size() * 2, 16));
    constexpr std::uint32_t kFree = 0xffffffffu;
    std::vector<std::uint32_t> table(capacity, kFree); // first vertex of the point
    std::uint32_t points = 0;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const Key key = keyOf(positions[v]);
        std::size_t slot = hashOf(key) & (capacity - 1);
        while (table[slot] != kFree && keyOf(positions[table[slot]]) != key)
            slot = (slot + 1) & (capacity - 1);
        if (table[slot] == kFree) {
            table[slot] = static_cast<std::uint32_t>(v);
            pointOfVertex[v] = points++;
        } else {
            pointOfVertex[v] = pointOfVertex[table[slot]];
        }
    }
    return points;
}

// Counting sort of (row, item) pairs; items of a row keep the order they are visited in.
template <class Visit> Rows collectRows(std::size_t rowCount, const Visit& visit) {
    Rows rows;
    rows.offsets.assign(rowCount + 1, 0);
    visit([&](std::uint32_t row, std::uint32_t) { ++rows.offsets[row + 1]; });
    for (std::size_t r = 0; r < rowCount; ++r)
        rows.offsets[r + 1] += rows.offsets[r];
    rows.items.resize(rows.offsets.back());
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    visit([&](std::uint32_t row, std::uint32_t item) { rows.items[next[row]++] = item; });
    return rows;
}

// Sorts each row and drops repeats, in place.
void uniqueRows(Rows& rows) {
    std::uint32_t write = 0;
    std::uint32_t begin = rows.offsets[0];
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::uint32_t end = rows.offsets[r + 1];
        std::sort(rows.items.begin() + begin, rows.items.begin() + end);
        const auto last = std::unique(rows.items.begin() + begin, rows.items.begin() + end);
        const auto count = static_cast<std::uint32_t>(last - (rows.items.begin() + begin));
        std::copy_n(rows.items.begin() + begin, count, rows.items.begin() + write);
        begin = end;
        rows.offsets[r] = write;
        write += count;
    }
    rows.offsets.back() = write;
    rows.items.resize(write);
}

} // namespace

Weld weld(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles) {
    Weld w;
    w.pointOfVertex.resize(positions.size());
    const std::uint32_t points = numberPoints(positions, w.pointOfVertex);

    w.verticesOfPoint = collectRows(points, [&](auto&& put) {
        for (std::uint32_t v = 0; v < positions.size(); ++v)
            put(w.pointOfVertex[v], v);
    });
    w.trianglesOfPoint = collectRows(points, [&](auto&& put) {
        for (std::uint32_t i = 0; i < triangles.size(); ++i)
            put(w.pointOfVertex[triangles[i]], i / 3);
    });
    uniqueRows(w.trianglesOfPoint); // a degenerate triangle may name a point twice
    w.neighbours = collectRows(points, [&](auto&& put) {
        for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t a = w.pointOfVertex[triangles[t + k]];
                const std::uint32_t b = w.pointOfVertex[triangles[t + (k + 1) % 3]];
                if (a != b) {
                    put(a, b);
                    put(b, a);
                }
            }
    });
    uniqueRows(w.neighbours);
    return w;
}

} // namespace limber::mesh
