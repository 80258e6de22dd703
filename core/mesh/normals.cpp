#include "core/mesh/normals.h"

#include <Eigen/Geometry>

namespace limber::mesh {

Eigen::Vector3f pointNormal(const Weld& weld, std::span<const std::uint32_t> triangles,
                            std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (const std::uint32_t t : weld.trianglesOfPoint[point]) {
        const Eigen::Vector3f& a = positions[triangles[3 * t]];
        sum += (positions[triangles[3 * t + 1]] - a).cross(positions[triangles[3 * t + 2]] - a);
    }
    const float length = sum.norm();
    return length > 0 ? Eigen::Vector3f(sum / length) : Eigen::Vector3f::Zero();
}

std::vector<Eigen::Vector3f> smoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles,
                                           std::span<const Eigen::Vector3f> positions) {
    std::vector<Eigen::Vector3f> normals(positions.size());
    for (std::uint32_t p = 0; p < weld.pointCount(); ++p) {
        Eigen::Vector3f n = pointNormal(weld, triangles, positions, p);
        if (n.isZero())
            n = Eigen::Vector3f::UnitY();
        for (const std::uint32_t v : weld.verticesOfPoint[p])
            normals[v] = n;
    }
    return normals;
}

} // namespace limber::mesh
