// The posed points and normals of one instance. Only blocks that a moved joint or a changed vertex reaches are redone,
// and where points alone are asked for, their normals stay late until somebody asks for them.
#pragma once

#include "core/document/document.h"
#include "core/document/vertex_range.h"
#include "core/skin/delta_mush.h"
#include "core/skin/skinner.h"

#include <optional>

namespace limber::document {

// All up to date. Views of the caller's.
struct SurfaceInput {
    const MeshData* mesh = nullptr;
    skin::SkinInput skin;                              // without blocks for a rigid instance
    std::span<const std::uint8_t> movedSlots;          // flags; empty where none moved
    bool allMoved = false;                             // every slot, or other slots than before
    std::span<const float> mushShares;                 // [V], empty: 1 everywhere
    math::Affine placement = math::Affine::Identity(); // M of the skin, model from mesh
    bool withNormals = true;                           // else points alone are asked for
};

class PosedSurface {
public:
    // What comes in before the skin, or shares of the last step: of all vertices, or of these.
    void invalidate() { allStale_ = true; }
    void invalidate(std::span<const std::uint32_t> vertices);
    // Their rows, or shares of the method: what the last step is made of moves too.
    void invalidateSkin(std::span<const std::uint32_t> vertices);
    // Another last step, or rest surface.
    void invalidateMush() {
        mush_.reset();
        allStale_ = true;
    }

    // Whether points may have changed. They are the same, bit for bit, with normals and without; late normals take
    // posing their points once more. So who asked for the normals of the last pose gets those of the next one along
    // with its points, and so does who has a last step. Allocates only when growing.
    bool update(const SurfaceInput& in);

    [[nodiscard]] const std::vector<Eigen::Vector3f>& positions() const { return positions_; }
    // After an update with normals, as is the next.
    [[nodiscard]] const std::vector<Eigen::Vector3f>& normals() const { return normals_; }
    // What update() redid since this was last asked, ascending and merged.
    [[nodiscard]] std::span<const VertexRange> takeChanges();
    // The last step as it was last posed; null without one.
    [[nodiscard]] const skin::MushedSurface* mush() const { return mush_ ? &*mush_ : nullptr; }

private:
    [[nodiscard]] std::span<Eigen::Vector3f> wantedNormals();
    void noteLate(const skin::BlockWeights& weights);
    void forgetLate();
    void poseLate(const SurfaceInput& in);
    [[nodiscard]] bool gatherBlocks(const SurfaceInput& in);
    void listBlocksOf(const skin::BlockWeights& weights, std::span<const std::uint32_t> vertices);
    void skinWhole(const SurfaceInput& in);
    void skinSome(const SurfaceInput& in);
    void skinRigidSome(const SurfaceInput& in);
    [[nodiscard]] bool poseMush(const SurfaceInput& in);
    [[nodiscard]] bool skinMushed(const SurfaceInput& in);
    void listVerticesOf(const skin::BlockWeights& weights);
    void noteBlocks(const skin::BlockWeights& weights);
    void noteChanged(std::uint32_t first, std::uint32_t end);

    std::vector<Eigen::Vector3f> positions_, normals_;
    std::optional<skin::MushedSurface> mush_;
    math::Affine mushPlacement_ = math::Affine::Identity();    // that it was made with
    std::vector<Eigen::Vector3f> rest_;                        // skinned without correctives, for the last step
    std::vector<Eigen::Vector3f> somePositions_, someNormals_; // gathered and skinned in place
    std::vector<std::uint32_t> dirty_;                         // vertices, when not all
    std::vector<std::uint32_t> dirtyRest_;                     // vertices that are in rest_
    std::vector<std::uint32_t> blocks_;
    std::vector<std::uint32_t> listed_;  // vertices of blocks_
    std::vector<std::uint8_t> isListed_; // [blocks] in blocks_
    // Blocks whose normals are of an earlier pose than their points. What they hold is among the changes.
    std::vector<std::uint32_t> lateBlocks_;
    std::vector<std::uint8_t> isLate_; // [blocks] in lateBlocks_
    std::vector<VertexRange> buckets_; // [V / kBucket] changed vertices of each, empty where first >= end
    std::vector<VertexRange> changes_;
    bool allStale_ = true, allChanged_ = true, allLate_ = false;
    bool restStale_ = true;     // all of rest_
    bool normalsAsked_ = false; // since points last changed
    bool withNormals_ = true;   // posed by the present update
};

} // namespace limber::document
