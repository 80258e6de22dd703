#include "core/math/sparse_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

#include <cassert>
#include <metis.h>
#include <vector>

namespace limber::math {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Order = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>; // from a row to its place

static_assert(sizeof(idx_t) == sizeof(int));

// Nested dissection takes longer to find its order, and makes up for it in larger factors.
constexpr Eigen::Index kLarge = 50'000;

// Empty where there is none.
Order nestedDissection(const Matrix& whole) {
    auto count = static_cast<idx_t>(whole.cols());
    std::vector<idx_t> starts{0}, neighbours;
    for (Eigen::Index column = 0; column < whole.cols(); ++column) {
        for (Matrix::InnerIterator it(whole, column); it; ++it)
            if (it.row() != column)
                neighbours.push_back(static_cast<idx_t>(it.row()));
        starts.push_back(static_cast<idx_t>(neighbours.size()));
    }
    if (neighbours.empty())
        return {};
    Order rowAt(count), order(count);
    const int done = METIS_NodeND(&count, starts.data(), neighbours.data(), nullptr, nullptr, rowAt.indices().data(),
                                  order.indices().data());
    return done == METIS_OK ? order : Order();
}

Order orderOf(const Matrix& lower) {
    const Matrix whole = lower.selfadjointView<Eigen::Lower>();
    Order order;
    if (whole.cols() >= kLarge)
        order = nestedDissection(whole);
    if (order.size() == 0) {
        Order rowAt;
        Eigen::AMDOrdering<int>()(whole, rowAt);
        order = rowAt.inverse();
    }
    return order;
}

} // namespace

struct SparseCholesky::Impl {
    Order order;
    Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor;
};

SparseCholesky::SparseCholesky(const Matrix& lower) : impl_(std::make_unique<Impl>()) {
    impl_->order = orderOf(lower);
    Matrix ordered(lower.rows(), lower.cols());
    ordered.selfadjointView<Eigen::Lower>() = lower.selfadjointView<Eigen::Lower>().twistedBy(impl_->order);
    impl_->factor.compute(ordered);
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

bool SparseCholesky::ok() const {
    return impl_->factor.info() == Eigen::Success && (impl_->factor.vectorD().array() > 0).all();
}

void SparseCholesky::solve(Columns& columns) const {
    const auto& lower = impl_->factor.matrixL().nestedExpression(); // below the diagonal of ones
    const auto& placeOf = impl_->order.indices();
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
