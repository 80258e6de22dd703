// The pipeline of architecture.md, idea 2: pose -> joints -> skinning matrices; drivers -> shape weights -> pre-skin
// points; both -> posed points and normals. Each stage is redone only where it is stale and only when it is asked for.
// Reads the document and the preview laid over it. Owns its scratch memory. Not thread-safe.
#pragma once

#include "core/document/preview.h"
#include "core/mesh/ray_caster.h"
#include "core/skin/linear_blend.h"

#include <memory>

namespace limber::document {

class Evaluator {
public:
    // Keeps references: both must outlive it.
    Evaluator(const Document& document, const Preview& preview);
    ~Evaluator();

    // Call with every change set of the document or the preview. O(changed).
    void invalidate(const ChangeSet& changes);

    // worldFromJoint, per joint.
    [[nodiscard]] std::span<const rig::Affine> world();
    [[nodiscard]] const rig::Affine& world(JointId j) { return world()[j.index()]; }
    // T, worldFromMesh, per slot (appended joints of the preview last); of a rigid instance one, its node's.
    [[nodiscard]] std::span<const rig::Affine> skinMatrices(InstanceId i);
    [[nodiscard]] std::span<const skin::Matrix34f> skinMatricesFloat(InstanceId i);

    // Effective weights, per shape of the mesh: muted 0, driven by the pose, else the slider.
    [[nodiscard]] std::span<const double> shapeWeights(InstanceId i);
    // Pre-skin points and normals [V], mesh space, all shapes active.
    [[nodiscard]] std::span<const Eigen::Vector3f> preSkinPositions(InstanceId i);
    [[nodiscard]] std::span<const Eigen::Vector3f> preSkinNormals(InstanceId i);
    // Changes whenever pre-skin points of the instance are recomputed as a whole (a shape's weight changed).
    [[nodiscard]] std::uint64_t preSkinRevision(InstanceId i);
    // Weights with the preview's rows laid over; empty for a rigid instance.
    [[nodiscard]] const skin::SkinWeights& weights(MeshId mesh);

    // Posed points and normals [V], world space.
    [[nodiscard]] std::span<const Eigen::Vector3f> positions(InstanceId i);
    [[nodiscard]] std::span<const Eigen::Vector3f> normals(InstanceId i);
    // x = A p + b of one vertex, in double.
    [[nodiscard]] skin::VertexMap vertexMap(InstanceId i, std::uint32_t vertex);

    // The posed surface for ray queries, refitted when stale.
    [[nodiscard]] const mesh::RayCaster& rayCaster(InstanceId i);

    // Of all instances' posed points; empty box for an empty scene.
    [[nodiscard]] Eigen::AlignedBox3d bounds();
    // Diagonal of the box around all skinned and rigid meshes at bind, world units; 1 for an empty scene.
    [[nodiscard]] double bindDiagonal();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
