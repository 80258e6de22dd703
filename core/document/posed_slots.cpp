#include "core/document/posed_slots.h"

#include "core/math/mirror.h"

#include <algorithm>

namespace limber::document {

namespace {

skin::SlotPose wholePose(const Document& doc, const PosedSkeleton& joints, JointId j, const rig::Affine& inverseBind) {
    const rig::Joint& joint = doc.skeleton()[j];
    return skin::slotPose(joints.world()[j.index()], joint.bindWorld, joint.inverseBind, inverseBind);
}

} // namespace

void PosedSlots::update(const Document& doc, const Preview& preview, InstanceId instance, const PosedSkeleton& joints) {
    const bool all = listStale_;
    if (!all && seen_ == joints.revision())
        return;
    if (all)
        makeList(doc, preview, instance);
    bool any = all;
    for (std::size_t s = 0; s < joints_.size(); ++s)
        if (all || joints.movedSince(joints_[s], seen_)) {
            makeSlot(doc, joints, s);
            any = true;
        }
    listStale_ = false;
    seen_ = joints.revision();
    if (!any)
        return;
    palette_.finish();
    anyMoved_ = true;
    ++revision_;
}

void PosedSlots::makeList(const Document& doc, const Preview& preview, InstanceId id) {
    const Instance& instance = doc.instance(id);
    joints_.clear();
    inverseBinds_.clear();
    const auto add = [&](JointId j, const rig::Affine& inverseBind) {
        joints_.push_back(j);
        inverseBinds_.push_back(inverseBind);
    };
    const bool skinned = doc.isSkinned(id);
    if (skinned) {
        const Skin& skin = doc.skin(instance.skin);
        for (std::size_t s = 0; s < skin.joints.size(); ++s)
            add(skin.joints[s], skin.inverseBinds[s]);
        for (const Preview::AppendedJoint& a : preview.appendedJoints())
            if (a.skin == instance.skin)
                add(a.joint, a.inverseBind);
    } else {
        add(instance.node, rig::Affine::Identity());
    }
    matrices_.resize(joints_.size());
    slots_.resize(joints_.size());
    isComplete_.assign(joints_.size(), 0);
    moved_.assign(joints_.size(), 1);
    palette_.resize(joints_.size(), skinned ? doc.mesh(instance.mesh).skinning.method : skin::Method::Linear);
    listChanged_ = true;
}

void PosedSlots::makeSlot(const Document& doc, const PosedSkeleton& joints, std::size_t s) {
    skin::SlotPose& slot = slots_[s];
    const JointId j = joints_[s];
    if (palette_.method() == skin::Method::Linear) {
        slot.skin = joints.world()[j.index()] * inverseBinds_[s];
        slot.sign = math::isMirrored(slot.skin.linear()) ? -1 : 1;
        isComplete_[s] = 0;
        allComplete_ = false;
    } else {
        slot = wholePose(doc, joints, j, inverseBinds_[s]);
        isComplete_[s] = 1;
    }
    matrices_[s] = slot.skin;
    palette_.set(s, slot);
    moved_[s] = 1;
}

std::span<const skin::SlotPose> PosedSlots::complete(const Document& doc, const PosedSkeleton& joints) {
    if (!allComplete_)
        for (std::size_t s = 0; s < slots_.size(); ++s)
            if (!isComplete_[s]) {
                slots_[s] = wholePose(doc, joints, joints_[s], inverseBinds_[s]);
                isComplete_[s] = 1;
            }
    allComplete_ = true;
    return slots_;
}

void PosedSlots::clearMoved() {
    std::fill(moved_.begin(), moved_.end(), std::uint8_t(0));
    anyMoved_ = listChanged_ = false;
}

} // namespace limber::document
