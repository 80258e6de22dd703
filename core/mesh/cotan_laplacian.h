// How a surface conducts between its points.
#pragma once

#include "core/mesh/weld.h"

#include <Eigen/SparseCore>

namespace limber::mesh {

struct CotanLaplacian {
    Eigen::SparseMatrix<double> lower; // [P x P] lower triangle and diagonal of L; every diagonal entry is there
    Eigen::VectorXd area;              // [P] a third of each triangle's at the point, units squared
};

// L = sum of the edges' (cot a + cot b) / 2, of the angles that face the edge (Pinkall & Polthier 1993); positive
// semidefinite, its rows sum to zero. Edges between strongly obtuse triangles would conduct backwards: they do not
// conduct at all, so that what L diffuses stays between its extremes. Triangles without an area are left out.
// positions [V] finite, triangles [3 x T], `weld` of the two. O(T log T).
[[nodiscard]] CotanLaplacian cotanLaplacian(const Weld& weld, std::span<const Eigen::Vector3f> positions,
                                            std::span<const std::uint32_t> triangles);

} // namespace limber::mesh
