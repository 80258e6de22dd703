#include "core/shape/pose_driver.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace limber::shape {

namespace {

constexpr double kNearestSamples = 1e-3;
constexpr double kJitter = 1e-10;

double squaredChord(std::span<const Eigen::Quaterniond> a, std::span<const Eigen::Quaterniond> b) {
    assert(a.size() == b.size());
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += 4 * (a[k].conjugate() * b[k]).vec().squaredNorm();
    return sum;
}

double gaussian(double squaredDistance, double sigma) {
    return std::exp(-squaredDistance / (2 * sigma * sigma));
}

// The mean distance of a sample to its nearest neighbour; zero where two samples are too near to tell apart.
double meanNearest(const Eigen::MatrixXd& squared) {
    double sum = 0;
    for (Eigen::Index i = 0; i < squared.rows(); ++i) {
        double nearest = std::numeric_limits<double>::max();
        for (Eigen::Index j = 0; j < squared.cols(); ++j)
            if (i != j)
                nearest = std::min(nearest, squared(i, j));
        if (!(nearest >= kNearestSamples * kNearestSamples))
            return 0;
        sum += std::sqrt(nearest);
    }
    return sum / static_cast<double>(squared.rows());
}

Status checkSamples(const PoseDriver& driver) {
    if (driver.joints.empty() || driver.samples.empty())
        return Error{ErrorCode::Failed, "A pose driver needs at least one joint and one sample.", {}};
    for (const DriverSample& s : driver.samples) {
        if (s.rotations.size() != driver.joints.size())
            return Error{ErrorCode::Failed, "A sample of a pose driver has not one rotation for each joint.", {}};
        for (const Eigen::Quaterniond& q : s.rotations)
            if (!(std::abs(q.norm() - 1) < 1e-3))
                return Error{
                    ErrorCode::Failed, "A sample of a pose driver holds something that is not a rotation.", {}};
    }
    return {};
}

} // namespace

Eigen::Quaterniond driverRotation(const math::Affine& userLocal) {
    return math::canonical(Eigen::Quaterniond(math::nearestRotation(userLocal.linear())));
}

double chordDistance(std::span<const Eigen::Quaterniond> a, std::span<const Eigen::Quaterniond> b) {
    return std::sqrt(squaredChord(a, b));
}

Result<DriverSolver> DriverSolver::build(const PoseDriver& driver) {
    if (Status status = checkSamples(driver); !status)
        return status.error();
    DriverSolver solver;
    solver.samples_.emplace_back(driver.joints.size(), Eigen::Quaterniond::Identity());
    for (const DriverSample& s : driver.samples) {
        solver.samples_.push_back(s.rotations);
        for (Eigen::Quaterniond& q : solver.samples_.back())
            q.normalize();
    }

    const auto n = static_cast<Eigen::Index>(solver.samples_.size());
    Eigen::MatrixXd squared(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            squared(i, j) = squaredChord(solver.samples_[static_cast<std::size_t>(i)],
                                         solver.samples_[static_cast<std::size_t>(j)]);
    const double spacing = meanNearest(squared);
    if (!(spacing > 0))
        return Error{ErrorCode::Failed,
                     "This pose is too near to the bind pose or to the pose of another corrective of the same joints: "
                     "turn the joint further first.",
                     {}};
    solver.sigma_ = spacing * std::clamp(driver.widthScale, 0.25, 4.0);

    Eigen::MatrixXd phi = squared.unaryExpr([&](double d) { return gaussian(d, solver.sigma_); });
    Eigen::LLT<Eigen::MatrixXd> cholesky(phi);
    if (cholesky.info() != Eigen::Success) {
        phi.diagonal().array() += kJitter * phi.trace() / static_cast<double>(n);
        cholesky.compute(phi);
        if (cholesky.info() != Eigen::Success)
            return Error{
                ErrorCode::Failed, "The poses of this driver are too near to each other to tell them apart.", {}};
    }
    solver.coefficients_ = cholesky.solve(Eigen::MatrixXd::Identity(n, n));
    return solver;
}

void DriverSolver::evaluate(std::span<const Eigen::Quaterniond> pose, std::span<double> weights) const {
    assert(weights.size() + 1 == samples_.size());
    double neutral = 0;
    std::fill(weights.begin(), weights.end(), 0.0);
    for (std::size_t j = 0; j < samples_.size(); ++j) {
        const double phi = gaussian(squaredChord(samples_[j], pose), sigma_);
        const auto row = static_cast<Eigen::Index>(j);
        neutral += coefficients_(row, 0) * phi;
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] += coefficients_(row, static_cast<Eigen::Index>(i) + 1) * phi;
    }
    double sum = std::clamp(neutral, 0.0, 1.0);
    for (double& w : weights) {
        w = std::clamp(w, 0.0, 1.0);
        sum += w;
    }
    if (sum > 1)
        for (double& w : weights)
            w /= sum;
}

Eigen::VectorXd DriverSolver::raw(std::span<const Eigen::Quaterniond> pose) const {
    Eigen::VectorXd phi(static_cast<Eigen::Index>(samples_.size()));
    for (std::size_t j = 0; j < samples_.size(); ++j)
        phi(static_cast<Eigen::Index>(j)) = gaussian(squaredChord(samples_[j], pose), sigma_);
    return coefficients_.transpose() * phi;
}

} // namespace limber::shape
