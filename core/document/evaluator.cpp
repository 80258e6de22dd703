#include "core/document/evaluator.h"

#include "core/document/pre_skin.h"
#include "core/skin/linear_blend.h"

#include <algorithm>
#include <cassert>

namespace limber::document {

namespace {

struct InstanceCache {
    rig::Transforms matrices;
    std::vector<skin::SlotPose> slots;
    skin::Palette palette;
    std::uint64_t paletteRevision = 0;
    std::vector<Evaluator::VertexRange> changes; // since they were last taken
    bool allChanged = true;
    std::vector<double> shapeWeights;
    std::vector<ShapeId> shapeIds; // whose weights these are
    PreSkin preSkin;
    std::uint64_t preSkinRevision = 0;
    std::vector<Eigen::Vector3f> positions, normals;
    std::unique_ptr<mesh::RayCaster> rays;

    bool matricesStale = true;
    bool weightsStale = true; // of shapes
    bool preSkinStale = true; // all points
    bool posedStale = true;   // all points
    bool raysStale = true;
    std::vector<std::uint32_t> preSkinDirty, posedDirty; // these points, when not all
};

struct MeshCache {
    std::vector<std::pair<std::size_t, shape::DriverSolver>> solvers; // driver index, solver
    bool driversStale = true;
    skin::SkinWeights laidOver; // the document's rows with the preview's, while there are any
};

} // namespace

struct Evaluator::Impl {
    const Document& doc;
    const Preview& preview;
    rig::Pose pose; // the document's with the preview's
    rig::Transforms world;
    bool worldStale = true;
    std::vector<InstanceCache> instances;
    std::vector<MeshCache> meshes;
    double bindDiagonal = 0;

    Impl(const Document& d, const Preview& p) : doc(d), preview(p) { reset(); }

    void reset() {
        instances.clear();
        instances.resize(doc.instanceCount());
        meshes.clear();
        meshes.resize(doc.state().meshes.size());
        worldStale = true;
        bindDiagonal = 0;
    }

    [[nodiscard]] bool isSkinned(const Instance& instance) const {
        return instance.skin.valid() && !doc.mesh(instance.mesh).weights.empty();
    }

    void updateWorld() {
        if (!worldStale)
            return;
        worldStale = false;
        pose.resize(doc.skeleton().size());
        for (std::size_t j = 0; j < pose.size(); ++j)
            pose[j] = preview.userLocal(doc, JointId(j));
        rig::forwardKinematics(doc.skeleton(), pose, world);
    }

    void updateMatrices(InstanceId id) {
        InstanceCache& c = instances[id.index()];
        updateWorld();
        if (!c.matricesStale)
            return;
        c.matricesStale = false;
        c.matrices.clear();
        c.slots.clear();
        const Instance& instance = doc.instance(id);
        const auto add = [&](JointId j, const rig::Affine& inverseBind) {
            const rig::Joint& joint = doc.skeleton()[j];
            c.slots.push_back(skin::slotPose(world[j.index()], joint.bindWorld, joint.inverseBind, inverseBind));
        };
        if (isSkinned(instance)) {
            const Skin& skin = doc.skin(instance.skin);
            for (std::size_t s = 0; s < skin.joints.size(); ++s)
                add(skin.joints[s], skin.inverseBinds[s]);
            for (const Preview::AppendedJoint& a : preview.appendedJoints())
                if (a.skin == instance.skin)
                    add(a.joint, a.inverseBind);
        } else {
            add(instance.node, rig::Affine::Identity());
        }
        c.palette.resize(c.slots.size(),
                         isSkinned(instance) ? doc.mesh(instance.mesh).skinning.method : skin::Method::Linear);
        for (std::size_t s = 0; s < c.slots.size(); ++s) {
            c.matrices.push_back(c.slots[s].skin);
            c.palette.set(s, c.slots[s]);
        }
        c.palette.finish();
        ++c.paletteRevision;
    }

    void updateShapeWeights(InstanceId id) {
        InstanceCache& c = instances[id.index()];
        if (!c.weightsStale)
            return;
        c.weightsStale = false;
        const Instance& instance = doc.instance(id);
        const MeshData& mesh = doc.mesh(instance.mesh);
        std::vector<double> weights = instance.shapeWeights;
        weights.resize(mesh.shapes.size(), 0.0);
        for (const Preview::PreviewShapeWeight& w : preview.shapeWeights())
            if (const std::size_t k = mesh.shapeIndex(w.shape); w.instance == id && k < weights.size())
                weights[k] = w.weight;
        evaluateDrivers(instance.mesh, weights);
        for (std::size_t k = 0; k < weights.size(); ++k)
            if (mesh.shapes[k].muted)
                weights[k] = 0;
        if (!c.preSkinStale)
            c.preSkinStale = movesOtherwise(c, mesh, weights);
        c.shapeWeights = std::move(weights);
        c.shapeIds.clear();
        for (const shape::Shape& s : mesh.shapes)
            c.shapeIds.push_back(s.id);
    }

    // A shape without entries that comes or goes moves nothing; the entries of others are in the change set.
    [[nodiscard]] static bool movesOtherwise(const InstanceCache& c, const MeshData& mesh,
                                             const std::vector<double>& weights) {
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const auto at = std::find(c.shapeIds.begin(), c.shapeIds.end(), mesh.shapes[k].id);
            const double before =
                at == c.shapeIds.end() ? 0 : c.shapeWeights[static_cast<std::size_t>(at - c.shapeIds.begin())];
            if (weights[k] != before && !mesh.shapes[k].vertices.empty())
                return true;
        }
        return false;
    }

    void evaluateDrivers(MeshId id, std::vector<double>& weights) {
        MeshCache& c = meshes[id.index()];
        const MeshData& mesh = doc.mesh(id);
        if (c.driversStale) {
            c.driversStale = false;
            c.solvers.clear();
            for (std::size_t d = 0; d < mesh.drivers.size(); ++d)
                if (auto solver = shape::DriverSolver::build(mesh.drivers[d]))
                    c.solvers.emplace_back(d, std::move(solver).value());
        }
        std::vector<Eigen::Quaterniond> rotations;
        std::vector<double> values;
        for (const auto& [d, solver] : c.solvers) {
            const shape::PoseDriver& driver = mesh.drivers[d];
            rotations.clear();
            for (const JointId j : driver.joints)
                rotations.push_back(shape::driverRotation(preview.userLocal(doc, j)));
            values.assign(driver.samples.size(), 0.0);
            solver.evaluate(rotations, values);
            for (std::size_t s = 0; s < values.size(); ++s)
                if (const std::size_t k = mesh.shapeIndex(driver.samples[s].shape); k < weights.size())
                    weights[k] = values[s];
        }
    }

    void updatePreSkin(InstanceId id) {
        updateShapeWeights(id);
        InstanceCache& c = instances[id.index()];
        const MeshId meshId = doc.instance(id).mesh;
        const MeshData& mesh = doc.mesh(meshId);
        if (c.preSkinStale) {
            c.preSkin.rebuild(mesh, c.shapeWeights, preview.deltas(meshId));
            ++c.preSkinRevision;
            c.preSkinStale = false;
            c.posedStale = true;
        } else if (!c.preSkinDirty.empty()) {
            const auto touched = c.preSkin.update(mesh, c.shapeWeights, preview.deltas(meshId), c.preSkinDirty);
            c.posedDirty.insert(c.posedDirty.end(), touched.begin(), touched.end());
        }
        c.preSkinDirty.clear();
    }

    [[nodiscard]] const skin::SkinWeights& weights(MeshId id) {
        const Preview::PreviewRows* rows = preview.rows(id);
        MeshCache& c = meshes[id.index()];
        if (!rows)
            return doc.mesh(id).weights;
        if (c.laidOver.empty()) {
            c.laidOver = doc.mesh(id).weights;
            for (std::size_t k = 0; k < rows->vertices.size(); ++k)
                c.laidOver.setRow(rows->vertices[k], rows->rows.row(k));
        }
        return c.laidOver;
    }

    void updatePosed(InstanceId id) {
        updatePreSkin(id);
        updateMatrices(id);
        InstanceCache& c = instances[id.index()];
        const Instance& instance = doc.instance(id);
        const MeshData& mesh = doc.mesh(instance.mesh);
        const std::size_t count = mesh.geometry.vertexCount();
        const bool all = c.posedStale || c.posedDirty.size() > count / 2;
        if (!all && c.posedDirty.empty())
            return;
        c.positions.resize(count);
        c.normals.resize(count);
        const auto prePositions = c.preSkin.positions(mesh), preNormals = c.preSkin.normals(mesh);
        if (!isSkinned(instance)) {
            skin::rigidBlend(prePositions, preNormals, c.palette.linear()[0], c.positions, c.normals);
        } else {
            const skin::LinearBlendInput in{prePositions, preNormals, &weights(instance.mesh), c.palette.linear()};
            if (all)
                skin::linearBlend(in, c.positions, c.normals);
            else
                skin::linearBlend(in, c.posedDirty, c.positions, c.normals);
        }
        c.allChanged = true;
        c.posedStale = false;
        c.posedDirty.clear();
        c.raysStale = true;
    }

    void invalidatePose() {
        worldStale = true;
        for (InstanceCache& c : instances) {
            c.matricesStale = true;
            c.weightsStale = true;
            c.posedStale = true;
        }
    }

    void invalidateMesh(const MeshChange& change) {
        MeshCache& m = meshes[change.mesh.index()];
        if (!change.weightVertices.empty() && !m.laidOver.empty()) {
            if (preview.rows(change.mesh))
                for (const std::uint32_t v : change.weightVertices)
                    m.laidOver.setRow(v, preview.row(doc, change.mesh, v));
            else
                m.laidOver = {};
        }
        m.driversStale |= change.shapeList;
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (doc.instance(InstanceId(i)).mesh != change.mesh)
                continue;
            InstanceCache& c = instances[i];
            c.posedDirty.insert(c.posedDirty.end(), change.weightVertices.begin(), change.weightVertices.end());
            c.preSkinDirty.insert(c.preSkinDirty.end(), change.shapeVertices.begin(), change.shapeVertices.end());
            if (change.shapeList) {
                c.weightsStale = true;
                c.preSkinStale |= !change.shapeVertices.empty();
            }
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
    if (!changes.joints.empty() || !changes.skins.empty())
        impl_->invalidatePose();
    for (const MeshChange& change : changes.meshes)
        impl_->invalidateMesh(change);
    for (const InstanceId i : changes.shapeWeights)
        impl_->instances[i.index()].weightsStale = true;
}

std::span<const rig::Affine> Evaluator::world() {
    impl_->updateWorld();
    return impl_->world;
}

std::span<const rig::Affine> Evaluator::skinMatrices(InstanceId i) {
    impl_->updateMatrices(i);
    return impl_->instances[i.index()].matrices;
}

const skin::Palette& Evaluator::palette(InstanceId i) {
    impl_->updateMatrices(i);
    return impl_->instances[i.index()].palette;
}

std::uint64_t Evaluator::paletteRevision(InstanceId i) {
    impl_->updateMatrices(i);
    return impl_->instances[i.index()].paletteRevision;
}

std::span<const double> Evaluator::shapeWeights(InstanceId i) {
    impl_->updateShapeWeights(i);
    return impl_->instances[i.index()].shapeWeights;
}

std::span<const Eigen::Vector3f> Evaluator::preSkinPositions(InstanceId i) {
    impl_->updatePreSkin(i);
    return impl_->instances[i.index()].preSkin.positions(impl_->doc.mesh(impl_->doc.instance(i).mesh));
}

std::span<const Eigen::Vector3f> Evaluator::preSkinNormals(InstanceId i) {
    impl_->updatePreSkin(i);
    return impl_->instances[i.index()].preSkin.normals(impl_->doc.mesh(impl_->doc.instance(i).mesh));
}

std::uint64_t Evaluator::preSkinRevision(InstanceId i) {
    impl_->updatePreSkin(i);
    return impl_->instances[i.index()].preSkinRevision;
}

const skin::SkinWeights& Evaluator::weights(MeshId mesh) {
    return impl_->weights(mesh);
}

std::span<const Eigen::Vector3f> Evaluator::positions(InstanceId i) {
    impl_->updatePosed(i);
    return impl_->instances[i.index()].positions;
}

std::span<const Eigen::Vector3f> Evaluator::normals(InstanceId i) {
    impl_->updatePosed(i);
    return impl_->instances[i.index()].normals;
}

std::span<const float> Evaluator::paintedMap(MeshId mesh, skin::PaintedMap map) {
    return impl_->doc.mesh(mesh).map(map);
}

std::span<const Evaluator::VertexRange> Evaluator::takePosedChanges(InstanceId i) {
    impl_->updatePosed(i);
    InstanceCache& c = impl_->instances[i.index()];
    c.changes.clear();
    if (c.allChanged)
        c.changes.push_back({0, static_cast<std::uint32_t>(c.positions.size())});
    c.allChanged = false;
    return c.changes;
}

skin::VertexMap Evaluator::vertexMap(InstanceId i, std::uint32_t vertex) {
    impl_->updateMatrices(i);
    const InstanceCache& c = impl_->instances[i.index()];
    const Instance& instance = impl_->doc.instance(i);
    if (!impl_->isSkinned(instance)) {
        static constexpr skin::Influence kWhole{0, 1.0f};
        return skin::poseMap({&kWhole, 1}, c.slots, skin::Method::Linear);
    }
    const MeshData& mesh = impl_->doc.mesh(instance.mesh);
    return skin::poseMap(impl_->preview.row(impl_->doc, instance.mesh, vertex), c.slots, mesh.skinning.method,
                         impl_->preview.mapValue(impl_->doc, instance.mesh, skin::PaintedMap::MethodShare, vertex));
}

const mesh::RayCaster& Evaluator::rayCaster(InstanceId i) {
    impl_->updatePosed(i);
    InstanceCache& c = impl_->instances[i.index()];
    if (!c.rays)
        c.rays = std::make_unique<mesh::RayCaster>(c.positions,
                                                   impl_->doc.mesh(impl_->doc.instance(i).mesh).geometry.triangles);
    else if (c.raysStale)
        c.rays->refit(c.positions);
    c.raysStale = false;
    return *c.rays;
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
    for (const Instance& instance : impl_->doc.state().instances) {
        const rig::Affine& place = impl_->isSkinned(instance) ? impl_->doc.skin(instance.skin).bindShape
                                                              : impl_->doc.skeleton()[instance.node].bindWorld;
        for (const Eigen::Vector3f& p : impl_->doc.mesh(instance.mesh).geometry.positions)
            box.extend(place * p.cast<double>());
    }
    const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
    impl_->bindDiagonal = diagonal > 0 ? diagonal : 1;
    return impl_->bindDiagonal;
}

} // namespace limber::document
