// The pipeline of architecture.md, idea 2: pose -> joints -> skinning matrices; drivers -> shape weights -> pre-skin
// points; both -> posed points and normals. Each stage is redone only where it is stale and only when it is asked for.
// Reads the document and the preview laid over it. Owns its scratch memory. Not thread-safe.
#pragma once

#include "core/document/preview.h"
#include "core/document/vertex_maps.h"
#include "core/document/vertex_range.h"
#include "core/mesh/ray_caster.h"
#include "core/skin/palette.h"

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
    // What the vertex shader and the kernels read, for the method of the mesh. Of a rigid instance one slot, linear.
    [[nodiscard]] const skin::Palette& palette(InstanceId i);
    // Counts the changes of palette().
    [[nodiscard]] std::uint64_t paletteRevision(InstanceId i);
    // T, worldFromMesh, per slot (appended joints of the preview last); of a rigid instance one, its node's.
    [[nodiscard]] std::span<const rig::Affine> skinMatrices(InstanceId i);

    // Effective weights, per shape of the mesh: muted 0, driven by the pose, else the slider.
    [[nodiscard]] std::span<const double> shapeWeights(InstanceId i);
    // Pre-skin points and normals [V], mesh space, all shapes active.
    [[nodiscard]] std::span<const Eigen::Vector3f> preSkinPositions(InstanceId i);
    [[nodiscard]] std::span<const Eigen::Vector3f> preSkinNormals(InstanceId i);
    // Another number after each change of a shape's weight (by a slider or a pose): change sets do not name those
    // points.
    [[nodiscard]] std::uint64_t preSkinRevision(InstanceId i);
    // Weights with the preview's rows laid over; empty for a rigid instance.
    [[nodiscard]] const skin::SkinWeights& weights(MeshId mesh);

    // A painted map with the preview's values laid over; empty: 1 everywhere.
    [[nodiscard]] std::span<const float> paintedMap(MeshId mesh, skin::PaintedMap map);

    // Posed points and normals [V], world space. Only blocks that a moved joint or a changed vertex reaches are redone.
    // Points alone take half the time, and normals that come after them take their points with them: who wants both
    // asks for normals first.
    [[nodiscard]] std::span<const Eigen::Vector3f> positions(InstanceId i);
    [[nodiscard]] std::span<const Eigen::Vector3f> normals(InstanceId i);
    // What positions() and normals() have changed since this was last asked, brought up to date: ranges [first, end) of
    // vertices, ascending, merged; one that holds all after a change of everything. For whoever uploads them.
    [[nodiscard]] std::span<const VertexRange> takePosedChanges(InstanceId i);
    // How often points were posed so far; brings nothing up to date. For tests that count it.
    [[nodiscard]] std::uint64_t posings(InstanceId i) const;
    // x = A p + b of one vertex, in double, the last step included.
    [[nodiscard]] skin::VertexMap vertexMap(InstanceId i, std::uint32_t vertex) { return vertexMaps(i)(vertex); }
    // Those of all vertices, for loops on several threads. Valid until the next change.
    [[nodiscard]] VertexMaps vertexMaps(InstanceId i);

    // The posed surface for ray queries, refitted when stale.
    [[nodiscard]] const mesh::RayCaster& rayCaster(InstanceId i);
    // Rays that somebody else has built for the mesh, at any pose. Not used where there are some already.
    void adoptRays(InstanceId i, std::unique_ptr<mesh::RayCaster> rays);

    // Of all instances' posed points; empty box for an empty scene.
    [[nodiscard]] Eigen::AlignedBox3d bounds();
    // Diagonal of the box around all skinned and rigid meshes at bind, world units; 1 for an empty scene.
    [[nodiscard]] double bindDiagonal();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
