// One sparse symmetric matrix, many right hand sides.
#pragma once

#include <Eigen/SparseCore>

#include <memory>

namespace limber::math {

class SparseCholesky {
public:
    static constexpr int kColumns = 8;
    using Columns = Eigen::Matrix<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>;

    // Factorises [N x N] of which the lower triangle and the diagonal are given: Eigen's LDL^T in an order by
    // approximate minimum degree. On surfaces about O(N^1.5): 0.7 s for 100,000 points, a minute and 1 GB for a
    // million. Where everything is joined to everything it is O(N^3).
    explicit SparseCholesky(const Eigen::SparseMatrix<double>& lower);
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    // False where the matrix is not positive definite; nothing can be solved then.
    [[nodiscard]] bool ok() const;

    // Solutions in the place of `columns` [N], if ok(): all at once, as reading the factor is what takes the time.
    // Several threads may, each its own columns.
    void solve(Columns& columns) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::math
