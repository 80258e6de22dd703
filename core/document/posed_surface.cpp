#include "core/document/posed_surface.h"

#include <algorithm>
#include <limits>

namespace limber::document {

namespace {

constexpr std::uint32_t kBucket = 1024;     // vertices whose changes are told as one range
static_assert(kBucket % skin::kLanes == 0); // a block is in one
constexpr VertexRange kUntouched{std::numeric_limits<std::uint32_t>::max(), 0};

skin::SkinInput uncorrected(const SurfaceInput& in) {
    skin::SkinInput skin = in.skin;
    skin.positions = in.mesh->geometry.positions;
    return skin;
}

} // namespace

void PosedSurface::invalidate(std::span<const std::uint32_t> vertices) {
    if (allStale_)
        return;
    dirty_.insert(dirty_.end(), vertices.begin(), vertices.end());
    // Nobody may ask for the surface: what waits must not grow without end.
    if (dirty_.size() > 2 * positions_.size())
        invalidate();
}

void PosedSurface::invalidateSkin(std::span<const std::uint32_t> vertices) {
    if (mush_ && !restStale_)
        dirtyRest_.insert(dirtyRest_.end(), vertices.begin(), vertices.end());
    restStale_ = restStale_ || dirtyRest_.size() > 2 * positions_.size();
    invalidate(vertices);
}

bool PosedSurface::update(const SurfaceInput& in) {
    const std::size_t count = in.mesh->geometry.vertexCount();
    if (positions_.size() != count) {
        positions_.resize(count);
        normals_.resize(count);
        buckets_.assign(count / kBucket + 1, kUntouched);
        allStale_ = true;
    }
    const bool skinned = in.skin.weights != nullptr;
    const bool moved = !in.movedSlots.empty();
    const bool mushed = skinned && in.mesh->skinning.mush.on && count > 0;
    const bool stale = allStale_ || moved || in.allMoved || !dirty_.empty();
    withNormals_ = in.withNormals || mushed || (normalsAsked_ && stale);
    normalsAsked_ = in.withNormals || (normalsAsked_ && !stale);
    if (!stale) {
        if (withNormals_)
            poseLate(in);
        return false;
    }
    allStale_ = allStale_ || in.allMoved || (moved && !skinned) || dirty_.size() > count / 2;
    bool any = true;
    if (mushed)
        any = skinMushed(in);
    else if (allStale_ || (withNormals_ && allLate_))
        skinWhole(in);
    else if (!skinned)
        skinRigidSome(in);
    else if (gatherBlocks(in))
        skinSome(in);
    else
        any = !blocks_.empty();
    allStale_ = restStale_ = false;
    dirty_.clear();
    dirtyRest_.clear();
    return any;
}

// False where there is nothing to redo by blocks: none, or so many that all were redone.
bool PosedSurface::gatherBlocks(const SurfaceInput& in) {
    const skin::BlockWeights& weights = *in.skin.weights;
    blocks_.clear();
    if (!in.movedSlots.empty())
        weights.blocksOf(in.movedSlots, blocks_);
    if (!dirty_.empty())
        listBlocksOf(weights, dirty_);
    if (withNormals_ && !lateBlocks_.empty()) {
        std::erase_if(blocks_, [&](std::uint32_t b) { return isLate_[b] != 0; });
        blocks_.insert(blocks_.end(), lateBlocks_.begin(), lateBlocks_.end());
    }
    if (blocks_.size() > weights.blockCount() * 3 / 4) {
        skinWhole(in);
        return false;
    }
    return !blocks_.empty();
}

void PosedSurface::listBlocksOf(const skin::BlockWeights& weights, std::span<const std::uint32_t> vertices) {
    isListed_.resize(weights.blockCount(), 0);
    for (const std::uint32_t b : blocks_)
        isListed_[b] = 1;
    for (const std::uint32_t v : vertices)
        if (const std::uint32_t b = weights.blockOf(v); !isListed_[b]) {
            isListed_[b] = 1;
            blocks_.push_back(b);
        }
    for (const std::uint32_t b : blocks_)
        isListed_[b] = 0;
}

std::span<Eigen::Vector3f> PosedSurface::wantedNormals() {
    return withNormals_ ? std::span(normals_) : std::span<Eigen::Vector3f>();
}

void PosedSurface::forgetLate() {
    for (const std::uint32_t b : lateBlocks_)
        isLate_[b] = 0;
    lateBlocks_.clear();
    allLate_ = false;
}

// Of the blocks that were posed.
void PosedSurface::noteLate(const skin::BlockWeights& weights) {
    isLate_.resize(weights.blockCount(), 0);
    for (const std::uint32_t b : blocks_)
        if (!allLate_ && !isLate_[b]) {
            isLate_[b] = 1;
            lateBlocks_.push_back(b);
        }
}

// Nothing else has changed: the points stay what they are.
void PosedSurface::poseLate(const SurfaceInput& in) {
    if (allLate_) {
        skinWhole(in);
    } else if (!lateBlocks_.empty()) {
        blocks_.assign(lateBlocks_.begin(), lateBlocks_.end());
        skinSome(in);
    }
}

void PosedSurface::skinWhole(const SurfaceInput& in) {
    if (in.skin.weights)
        skin::skinAll(in.skin, positions_, wantedNormals());
    else
        skin::skinRigid(in.skin.positions, in.skin.normals, in.skin.palette->linear()[0], positions_, wantedNormals());
    forgetLate();
    allLate_ = !withNormals_;
    allChanged_ = true;
}

void PosedSurface::skinSome(const SurfaceInput& in) {
    skin::skinBlocks(in.skin, blocks_, positions_, wantedNormals());
    if (withNormals_)
        forgetLate(); // they were among the blocks
    else
        noteLate(*in.skin.weights);
    noteBlocks(*in.skin.weights);
}

void PosedSurface::skinRigidSome(const SurfaceInput& in) {
    somePositions_.clear();
    someNormals_.clear();
    for (const std::uint32_t v : dirty_) {
        somePositions_.push_back(in.skin.positions[v]);
        someNormals_.push_back(in.skin.normals[v]);
    }
    skin::skinRigid(somePositions_, someNormals_, in.skin.palette->linear()[0], somePositions_, someNormals_);
    for (std::size_t k = 0; k < dirty_.size(); ++k) {
        positions_[dirty_[k]] = somePositions_[k];
        normals_[dirty_[k]] = someNormals_[k];
        noteChanged(dirty_[k], dirty_[k] + 1);
    }
}

// Brings the last step up to date; blocks_ are then what it carries elsewhere. False where that is all. Frames and
// smoothing are of the uncorrected mesh: correctives are carried, not smoothed away.
bool PosedSurface::poseMush(const SurfaceInput& in) {
    const skin::BlockWeights& weights = *in.skin.weights;
    const mesh::Mesh& mesh = in.mesh->geometry;
    blocks_.clear();
    if (!mush_ || !math::identical(mushPlacement_, in.placement)) {
        mushPlacement_ = in.placement;
        mush_.emplace(in.mesh->weld(), mesh.triangles, mesh.positions, in.mesh->skinning.mush, in.placement);
    } else if (!restStale_ && !in.allMoved) {
        if (!in.movedSlots.empty())
            weights.blocksOf(in.movedSlots, blocks_);
        listBlocksOf(weights, dirtyRest_);
        if (blocks_.empty())
            return true;
        if (blocks_.size() <= weights.blockCount() / 2) {
            skin::skinBlocks(uncorrected(in), blocks_, rest_, {});
            listVerticesOf(weights);
            if (mush_->poseAround(rest_, listed_)) {
                listBlocksOf(weights, mush_->redone());
                return true;
            }
        }
    }
    rest_.resize(mesh.vertexCount());
    listed_.reserve(mesh.vertexCount());
    skin::skinAll(uncorrected(in), rest_, {});
    mush_->pose(rest_);
    return false;
}

// Whether anything was redone.
bool PosedSurface::skinMushed(const SurfaceInput& in) {
    const skin::BlockWeights& weights = *in.skin.weights;
    const std::vector<Eigen::Vector3f>& rest = in.mesh->geometry.positions;
    if (!poseMush(in) || allStale_) {
        skinWhole(in);
        mush_->apply(in.skin.positions, in.skin.normals, rest, in.mushShares, positions_, normals_);
        return true;
    }
    listBlocksOf(weights, dirty_);
    skin::skinBlocks(in.skin, blocks_, positions_, normals_);
    listVerticesOf(weights);
    mush_->applyTo(listed_, in.skin.positions, in.skin.normals, rest, in.mushShares, positions_, normals_);
    noteBlocks(weights);
    return !blocks_.empty();
}

void PosedSurface::listVerticesOf(const skin::BlockWeights& weights) {
    listed_.clear();
    for (const std::uint32_t b : blocks_)
        for (std::uint32_t v = weights.firstVertex(b); v < weights.endVertex(b); ++v)
            listed_.push_back(v);
}

void PosedSurface::noteBlocks(const skin::BlockWeights& weights) {
    if (allChanged_)
        return;
    for (const std::uint32_t b : blocks_)
        noteChanged(weights.firstVertex(b), weights.endVertex(b));
}

// [first, end) of one bucket.
void PosedSurface::noteChanged(std::uint32_t first, std::uint32_t end) {
    VertexRange& bucket = buckets_[first / kBucket];
    bucket.first = std::min(bucket.first, first);
    bucket.end = std::max(bucket.end, end);
}

std::span<const VertexRange> PosedSurface::takeChanges() {
    changes_.clear();
    if (allChanged_ && !positions_.empty())
        changes_.push_back({0, static_cast<std::uint32_t>(positions_.size())});
    for (VertexRange& bucket : buckets_) {
        if (!allChanged_ && bucket.first < bucket.end) {
            if (!changes_.empty() && bucket.first < changes_.back().end + kBucket)
                changes_.back().end = bucket.end;
            else
                changes_.push_back(bucket);
        }
        bucket = kUntouched;
    }
    allChanged_ = false;
    return changes_;
}

} // namespace limber::document
