#include "core/document/paint_slots.h"

#include <algorithm>
#include <limits>

namespace limber::document {

namespace {

// The skin's joints with those that the preview appends.
std::vector<JointId> jointsOf(const Document& doc, const Preview& preview, SkinId skin) {
    std::vector<JointId> joints = doc.skin(skin).joints;
    for (const Preview::AppendedJoint& a : preview.appendedJoints())
        if (a.skin == skin)
            joints.push_back(a.joint);
    return joints;
}

std::optional<std::uint32_t> slotIn(const std::vector<JointId>& joints, JointId joint) {
    const auto at = std::find(joints.begin(), joints.end(), joint);
    if (at == joints.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(at - joints.begin());
}

std::vector<SkinId> skinsOf(const Document& doc, MeshId mesh) {
    std::vector<SkinId> skins;
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh && instance.skin.valid() &&
            std::find(skins.begin(), skins.end(), instance.skin) == skins.end())
            skins.push_back(instance.skin);
    return skins;
}

// All skins of a mesh share its slots, so the joint goes to the same place of each.
bool append(const Document& doc, Preview& preview, MeshId mesh, std::size_t slot, JointId joint, ChangeSet& changes) {
    const std::vector<SkinId> skins = skinsOf(doc, mesh);
    for (const SkinId skin : skins)
        if (jointsOf(doc, preview, skin).size() != slot)
            return false;
    for (const SkinId skin : skins) {
        preview.appendJoint({skin, joint, doc.skeleton()[joint].inverseBind * doc.skin(skin).bindShape});
        changes.skins.push_back(skin);
    }
    return true;
}

// The parent where the skin has it, else the joint that is nearest at bind; never a locked one.
std::optional<std::uint32_t> fallbackSlot(const Document& doc, const std::vector<JointId>& joints,
                                          std::span<const std::uint8_t> locked, JointId joint) {
    const rig::Skeleton& skeleton = doc.skeleton();
    if (const JointId parent = skeleton[joint].parent; parent.valid())
        if (const auto slot = slotIn(joints, parent); slot && !locked[*slot])
            return slot;
    const Eigen::Vector3d origin = skeleton[joint].bindWorld.translation();
    std::optional<std::uint32_t> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::uint32_t k = 0; k < joints.size(); ++k) {
        const double d = (skeleton[joints[k]].bindWorld.translation() - origin).squaredNorm();
        if (joints[k] == joint || locked[k] || !(d < least))
            continue;
        nearest = k;
        least = d;
    }
    return nearest;
}

} // namespace

std::optional<PaintSlots> paintSlots(const Document& doc, Preview& preview, InstanceId instance, JointId joint,
                                     bool mayAppend, ChangeSet& changes) {
    const Instance& placed = doc.instance(instance);
    std::vector<JointId> joints = jointsOf(doc, preview, placed.skin);
    PaintSlots slots;
    if (joint.valid()) {
        slots.edited = slotIn(joints, joint);
        if (!slots.edited) {
            const bool isLocked = doc.state().locked[joint.index()] != 0;
            if (!mayAppend || isLocked || !append(doc, preview, placed.mesh, joints.size(), joint, changes))
                return std::nullopt;
            slots.edited = static_cast<std::uint32_t>(joints.size());
            joints.push_back(joint);
        }
    }
    for (const JointId j : joints)
        slots.locked.push_back(doc.state().locked[j.index()]);
    if (joint.valid())
        slots.fallback = fallbackSlot(doc, joints, slots.locked, joint);
    return slots;
}

} // namespace limber::document
