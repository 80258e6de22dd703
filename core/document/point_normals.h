// Which way the points of a posed mesh look, as brushes ask it. Normals of a file may be anything (some exporters
// forget to turn them with the axes), so they are believed only where they agree with the faces of the rest surface.
#pragma once

#include "core/document/document.h"

#include <span>
#include <vector>

namespace limber::document {

// Whether the normals of a point's vertices lie within 60 degrees of its faces at rest; also where one of the two has
// no direction. O(faces of the point).
[[nodiscard]] bool agreesWithFaces(const MeshData& mesh, std::uint32_t point);

// The sum of the normals of a point's vertices, not normalised.
[[nodiscard]] inline Eigen::Vector3f summedNormal(const mesh::Weld& weld, std::span<const Eigen::Vector3f> normals,
                                                  std::uint32_t point) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (const std::uint32_t v : weld.verticesOfPoint[point])
        sum += normals[v];
    return sum;
}

struct PointNormal {
    Eigen::Vector3f direction = Eigen::Vector3f::Zero(); // world, of any length, zero where there is none
    bool ofFaces = false; // by the winding of the triangles: turned around where mirrored joints turn them
};

// `positions` and `normals` [V], posed, world.
[[nodiscard]] PointNormal pointNormalOf(const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                                        std::span<const Eigen::Vector3f> normals, std::uint32_t point);

// The same for the dabs of one stroke: looks at the rest surface once for each point.
class PointNormals {
public:
    // Before each dab; the same mesh each time, kept by reference until the next call. Allocates one byte a point at
    // the first, nothing later.
    void prepare(const MeshData& mesh) {
        mesh_ = &mesh;
        weld_ = &mesh.weld();
        known_.resize(weld_->pointCount(), Known::Nothing);
    }
    // Several threads may ask for different points.
    [[nodiscard]] PointNormal of(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
                                 std::uint32_t point) {
        if (known_[point] == Known::Agrees)
            return {summedNormal(*weld_, normals, point), false};
        return ofUnknown(positions, normals, point);
    }

private:
    enum class Known : std::uint8_t { Nothing, Agrees, Disagrees };
    [[nodiscard]] PointNormal ofUnknown(std::span<const Eigen::Vector3f> positions,
                                        std::span<const Eigen::Vector3f> normals, std::uint32_t point);

    const MeshData* mesh_ = nullptr;
    const mesh::Weld* weld_ = nullptr;
    std::vector<Known> known_; // [P]
};

} // namespace limber::document
