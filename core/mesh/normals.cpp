#include "core/mesh/normals.h"

#include <Eigen/Geometry>

#include <cmath>

namespace limber::mesh {

namespace {

template <class Scalar>
Eigen::Matrix<Scalar, 3, 1> areaSum(const Weld& weld, std::span<const std::uint32_t> triangles,
                                    std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    using Vector = Eigen::Matrix<Scalar, 3, 1>;
    Vector sum = Vector::Zero();
    for (const std::uint32_t t : weld.trianglesOfPoint[point]) {
        const Vector a = positions[triangles[3 * t]].cast<Scalar>();
        sum += (positions[triangles[3 * t + 1]].cast<Scalar>() - a)
                   .cross(positions[triangles[3 * t + 2]].cast<Scalar>() - a);
    }
    return sum;
}

} // namespace

Eigen::Vector3f pointNormal(const Weld& weld, std::span<const std::uint32_t> triangles,
                            std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    const Eigen::Vector3f sum = areaSum<float>(weld, triangles, positions, point);
    if (const float length = sum.norm(); length > 0 && std::isfinite(length))
        return sum / length;
    // The areas of huge and of tiny triangles are no floats.
    const Eigen::Vector3d exact = areaSum<double>(weld, triangles, positions, point);
    const double length = exact.norm();
    return length > 0 ? Eigen::Vector3f((exact / length).cast<float>()) : Eigen::Vector3f::Zero();
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
