// Shear of joints that no clip animates. A glTF node holds none, but two do: A = U Sigma V^T (deformation-math.md
// section 1, "Shear on export"). The joint's node keeps its index and turns by V^T; a helper node, tagged with
// extras.limber.shear, takes its place below the parent with the translation, U and Sigma.
#pragma once

#include "core/io/gltf_json.h"
#include "core/rig/skeleton.h"

namespace limber::io {

// Nodes that clips move (TRS or weights), by plain channels or by KHR_animation_pointer.
[[nodiscard]] std::vector<std::uint8_t> animatedNodes(const Json& root);

// Per node: the helper that holds its shear, where it has one. Tagged nodes that somebody has since given another
// use (a clip, a mesh, a second child, a skin) are plain nodes. The tree's node references must be checked already.
[[nodiscard]] std::vector<std::optional<std::size_t>> shearHelpers(const Json& root);

// Node transforms and parents as a document has them: a joint's transform includes its helper's and it hangs where the
// helper hangs; the helper is a leaf at identity.
void mergeShear(const Json& root, rig::Transforms& local, std::vector<JointId>& parents);

// Puts a new helper in the joint's place; returns its index.
std::size_t addShearHelper(Json& root, std::size_t joint);

// `exact` over the two nodes; both lose what they held of a transform. A helper without shear stands at identity.
void writeSplit(Json& helper, Json& joint, const math::Affine& exact);
void resetShearHelper(Json& helper);

} // namespace limber::io
