#include "core/document/previewed_mesh.h"

namespace limber::document {

void PreviewedMesh::invalidateRows(std::span<const std::uint32_t> vertices) {
    // What nobody has made yet will be made from what is there then.
    if (!rows_.empty() || !blocks_.empty())
        changedRows_.insert(changedRows_.end(), vertices.begin(), vertices.end());
    if (changedRows_.size() > 2 * std::max(rows_.vertexCount(), blocks_.vertexCount())) {
        changedRows_.clear();
        rows_ = {};
        blocks_ = {};
    }
}

void PreviewedMesh::invalidateMaps(std::span<const std::uint32_t> vertices) {
    std::size_t made = 0;
    for (const std::vector<float>& map : maps_)
        made = std::max(made, map.size());
    if (made > 0)
        changedMaps_.insert(changedMaps_.end(), vertices.begin(), vertices.end());
    if (changedMaps_.size() > 2 * made) {
        changedMaps_.clear();
        maps_ = {};
    }
}

void PreviewedMesh::updateRows(const Document& doc, const Preview& preview, MeshId mesh) {
    const Preview::PreviewRows* laidOver = preview.rows(mesh);
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    if (rows_.empty() && laidOver) {
        rows_ = weights;
        for (std::size_t k = 0; k < laidOver->vertices.size(); ++k)
            rows_.setRow(laidOver->vertices[k], laidOver->rows.row(k));
    } else if (!rows_.empty()) {
        for (const std::uint32_t v : changedRows_)
            rows_.setRow(v, laidOver ? laidOver->rowOr(weights, v) : weights.row(v));
    }
    if (!blocks_.empty() && !changedRows_.empty())
        blocks_.update(rows_.empty() ? weights : rows_, changedRows_, changedBlocks_);
    changedRows_.clear();
}

const skin::SkinWeights& PreviewedMesh::weights(const Document& doc, const Preview& preview, MeshId mesh) {
    updateRows(doc, preview, mesh);
    return rows_.empty() ? doc.mesh(mesh).weights : rows_;
}

const skin::BlockWeights& PreviewedMesh::blocks(const Document& doc, const Preview& preview, MeshId mesh) {
    const skin::SkinWeights& rows = weights(doc, preview, mesh);
    if (blocks_.empty())
        blocks_.build(rows);
    return blocks_;
}

std::span<const float> PreviewedMesh::map(const Document& doc, const Preview& preview, MeshId mesh,
                                          skin::PaintedMap which) {
    const MeshData& data = doc.mesh(mesh);
    for (std::size_t k = 0; k < maps_.size(); ++k)
        if (!maps_[k].empty())
            for (const std::uint32_t v : changedMaps_)
                maps_[k][v] = preview.mapValue(doc, mesh, static_cast<skin::PaintedMap>(k), v);
    changedMaps_.clear();
    const Preview::PreviewMap* laidOver = preview.map(mesh);
    if (!laidOver || laidOver->map != which || laidOver->vertices.empty())
        return data.map(which);
    std::vector<float>& map = maps_[static_cast<std::size_t>(which)];
    if (map.empty()) {
        map = data.map(which);
        map.resize(data.geometry.vertexCount(), 1.0f);
        for (std::size_t k = 0; k < laidOver->vertices.size(); ++k)
            map[laidOver->vertices[k]] = laidOver->values[k];
    }
    return map;
}

} // namespace limber::document
