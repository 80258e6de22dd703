// Puts a mesh into a better order than its file's. Files may hold vertices and triangles in any order; where neighbours
// lie far apart, every kernel waits for memory (posing a million such vertices takes 4 times as long). Such a mesh is
// put into an order of neighbours when it is read, each part in itself, and the file's order is kept beside it: for
// saving, and for everything else that names vertices outside of the document.
#pragma once

#include "core/mesh/mesh.h"

#include <cassert>
#include <functional>
#include <span>

namespace limber::mesh {

// The better order of a mesh that is as its file has it; null where that is good, or so small that caches hold it. In
// it vertices of one group come together, neighbours in space within each. `groupsOf` is asked only where there is one,
// for the group of each vertex [V]; none: all are one. O(V log V + T), else it looks at some of the vertices. Threads
// by oneTBB.
using GroupsOf = std::function<std::vector<std::uint32_t>()>;
[[nodiscard]] std::shared_ptr<const VertexOrder> betterOrder(const Mesh& mesh, const GroupsOf& groupsOf = {});

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
