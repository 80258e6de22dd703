// Vertices have two names: their place in memory, by which all that lives with the document goes, and their number in
// the file, by which everything goes that outlives it (mesh.h, VertexOrder). Both are the same unless a mesh was put
// into a better order when it was opened to be edited.
#pragma once

#include "core/document/edit.h"

#include <memory>

namespace limber::document {

// Brings meshes whose order makes posing and editing slow into a better one: where neighbours are far apart, and where
// blocks of weights have half as many joints again as their rows, or more. For what is edited live: 0.3 to 0.4 s for a
// million vertices that get another order, a few milliseconds for those that do not. The parts of blended materials
// keep their triangles, which are drawn in that order. Before, all meshes are as their files have them.
void improveOrders(DocumentState& state);

// A mesh that is as its file has it, with all that is painted and sculpted on it, into `order`.
void putInOrder(MeshData& mesh, std::shared_ptr<const mesh::VertexOrder> order);

[[nodiscard]] bool isInFileOrder(const DocumentState& state);
// The same scene with every mesh as its file has it. O(document).
[[nodiscard]] DocumentState inFileOrder(DocumentState state);

// Per mesh; null: the file's.
using VertexOrders = std::vector<std::shared_ptr<const mesh::VertexOrder>>;
[[nodiscard]] VertexOrders vertexOrders(const DocumentState& state);

// The same change with its vertices named by the file's numbers, and the other way round: the very edit where none has
// another name, else O(n log n) of what it touches. Patches that fit no mesh (edit_check.h) stay as they are.
[[nodiscard]] SharedEdit withFileVertices(SharedEdit edit, const VertexOrders& orders);
[[nodiscard]] SharedEdit withPlaces(SharedEdit edit, const VertexOrders& orders);

} // namespace limber::document
