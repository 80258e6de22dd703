// Random transforms and numbers from a fixed seed.
#pragma once

#include "core/math/transform.h"

#include <random>

namespace limber::test {

class Random {
public:
    explicit Random(unsigned seed = 1) : engine_(seed) {}

    double uniform(double lo = -1, double hi = 1) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
    std::size_t index(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(engine_); }
    Eigen::Vector3d vector(double size = 1) { return size * Eigen::Vector3d(uniform(), uniform(), uniform()); }
    Eigen::Quaterniond rotation() {
        Eigen::Quaterniond q(uniform(), uniform(), uniform(), uniform());
        return q.norm() > 0.1 ? q.normalized() : Eigen::Quaterniond::Identity();
    }
    math::Affine rigid() { return math::composeTrs(vector(2), rotation(), Eigen::Vector3d::Ones()); }
    // Rotation, scale 0.5 .. 2 an axis, shear up to 0.5.
    math::Affine affine() {
        math::TransformParts parts;
        parts.translation = vector(2);
        parts.rotation = rotation();
        parts.shear = vector(0.5);
        parts.scale = {uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2)};
        return math::compose(parts);
    }

private:
    std::mt19937 engine_;
};

} // namespace limber::test
