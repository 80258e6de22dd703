// The joints in the present pose, the preview laid over the document. Only the subtrees of changed joints are computed
// again, and each joint tells when it last moved, so that readers redo no more than that.
#pragma once

#include "core/document/preview.h"

namespace limber::document {

class PosedSkeleton {
public:
    // Forgets all. O(joints).
    void reset(const Document& doc);
    // The user-local transform of a joint may have changed.
    void invalidate(JointId j);
    // O(subtree) for one changed joint, O(joints) for several. Allocates only when growing.
    void update(const Document& doc, const Preview& preview);

    // Of the last update: Ul and worldFromJoint, per joint.
    [[nodiscard]] const rig::Pose& pose() const { return pose_; }
    [[nodiscard]] const rig::Transforms& world() const { return world_; }
    // Counts updates that moved anything.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    // The joint's world transform, or its own user-local one, is from a later update than `revision`.
    [[nodiscard]] bool movedSince(JointId j, std::uint64_t revision) const { return movedAt_[j.index()] > revision; }
    [[nodiscard]] bool turnedSince(JointId j, std::uint64_t revision) const { return turnedAt_[j.index()] > revision; }

private:
    void updateAll(const rig::Skeleton& skeleton);

    rig::Pose pose_;
    rig::Transforms world_;
    std::vector<std::uint64_t> movedAt_, turnedAt_; // [joints] revisions
    std::vector<JointId> changed_;                  // to look at, none twice
    std::vector<std::uint8_t> isChanged_;           // [joints] in changed_
    std::vector<JointId> subtree_;
    std::uint64_t revision_ = 0;
    bool allStale_ = true;
};

} // namespace limber::document
