// Pre-skin points p = v + sum of beta_k d_k of one instance, and their normals.
#pragma once

#include "core/document/preview.h"
#include "core/mesh/smooth_normals.h"

#include <memory>
#include <span>
#include <vector>

namespace limber::document {

class PreSkin {
public:
    // All vertices. `weights` [shapes of the mesh]. `preview` may be null.
    void rebuild(const MeshData& mesh, std::span<const double> weights, const Preview::PreviewDeltas* preview);
    // Only these vertices and those whose normals depend on them; returns them all, unordered, none twice.
    // Needs a rebuild before it.
    std::span<const std::uint32_t> update(const MeshData& mesh, std::span<const double> weights,
                                          const Preview::PreviewDeltas* preview,
                                          std::span<const std::uint32_t> vertices);

    // The rest arrays of the mesh where no shape moves anything.
    [[nodiscard]] std::span<const Eigen::Vector3f> positions(const MeshData& mesh) const {
        return active_ ? positions_ : mesh.geometry.positions;
    }
    [[nodiscard]] std::span<const Eigen::Vector3f> normals(const MeshData& mesh) const {
        return active_ ? normals_ : mesh.geometry.normals;
    }

private:
    void startFromRest(const MeshData& mesh);
    void movePoints(const MeshData& mesh, std::span<const std::uint32_t> vertices);
    void renewNormals(const MeshData& mesh);
    [[nodiscard]] bool smoothAll(const MeshData& mesh);
    Eigen::Vector3f restNormal(const MeshData& mesh, std::uint32_t point);

    std::vector<Eigen::Vector3f> positions_, normals_; // of use where a shape is active
    bool active_ = false;
    std::vector<std::uint32_t> touchedVertices_; // of the last update
    std::vector<std::uint32_t> reshaped_;        // moved without offsets of normals
    std::vector<std::uint32_t> points_;          // whose normals are recomputed from the surface
    std::vector<std::uint32_t> mark_;            // per point: the stamp of the pass that listed it
    std::uint32_t stamp_ = 0;
    std::vector<Eigen::Vector3f> restNormals_; // of points, smooth; those that were needed so far
    std::unique_ptr<mesh::SmoothNormals> smooth_;
    std::vector<Eigen::Vector3f> smoothed_; // of vertices, by smooth_
};

} // namespace limber::document
