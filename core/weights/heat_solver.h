// The equations of heat binding: one matrix, a right hand side for each joint, and of each point the joints that it
// keeps.
#pragma once

#include "core/math/sparse_cholesky.h"
#include "core/mesh/weld.h"
#include "core/skin/skin_weights.h"

namespace limber::weights {

struct HeatOptions {
    // c, 1e-6 .. 1e6: how strongly bones warm what they see; greater: sharper borders between joints.
    double strength = 1;
    std::size_t mostInfluences = 4; // of a vertex; at least one
    double smallest = 0.001;        // 0 .. 1: weights below are dropped
};

// The strongest weights of each point among all that were added.
class StrongestWeights {
public:
    StrongestWeights(std::size_t points, std::size_t most, double smallest);

    void add(std::size_t point, std::uint32_t slot, double weight);

    [[nodiscard]] std::size_t most() const { return most_; }
    // What is kept, scaled to a sum of one, by slot. False where all that was added to the point does not sum to one:
    // it is no equilibrium.
    [[nodiscard]] bool row(std::size_t point, skin::Row& out) const;

private:
    std::size_t most_;
    float smallest_;
    std::vector<std::uint32_t> counts_;
    std::vector<double> sums_;
    std::vector<skin::Influence> kept_; // [points x most], strongest first
};

// M H P of up to SparseCholesky::kColumns joints, ascending: `heat` [P] is M H, a point's heat is that of its joints
// together.
[[nodiscard]] math::SparseCholesky::Columns heatColumns(const Eigen::VectorXd& heat, const mesh::Rows& nearest,
                                                        std::span<const std::uint32_t> joints);

// w of (L + M H) w_j = M H P_j for all joints j in `nearest` [P]; `system` [P x P] is the lower triangle. Nothing is
// added where the system cannot be solved. Threads by oneTBB; up to 1 KiB a point while it works, beside
// the factor.
[[nodiscard]] StrongestWeights solveHeat(const Eigen::SparseMatrix<double>& system, const Eigen::VectorXd& heat,
                                         const mesh::Rows& nearest, const HeatOptions& options);

} // namespace limber::weights
