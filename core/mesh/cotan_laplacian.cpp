#include "core/mesh/cotan_laplacian.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>

namespace limber::mesh {

namespace {

// Twice the area over the longest edge squared: below, floats do not tell the angles.
constexpr double kThinnest = 1e-7;

} // namespace

CotanLaplacian cotanLaplacian(const Weld& weld, std::span<const Eigen::Vector3f> positions,
                              std::span<const std::uint32_t> triangles) {
    const auto points = static_cast<Eigen::Index>(weld.pointCount());
    CotanLaplacian result;
    result.area = Eigen::VectorXd::Zero(points);
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(weld.pointCount() + triangles.size());
    for (int p = 0; p < static_cast<int>(points); ++p)
        entries.emplace_back(p, p, 0.0);

    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        std::array<int, 3> point;
        std::array<Eigen::Vector3d, 3> at;
        for (std::size_t c = 0; c < 3; ++c) {
            point[c] = static_cast<int>(weld.pointOfVertex[triangles[t + c]]);
            at[c] = positions[triangles[t + c]].cast<double>();
        }
        const double doubled = (at[1] - at[0]).cross(at[2] - at[0]).norm();
        const double longest =
            std::max({(at[1] - at[0]).squaredNorm(), (at[2] - at[1]).squaredNorm(), (at[0] - at[2]).squaredNorm()});
        if (!(doubled > kThinnest * longest))
            continue;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
            const double half = 0.5 * (at[a] - at[c]).dot(at[b] - at[c]) / doubled;
            entries.emplace_back(std::max(point[a], point[b]), std::min(point[a], point[b]), -half);
            result.area[point[c]] += doubled / 6;
        }
    }
    result.lower.resize(points, points);
    result.lower.setFromTriplets(entries.begin(), entries.end());

    // The diagonal is what the others of its row are together.
    Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(points);
    const auto forEdges = [&](const auto& work) {
        for (Eigen::Index column = 0; column < points; ++column)
            for (Eigen::SparseMatrix<double>::InnerIterator it(result.lower, column); it; ++it)
                work(it);
    };
    forEdges([&](auto& it) {
        if (it.row() == it.col())
            return;
        it.valueRef() = std::min(it.value(), 0.0);
        diagonal[it.row()] -= it.value();
        diagonal[it.col()] -= it.value();
    });
    forEdges([&](auto& it) {
        if (it.row() == it.col())
            it.valueRef() = diagonal[it.row()];
    });
    return result;
}

} // namespace limber::mesh
