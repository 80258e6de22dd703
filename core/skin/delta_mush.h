// Delta mush: the posed surface smoothed, and each point given back the detail it had at rest in a frame that the
// smoothed surface carries (Mancewicz et al. 2014; deformation-math.md section 3, D6 and D7).
#pragma once

#include "core/mesh/weld.h"
#include "core/skin/skinning.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <span>
#include <vector>

namespace limber::skin {

// Of one mesh at rest. Smoothing runs over welded points with uniform weights; points at open borders are smoothed
// along the border's own edges only. Owns its scratch memory: not thread-safe, its loops run by oneTBB.
class MushedSurface {
public:
    // `rest` [V], mesh space.
    MushedSurface(const mesh::Weld& weld, std::span<const std::uint32_t> triangles,
                  std::span<const Eigen::Vector3f> rest, const DeltaMush& settings);

    // From the uncorrected mesh in the present pose, world space [V]: Sm(x) and the frames. O(iterations x edges), no
    // allocation after the first call.
    void pose(std::span<const Eigen::Vector3f> skinnedRest);

    // Of a vertex after pose(): the mushed place of its uncorrected point, and G F^T (proper, float).
    [[nodiscard]] Eigen::Vector3f place(std::uint32_t vertex) const;
    [[nodiscard]] Eigen::Matrix3f turn(std::uint32_t vertex) const;

    // Mixes: x = (1 - m) skinned + m (place + turn (p - v)), normals alike and unit. `skinned` and `normals` [V] hold
    // the corrected skinned points and receive the result; `pre`, `preNormals` p, `rest` v; `shares` m [V] or empty
    // for 1.
    void apply(std::span<const Eigen::Vector3f> pre, std::span<const Eigen::Vector3f> preNormals,
               std::span<const Eigen::Vector3f> rest, std::span<const float> shares, std::span<Eigen::Vector3f> skinned,
               std::span<Eigen::Vector3f> normals) const;

private:
    void smooth(std::vector<Eigen::Vector3f>& points);
    void frames(std::span<const Eigen::Vector3f> points, std::vector<Eigen::Quaternionf>& out) const;

    const mesh::Weld& weld_; // both outlive it
    std::span<const std::uint32_t> triangles_;
    DeltaMush settings_;
    std::vector<std::uint8_t> border_;               // [P]
    std::vector<Eigen::Quaternionf> restFrames_;     // [P] F
    std::vector<Eigen::Vector3f> detail_;            // [P] F^T (v - Sm(v))
    std::vector<Eigen::Vector3f> smoothed_, buffer_; // [P]
    std::vector<Eigen::Quaternionf> posedFrames_;    // [P] G
};

} // namespace limber::skin
