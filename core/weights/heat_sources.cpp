#include "core/weights/heat_sources.h"

#include "core/base/pieces.h"
#include "core/mesh/ray_caster.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cassert>
#include <limits>

namespace limber::weights {

namespace {

constexpr double kSame = 1.0001;    // of the nearest distance
constexpr double kInward = 0.5;     // cosine of 60 degrees
constexpr double kNear = 1e-6;      // of the surface's size: nothing is nearer to a bone
constexpr double kMargin = 1e-3;    // of a ray, at either end: not what it starts from, nor what the bone lies in
constexpr double kGrain = 1e-6;     // of the largest coordinate: about what floats tell
constexpr double kCancelled = 1e-6; // of the normals' lengths: a surface of two sides has no normal
constexpr std::size_t kPiece = 1024;

class Finder {
public:
    Finder(const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles,
           std::span<const Bone> bones)
        : weld_(weld), positions_(positions), triangles_(triangles), bones_(bones), rays_(positions, triangles) {
        Eigen::AlignedBox3d box;
        for (const std::uint32_t v : triangles)
            box.extend(positions[v].cast<double>());
        size_ = box.isEmpty() ? 0 : box.diagonal().norm();
        grain_ = box.isEmpty() ? 0 : kGrain * box.max().cwiseAbs().cwiseMax(box.min().cwiseAbs()).maxCoeff();
        double volume = 0;
        for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
            volume += doubledNormal(t / 3).dot(positions[triangles[t]].cast<double>() - box.center());
        outward_ = volume < 0 ? -1 : 1;
    }

    struct Found {
        double heat;
        bool sees;
    };
    // Appends the joints that the point has.
    Found find(std::uint32_t point, std::vector<Eigen::Vector3d>& onBone, std::vector<std::uint32_t>& slots) const {
        const Eigen::Vector3d at = positions_[weld_.firstVertex(point)].cast<double>();
        double nearest = std::numeric_limits<double>::max();
        onBone.resize(bones_.size());
        for (std::size_t b = 0; b < bones_.size(); ++b) {
            onBone[b] = nearestOn(bones_[b], at);
            nearest = std::min(nearest, (onBone[b] - at).squaredNorm());
        }
        const double reach = nearest * kSame * kSame;
        const std::size_t first = slots.size();
        const auto take = [&](bool visibleOnly) {
            for (std::size_t b = 0; b < bones_.size(); ++b)
                if ((onBone[b] - at).squaredNorm() <= reach && (!visibleOnly || sees(point, at, onBone[b])) &&
                    std::find(slots.begin() + std::ptrdiff_t(first), slots.end(), bones_[b].slot) == slots.end())
                    slots.push_back(bones_[b].slot);
        };
        take(true);
        const bool sees = slots.size() > first;
        if (!sees)
            take(false);
        return {static_cast<double>(slots.size() - first) / distanceSquared(nearest), sees};
    }

private:
    [[nodiscard]] double distanceSquared(double nearest) const {
        return std::max({nearest, kNear * kNear * size_ * size_, std::numeric_limits<double>::min()});
    }

    [[nodiscard]] Eigen::Vector3d doubledNormal(std::size_t triangle) const {
        const auto corner = [&](std::size_t c) -> Eigen::Vector3d {
            return positions_[triangles_[3 * triangle + c]].cast<double>();
        };
        return (corner(1) - corner(0)).cross(corner(2) - corner(0));
    }

    static Eigen::Vector3d nearestOn(const Bone& bone, const Eigen::Vector3d& at) {
        const Eigen::Vector3d along = bone.to - bone.from;
        const double length = along.squaredNorm();
        return length > 0
                   ? Eigen::Vector3d(bone.from + std::clamp((at - bone.from).dot(along) / length, 0.0, 1.0) * along)
                   : bone.from;
    }

    [[nodiscard]] bool sees(std::uint32_t point, const Eigen::Vector3d& at, const Eigen::Vector3d& target) const {
        const double distance = (target - at).norm(), margin = std::max(kMargin * distance, grain_);
        if (distance <= kNear * size_)
            return true;
        const Eigen::Vector3d direction = (target - at) / distance;
        Eigen::Vector3d normal = Eigen::Vector3d::Zero();
        double lengths = 0;
        for (const std::uint32_t t : weld_.trianglesOfPoint[point]) {
            const Eigen::Vector3d own = doubledNormal(t);
            normal += outward_ * own;
            lengths += own.norm();
        }
        if (normal.norm() > kCancelled * lengths && direction.dot(normal) > -kInward * normal.norm())
            return false;
        if (distance <= 2 * margin)
            return true;
        const auto hit = rays_.cast({at + margin * direction, direction});
        return !hit || static_cast<double>(hit->distance) >= distance - 2 * margin;
    }

    const mesh::Weld& weld_;
    std::span<const Eigen::Vector3f> positions_;
    std::span<const std::uint32_t> triangles_;
    std::span<const Bone> bones_;
    mesh::RayCaster rays_;
    double size_ = 0, grain_ = 0, outward_ = 1;
};

} // namespace

HeatSources heatSources(const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions,
                        std::span<const std::uint32_t> triangles, std::span<const Bone> bones) {
    assert(!bones.empty());
    const std::size_t points = weld.pointCount();
    const Finder finder(weld, positions, triangles, bones);
    HeatSources sources;
    sources.heat.resize(points);
    sources.sees.resize(points);
    std::vector<std::uint32_t> counts(points);
    std::vector<std::vector<std::uint32_t>> pieces((points + kPiece - 1) / kPiece);
    inPieces(points, kPiece, [&](std::size_t first, std::size_t end) {
        std::vector<std::uint32_t>& slots = pieces[first / kPiece];
        std::vector<Eigen::Vector3d> onBone;
        for (std::size_t p = first; p < end; ++p) {
            const std::size_t before = slots.size();
            const Finder::Found found = finder.find(static_cast<std::uint32_t>(p), onBone, slots);
            sources.heat[p] = found.heat;
            sources.sees[p] = found.sees;
            counts[p] = static_cast<std::uint32_t>(slots.size() - before);
        }
    });
    for (const std::uint32_t count : counts)
        sources.nearest.offsets.push_back(sources.nearest.offsets.back() + count);
    for (const std::vector<std::uint32_t>& piece : pieces)
        sources.nearest.items.insert(sources.nearest.items.end(), piece.begin(), piece.end());
    return sources;
}

} // namespace limber::weights
