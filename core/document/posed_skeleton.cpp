#include "core/document/posed_skeleton.h"

#include <algorithm>

namespace limber::document {

void PosedSkeleton::reset(const Document& doc) {
    const std::size_t joints = doc.skeleton().size();
    allStale_ = true;
    changed_.clear();
    changed_.reserve(joints);
    subtree_.reserve(joints);
    isChanged_.assign(joints, 0);
    movedAt_.assign(joints, 0);
    turnedAt_.assign(joints, 0);
}

void PosedSkeleton::invalidate(JointId j) {
    if (isChanged_[j.index()])
        return;
    isChanged_[j.index()] = 1;
    changed_.push_back(j);
}

void PosedSkeleton::update(const Document& doc, const Preview& preview) {
    const rig::Skeleton& skeleton = doc.skeleton();
    if (allStale_) {
        allStale_ = false;
        for (const JointId j : changed_)
            isChanged_[j.index()] = 0;
        changed_.clear();
        pose_.resize(skeleton.size());
        for (std::size_t j = 0; j < pose_.size(); ++j)
            pose_[j] = preview.userLocal(doc, JointId(j));
        rig::forwardKinematics(skeleton, pose_, world_);
        ++revision_;
        std::fill(movedAt_.begin(), movedAt_.end(), revision_);
        std::fill(turnedAt_.begin(), turnedAt_.end(), revision_);
        return;
    }
    // A preview that is committed as it was shown moves nothing.
    std::size_t kept = 0;
    for (const JointId j : changed_) {
        isChanged_[j.index()] = 0;
        const rig::Affine& now = preview.userLocal(doc, j);
        if (math::identical(pose_[j.index()], now))
            continue;
        pose_[j.index()] = now;
        changed_[kept++] = j;
    }
    changed_.resize(kept);
    if (changed_.empty())
        return;
    ++revision_;
    for (const JointId j : changed_)
        turnedAt_[j.index()] = revision_;
    if (changed_.size() == 1) {
        rig::forwardKinematics(skeleton, pose_, changed_[0], world_, subtree_);
        for (const JointId j : subtree_)
            movedAt_[j.index()] = revision_;
    } else {
        updateAll(skeleton);
    }
    changed_.clear();
}

// One pass over all joints: changed ones may stand below each other.
void PosedSkeleton::updateAll(const rig::Skeleton& skeleton) {
    for (const JointId j : skeleton.order()) {
        const JointId parent = skeleton[j].parent;
        if (turnedAt_[j.index()] == revision_ || (parent.valid() && movedAt_[parent.index()] == revision_))
            movedAt_[j.index()] = revision_;
    }
    rig::forwardKinematics(skeleton, pose_, world_);
}

} // namespace limber::document
