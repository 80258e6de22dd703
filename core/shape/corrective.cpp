#include "core/shape/corrective.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <cassert>
#include <cmath>
#include <limits>

namespace limber::shape {

namespace {

// V diag(1 / max(sigma, floor)) U^T. All zero for a zero matrix without scale.
Eigen::Matrix3d clampedBySvd(const Eigen::JacobiSVD<Eigen::Matrix3d>& svd, double floor) {
    Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k)
        if (const double sigma = std::max(svd.singularValues()(k), floor); sigma > 0)
            inverse(k) = 1 / sigma;
    return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

// The smallest singular value, or a bound of it, where that is clearly above what is clamped; else zero.
double regularSigma(const Eigen::Matrix3d& a, double jointScale) {
    const double least = kRegularShare * jointScale;
    // sigma_3 = |det| / (sigma_1 sigma_2) >= 2 |det| / |A|_F^2: enough to tell nearly every vertex as regular.
    if (const double bound = 2 * std::abs(a.determinant()) / a.squaredNorm(); bound > least)
        return bound;
    // The closed-form eigenvalues are good to a few digits: enough to tell the clearly regular from the rest.
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
    eigen.computeDirect(a.transpose() * a, Eigen::EigenvaluesOnly);
    const double smallest = std::sqrt(std::max(0.0, eigen.eigenvalues()(0)));
    return smallest > least ? smallest : 0;
}

} // namespace

InverseResult clampedInverse(const Eigen::Matrix3d& a, double jointScale, const Eigen::Vector3d& offset) {
    InverseResult result;
    if (const double least = regularSigma(a, jointScale); least > 0) {
        result.delta = a.inverse() * offset;
        result.residual = offset - a * result.delta;
        result.condition = jointScale / least;
        return result;
    }
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double smallest = svd.singularValues()(2);
    result.condition = smallest > 0 ? jointScale / smallest : std::numeric_limits<double>::infinity();
    const double floor = kClampShare * jointScale;
    // Inverting directly loses fewer digits than the product of factors, and is the same map.
    if (smallest > 0 && smallest >= floor)
        result.delta = a.partialPivLu().solve(offset);
    else
        result.delta = clampedBySvd(svd, floor) * offset;
    result.residual = offset - a * result.delta;
    return result;
}

ClampedMatrix clampedInverseMatrix(const Eigen::Matrix3d& a, double jointScale) {
    if (regularSigma(a, jointScale) > 0)
        return {a.inverse(), true};
    const double floor = kClampShare * jointScale;
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double smallest = svd.singularValues()(2);
    return {clampedBySvd(svd, floor), smallest > 0 && smallest >= floor};
}

InverseResult correctiveIncrement(const skin::VertexMap& map, const Eigen::Vector3d& posed,
                                  const Eigen::Vector3d& sculpted, double weight) {
    assert(weight != 0);
    InverseResult result = clampedInverse(map.a, map.jointScale, sculpted - posed);
    result.delta /= weight;
    return result;
}

} // namespace limber::shape
