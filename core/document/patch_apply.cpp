#include "core/document/patch_apply.h"

#include <algorithm>
#include <cassert>

namespace limber::document {

namespace {

class Applier {
public:
    Applier(DocumentState& state, Direction direction, ChangeSet& changes)
        : state_(state), forward_(direction == Direction::Forward), changes_(changes) {}

    void operator()(const PosePatch& p) const {
        const rig::Pose& values = forward_ ? p.after : p.before;
        ChangeSet c;
        for (std::size_t k = 0; k < p.joints.size(); ++k)
            state_.pose[p.joints[k].index()] = values[k];
        c.joints = p.joints;
        changes_.merge(c);
    }

    void operator()(const WeightsPatch& p) const {
        const skin::SkinWeights& rows = forward_ ? p.after : p.before;
        for (std::size_t k = 0; k < p.vertices.size(); ++k)
            mesh(p.mesh).weights.setRow(p.vertices[k], rows.row(k));
        ChangeSet c;
        c.of(p.mesh).weightVertices = p.vertices;
        changes_.merge(c);
    }

    void operator()(const SkinJointPatch& p) const {
        Skin& skin = state_.skins[p.skin.index()];
        if (forward_) {
            skin.joints.push_back(p.joint);
            skin.inverseBinds.push_back(p.inverseBind);
        } else {
            assert(skin.joints.back() == p.joint);
            skin.joints.pop_back();
            skin.inverseBinds.pop_back();
        }
        updateDeforms(p.joint);
        ChangeSet c;
        c.skins.push_back(p.skin);
        changes_.merge(c);
    }

    void operator()(const ShapeDeltasPatch& p) const {
        MeshData& m = mesh(p.mesh);
        shape::Shape& s = m.shapes[m.shapeIndex(p.shape)];
        ChangeSet c;
        c.of(p.mesh).shapeVertices = p.vertices;
        c.of(p.mesh).shapeList = p.whole.has_value(); // normals far from the vertices come or go with it
        if (p.whole && !forward_)
            takeOffsets(s, *p.whole);
        else
            s.setDeltas(p.vertices, forward_ ? p.after : p.before);
        changes_.merge(c);
    }

    void operator()(const ShapePatch& p) const {
        if (forward_ != p.removes)
            insertShape(p);
        else
            removeShape(p);
        ChangeSet c;
        c.of(p.mesh).shapeList = true;
        c.of(p.mesh).shapeVertices = p.shape.vertices;
        changes_.merge(c);
    }

    void operator()(const ShapePropertiesPatch& p) const {
        MeshData& m = mesh(p.mesh);
        shape::Shape& s = m.shapes[m.shapeIndex(p.shape)];
        s.name = forward_ ? p.nameAfter : p.nameBefore;
        s.muted = forward_ ? p.mutedAfter : p.mutedBefore;
        changes_.of(p.mesh).shapeList = true;
    }

    void operator()(const DriversPatch& p) const {
        mesh(p.mesh).drivers = forward_ ? p.after : p.before;
        changes_.of(p.mesh).shapeList = true;
    }

    void operator()(const ShapeWeightPatch& p) const {
        Instance& instance = state_.instances[p.instance.index()];
        instance.shapeWeights[mesh(instance.mesh).shapeIndex(p.shape)] = forward_ ? p.after : p.before;
        ChangeSet c;
        c.shapeWeights.push_back(p.instance);
        changes_.merge(c);
    }

    void operator()(const LockPatch& p) const {
        state_.locked[p.joint.index()] = forward_ ? p.after : p.before;
        changes_.locks = true;
    }

    void operator()(const JointNamePatch& p) const {
        const std::string& name = forward_ ? p.after : p.before;
        state_.skeleton.rename(p.joint, name);
        for (Instance& instance : state_.instances)
            if (instance.node == p.joint)
                instance.name = name.empty() ? mesh(instance.mesh).geometry.name : name;
        changes_.names = true;
    }

    void operator()(const NormalsPatch& p) const {
        const std::vector<Eigen::Vector3f>& values = forward_ ? p.after : p.before;
        std::vector<Eigen::Vector3f>& normals = mesh(p.mesh).geometry.normals;
        for (std::size_t k = 0; k < p.vertices.size(); ++k)
            normals[p.vertices[k]] = values[k];
        changes_.everything = true; // rare, and every cache of the surface holds them
    }

    void operator()(const RepairsPatch& p) const {
        mesh(p.mesh).writesRepairs = forward_ ? p.after : p.before;
        changes_.of(p.mesh).repairs = true;
    }

    void operator()(const SkinningPatch& p) const {
        mesh(p.mesh).skinning = forward_ ? p.after : p.before;
        changes_.of(p.mesh).skinning = true;
    }

    void operator()(const PaintedMapPatch& p) const {
        const std::vector<float>& values = forward_ ? p.after : p.before;
        std::vector<float>& map = mesh(p.mesh).paintedMaps[static_cast<std::size_t>(p.map)];
        map.resize(mesh(p.mesh).geometry.vertexCount(), 1.0f);
        for (std::size_t k = 0; k < p.vertices.size(); ++k)
            map[p.vertices[k]] = values[k];
        if (std::all_of(map.begin(), map.end(), [](float value) { return value == 1.0f; }))
            map = {};
        ChangeSet c;
        c.of(p.mesh).mapVertices = p.vertices;
        changes_.merge(c);
    }

private:
    [[nodiscard]] MeshData& mesh(MeshId id) const { return state_.meshes[id.index()]; }

    static void takeOffsets(shape::Shape& to, const shape::Shape& from) {
        to.vertices = from.vertices;
        to.deltas = from.deltas;
        to.normalDeltas = from.normalDeltas;
        to.tangentDeltas = from.tangentDeltas;
    }

    void insertShape(const ShapePatch& p) const {
        MeshData& m = mesh(p.mesh);
        const auto at = static_cast<std::ptrdiff_t>(p.index);
        m.shapes.insert(m.shapes.begin() + at, p.shape);
        m.nextShapeId = std::max(m.nextShapeId, p.shape.id.value + 1);
        std::size_t k = 0;
        for (Instance& instance : state_.instances)
            if (instance.mesh == p.mesh)
                instance.shapeWeights.insert(instance.shapeWeights.begin() + at, p.instanceWeights[k++]);
    }

    void removeShape(const ShapePatch& p) const {
        MeshData& m = mesh(p.mesh);
        const auto at = static_cast<std::ptrdiff_t>(p.index);
        m.shapes.erase(m.shapes.begin() + at);
        for (Instance& instance : state_.instances)
            if (instance.mesh == p.mesh)
                instance.shapeWeights.erase(instance.shapeWeights.begin() + at);
    }

    void updateDeforms(JointId joint) const {
        bool named = false;
        for (const Skin& skin : state_.skins)
            named |= skin.slotOf(joint).has_value();
        state_.skeleton.setDeforms(joint, named);
    }

    DocumentState& state_;
    bool forward_;
    ChangeSet& changes_;
};

} // namespace

void applyPatch(DocumentState& state, const Patch& patch, Direction direction, ChangeSet& changes) {
    std::visit(Applier(state, direction, changes), patch);
}

} // namespace limber::document
