// Delta mush: the posed surface smoothed, and each point given back the detail it had at rest in a frame that the
// smoothed surface carries (Mancewicz et al. 2014; deformation-math.md section 3, D6 and D7).
#pragma once

#include "core/mesh/weld.h"
#include "core/skin/pose_map.h"
#include "core/skin/ring_smoother.h"

#include <span>
#include <vector>

namespace limber::skin {

// Of the faces around a point: the sum of their normals, as long as twice their areas, and what its square is where all
// of them are equal.
struct FacesNormal {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    float size = 0;
};

// Of one mesh. Smoothing runs over welded points with uniform weights; points at open borders are smoothed along the
// border's own edges only. Points that have no frame at rest (no face with an area, faces back to
// back, or a part so small that smoothing shrinks it to a point) do not follow the mush: they stay as skinned. Owns its
// memory, all of it taken on construction: not thread-safe, its loops run by oneTBB.
class MushedSurface {
public:
    // `rest` [V], mesh space; `placement` M = B G of the skin, model from mesh: detail is kept in model units. The
    // weld outlives it. O(points and triangles, and iterations x edges).
    MushedSurface(const mesh::Weld& weld, std::span<const std::uint32_t> triangles,
                  std::span<const Eigen::Vector3f> rest, const DeltaMush& settings,
                  const math::Affine& placement = math::Affine::Identity());

    // From the uncorrected mesh in the present pose, world space [V]: Sm(x) and the frames G (D6).
    void pose(std::span<const Eigen::Vector3f> skinnedRest);
    // The same, bit for bit, where since the last pose only these vertices may have moved; they may repeat. False where
    // pose() is needed, and nothing was done: more than half of the points are within 2 k edges of those that moved, or
    // one moved that all are kept about. O(k x edges of those points).
    [[nodiscard]] bool poseAround(std::span<const Eigen::Vector3f> skinnedRest, std::span<const std::uint32_t> moved);
    // Vertices that poseAround() has put to another place, or turned.
    [[nodiscard]] std::span<const std::uint32_t> redone() const { return redone_; }

    [[nodiscard]] bool follows(std::uint32_t vertex) const { return follows_[weld_.pointOfVertex[vertex]] != 0; }
    // Of a vertex that follows, after pose(): the mushed place of its uncorrected point, and G F^T A(M), which carries
    // what is added to it at rest.
    [[nodiscard]] Eigen::Vector3f place(std::uint32_t vertex) const;
    [[nodiscard]] Eigen::Matrix3f turn(std::uint32_t vertex) const;

    // The map of a vertex with the mush: (1 - m) skinned + m (place + turn (p - v)), v its rest point, m its share.
    [[nodiscard]] VertexMap mixed(const VertexMap& skinned, std::uint32_t vertex, const Eigen::Vector3d& rest,
                                  double share) const;
    // The same for all points, and for normals, which stay unit. `skinned` and `normals` [V] hold the corrected skinned
    // points and receive the result; `pre`, `preNormals` p, `rest` v; `shares` m [V] or empty for 1. Where m is 0
    // nothing is written.
    void apply(std::span<const Eigen::Vector3f> pre, std::span<const Eigen::Vector3f> preNormals,
               std::span<const Eigen::Vector3f> rest, std::span<const float> shares, std::span<Eigen::Vector3f> skinned,
               std::span<Eigen::Vector3f> normals) const;
    // Of these vertices alone: where only shares have changed.
    void applyTo(std::span<const std::uint32_t> vertices, std::span<const Eigen::Vector3f> pre,
                 std::span<const Eigen::Vector3f> preNormals, std::span<const Eigen::Vector3f> rest,
                 std::span<const float> shares, std::span<Eigen::Vector3f> skinned,
                 std::span<Eigen::Vector3f> normals) const;

private:
    using Points = std::vector<Eigen::Vector4f>; // x y z 0: one load each

    struct Frame { // third axis: normal x tangent
        Eigen::Vector4f tangent = Eigen::Vector4f::UnitX(), normal = Eigen::Vector4f::UnitZ();
    };

    void connect(std::span<const std::uint32_t> triangles);
    [[nodiscard]] Eigen::Vector4f originOf(std::span<const Eigen::Vector3f> vertices) const;
    [[nodiscard]] Eigen::Vector4f gathered(std::span<const Eigen::Vector3f> vertices, std::size_t point) const;
    void gather(std::span<const Eigen::Vector3f> vertices, Points& points);
    void smooth();
    void step(const Points& from, Points& to) const;
    void chooseEdge(std::uint32_t point, float detail);
    [[nodiscard]] FacesNormal facesNormal(std::uint32_t point) const;
    [[nodiscard]] Frame frameOf(std::uint32_t point) const;
    void mix(std::uint32_t vertex, float share, const Eigen::Vector3f& added, const Eigen::Vector3f& preNormal,
             Eigen::Vector3f& skinned, Eigen::Vector3f& normal) const;

    const mesh::Weld& weld_;
    DeltaMush settings_;
    Eigen::Matrix3f placement_, placementOfNormals_;
    std::vector<std::uint32_t> neighbours_, counts_; // row p is counts_[p] items from weld_.neighbours.offsets[p]
    std::vector<std::uint32_t> fans_;                // the two other points of each of weld_.trianglesOfPoint
    std::vector<std::uint32_t> edges_;               // [P] where the tangent points to
    std::vector<std::uint8_t> follows_;              // [P]
    std::vector<Frame> restFrames_, frames_;         // [P] F, G
    Points detail_;                                  // [P] F^T (M v - Sm(M v)): tangent, third, normal
    Points smoothed_, buffer_;                       // [P] about origin_, so that far from zero no digits are lost
    Eigen::Vector4f origin_ = Eigen::Vector4f::Zero();
    RingSmoother around_;
    std::vector<std::uint32_t> redone_;
};

} // namespace limber::skin
