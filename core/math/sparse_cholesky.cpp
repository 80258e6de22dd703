#include "core/math/sparse_cholesky.h"

#include <Eigen/SparseCholesky>

#include <cassert>

namespace limber::math {

struct SparseCholesky::Impl {
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
};

SparseCholesky::SparseCholesky(const Eigen::SparseMatrix<double>& lower) : impl_(std::make_unique<Impl>()) {
    impl_->factor.compute(lower);
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

bool SparseCholesky::ok() const {
    return impl_->factor.info() == Eigen::Success && (impl_->factor.vectorD().array() > 0).all();
}

void SparseCholesky::solve(Columns& columns) const {
    assert(ok());
    const auto& lower = impl_->factor.matrixL().nestedExpression(); // below the diagonal of ones
    const auto& placeOf = impl_->factor.permutationP().indices();
    const auto& diagonal = impl_->factor.vectorD();
    const int* starts = lower.outerIndexPtr();
    const int* rows = lower.innerIndexPtr();
    const double* values = lower.valuePtr();
    assert(lower.isCompressed() && columns.rows() == lower.rows());
    const auto count = static_cast<int>(columns.rows());

    Columns x(count, kColumns);
    for (int k = 0; k < count; ++k)
        x.row(placeOf[k]) = columns.row(k);
    for (int j = 0; j < count; ++j) {
        const Eigen::Matrix<double, 1, kColumns> own = x.row(j);
        for (int k = starts[j]; k < starts[j + 1]; ++k)
            x.row(rows[k]) -= values[k] * own;
    }
    for (int j = count - 1; j >= 0; --j) {
        Eigen::Matrix<double, 1, kColumns> own = x.row(j) / diagonal[j];
        for (int k = starts[j]; k < starts[j + 1]; ++k)
            own -= values[k] * x.row(rows[k]);
        x.row(j) = own;
    }
    for (int k = 0; k < count; ++k)
        columns.row(k) = x.row(placeOf[k]);
}

} // namespace limber::math
