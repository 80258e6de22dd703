#include "core/document/posed_surface.h"

#include <algorithm>
#include <limits>

namespace limber::document {

namespace {

constexpr std::uint32_t kBucket = 1024;     // vertices whose changes are told as one range
static_assert(kBucket % skin::kLanes == 0); // a block is in one
constexpr VertexRange kUntouched{std::numeric_limits<std::uint32_t>::max(), 0};

} // namespace

void PosedSurface::invalidate(std::span<const std::uint32_t> vertices) {
    if (allStale_)
        return;
    dirty_.insert(dirty_.end(), vertices.begin(), vertices.end());
    // Nobody may ask for the surface: what waits must not grow without end.
    if (dirty_.size() > 2 * positions_.size())
        invalidate();
}

void PosedSurface::invalidateMushShares(std::span<const std::uint32_t> vertices) {
    if (allStale_)
        return;
    dirtyShares_.insert(dirtyShares_.end(), vertices.begin(), vertices.end());
    if (dirtyShares_.size() > 2 * positions_.size())
        invalidate();
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
    const bool sharesStale = mushed && !dirtyShares_.empty();
    withNormals_ = in.withNormals || mushed || (normalsAsked_ && stale);
    normalsAsked_ = in.withNormals || (normalsAsked_ && !stale);
    if (!stale && (!sharesStale || remixMush(in))) {
        dirtyShares_.clear();
        if (withNormals_)
            poseLate(in);
        return sharesStale;
    }
    allStale_ = allStale_ || in.allMoved || (moved && !skinned) || mushed || dirty_.size() > count / 2;
    bool any = true;
    if (allStale_ || (withNormals_ && allLate_))
        skinWhole(in);
    else if (!skinned)
        skinRigidSome(in);
    else if (gatherBlocks(in))
        skinSome(in);
    else
        any = !blocks_.empty();
    if (mushed)
        mushWhole(in);
    allStale_ = false;
    dirty_.clear();
    dirtyShares_.clear();
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

// Skins the blocks of these vertices again and mixes in the last step as it stands. False where all has to be redone.
bool PosedSurface::remixMush(const SurfaceInput& in) {
    const skin::BlockWeights& weights = *in.skin.weights;
    if (!mush_ || !math::identical(mushPlacement_, in.placement))
        return false;
    blocks_.clear();
    listBlocksOf(weights, dirtyShares_);
    if (blocks_.size() > weights.blockCount() / 2)
        return false;
    skin::skinBlocks(in.skin, blocks_, positions_, normals_);
    remixed_.clear();
    for (const std::uint32_t b : blocks_) {
        noteChanged(weights.firstVertex(b), weights.endVertex(b));
        for (std::uint32_t v = weights.firstVertex(b); v < weights.endVertex(b); ++v)
            remixed_.push_back(v);
    }
    mush_->applyTo(remixed_, in.skin.positions, in.skin.normals, in.mesh->geometry.positions, in.mushShares, positions_,
                   normals_);
    return true;
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
    if (allChanged_)
        return;
    const skin::BlockWeights& weights = *in.skin.weights;
    for (const std::uint32_t b : blocks_)
        noteChanged(weights.firstVertex(b), weights.endVertex(b));
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

// Frames and smoothing are of the uncorrected mesh: correctives are carried, not smoothed away.
void PosedSurface::mushWhole(const SurfaceInput& in) {
    const mesh::Mesh& mesh = in.mesh->geometry;
    if (!mush_ || !math::identical(mushPlacement_, in.placement)) {
        mushPlacement_ = in.placement;
        mush_.emplace(in.mesh->weld(), mesh.triangles, mesh.positions, in.mesh->skinning.mush, in.placement);
    }
    if (in.skin.positions.data() == mesh.positions.data()) {
        mush_->pose(positions_);
    } else {
        rest_.resize(mesh.vertexCount());
        skin::SkinInput rest = in.skin;
        rest.positions = mesh.positions;
        skin::skinAll(rest, rest_, {});
        mush_->pose(rest_);
    }
    mush_->apply(in.skin.positions, in.skin.normals, mesh.positions, in.mushShares, positions_, normals_);
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
