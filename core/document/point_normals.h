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
[[nodiscard]] Eigen::Vector3f summedNormal(const mesh::Weld& weld, std::span<const Eigen::Vector3f> normals,
                                           std::uint32_t point);

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
    // Allocates one byte a point at the first call, nothing later.
    void prepare(const MeshData& mesh) { known_.resize(mesh.weld().pointCount(), Known::Nothing); }
    // After prepare(). Several threads may ask for different points.
    [[nodiscard]] PointNormal of(const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                                 std::span<const Eigen::Vector3f> normals, std::uint32_t point);

private:
    enum class Known : std::uint8_t { Nothing, Agrees, Disagrees };
    std::vector<Known> known_; // [P]
};

} // namespace limber::document
