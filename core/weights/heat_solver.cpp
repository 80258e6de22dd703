#include "core/weights/heat_solver.h"

#include "core/base/pieces.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

namespace limber::weights {

namespace {

using math::SparseCholesky;

constexpr std::size_t kPiece = 8192;
constexpr std::size_t kColumns = SparseCholesky::kColumns;
constexpr std::size_t kMostAtOnce = 8; // groups of columns
constexpr double kEquilibrium = 1e-4;  // how far from one the weights of all joints may be

std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> nearest) {
    std::sort(nearest.begin(), nearest.end());
    nearest.erase(std::unique(nearest.begin(), nearest.end()), nearest.end());
    return nearest;
}

} // namespace

StrongestWeights::StrongestWeights(std::size_t points, std::size_t most, double smallest)
    : most_(most), smallest_(static_cast<float>(smallest)), counts_(points, 0), sums_(points, 0), kept_(points * most) {
}

void StrongestWeights::add(std::size_t point, std::uint32_t slot, double weight) {
    sums_[point] += weight;
    skin::Influence* const row = kept_.data() + point * most_;
    std::uint32_t& count = counts_[point];
    const skin::Influence added{slot, static_cast<float>(weight)};
    const bool small = added.weight < smallest_;
    if (count == 0 || (small && row[0].weight < added.weight)) {
        row[0] = added; // a small one is better than none
        count = 1;
        return;
    }
    if (small || (count == most_ && added.weight <= row[most_ - 1].weight))
        return;
    std::size_t place = count < most_ ? count++ : most_ - 1;
    for (; place > 0 && row[place - 1].weight < added.weight; --place)
        row[place] = row[place - 1];
    row[place] = added;
    if (row[count - 1].weight < smallest_)
        --count;
}

bool StrongestWeights::row(std::size_t point, skin::Row& out) const {
    if (!(std::abs(sums_[point] - 1) < kEquilibrium))
        return false;
    const skin::Influence* const first = kept_.data() + point * most_;
    out.assign(first, first + counts_[point]);
    double sum = 0;
    for (const skin::Influence& i : out)
        sum += i.weight;
    for (skin::Influence& i : out)
        i.weight = static_cast<float>(i.weight / sum);
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    return true;
}

SparseCholesky::Columns heatColumns(const Eigen::VectorXd& heat, const mesh::Rows& nearest,
                                    std::span<const std::uint32_t> joints) {
    SparseCholesky::Columns columns = SparseCholesky::Columns::Zero(heat.size(), SparseCholesky::kColumns);
    for (std::size_t p = 0; p < nearest.size(); ++p)
        for (const std::uint32_t slot : nearest[p])
            if (const auto at = std::lower_bound(joints.begin(), joints.end(), slot); at != joints.end() && *at == slot)
                columns(static_cast<Eigen::Index>(p), at - joints.begin()) =
                    heat[static_cast<Eigen::Index>(p)] / static_cast<double>(nearest[p].size());
    return columns;
}

StrongestWeights solveHeat(const Eigen::SparseMatrix<double>& system, const Eigen::VectorXd& heat,
                           const mesh::Rows& nearest, const HeatOptions& options) {
    const std::vector<std::uint32_t> joints = distinct(nearest.items);
    const std::size_t most =
        std::clamp<std::size_t>(options.mostInfluences, 1, std::max<std::size_t>(joints.size(), 1));
    StrongestWeights strongest(nearest.size(), most, options.smallest);
    const SparseCholesky factor(system);
    if (!factor.ok())
        return strongest;
    const std::size_t groups = (joints.size() + kColumns - 1) / kColumns;
    const auto group = [&](std::size_t g) {
        return std::span(joints).subspan(g * kColumns, std::min(kColumns, joints.size() - g * kColumns));
    };
    const std::size_t atOnce = std::min(kMostAtOnce, std::size_t(tbb::this_task_arena::max_concurrency()));
    std::vector<SparseCholesky::Columns> solutions(atOnce);
    for (std::size_t first = 0; first < groups; first += atOnce) {
        const std::size_t count = std::min(atOnce, groups - first);
        inPieces(count, 1, [&](std::size_t k, std::size_t) {
            solutions[k] = heatColumns(heat, nearest, group(first + k));
            factor.solve(solutions[k]);
        });
        inPieces(nearest.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            for (std::size_t p = begin; p < end; ++p)
                for (std::size_t k = 0; k < count; ++k)
                    for (std::size_t c = 0; c < group(first + k).size(); ++c)
                        strongest.add(p, group(first + k)[c],
                                      solutions[k](static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(c)));
        });
    }
    return strongest;
}

} // namespace limber::weights
