// Geometry of one mesh: what stays the same while it is posed, painted and sculpted.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace limber::mesh {

using Eigen::Vector2f;
using Eigen::Vector3f;
using Eigen::Vector4f;

// A draw range with one material. Parts follow each other in file order and do not share vertices.
struct Part {
    std::uint32_t firstVertex = 0;
    std::uint32_t vertexCount = 0;
    std::uint32_t firstTriangle = 0;
    std::uint32_t triangleCount = 0;
    int material = -1; // index into the document's materials, -1: the default material
};

// Vertices are in file order, positions and normals in mesh space.
// `normals` always has [V] unit entries (made from the triangles where a file has none);
// `tangents` (xyz, handedness), `uvs` (v down) and `colors` (linear RGBA) are [V] or empty.
struct Mesh {
    std::string name;
    std::vector<Vector3f> positions;
    std::vector<Vector3f> normals;
    std::vector<Vector4f> tangents;
    std::vector<Vector2f> uvs;
    std::vector<Vector4f> colors;
    std::vector<std::uint32_t> triangles; // [3 x T] vertex indices, counter-clockwise seen from outside
    std::vector<Part> parts;

    [[nodiscard]] std::size_t vertexCount() const { return positions.size(); }
    [[nodiscard]] std::size_t triangleCount() const { return triangles.size() / 3; }
};

} // namespace limber::mesh
