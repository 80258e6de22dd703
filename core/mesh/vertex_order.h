// Puts a mesh into a better order than its file's. Files may hold vertices and triangles in any order; where neighbours
// lie far apart, every kernel waits for memory (posing a million such vertices takes 4 times as long). Such a mesh is
// put into an order of neighbours when it is read, each part in itself, and the file's order is kept beside it: for
// saving, and for everything else that names vertices outside of the document.
#pragma once

#include "core/mesh/mesh.h"

#include <cassert>
#include <span>

namespace limber::mesh {

// Whether vertices that follow each other lie far apart. Looks at some of them.
[[nodiscard]] bool hasScatteredVertices(const Mesh& mesh);

// A better order of a mesh that is as its file has it. Where it `wantsVertices` in another one, those of one group [V]
// come together (without groups all are one), neighbours in space within each; triangles are sorted where those that
// follow each other lie far apart. Null where neither is so. O(V log V + T) where there is one. Threads by oneTBB.
[[nodiscard]] std::shared_ptr<const VertexOrder> betterOrder(const Mesh& mesh, bool wantsVertices,
                                                             std::span<const std::uint32_t> groups = {});

// An order of these permutations.
[[nodiscard]] std::shared_ptr<const VertexOrder> makeOrder(std::vector<std::uint32_t> fileOf,
                                                           std::vector<std::uint32_t> triangle);

// Brings a mesh that is as its file has it into `order`, and keeps that with it.
void putInOrder(Mesh& mesh, std::shared_ptr<const VertexOrder> order);
// The other way; does nothing for a mesh without an order.
void putInFileOrder(Mesh& mesh);

// [3 x T] corners, the file's vertices in the file's order.
[[nodiscard]] std::vector<std::uint32_t> fileTriangles(const Mesh& mesh);

// values[k] becomes what was at from[k]; an empty list stays so.
template <class T> void permute(std::vector<T>& values, std::span<const std::uint32_t> from) {
    if (values.empty())
        return;
    assert(values.size() == from.size());
    std::vector<T> moved(values.size());
    for (std::size_t k = 0; k < moved.size(); ++k)
        moved[k] = values[from[k]];
    values = std::move(moved);
}

} // namespace limber::mesh
