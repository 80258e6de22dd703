// What the joints of one instance do to its vertices: the palette of its method, with only the slots of moved joints
// made again.
#pragma once

#include "core/document/posed_skeleton.h"
#include "core/skin/palette.h"

namespace limber::document {

class PosedSlots {
public:
    // The joint list of the skin, or the method, changed.
    void invalidateList() { listStale_ = true; }
    // `joints` up to date. O(slots), and the rest for moved ones only; allocates only when growing.
    void update(const Document& doc, const Preview& preview, InstanceId instance, const PosedSkeleton& joints);

    // Of the last update.
    [[nodiscard]] const skin::Palette& palette() const { return palette_; }
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    [[nodiscard]] const rig::Transforms& matrices() const { return matrices_; } // T, per slot
    // The poses of all slots, complete: linear blend does without their rotation and stretch until they are asked for.
    [[nodiscard]] std::span<const skin::SlotPose> complete(const Document& doc, const PosedSkeleton& joints);

    // Slots that moved since clearMoved(): a flag each; whether there are any.
    [[nodiscard]] std::span<const std::uint8_t> moved() const { return moved_; }
    [[nodiscard]] bool anyMoved() const { return anyMoved_; }
    // All slots are new.
    [[nodiscard]] bool listChanged() const { return listChanged_; }
    void clearMoved();

private:
    void makeList(const Document& doc, const Preview& preview, InstanceId instance);
    void makeSlot(const Document& doc, const PosedSkeleton& joints, std::size_t slot);

    std::vector<JointId> joints_; // [slots]
    rig::Transforms inverseBinds_, matrices_;
    std::vector<skin::SlotPose> slots_;
    std::vector<std::uint8_t> isComplete_, moved_; // [slots]
    skin::Palette palette_;
    std::uint64_t revision_ = 0, seen_ = 0; // seen_: of the joints
    bool listStale_ = true, listChanged_ = true, anyMoved_ = false, allComplete_ = false;
};

} // namespace limber::document
