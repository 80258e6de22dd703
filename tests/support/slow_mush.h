// Delta mush as it is defined, point by point: what the kernel is compared with.
#pragma once

#include "core/skin/skinning.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace limber::test {

// The slow clear version, over positions instead of a weld, in double.
class SlowMush {
public:
    using Points = std::vector<Eigen::Vector3f>;

    SlowMush(const Points& rest, std::span<const std::uint32_t> triangles) {
        std::map<std::array<float, 3>, int> known;
        for (const Eigen::Vector3f& p : rest)
            point_.push_back(known.try_emplace({p.x(), p.y(), p.z()}, int(known.size())).first->second);
        std::map<std::pair<int, int>, int> uses;
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            faces_.push_back({point_[triangles[t]], point_[triangles[t + 1]], point_[triangles[t + 2]]});
            for (int k = 0; k < 3; ++k)
                ++uses[std::minmax(faces_.back()[k], faces_.back()[(k + 1) % 3])];
        }
        facesOf_.resize(known.size());
        for (const std::array<int, 3>& f : faces_)
            for (const int p : std::set<int>(f.begin(), f.end()))
                facesOf_[p].push_back(f);
        around_.resize(known.size());
        smoothed_.resize(known.size());
        std::vector<bool> border(known.size());
        for (const auto& [edge, count] : uses)
            if (count == 1)
                border[edge.first] = border[edge.second] = true;
        numbers_.assign(known.size(), 0);
        for (std::size_t v = rest.size(); v-- > 0;)
            numbers_[point_[v]] = int(v);
        for (const auto& [edge, count] : uses)
            for (const auto& [a, b] : {edge, std::pair(edge.second, edge.first)}) {
                around_[a].push_back(b);
                if (!border[a] || count == 1)
                    smoothed_[a].push_back(b);
            }
        // The welded points' order: by their first vertex.
        for (std::vector<int>& row : around_)
            std::sort(row.begin(), row.end(), [&](int a, int b) { return numbers_[a] < numbers_[b]; });
    }

    Points operator()(const Points& rest, const Points& posed, const skin::DeltaMush& settings) const {
        const std::vector<Eigen::Vector3d> v = pointsOf(rest), sv = smooth(v, settings),
                                           sx = smooth(pointsOf(posed), settings);
        Points out;
        for (const int p : point_) {
            const int other = edgeOf(sv, p);
            const Eigen::Vector3d x = sx[p] + frame(sx, p, other) * frame(sv, p, other).transpose() * (v[p] - sv[p]);
            out.push_back(x.cast<float>());
        }
        return out;
    }

private:
    std::vector<Eigen::Vector3d> pointsOf(const Points& vertices) const {
        std::vector<Eigen::Vector3d> points(around_.size(), Eigen::Vector3d::Zero());
        std::vector<double> counts(around_.size(), 0);
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            points[point_[v]] += vertices[v].cast<double>();
            ++counts[point_[v]];
        }
        for (std::size_t p = 0; p < points.size(); ++p)
            points[p] /= counts[p];
        return points;
    }
    std::vector<Eigen::Vector3d> smooth(std::vector<Eigen::Vector3d> points, const skin::DeltaMush& settings) const {
        for (std::uint32_t k = 0; k < settings.iterations; ++k) {
            std::vector<Eigen::Vector3d> next = points;
            for (std::size_t p = 0; p < points.size(); ++p)
                for (const int other : smoothed_[p])
                    next[p] += settings.lambda / double(smoothed_[p].size()) * (points[other] - points[p]);
            points = next;
        }
        return points;
    }
    Eigen::Vector3d normal(const std::vector<Eigen::Vector3d>& points, int p) const {
        Eigen::Vector3d n = Eigen::Vector3d::Zero();
        for (const std::array<int, 3>& f : facesOf_[p])
            n += (points[f[1]] - points[f[0]]).cross(points[f[2]] - points[f[0]]);
        return n.normalized();
    }
    int edgeOf(const std::vector<Eigen::Vector3d>& points, int p) const {
        const Eigen::Vector3d n = normal(points, p);
        for (const int other : around_[p])
            if (n.cross((points[other] - points[p]).normalized()).norm() > 0.5)
                return other;
        return around_[p].front();
    }
    Eigen::Matrix3d frame(const std::vector<Eigen::Vector3d>& points, int p, int other) const {
        const Eigen::Vector3d n = normal(points, p), third = n.cross(points[other] - points[p]).normalized();
        Eigen::Matrix3d f;
        f << third.cross(n), third, n;
        return f;
    }

    std::vector<int> point_, numbers_;
    std::vector<std::array<int, 3>> faces_;
    std::vector<std::vector<std::array<int, 3>>> facesOf_;
    std::vector<std::vector<int>> around_, smoothed_;
};

} // namespace limber::test
