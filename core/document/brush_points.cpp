#include "core/document/brush_points.h"

#include <cassert>
#include <cmath>

namespace limber::document {

Eigen::Vector3f summedNormal(const mesh::Weld& weld, std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (const std::uint32_t v : weld.verticesOfPoint[point])
        sum += normals[v];
    return sum;
}

void pointsUnder(const BrushDab& dab, const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                 std::span<const Eigen::Vector3f> normals, std::vector<BrushPoint>& out) {
    assert(positions.size() == normals.size());
    out.clear();
    if (!(dab.radius > 0))
        return;
    const Eigen::Vector3f center = dab.center.cast<float>(), view = dab.viewDirection.cast<float>();
    const float radius = static_cast<float>(dab.radius), squaredRadius = radius * radius;
    const auto count = static_cast<std::uint32_t>(weld.pointCount());
    for (std::uint32_t p = 0; p < count; ++p) {
        const float squared = (positions[weld.firstVertex(p)] - center).squaredNorm();
        if (!(squared <= squaredRadius))
            continue;
        if (dab.frontFacesOnly && summedNormal(weld, normals, p).dot(view) > 0)
            continue;
        const double f = stroke::falloff(dab.falloff, std::sqrt(static_cast<double>(squared)) / dab.radius);
        if (f > 0)
            out.push_back({p, static_cast<float>(f)});
    }
}

} // namespace limber::document
