#include "core/mesh/normals.h"

#include "core/base/pieces.h"
#include "core/base/unfilled.h"
#include "core/mesh/four_floats.h"

#include <Eigen/Geometry>

#include <cmath>

namespace limber::mesh {

namespace {

// Between these a sum of squares has all the digits of a float.
constexpr float kLeastSquare = 1e-30f, kMostSquare = 1e30f;

Eigen::Vector3f areaSum(std::span<const std::uint32_t> around, std::span<const std::uint32_t> triangles,
                        std::span<const Eigen::Vector3f> positions) {
    Four sum{};
    for (const std::uint32_t t : around) {
        const std::uint32_t* corners = &triangles[3 * std::size_t(t)];
        const Four a = loadFour(positions, corners[0]), edge = loadFour(positions, corners[2]) - a;
        sum += turnedCross(loadFour(positions, corners[1]) - a, edge, turned(edge));
    }
    return {sum[1], sum[2], sum[0]};
}

Eigen::Vector3d exactAreaSum(std::span<const std::uint32_t> around, std::span<const std::uint32_t> triangles,
                             std::span<const Eigen::Vector3f> positions) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::uint32_t t : around) {
        const auto corner = [&](std::size_t k) {
            return Eigen::Vector3d(positions[triangles[3 * std::size_t(t) + k]].cast<double>());
        };
        const Eigen::Vector3d a = corner(0);
        sum += (corner(1) - a).cross(corner(2) - a);
    }
    return sum;
}

} // namespace

Eigen::Vector3f pointNormal(const Weld& weld, std::span<const std::uint32_t> triangles,
                            std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    const Eigen::Vector3f sum = areaSum(weld.trianglesOfPoint[point], triangles, positions);
    if (const float square = sum.squaredNorm(); square > kLeastSquare && square < kMostSquare)
        return sum / std::sqrt(square);
    // The areas of huge and of tiny triangles, or their squares, are no floats.
    const Eigen::Vector3d exact = exactAreaSum(weld.trianglesOfPoint[point], triangles, positions);
    const double length = exact.norm();
    return length > 0 ? Eigen::Vector3f((exact / length).cast<float>()) : Eigen::Vector3f::Zero();
}

std::vector<Eigen::Vector3f> smoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles,
                                           std::span<const Eigen::Vector3f> positions) {
    constexpr std::size_t kPiece = 16384;
    std::vector<Eigen::Vector3f> normals(positions.size());
    std::vector<Eigen::Vector3f, Unfilled<Eigen::Vector3f>> faces(triangles.size() / 3);
    inPieces(faces.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t t = first; t < end; ++t) {
            const Eigen::Vector3f a = positions[triangles[3 * t]];
            faces[t] = (positions[triangles[3 * t + 1]] - a).cross(positions[triangles[3 * t + 2]] - a);
        }
    });
    inPieces(weld.pointCount(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p) {
            Eigen::Vector3f sum = Eigen::Vector3f::Zero();
            for (const std::uint32_t t : weld.trianglesOfPoint[p])
                sum += faces[t];
            if (const float square = sum.squaredNorm(); square > kLeastSquare && square < kMostSquare)
                sum /= std::sqrt(square);
            else if (sum = pointNormal(weld, triangles, positions, static_cast<std::uint32_t>(p)); sum.isZero())
                sum = Eigen::Vector3f::UnitY();
            for (const std::uint32_t v : weld.verticesOfPoint[p])
                normals[v] = sum;
        }
    });
    return normals;
}

} // namespace limber::mesh
