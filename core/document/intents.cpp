#include "core/document/intents.h"

#include <algorithm>

namespace limber::document {

namespace {

std::string nameOf(const Document& doc, std::span<const JointId> joints) {
    if (joints.size() != 1)
        return std::to_string(joints.size()) + " joints";
    const std::string& name = doc.skeleton()[joints.front()].name;
    return name.empty() ? "joint" : name;
}

ShapePropertiesPatch propertiesOf(MeshId mesh, const shape::Shape& s) {
    ShapePropertiesPatch p;
    p.mesh = mesh;
    p.shape = s.id;
    p.nameBefore = p.nameAfter = s.name;
    p.mutedBefore = p.mutedAfter = s.muted;
    return p;
}

} // namespace

Edit resetPose(const Document& doc, std::span<const JointId> joints, PoseTarget target) {
    const rig::Affine bind = rig::Affine::Identity();
    PosePatch p;
    for (const JointId j : joints) {
        const rig::Affine& now = doc.state().pose[j.index()];
        const rig::Affine& then = target == PoseTarget::Bind ? bind : doc.state().filePose[j.index()];
        if (math::identical(now, then))
            continue;
        p.joints.push_back(j);
        p.before.push_back(now);
        p.after.push_back(then);
    }
    Edit edit;
    if (p.joints.empty())
        return edit;
    edit.label = "Reset " + nameOf(doc, p.joints) + (target == PoseTarget::Bind ? " to bind" : " to file pose");
    edit.patches.emplace_back(std::move(p));
    return edit;
}

Edit setUserLocal(const Document& doc, JointId joint, const rig::Affine& userLocal, std::string label) {
    Edit edit;
    const rig::Affine& now = doc.state().pose[joint.index()];
    if (math::identical(now, userLocal))
        return edit;
    edit.label = std::move(label);
    PosePatch p;
    p.joints = {joint};
    p.before = {now};
    p.after = {userLocal};
    edit.patches.emplace_back(std::move(p));
    return edit;
}

Edit setLocked(const Document& doc, std::span<const JointId> joints, bool locked) {
    Edit edit;
    std::vector<JointId> changed;
    for (const JointId j : joints) {
        const bool now = doc.state().locked[j.index()] != 0;
        if (now == locked)
            continue;
        changed.push_back(j);
        edit.patches.emplace_back(LockPatch{j, now, locked});
    }
    if (!changed.empty())
        edit.label = (locked ? "Lock " : "Unlock ") + nameOf(doc, changed);
    return edit;
}

Edit renameShape(const Document& doc, MeshId mesh, ShapeId shape, std::string name) {
    Edit edit;
    const shape::Shape* s = doc.mesh(mesh).findShape(shape);
    if (!s || s->name == name)
        return edit;
    edit.label = "Rename " + s->name;
    ShapePropertiesPatch p = propertiesOf(mesh, *s);
    p.nameAfter = std::move(name);
    edit.patches.emplace_back(std::move(p));
    return edit;
}

Edit muteShape(const Document& doc, MeshId mesh, ShapeId shape, bool muted) {
    Edit edit;
    const shape::Shape* s = doc.mesh(mesh).findShape(shape);
    if (!s || s->muted == muted)
        return edit;
    edit.label = (muted ? "Mute " : "Unmute ") + s->name;
    ShapePropertiesPatch p = propertiesOf(mesh, *s);
    p.mutedAfter = muted;
    edit.patches.emplace_back(std::move(p));
    return edit;
}

Edit setShapeWeight(const Document& doc, InstanceId instance, ShapeId shape, double weight) {
    Edit edit;
    const Instance& placed = doc.instance(instance);
    const MeshData& data = doc.mesh(placed.mesh);
    const std::size_t index = data.shapeIndex(shape);
    if (index >= data.shapes.size() || placed.shapeWeights[index] == weight)
        return edit;
    edit.label = "Weight of " + data.shapes[index].name;
    edit.patches.emplace_back(ShapeWeightPatch{instance, shape, placed.shapeWeights[index], weight});
    return edit;
}

Edit removeShape(const Document& doc, MeshId mesh, ShapeId shape) {
    Edit edit;
    const MeshData& data = doc.mesh(mesh);
    const std::size_t index = data.shapeIndex(shape);
    if (index >= data.shapes.size())
        return edit;
    edit.label = "Delete " + data.shapes[index].name;
    if (data.isDriven(shape)) {
        DriversPatch drivers{mesh, data.drivers, data.drivers};
        for (shape::PoseDriver& d : drivers.after)
            std::erase_if(d.samples, [shape](const shape::DriverSample& s) { return s.shape == shape; });
        std::erase_if(drivers.after, [](const shape::PoseDriver& d) { return d.samples.empty(); });
        edit.patches.emplace_back(std::move(drivers));
    }
    ShapePatch removal;
    removal.mesh = mesh;
    removal.index = index;
    removal.shape = data.shapes[index];
    removal.removes = true;
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh)
            removal.instanceWeights.push_back(instance.shapeWeights[index]);
    edit.patches.emplace_back(std::move(removal));
    return edit;
}

std::string uniqueShapeName(const MeshData& mesh, const std::string& wish) {
    const auto taken = [&](const std::string& name) {
        return std::any_of(mesh.shapes.begin(), mesh.shapes.end(),
                           [&](const shape::Shape& s) { return s.name == name; });
    };
    std::string name = wish;
    for (int n = 1; taken(name); ++n) {
        const std::string digits = std::to_string(n);
        name = wish + '.' + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
    }
    return name;
}

} // namespace limber::document
