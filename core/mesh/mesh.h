// Geometry of one mesh: what stays the same while it is posed, painted and sculpted.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber::mesh {

using Eigen::Vector2f;
using Eigen::Vector3f;
using Eigen::Vector4f;

// The order of a mesh in memory where it is not that of its file (vertex_order.h). A place is a vertex (triangle) in
// memory; within a triangle the corners stay in their order.
struct VertexOrder {
    std::vector<std::uint32_t> fileOf;     // [V] place -> vertex of the file
    std::vector<std::uint32_t> placeOf;    // [V] vertex of the file -> place
    std::vector<std::uint32_t> triangleOf; // [T] place -> triangle of the file
};

// A draw range with one material. Parts follow each other in file order and do not share vertices, whatever the order
// within a part.
struct Part {
    std::uint32_t firstVertex = 0;
    std::uint32_t vertexCount = 0;
    std::uint32_t firstTriangle = 0;
    std::uint32_t triangleCount = 0;
    int material = -1; // index into the document's materials, -1: the default material
};

// Vertices are in the file's order unless `order` says otherwise, positions and normals in mesh space.
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
    std::shared_ptr<const VertexOrder> order; // null: the file's

    // Between places and the file's vertices, both below vertexCount().
    [[nodiscard]] std::uint32_t fileVertex(std::uint32_t place) const { return order ? order->fileOf[place] : place; }
    [[nodiscard]] std::uint32_t placeOfFile(std::uint32_t fileVertex) const {
        return order ? order->placeOf[fileVertex] : fileVertex;
    }
    [[nodiscard]] std::size_t vertexCount() const { return positions.size(); }
    [[nodiscard]] std::size_t triangleCount() const { return triangles.size() / 3; }
};

} // namespace limber::mesh
