#include "core/mesh/triangle_walk.h"

#include <algorithm>
#include <numeric>

namespace limber::mesh {

bool isScattered(const Weld& weld, std::size_t piece) {
    constexpr std::size_t kStep = 61; // some of the points tell
    std::size_t all = 0, elsewhere = 0;
    for (std::size_t p = 0; p < weld.pointCount(); p += kStep)
        for (const std::uint32_t n : weld.neighbours[p]) {
            ++all;
            elsewhere += n / piece != p / piece;
        }
    return 2 * elsewhere > all;
}

std::vector<std::uint32_t> reachedOrder(const Weld& weld) {
    constexpr std::size_t kAhead = 8;
    const std::size_t points = weld.pointCount();
    const Rows& rows = weld.neighbours;
    std::vector<std::uint32_t> order;
    order.reserve(points);
    std::vector<std::uint8_t> reached(points, 0);
    std::size_t next = 0;
    for (std::uint32_t seed = 0; seed < points; ++seed) {
        if (reached[seed])
            continue;
        reached[seed] = 1;
        order.push_back(seed);
        for (; next < order.size(); ++next) {
            if (next + 2 * kAhead < order.size())
                __builtin_prefetch(&rows.offsets[order[next + 2 * kAhead]]);
            if (next + kAhead < order.size())
                __builtin_prefetch(&rows.items[rows.offsets[order[next + kAhead]]]);
            for (const std::uint32_t n : rows[order[next]])
                if (!reached[n]) {
                    reached[n] = 1;
                    order.push_back(n);
                }
        }
    }
    return order;
}

Triangle pointsOf(const Weld& weld, std::span<const std::uint32_t> triangles, std::size_t t) {
    Triangle points;
    for (std::size_t k = 0; k < 3; ++k)
        points[k] = weld.pointOfVertex[triangles[3 * t + k]];
    return points;
}

std::optional<std::pair<std::size_t, std::size_t>> cornersAcross(const Triangle& p, const Triangle& q) {
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (p[(i + 1) % 3] == q[(j + 2) % 3] && p[(i + 2) % 3] == q[(j + 1) % 3])
                return std::pair{i, j};
    return std::nullopt;
}

std::vector<Triangle> trianglesAround(const Weld& weld, std::span<const std::uint32_t> triangles, std::uint32_t first,
                                      std::uint32_t end) {
    const auto& rows = weld.trianglesOfPoint;
    const auto all = std::span(rows.items).subspan(rows.offsets[first], rows.offsets[end] - rows.offsets[first]);
    std::vector<Triangle> around;
    if (all.empty())
        return around;
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    std::vector<std::uint8_t> listed(*high - *low + 1, 0);
    for (const std::uint32_t t : all)
        listed[t - *low] = 1;
    around.reserve(all.size() / 3 + 16);
    for (std::uint32_t k = 0; k < listed.size(); ++k)
        if (listed[k])
            around.push_back(pointsOf(weld, triangles, *low + k));
    return around;
}

std::vector<Triangle> pairedAlong(std::span<const std::uint32_t> walk, std::uint32_t first,
                                  std::span<const Triangle> triangles) {
    constexpr std::size_t kFew = 16; // around most points; among more no pairs are looked for
    std::vector<std::uint32_t> ends(walk.size() + 1, 0), rows;
    const auto eachInside = [&](const auto& put) {
        for (std::uint32_t k = 0; k < triangles.size(); ++k)
            for (const std::uint32_t place : triangles[k])
                if (place - first < walk.size())
                    put(place - first, k);
    };
    eachInside([&](std::uint32_t at, std::uint32_t) { ++ends[at + 1]; });
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    rows.resize(ends.back());
    // From here on ends[at] runs to the end of a row.
    eachInside([&](std::uint32_t at, std::uint32_t k) { rows[ends[at]++] = k; });
    std::vector<std::uint8_t> listed(triangles.size(), 0);
    std::vector<Triangle> along;
    along.reserve(triangles.size());
    for (const std::uint32_t place : walk) {
        const std::uint32_t at = place - first, begin = at > 0 ? ends[at - 1] : 0;
        const auto row = std::span(rows).subspan(begin, ends[at] - begin);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (std::exchange(listed[row[i]], 1))
                continue;
            along.push_back(triangles[row[i]]);
            for (std::size_t j = i + 1; j < row.size() && row.size() <= kFew; ++j)
                if (!listed[row[j]] && cornersAcross(triangles[row[i]], triangles[row[j]])) {
                    listed[row[j]] = 1;
                    along.push_back(triangles[row[j]]);
                    break;
                }
        }
    }
    return along;
}

} // namespace limber::mesh
