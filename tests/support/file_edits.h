// Random edits of any rigged document, of every kind that the editor makes. Each fits the present state.
#pragma once

#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "core/document/weights_intents.h"
#include "core/weights/normalize.h"
#include "tests/support/random.h"

#include <algorithm>
#include <optional>

namespace limber::test {

using document::Document;
using document::Edit;

class FileEdits {
public:
    enum Kind {
        Paint,
        Smooth,
        Prune,
        Limit,
        Pose,
        Shear,
        AddShape,
        RemoveShape,
        Sculpt,
        RenameShape,
        MuteShape,
        Corrective,
        Slider,
        Lock,
        SkinJoint,
        JointName,
        Normals,
        Repairs,
        Skinning,
        PaintedMap,
        kKinds
    };

    FileEdits(const Document& doc, Random& random) : doc_(doc), random_(random) {}

    // Empty where the document has nothing of that kind.
    Edit make(int kind) {
        if (doc_.skeleton().size() == 0)
            return {};
        switch (kind) {
        case Paint:
            return paint();
        case Smooth:
            return document::smoothWeights(doc_, some(skinned()), 0.5, 1);
        case Prune:
            return document::pruneWeights(doc_, some(skinned()), 0.1);
        case Limit:
            return document::limitInfluences(doc_, some(skinned()), 1 + random_.index(6), document::Locks::Keep);
        case Pose:
            return pose(false);
        case Shear:
            return pose(true);
        case AddShape:
            return addShape();
        case RemoveShape:
            return onShape([&](MeshId m, const shape::Shape& s) { return document::removeShape(doc_, m, s.id); });
        case Sculpt:
            return onShape([&](MeshId m, const shape::Shape& s) { return sculpt(m, s); });
        case RenameShape:
            return onShape(
                [&](MeshId m, const shape::Shape& s) { return document::renameShape(doc_, m, s.id, anyName()); });
        case MuteShape:
            return onShape(
                [&](MeshId m, const shape::Shape& s) { return document::muteShape(doc_, m, s.id, !s.muted); });
        case Corrective:
            return corrective();
        case Slider:
            return slider();
        case Lock:
            return lock();
        case SkinJoint:
            return skinJoint();
        case JointName:
            return jointName();
        case Normals:
            return normals();
        case Skinning:
            return skinning();
        case PaintedMap:
            return paintedMap();
        default:
            return document::normalizeWeights(doc_, skinned());
        }
    }

private:
    const document::DocumentState& state() const { return doc_.state(); }

    std::vector<MeshId> skinned() const {
        std::vector<MeshId> meshes;
        for (std::size_t m = 0; m < state().meshes.size(); ++m)
            if (!state().meshes[m].weights.empty() && skinOf(MeshId(m)).valid())
                meshes.emplace_back(m);
        return meshes;
    }
    std::vector<MeshId> some(std::vector<MeshId> meshes) {
        if (meshes.size() > 1)
            meshes = {meshes[random_.index(meshes.size())]};
        return meshes;
    }
    SkinId skinOf(MeshId mesh) const {
        for (const document::Instance& instance : state().instances)
            if (instance.mesh == mesh && instance.skin.valid())
                return instance.skin;
        return {};
    }
    // Slots that every skin of the mesh has.
    std::size_t slotsOf(MeshId mesh) const {
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (const document::Instance& instance : state().instances)
            if (instance.mesh == mesh && instance.skin.valid())
                least = std::min(least, doc_.skin(instance.skin).joints.size());
        return least;
    }
    // What moves nothing: a node that carries a skinned mesh does not transform it.
    bool carriesSkin(JointId joint) const {
        return std::any_of(state().instances.begin(), state().instances.end(),
                           [&](const document::Instance& i) { return i.node == joint && i.skin.valid(); });
    }
    JointId topOf(JointId joint) const {
        while (doc_.skeleton()[joint].parent.valid())
            joint = doc_.skeleton()[joint].parent;
        return joint;
    }
    JointId anyJoint() { return JointId(random_.index(doc_.skeleton().size())); }
    std::string anyName() {
        static const char* kNames[] = {"fix", "",          "élan vital", "\xe5\x85\xb3\xe8\x8a\x82",
                                       "fix", "a\"b\\c\n", "long name."};
        return kNames[random_.index(std::size(kNames))];
    }

    // About one in eight, at least one.
    std::vector<std::uint32_t> someVertices(MeshId mesh) {
        std::vector<std::uint32_t> vertices;
        const std::size_t count = doc_.mesh(mesh).geometry.vertexCount();
        for (std::uint32_t v = static_cast<std::uint32_t>(random_.index(count)); v < count;
             v += 1 + static_cast<std::uint32_t>(random_.index(16)))
            vertices.push_back(v);
        return vertices;
    }

    Edit weightsEdit(MeshId mesh, std::optional<std::uint32_t> slot, Edit edit = {"Paint", {}}) {
        document::WeightsPatch patch;
        patch.mesh = mesh;
        patch.vertices = someVertices(mesh);
        const std::size_t slotCount = slotsOf(mesh);
        std::vector<std::uint8_t> locked = document::lockedSlots(doc_, mesh);
        locked.resize(slot ? std::max<std::size_t>(slotCount, *slot + 1) : slotCount, 0);
        const bool fine = random_.index(3) == 0; // weights that integers would lose
        for (const std::uint32_t v : patch.vertices) {
            const auto before = doc_.mesh(mesh).weights.row(v);
            skin::Row row(before.begin(), before.end());
            weights::NormalizeRequest request;
            request.locked = locked;
            for (std::size_t n = 0; n < (fine ? 6 : 1); ++n) {
                request.edited = slot ? *slot : static_cast<std::uint32_t>(random_.index(slotCount));
                request.value = fine ? random_.uniform(0, 0.02) : random_.uniform(0.05, 1);
                weights::normalizeRow(row, request);
            }
            patch.before.appendRow();
            patch.before.setRow(patch.before.vertexCount() - 1, before);
            patch.after.appendRow();
            patch.after.setRow(patch.after.vertexCount() - 1, row);
        }
        edit.patches.emplace_back(std::move(patch));
        return edit;
    }

    Edit paint() {
        const std::vector<MeshId> meshes = some(skinned());
        return meshes.empty() ? Edit{} : weightsEdit(meshes[0], std::nullopt);
    }

    // A joint that the skin lacks is appended to every skin of the mesh and painted.
    Edit skinJoint() {
        const std::vector<MeshId> meshes = some(skinned());
        if (meshes.empty())
            return {};
        const JointId joint = anyJoint();
        if (carriesSkin(joint) || carriesSkin(topOf(joint)))
            return {};
        Edit edit{"Paint a new joint", {}};
        const std::size_t slotCount = slotsOf(meshes[0]);
        std::vector<SkinId> skins;
        for (const document::Instance& i : state().instances)
            if (i.mesh == meshes[0] && i.skin.valid() && std::find(skins.begin(), skins.end(), i.skin) == skins.end())
                skins.push_back(i.skin);
        for (const SkinId s : skins) {
            const document::Skin& skin = doc_.skin(s);
            if (skin.joints.size() != slotCount || skin.slotOf(joint))
                return {};
            edit.patches.emplace_back(
                document::SkinJointPatch{s, joint, doc_.skeleton()[joint].inverseBind * skin.bindShape});
        }
        return weightsEdit(meshes[0], static_cast<std::uint32_t>(slotCount), std::move(edit));
    }

    Edit pose(bool sheared) {
        document::PosePatch p;
        const JointId joint = anyJoint();
        if (carriesSkin(joint))
            return {};
        rig::Affine change = rig::Affine::Identity();
        change.rotate(Eigen::AngleAxisd(random_.uniform(-1, 1), random_.vector().normalized()));
        if (random_.index(3) == 0)
            change.pretranslate(random_.vector(0.1));
        if (random_.index(4) == 0)
            change.scale(Eigen::Vector3d(random_.uniform(0.7, 1.4), random_.uniform(0.7, 1.4), 1));
        if (sheared)
            change.linear()(0, 1) += 0.3;
        p.joints = {joint};
        p.before = {state().pose[joint.index()]};
        p.after = {state().pose[joint.index()] * change};
        return {"Pose", {std::move(p)}};
    }

    // Small against the mesh.
    Eigen::Vector3f offset(MeshId mesh) {
        Eigen::AlignedBox3f box;
        for (const Eigen::Vector3f& p : doc_.mesh(mesh).geometry.positions)
            box.extend(p);
        return random_.vector(0.05 * double(box.diagonal().norm()) + 1e-3).cast<float>();
    }

    Edit addShape() {
        if (state().meshes.empty())
            return {};
        const MeshId mesh(random_.index(state().meshes.size()));
        document::ShapePatch p;
        p.mesh = mesh;
        p.index = doc_.mesh(mesh).shapes.size();
        p.shape.id = ShapeId(doc_.mesh(mesh).nextShapeId);
        p.shape.name = anyName();
        p.shape.vertices = someVertices(mesh);
        const Eigen::Vector3f by = offset(mesh);
        for (std::size_t k = 0; k < p.shape.vertices.size(); ++k)
            p.shape.deltas.push_back(by * (1.0f + float(k % 5)));
        for (const document::Instance& instance : state().instances)
            if (instance.mesh == mesh)
                p.instanceWeights.push_back(random_.index(2) ? random_.uniform(0, 1) : 0);
        return {"Add shape", {std::move(p)}};
    }

    template <class Make> Edit onShape(Make make) {
        std::vector<std::pair<MeshId, std::size_t>> all;
        for (std::size_t m = 0; m < state().meshes.size(); ++m)
            for (std::size_t s = 0; s < state().meshes[m].shapes.size(); ++s)
                all.emplace_back(MeshId(m), s);
        if (all.empty())
            return {};
        const auto [mesh, s] = all[random_.index(all.size())];
        return make(mesh, doc_.mesh(mesh).shapes[s]);
    }

    Edit sculpt(MeshId mesh, const shape::Shape& s) {
        const std::vector<std::uint32_t> vertices = someVertices(mesh);
        std::vector<Eigen::Vector3f> after;
        const Eigen::Vector3f by = offset(mesh);
        for (const std::uint32_t v : vertices)
            after.push_back(random_.index(5) ? Eigen::Vector3f(s.delta(v) + by) : Eigen::Vector3f::Zero().eval());
        return {"Sculpt", {document::shapeDeltasPatch(doc_, mesh, s.id, vertices, std::move(after))}};
    }

    Edit corrective() {
        const std::vector<MeshId> meshes = some(skinned());
        if (meshes.empty())
            return {};
        const auto& joints = doc_.skin(skinOf(meshes[0])).joints;
        const JointId joint = joints[random_.index(joints.size())];
        auto made = document::newCorrective(doc_, meshes[0], anyName(), {&joint, 1});
        return made ? std::move(made->edit) : Edit{};
    }

    Edit slider() {
        if (doc_.instanceCount() == 0)
            return {};
        const InstanceId id(random_.index(doc_.instanceCount()));
        const auto& shapes = doc_.mesh(doc_.instance(id).mesh).shapes;
        if (shapes.empty())
            return {};
        return document::setShapeWeight(doc_, id, shapes[random_.index(shapes.size())].id, random_.uniform(0, 1));
    }

    Edit lock() {
        const JointId j = anyJoint();
        return document::setLocked(doc_, {&j, 1}, !state().locked[j.index()]);
    }

    Edit jointName() {
        const JointId j = anyJoint();
        const std::string before = doc_.skeleton()[j].name, after = anyName();
        if (before == after)
            return {};
        return {"Rename", {document::JointNamePatch{j, before, after}}};
    }

    Edit normals() {
        if (state().meshes.empty())
            return {};
        document::NormalsPatch p{MeshId(random_.index(state().meshes.size())), {}, {}, {}};
        p.vertices = someVertices(p.mesh);
        for (const std::uint32_t v : p.vertices) {
            p.before.push_back(doc_.mesh(p.mesh).geometry.normals[v]);
            p.after.push_back((random_.rotation() * Eigen::Vector3d::UnitX()).cast<float>().normalized());
        }
        return {"Normals", {std::move(p)}};
    }

    Edit skinning() {
        if (state().meshes.empty())
            return {};
        const MeshId mesh(random_.index(state().meshes.size()));
        skin::Skinning s;
        s.method = static_cast<skin::Method>(random_.index(skin::kMethodCount));
        s.mush.on = random_.index(3) == 0;
        s.mush.iterations = 1 + static_cast<std::uint32_t>(random_.index(5));
        s.mush.lambda = random_.uniform(0.1, 0.9);
        return document::setSkinning(doc_, mesh, s);
    }

    // Now and then a map is taken off again.
    Edit paintedMap() {
        if (state().meshes.empty())
            return {};
        const MeshId mesh(random_.index(state().meshes.size()));
        const auto which = static_cast<skin::PaintedMap>(random_.index(skin::kPaintedMapCount));
        if (random_.index(4) == 0)
            return document::fillPaintedMap(doc_, mesh, which, 1.0f);
        document::PaintedMapPatch p;
        p.mesh = mesh;
        p.map = which;
        if (doc_.mesh(mesh).geometry.vertexCount() > 0)
            p.vertices = someVertices(mesh);
        for (const std::uint32_t v : p.vertices) {
            p.before.push_back(doc_.mesh(mesh).mapValue(which, v));
            p.after.push_back(static_cast<float>(random_.uniform(0, 1)));
        }
        return {"Paint a map", {std::move(p)}};
    }

    const Document& doc_;
    Random& random_;
};

} // namespace limber::test
