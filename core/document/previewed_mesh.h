// What is painted on one mesh with the preview laid over it: rows, compiled for the kernels too, and maps. Shared by
// all instances of the mesh. Each is made when it is first needed and then kept in step, changed vertices only.
#pragma once

#include "core/document/preview.h"
#include "core/skin/block_weights.h"

namespace limber::document {

class PreviewedMesh {
public:
    // Rows, or values of maps, of these vertices changed. O(vertices).
    void invalidateRows(std::span<const std::uint32_t> vertices);
    void invalidateMaps(std::span<const std::uint32_t> vertices);

    [[nodiscard]] const skin::SkinWeights& weights(const Document& doc, const Preview& preview, MeshId mesh);
    [[nodiscard]] const skin::BlockWeights& blocks(const Document& doc, const Preview& preview, MeshId mesh);
    // [V], or empty: 1 everywhere.
    [[nodiscard]] std::span<const float> map(const Document& doc, const Preview& preview, MeshId mesh,
                                             skin::PaintedMap which);

private:
    void updateRows(const Document& doc, const Preview& preview, MeshId mesh);

    skin::SkinWeights rows_; // empty until the preview has rows
    skin::BlockWeights blocks_;
    std::array<std::vector<float>, skin::kPaintedMapCount> maps_; // each empty until the preview has values
    std::vector<std::uint32_t> changedRows_, changedBlocks_, changedMaps_;
};

} // namespace limber::document
