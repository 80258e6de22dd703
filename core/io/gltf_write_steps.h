// Saving, one kind of edit at a time: each step compares the document with what the file reads to and patches the
// difference.
#pragma once

#include "core/io/gltf_patch.h"

namespace limber::io {

struct WriteContext {
    TreePatch& patch;
    const document::DocumentState& before; // what the file reads to
    const document::Document& document;
    const document::DocumentState& after; // the document's

    [[nodiscard]] Json& node(JointId j) const { return patch.json()["nodes"][j.index()]; }
    [[nodiscard]] Json& mesh(MeshId m) const { return patch.json()["meshes"][m.index()]; }
};

void writePose(WriteContext& context);
void writeLocks(WriteContext& context);
void writeSkins(WriteContext& context);
// Bind-shape matrices that the new pose would let a reader derive differently. After pose and skins.
void writeBindShapes(WriteContext& context);
void writeJointNames(WriteContext& context);
void writeWeights(WriteContext& context);
// Rest normals that were changed; the others of the primitive stay as the file has them.
void writeNormals(WriteContext& context);
void writeShapes(WriteContext& context);
// Effective shape weights, sliders, drivers and muted shapes. After writeShapes.
void writeShapeState(WriteContext& context);

// The targets of a mesh after an edit: where each comes from.
struct TargetMap {
    std::vector<std::optional<std::size_t>> from; // per new target: the old one, or none
    std::size_t oldCount = 0;

    [[nodiscard]] bool identity() const;
};
// Takes the columns of a list of [rows x oldCount] along; new ones are zero.
[[nodiscard]] std::vector<float> remapColumns(std::span<const float> values, const TargetMap& map);
// Weight channels of clips that animate a node with this mesh.
void remapClipWeights(WriteContext& context, MeshId mesh, const TargetMap& map);

// Replaces the Draco-compressed data of a primitive by plain accessors; does nothing for others.
void makePlain(TreePatch& patch, std::size_t mesh, std::size_t primitive);

} // namespace limber::io
