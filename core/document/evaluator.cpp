#include "core/document/evaluator.h"

#include "core/document/posed_slots.h"
#include "core/document/posed_surface.h"
#include "core/document/pre_skin.h"
#include "core/document/previewed_mesh.h"
#include "core/document/shape_weights.h"

#include <algorithm>
#include <utility>

namespace limber::document {

namespace {

struct InstanceCache {
    PosedSlots slots;
    ShapeWeights shapes;
    PreSkin preSkin;
    std::uint64_t preSkinRevision = 0;
    bool preSkinStale = true;                // all points
    bool shapesChanged = false;              // weights
    std::vector<std::uint32_t> preSkinDirty; // these points, when not all
    PosedSurface surface;
    std::uint64_t posings = 0;
    std::unique_ptr<mesh::RayCaster> rays;
    bool raysStale = true;
};

struct MeshCache {
    DrivenWeights driven;
    PreviewedMesh painted;
};

} // namespace

struct Evaluator::Impl {
    const Document& doc;
    const Preview& preview;
    PosedSkeleton joints;
    std::vector<InstanceCache> instances;
    std::vector<MeshCache> meshes;
    double bindDiagonal = 0;

    Impl(const Document& d, const Preview& p) : doc(d), preview(p) { reset(); }

    // Rays are kept: triangles are the same in all states of a document, and posed points are fitted anyway.
    void reset() {
        std::vector<InstanceCache> former = std::exchange(instances, {});
        instances.resize(doc.instanceCount());
        for (std::size_t i = 0; i < std::min(former.size(), instances.size()); ++i)
            instances[i].rays = std::move(former[i].rays);
        meshes.clear();
        meshes.resize(doc.state().meshes.size());
        joints.reset(doc);
        bindDiagonal = 0;
    }

    [[nodiscard]] const MeshData& meshOf(InstanceId id) const { return doc.mesh(doc.instance(id).mesh); }

    InstanceCache& updateSlots(InstanceId id) {
        InstanceCache& c = instances[id.index()];
        joints.update(doc, preview);
        c.slots.update(doc, preview, id, joints);
        return c;
    }

    InstanceCache& updateShapes(InstanceId id) {
        InstanceCache& c = instances[id.index()];
        const MeshId mesh = doc.instance(id).mesh;
        DrivenWeights& driven = meshes[mesh.index()].driven;
        joints.update(doc, preview);
        driven.update(doc.mesh(mesh), joints);
        if (c.shapes.update(doc, preview, id, driven))
            moveShapes(c, mesh);
        return c;
    }

    // Points of shapes whose weight changed, or all where those are many. Offsets of normals add up over all shapes:
    // where a shape has them, normals are made anew throughout.
    void moveShapes(InstanceCache& c, MeshId id) const {
        const MeshData& mesh = doc.mesh(id);
        const Preview::PreviewDeltas* laidOver = preview.deltas(id);
        c.shapesChanged = true;
        for (std::size_t k = 0; k < mesh.shapes.size(); ++k)
            c.preSkinStale |= c.shapes.weights()[k] != 0 && !mesh.shapes[k].normalDeltas.empty();
        for (const std::size_t k : c.shapes.changed()) {
            const shape::Shape& shape = mesh.shapes[k];
            c.preSkinStale |= !shape.normalDeltas.empty() ||
                              c.preSkinDirty.size() + shape.vertices.size() > mesh.geometry.vertexCount() / 2;
            if (c.preSkinStale)
                return;
            c.preSkinDirty.insert(c.preSkinDirty.end(), shape.vertices.begin(), shape.vertices.end());
            if (laidOver && laidOver->shape == shape.id)
                c.preSkinDirty.insert(c.preSkinDirty.end(), laidOver->vertices.begin(), laidOver->vertices.end());
        }
    }

    InstanceCache& updatePreSkin(InstanceId id) {
        InstanceCache& c = updateShapes(id);
        const MeshId meshId = doc.instance(id).mesh;
        const MeshData& mesh = doc.mesh(meshId);
        if (c.preSkinStale) {
            c.preSkin.rebuild(mesh, c.shapes.weights(), preview.deltas(meshId));
            c.surface.invalidate();
        } else if (!c.preSkinDirty.empty()) {
            c.surface.invalidate(c.preSkin.update(mesh, c.shapes.weights(), preview.deltas(meshId), c.preSkinDirty));
        }
        if (c.preSkinStale || c.shapesChanged)
            ++c.preSkinRevision;
        c.preSkinStale = c.shapesChanged = false;
        c.preSkinDirty.clear();
        return c;
    }

    // With normals, or points alone.
    InstanceCache& updatePosed(InstanceId id, bool withNormals) {
        (void)updatePreSkin(id);
        InstanceCache& c = updateSlots(id);
        const MeshId meshId = doc.instance(id).mesh;
        PreviewedMesh& painted = meshes[meshId.index()].painted;
        SurfaceInput in;
        in.mesh = &doc.mesh(meshId);
        in.skin.positions = c.preSkin.positions(*in.mesh);
        in.skin.normals = c.preSkin.normals(*in.mesh);
        in.skin.palette = &c.slots.palette();
        if (doc.isSkinned(id)) {
            in.skin.weights = &painted.blocks(doc, preview, meshId);
            if (in.mesh->skinning.method != skin::Method::Linear)
                in.skin.shares = painted.map(doc, preview, meshId, skin::PaintedMap::MethodShare);
            if (in.mesh->skinning.mush.on) {
                in.mushShares = painted.map(doc, preview, meshId, skin::PaintedMap::MushShare);
                in.placement = doc.skin(doc.instance(id).skin).bindShape;
            }
        }
        in.withNormals = withNormals;
        if (c.slots.anyMoved())
            in.movedSlots = c.slots.moved();
        in.allMoved = c.slots.listChanged();
        if (c.surface.update(in)) {
            c.raysStale = true;
            ++c.posings;
        }
        if (c.slots.anyMoved())
            c.slots.clearMoved();
        return c;
    }

    void invalidateMesh(const MeshChange& change) {
        MeshCache& m = meshes[change.mesh.index()];
        m.painted.invalidateRows(change.weightVertices);
        m.painted.invalidateMaps(change.mapVertices);
        const Preview::PreviewMap* painted = preview.map(change.mesh);
        const bool ofMush = painted && painted->map == skin::PaintedMap::MushShare && !painted->vertices.empty();
        if (change.shapeList)
            m.driven.invalidate();
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (doc.instance(InstanceId(i)).mesh != change.mesh)
                continue;
            InstanceCache& c = instances[i];
            c.surface.invalidateSkin(change.weightVertices);
            if (!ofMush)
                c.surface.invalidateSkin(change.mapVertices);
            else if (doc.mesh(change.mesh).skinning.mush.on)
                c.surface.invalidate(change.mapVertices);
            if (change.skinning) {
                c.slots.invalidateList();
                c.surface.invalidateMush();
            }
            if (change.shapeList) {
                c.shapes.invalidate();
                c.preSkinStale |= !change.shapeVertices.empty();
            }
            if (!c.preSkinStale)
                c.preSkinDirty.insert(c.preSkinDirty.end(), change.shapeVertices.begin(), change.shapeVertices.end());
            // Nobody may ask for the points: what waits must not grow without end.
            c.preSkinStale |= c.preSkinDirty.size() > 2 * doc.mesh(change.mesh).geometry.vertexCount();
        }
    }
};

Evaluator::Evaluator(const Document& document, const Preview& preview)
    : impl_(std::make_unique<Impl>(document, preview)) {}
Evaluator::~Evaluator() = default;

void Evaluator::invalidate(const ChangeSet& changes) {
    if (changes.everything) {
        impl_->reset();
        return;
    }
    for (const JointId j : changes.joints)
        impl_->joints.invalidate(j);
    for (const SkinId skin : changes.skins)
        for (std::size_t i = 0; i < impl_->instances.size(); ++i)
            if (impl_->doc.instance(InstanceId(i)).skin == skin)
                impl_->instances[i].slots.invalidateList();
    for (const MeshChange& change : changes.meshes)
        impl_->invalidateMesh(change);
    for (const InstanceId i : changes.shapeWeights)
        impl_->instances[i.index()].shapes.invalidate();
}

std::span<const rig::Affine> Evaluator::world() {
    impl_->joints.update(impl_->doc, impl_->preview);
    return impl_->joints.world();
}

std::span<const rig::Affine> Evaluator::skinMatrices(InstanceId i) {
    return impl_->updateSlots(i).slots.matrices();
}

const skin::Palette& Evaluator::palette(InstanceId i) {
    return impl_->updateSlots(i).slots.palette();
}

std::uint64_t Evaluator::paletteRevision(InstanceId i) {
    return impl_->updateSlots(i).slots.revision();
}

std::span<const double> Evaluator::shapeWeights(InstanceId i) {
    return impl_->updateShapes(i).shapes.weights();
}

std::span<const Eigen::Vector3f> Evaluator::preSkinPositions(InstanceId i) {
    return impl_->updatePreSkin(i).preSkin.positions(impl_->meshOf(i));
}

std::span<const Eigen::Vector3f> Evaluator::preSkinNormals(InstanceId i) {
    return impl_->updatePreSkin(i).preSkin.normals(impl_->meshOf(i));
}

std::uint64_t Evaluator::preSkinRevision(InstanceId i) {
    return impl_->updatePreSkin(i).preSkinRevision;
}

const skin::SkinWeights& Evaluator::weights(MeshId mesh) {
    return impl_->meshes[mesh.index()].painted.weights(impl_->doc, impl_->preview, mesh);
}

std::span<const float> Evaluator::paintedMap(MeshId mesh, skin::PaintedMap map) {
    return impl_->meshes[mesh.index()].painted.map(impl_->doc, impl_->preview, mesh, map);
}

std::span<const Eigen::Vector3f> Evaluator::positions(InstanceId i) {
    return impl_->updatePosed(i, false).surface.positions();
}

std::span<const Eigen::Vector3f> Evaluator::normals(InstanceId i) {
    return impl_->updatePosed(i, true).surface.normals();
}

std::span<const VertexRange> Evaluator::takePosedChanges(InstanceId i) {
    return impl_->updatePosed(i, true).surface.takeChanges();
}

std::uint64_t Evaluator::posings(InstanceId i) const {
    return impl_->instances[i.index()].posings;
}

VertexMaps Evaluator::vertexMaps(InstanceId i) {
    InstanceCache& c = impl_->updateSlots(i);
    VertexMaps maps;
    maps.poses = c.slots.complete(impl_->doc, impl_->joints);
    if (!impl_->doc.isSkinned(i))
        return maps;
    const MeshId mesh = impl_->doc.instance(i).mesh;
    const skin::Skinning& skinning = impl_->doc.mesh(mesh).skinning;
    maps.rows = &weights(mesh);
    maps.method = skinning.method;
    if (skinning.method != skin::Method::Linear)
        maps.shares = paintedMap(mesh, skin::PaintedMap::MethodShare);
    if (skinning.mush.on) {
        maps.mush = impl_->updatePosed(i, false).surface.mush();
        maps.mushShares = paintedMap(mesh, skin::PaintedMap::MushShare);
        maps.rest = impl_->doc.mesh(mesh).geometry.positions;
    }
    return maps;
}

const mesh::RayCaster& Evaluator::rayCaster(InstanceId i) {
    InstanceCache& c = impl_->updatePosed(i, false);
    if (!c.rays)
        c.rays = std::make_unique<mesh::RayCaster>(c.surface.positions(), impl_->meshOf(i).geometry.triangles);
    else if (c.raysStale)
        c.rays->refit(c.surface.positions());
    c.raysStale = false;
    return *c.rays;
}

void Evaluator::adoptRays(InstanceId i, std::unique_ptr<mesh::RayCaster> rays) {
    InstanceCache& c = impl_->instances[i.index()];
    if (c.rays || !rays)
        return;
    c.rays = std::move(rays);
    c.raysStale = true;
}

Eigen::AlignedBox3d Evaluator::bounds() {
    Eigen::AlignedBox3d box;
    for (std::size_t i = 0; i < impl_->instances.size(); ++i)
        for (const Eigen::Vector3f& p : positions(InstanceId(i)))
            box.extend(p.cast<double>());
    return box;
}

double Evaluator::bindDiagonal() {
    if (impl_->bindDiagonal > 0)
        return impl_->bindDiagonal;
    Eigen::AlignedBox3d box;
    for (std::size_t i = 0; i < impl_->instances.size(); ++i) {
        const Instance& instance = impl_->doc.instance(InstanceId(i));
        const rig::Affine& place = impl_->doc.isSkinned(InstanceId(i)) ? impl_->doc.skin(instance.skin).bindShape
                                                                       : impl_->doc.skeleton()[instance.node].bindWorld;
        for (const Eigen::Vector3f& p : impl_->doc.mesh(instance.mesh).geometry.positions)
            box.extend(place * p.cast<double>());
    }
    const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
    impl_->bindDiagonal = diagonal > 0 ? diagonal : 1;
    return impl_->bindDiagonal;
}

} // namespace limber::document
