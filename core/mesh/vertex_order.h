// Puts a mesh into a better order than its file's. Files may hold vertices and triangles in any order; where neighbours
// lie far apart, every kernel waits for memory (posing a million such vertices takes 4 times as long). Each part is put
// into an order of neighbours in itself, and the file's order is kept beside it: for saving, and for everything else
// that names vertices outside of the document.
#pragma once

#include "core/mesh/mesh.h"

#include <span>

namespace limber::mesh {

// Whether what follows each other in memory lies far apart on the surface. Looks at some of them; a few that lie far
// away from all others do not matter.
[[nodiscard]] bool hasScatteredVertices(const Mesh& mesh, const Part& part);
[[nodiscard]] bool hasScatteredTriangles(const Mesh& mesh, const Part& part);

// Place -> vertex: in each part vertices of one group [V] together, the least first (without groups all are one), and
// in each group neighbours in space. O(V log V), threads by oneTBB.
[[nodiscard]] std::vector<std::uint32_t> neighbourOrder(const Mesh& mesh, std::span<const std::uint32_t> groups = {});

// Such an order of the vertices (empty: as they are) with the triangles of the named parts as they come around the
// places; others stay where they are. O(V + T).
[[nodiscard]] std::shared_ptr<const VertexOrder> makeSortedOrder(const Mesh& mesh, std::vector<std::uint32_t> fileOf,
                                                                 std::span<const std::size_t> partsToSort);
// An order of these permutations.
[[nodiscard]] std::shared_ptr<const VertexOrder> makeOrder(std::vector<std::uint32_t> fileOf,
                                                           std::vector<std::uint32_t> triangleOf);

// Brings a mesh that is as its file has it into `order`, and keeps that with it.
void putInOrder(Mesh& mesh, std::shared_ptr<const VertexOrder> order);
// The other way; does nothing for a mesh without an order.
void putInFileOrder(Mesh& mesh);

// values[k] becomes what was at from[k]; an empty list stays so. Of float and Vector2f to Vector4f. Threads by oneTBB.
template <class T> void permute(std::vector<T>& values, std::span<const std::uint32_t> from);

} // namespace limber::mesh
