// Meshes brought into an order by chance, as opening brings large ones into a better one.
#pragma once

#include "core/document/file_order.h"
#include "core/mesh/vertex_order.h"
#include "tests/support/random.h"

#include <algorithm>
#include <numeric>

namespace limber::test {

// [first, first + count) of `numbers` in an order by chance.
inline void shuffle(std::vector<std::uint32_t>& numbers, std::size_t first, std::size_t count, Random& random) {
    for (std::size_t k = count; k > 1; --k)
        std::swap(numbers[first + k - 1], numbers[first + random.index(k)]);
}

inline std::shared_ptr<const mesh::VertexOrder> orderByChance(const mesh::Mesh& mesh, Random& random) {
    std::vector<std::uint32_t> vertices(mesh.vertexCount()), triangles(mesh.triangleCount());
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::iota(triangles.begin(), triangles.end(), 0u);
    for (const mesh::Part& part : mesh.parts) {
        shuffle(vertices, part.firstVertex, part.vertexCount, random);
        shuffle(triangles, part.firstTriangle, part.triangleCount, random);
    }
    return mesh::makeOrder(std::move(vertices), std::move(triangles));
}

inline document::DocumentState scattered(document::DocumentState state, Random& random) {
    state = document::inFileOrder(std::move(state));
    for (document::MeshData& mesh : state.meshes)
        document::putInOrder(mesh, orderByChance(mesh.geometry, random));
    return state;
}

// The same vertices and triangles, as a file that has them in this order.
inline mesh::Mesh asFile(mesh::Mesh mesh) {
    mesh.order = nullptr;
    return mesh;
}

} // namespace limber::test
