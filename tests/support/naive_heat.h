// Heat binding by the formulas alone: dense matrices, every ray against every triangle.
#pragma once

#include "core/weights/heat_bind.h"

#include <Eigen/Dense>

#include <cmath>

namespace limber::test {

struct NaiveHeat {
    std::span<const Eigen::Vector3f> points; // no two at one position
    std::span<const std::uint32_t> triangles;
    std::span<const weights::Bone> bones;
    double strength = 1;

    [[nodiscard]] Eigen::Vector3d at(std::size_t p) const { return points[p].cast<double>(); }
    [[nodiscard]] Eigen::Vector3d corner(std::size_t t, std::size_t c) const { return at(triangles[3 * t + c]); }

    [[nodiscard]] static Eigen::Vector3d nearestOn(const weights::Bone& b, const Eigen::Vector3d& p) {
        const Eigen::Vector3d d = b.to - b.from;
        const double t = d.squaredNorm() > 0 ? (p - b.from).dot(d) / d.squaredNorm() : 0;
        return b.from + std::min(1.0, std::max(0.0, t)) * d;
    }

    // Whether the segment crosses a triangle that `from` is no corner of.
    [[nodiscard]] bool blocked(std::size_t from, const Eigen::Vector3d& to) const {
        for (std::size_t t = 0; 3 * t < triangles.size(); ++t) {
            if (triangles[3 * t] == from || triangles[3 * t + 1] == from || triangles[3 * t + 2] == from)
                continue;
            Eigen::Matrix3d m;
            m << corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0), at(from) - to;
            if (std::abs(m.determinant()) < 1e-14)
                continue;
            const Eigen::Vector3d x = m.inverse() * (at(from) - corner(t, 0));
            if (x[0] >= 0 && x[1] >= 0 && x[0] + x[1] <= 1 && x[2] > 0 && x[2] < 1)
                return true;
        }
        return false;
    }

    // w [points x joints].
    [[nodiscard]] Eigen::MatrixXd weights(std::size_t joints) const {
        const auto n = static_cast<Eigen::Index>(points.size());
        Eigen::MatrixXd edges = Eigen::MatrixXd::Zero(n, n), p = Eigen::MatrixXd::Zero(n, Eigen::Index(joints));
        Eigen::VectorXd area = Eigen::VectorXd::Zero(n), h = Eigen::VectorXd::Zero(n);
        std::vector<Eigen::Vector3d> normals(points.size(), Eigen::Vector3d::Zero());
        for (std::size_t t = 0; 3 * t < triangles.size(); ++t)
            for (std::size_t c = 0; c < 3; ++c) {
                const Eigen::Vector3d a = corner(t, (c + 1) % 3) - corner(t, c),
                                      b = corner(t, (c + 2) % 3) - corner(t, c);
                const Eigen::Index i = triangles[3 * t + (c + 1) % 3], j = triangles[3 * t + (c + 2) % 3];
                edges(i, j) += 0.5 / std::tan(std::acos(a.normalized().dot(b.normalized())));
                edges(j, i) = edges(i, j);
                area[triangles[3 * t + c]] += a.cross(b).norm() / 6;
                normals[triangles[3 * t + c]] += a.cross(b);
            }
        for (Eigen::Index i = 0; i < n; ++i) {
            double nearest = 1e300;
            for (const weights::Bone& b : bones)
                nearest = std::min(nearest, (nearestOn(b, at(i)) - at(i)).norm());
            for (const weights::Bone& b : bones) {
                const Eigen::Vector3d to = nearestOn(b, at(i)), d = to - at(i);
                if (d.norm() <= 1.0001 * nearest && !blocked(static_cast<std::size_t>(i), to) &&
                    d.normalized().dot(-normals[static_cast<std::size_t>(i)].normalized()) >= 0.5)
                    p(i, b.slot) = 1;
            }
            const double k = p.row(i).sum();
            h[i] = strength * k / (nearest * nearest);
            if (k > 0)
                p.row(i) /= k;
        }
        const Eigen::MatrixXd conducting = edges.cwiseMax(0);
        const Eigen::MatrixXd laplacian = Eigen::MatrixXd(conducting.rowwise().sum().asDiagonal()) - conducting;
        const Eigen::VectorXd heat = area.cwiseProduct(h);
        return (laplacian + Eigen::MatrixXd(heat.asDiagonal())).fullPivLu().solve(heat.asDiagonal() * p);
    }
};

} // namespace limber::test
