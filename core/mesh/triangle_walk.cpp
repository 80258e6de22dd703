#include "core/mesh/triangle_walk.h"

#include <algorithm>
#include <numeric>

namespace limber::mesh {

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
    const auto pointsOf = [&](std::size_t t) {
        Triangle points;
        for (std::size_t k = 0; k < 3; ++k)
            points[k] = weld.pointOfVertex[triangles[3 * t + k]];
        return points;
    };
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
            around.push_back(pointsOf(*low + k));
    return around;
}

std::vector<std::uint32_t> pairedOrder(std::span<const Triangle> triangles, std::size_t points) {
    constexpr std::size_t kFew = 16; // around most points; among more no pairs are looked for
    std::vector<std::uint32_t> ends(points + 1, 0), rows(3 * triangles.size());
    for (const Triangle& t : triangles)
        for (const std::uint32_t point : t)
            ++ends[point + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    // From here on ends[point] runs to the end of a row.
    for (std::uint32_t k = 0; k < triangles.size(); ++k)
        for (const std::uint32_t point : triangles[k])
            rows[ends[point]++] = k;
    std::vector<std::uint8_t> listed(triangles.size(), 0);
    std::vector<std::uint32_t> order;
    order.reserve(triangles.size());
    for (std::size_t point = 0; point < points; ++point) {
        const std::uint32_t begin = point > 0 ? ends[point - 1] : 0;
        const auto row = std::span(rows).subspan(begin, ends[point] - begin);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (std::exchange(listed[row[i]], 1))
                continue;
            order.push_back(row[i]);
            for (std::size_t j = i + 1; j < row.size() && row.size() <= kFew; ++j)
                if (!listed[row[j]] && cornersAcross(triangles[row[i]], triangles[row[j]])) {
                    listed[row[j]] = 1;
                    order.push_back(row[j]);
                    break;
                }
        }
    }
    return order;
}

} // namespace limber::mesh
