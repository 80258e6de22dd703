#include "core/weights/heat_bind.h"

#include "core/mesh/cotan_laplacian.h"
#include "core/weights/heat_solver.h"

#include <algorithm>
#include <numeric>

namespace limber::weights {

namespace {

// Of a piece's area: so little sees a bone through an opening, or along an edge.
constexpr double kGlimpse = 0.02;

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

// Points of pieces that see no bone to speak of.
std::vector<std::uint8_t> blindPoints(const mesh::CotanLaplacian& surface, const HeatSources& sources) {
    const std::size_t points = sources.heat.size();
    Pieces pieces(surface.lower);
    std::vector<double> area(points, 0), seeing(points, 0);
    for (std::size_t p = 0; p < points; ++p) {
        area[pieces.of(p)] += surface.area[static_cast<Eigen::Index>(p)];
        seeing[pieces.of(p)] += sources.sees[p] ? surface.area[static_cast<Eigen::Index>(p)] : 0;
    }
    std::vector<std::uint8_t> blind(points);
    for (std::size_t p = 0; p < points; ++p) {
        const std::size_t piece = pieces.of(p);
        blind[p] = seeing[piece] <= kGlimpse * area[piece];
    }
    return blind;
}

// M H of every point; the blind are warmed as if they saw.
Eigen::VectorXd warmth(const mesh::CotanLaplacian& surface, const HeatSources& sources,
                       std::span<const std::uint8_t> blind, double strength) {
    Eigen::VectorXd heat(surface.area.size());
    for (Eigen::Index k = 0; k < heat.size(); ++k) {
        const auto p = static_cast<std::size_t>(k);
        // Without triangles a point is a piece of its own: any heat gives it what it is nearest to.
        if (surface.area[k] <= 0)
            heat[k] = 1;
        else
            heat[k] = blind[p] || sources.sees[p] ? surface.area[k] * strength * sources.heat[p] : 0;
    }
    return heat;
}

void shareEqually(std::span<const std::uint32_t> joints, std::size_t most, skin::Row& row) {
    joints = joints.first(std::min(joints.size(), most));
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
    const std::vector<std::uint8_t> blind = blindPoints(surface, sources);
    const Eigen::VectorXd heat = warmth(surface, sources, blind, options.strength);
    for (Eigen::Index p = 0; p < heat.size(); ++p)
        surface.lower.coeffRef(p, p) += heat[p];
    const StrongestWeights strongest = solveHeat(surface.lower, heat, sources.nearest, options);

    HeatWeights result;
    result.rows = skin::SkinWeights(positions.size(), strongest.most());
    skin::Row row;
    for (std::uint32_t p = 0; p < weld.pointCount(); ++p) {
        const bool settled = strongest.row(p, row);
        if (!settled)
            shareEqually(sources.nearest[p], strongest.most(), row);
        for (const std::uint32_t v : weld.verticesOfPoint[p])
            result.rows.setRow(v, row);
        result.unseen += !settled || blind[p] ? weld.verticesOfPoint[p].size() : 0;
    }
    return result;
}

} // namespace limber::weights
