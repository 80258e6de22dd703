#include "core/weights/heat_bind.h"

#include "core/mesh/cotan_laplacian.h"
#include "core/weights/heat_solver.h"

#include <numeric>

namespace limber::weights {

namespace {

// Pieces that conduct from point to point; a piece is named by one of its points.
class Pieces {
public:
    explicit Pieces(const Eigen::SparseMatrix<double>& lower) : parent_(static_cast<std::size_t>(lower.cols())) {
        std::iota(parent_.begin(), parent_.end(), std::size_t(0));
        for (Eigen::Index column = 0; column < lower.cols(); ++column)
            for (Eigen::SparseMatrix<double>::InnerIterator it(lower, column); it; ++it)
                if (it.row() != it.col() && it.value() != 0)
                    parent_[of(static_cast<std::size_t>(it.row()))] = of(static_cast<std::size_t>(it.col()));
    }
    [[nodiscard]] std::size_t of(std::size_t point) {
        while (parent_[point] != point)
            point = parent_[point] = parent_[parent_[point]];
        return point;
    }

private:
    std::vector<std::size_t> parent_;
};

// M H of every point; `blind` [P] tells the points of pieces that see no bone, which are warmed as if they did.
Eigen::VectorXd warmth(const mesh::CotanLaplacian& surface, const HeatSources& sources, double strength,
                       std::vector<std::uint8_t>& blind) {
    const std::size_t points = sources.heat.size();
    Pieces pieces(surface.lower);
    std::vector<std::uint8_t> warmed(points, 0);
    for (std::size_t p = 0; p < points; ++p)
        warmed[pieces.of(p)] |= sources.sees[p];
    Eigen::VectorXd heat(static_cast<Eigen::Index>(points));
    blind.resize(points);
    for (std::size_t p = 0; p < points; ++p) {
        blind[p] = !warmed[pieces.of(p)];
        const double area = surface.area[static_cast<Eigen::Index>(p)];
        // Without triangles a point is a piece of its own: any heat gives it what it is nearest to.
        heat[static_cast<Eigen::Index>(p)] = area <= 0                     ? 1
                                             : blind[p] || sources.sees[p] ? area * strength * sources.heat[p]
                                                                           : 0;
    }
    return heat;
}

void shareEqually(std::span<const std::uint32_t> joints, skin::Row& row) {
    row.clear();
    for (const std::uint32_t slot : joints)
        row.push_back({slot, 1 / static_cast<float>(joints.size())});
}

} // namespace

HeatWeights bindByHeat(const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                       std::span<const std::uint32_t> triangles, std::span<const Bone> bones,
                       const HeatOptions& options) {
    mesh::CotanLaplacian surface = mesh::cotanLaplacian(weld, positions, triangles);
    const HeatSources sources = heatSources(weld, positions, triangles, bones);
    std::vector<std::uint8_t> blind;
    const Eigen::VectorXd heat = warmth(surface, sources, options.strength, blind);
    for (Eigen::Index p = 0; p < heat.size(); ++p)
        surface.lower.coeffRef(p, p) += heat[p];
    const StrongestWeights strongest = solveHeat(surface.lower, heat, sources.nearest, options);

    HeatWeights result;
    result.rows = skin::SkinWeights(positions.size(), options.mostInfluences);
    skin::Row row;
    for (std::uint32_t p = 0; p < weld.pointCount(); ++p) {
        if (!strongest.row(p, row))
            shareEqually(sources.nearest[p], row);
        for (const std::uint32_t v : weld.verticesOfPoint[p])
            result.rows.setRow(v, row);
        result.unseen += blind[p] ? weld.verticesOfPoint[p].size() : 0;
    }
    return result;
}

} // namespace limber::weights
