// Intents on the weights of whole meshes. Each makes one edit, with a patch for every mesh that changes; meshes without
// weights are passed over. Changed rows sum to one. Rows that were repaired when the file was read are then written
// repaired, even where nothing else of the mesh changes.
#pragma once

#include "core/document/edit.h"

namespace limber::document {

// Whether locked joints keep their weights: where everything else is locked too, rows stay as they are.
enum class Locks { Keep, Ignore };

// Rows that do not sum to one are scaled to it; vertices without weights stay without.
[[nodiscard]] Edit normalizeWeights(const Document& doc, std::span<const MeshId> meshes);

// Drops weights below `threshold` (0 .. 1) that are not locked; the strongest of a row always stays.
[[nodiscard]] Edit pruneWeights(const Document& doc, std::span<const MeshId> meshes, double threshold);

// Leaves every vertex its `most` (at least one) strongest influences. Locked joints come first where they are kept,
// even if they alone are more than `most`.
[[nodiscard]] Edit limitInfluences(const Document& doc, std::span<const MeshId> meshes, std::size_t most, Locks locks);

// Moves every row by `amount` (0 .. 1) towards the mean of its neighbours on the surface, `steps` times; vertices at
// one position stay alike. Leaves each its `most` strongest influences; 0: as many as the mesh's longest row has, at
// least the four of one set. O(steps x influences x neighbours).
[[nodiscard]] Edit smoothWeights(const Document& doc, std::span<const MeshId> meshes, double amount, int steps,
                                 std::size_t most = 0);

// Influences of the vertex that has most.
[[nodiscard]] std::size_t longestRow(const skin::SkinWeights& weights);

// `most`, and where it is 0 as many as the longest row has, at least the four of one set.
[[nodiscard]] std::size_t influencesKept(const skin::SkinWeights& weights, std::size_t most);

// Gives the mesh these rows [V], slots of its skin. Rows are taken as they are.
[[nodiscard]] Edit replaceWeights(const Document& doc, MeshId mesh, const skin::SkinWeights& rows, std::string label);

// All meshes, ascending.
[[nodiscard]] std::vector<MeshId> allMeshes(const Document& doc);
// Per slot of the mesh's skins: non-zero where a joint that it means in any of them is locked. Empty where no instance
// gives the mesh a skin.
[[nodiscard]] std::vector<std::uint8_t> lockedSlots(const Document& doc, MeshId mesh);

} // namespace limber::document
