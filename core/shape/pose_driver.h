// Shape weights from the pose: Gaussian radial basis functions over joint orientations (deformation-math.md section 5).
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/math/transform.h"

#include <span>
#include <vector>

namespace limber::shape {

// One key of a driver: at these rotations the shape has weight one and the driver's other shapes zero.
struct DriverSample {
    ShapeId shape;
    std::vector<Eigen::Quaterniond> rotations; // rot(Ul) of each of the driver's joints, unit
};

// All samples over one set of joints form one solver with the neutral pose (Ul = I), whose output is discarded.
struct PoseDriver {
    std::vector<JointId> joints; // ascending
    std::vector<DriverSample> samples;
    double widthScale = 1; // of sigma, 0.25 .. 4
};

// The rotation that a driver sees: polar factor of Ul, w >= 0.
[[nodiscard]] Eigen::Quaterniond driverRotation(const math::Affine& userLocal);

// Chord distance of two orientation tuples: D^2 = sum of |R - R'|_F^2 / 2 = sum (2 sin(rho/2))^2.
[[nodiscard]] double chordDistance(std::span<const Eigen::Quaterniond> a, std::span<const Eigen::Quaterniond> b);

// A driver made ready to evaluate. Cost: n^3/3 to build, n distances and n^2 multiply-adds an evaluation.
class DriverSolver {
public:
    // Refuses a sample nearer than 1e-3 to another or to the neutral pose.
    [[nodiscard]] static Result<DriverSolver> build(const PoseDriver& driver);

    // Weights of the samples at `pose` (rotations of the driver's joints): clamped to [0, 1], divided by their sum
    // (neutral included) where that exceeds one. Writes [samples].
    void evaluate(std::span<const Eigen::Quaterniond> pose, std::span<double> weights) const;

    // The radial basis function's own answer, neutral first, before clamping: [samples + 1].
    [[nodiscard]] Eigen::VectorXd raw(std::span<const Eigen::Quaterniond> pose) const;
    [[nodiscard]] double sigma() const { return sigma_; }

private:
    std::vector<std::vector<Eigen::Quaterniond>> samples_; // neutral first
    Eigen::MatrixXd coefficients_;                         // [n x n]
    double sigma_ = 1;
};

} // namespace limber::shape
