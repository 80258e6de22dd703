#include "core/mesh/ray_caster.h"

#include "core/base/pieces.h"
#include "core/mesh/weld.h"

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>

namespace limber::mesh {

namespace {

// Triangles that are fitted together, and vertices that are looked at together for what has moved.
constexpr std::size_t kChunk = 4096, kBlock = 32;
constexpr std::size_t kPiece = 65536;

// Triangles by the cells of a coarse grid along a space-filling curve, so that the chunks are compact.
class TriangleOrder {
public:
    TriangleOrder(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles)
        : positions_(positions), triangles_(triangles) {
        for (const Eigen::Vector3f& p : positions)
            box_.extend(p);
        scale_ = static_cast<float>(kCells) / box_.sizes().maxCoeff();
    }

    // [T] place -> triangle, ascending within a cell.
    [[nodiscard]] std::vector<std::uint32_t> make() const {
        const std::size_t count = triangles_.size() / 3;
        std::vector<std::uint32_t> order(count);
        if (count <= kChunk) {
            std::iota(order.begin(), order.end(), 0u);
            return order;
        }
        std::vector<std::uint32_t> cells(count), next(kCells * kCells * kCells + 1, 0);
        inPieces(count, kPiece, [&](std::size_t first, std::size_t end) {
            for (std::size_t t = first; t < end; ++t)
                cells[t] = cellOf(t);
        });
        for (const std::uint32_t cell : cells)
            ++next[cell + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::uint32_t t = 0; t < count; ++t)
            order[next[cells[t]]++] = t;
        return order;
    }

private:
    static constexpr std::uint32_t kCells = 64; // an axis

    [[nodiscard]] std::uint32_t cellOf(std::size_t t) const {
        const Eigen::Vector3f at = (positions_[triangles_[3 * t]] - box_.min()) * scale_;
        std::uint32_t code = 0;
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            // Not in a cell: a box without size, or one that no float can measure.
            const auto cell = at[axis] >= 0 && at[axis] < kCells ? static_cast<std::uint32_t>(at[axis]) : 0;
            for (std::uint32_t bit = 0; bit < 6; ++bit)
                code |= (cell >> bit & 1) << (3 * bit + static_cast<std::uint32_t>(axis));
        }
        return code;
    }

    std::span<const Eigen::Vector3f> positions_;
    std::span<const std::uint32_t> triangles_;
    Eigen::AlignedBox3f box_;
    float scale_ = 1;
};

} // namespace

struct RayCaster::Impl {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    std::vector<RTCGeometry> chunks; // kChunk triangles each, geometry k of the scene
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> corners; // [3 x T] in this order
    std::vector<float> vertices;        // [3 x V] and one more, up to which Embree reads
    Rows chunksOfBlock;                 // of each kBlock vertices
    std::size_t vertexCount = 0;
    std::vector<std::uint8_t> movedBlocks, staleChunks;

    ~Impl() {
        for (const RTCGeometry chunk : chunks)
            rtcReleaseGeometry(chunk);
        if (scene)
            rtcReleaseScene(scene);
        if (device)
            rtcReleaseDevice(device);
    }

    void addChunk(std::size_t first, std::size_t count) {
        const RTCGeometry chunk = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        // From the start: another quality than last time would build all chunks again.
        rtcSetGeometryBuildQuality(chunk, RTC_BUILD_QUALITY_REFIT);
        rtcSetSharedGeometryBuffer(chunk, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertices.data(), 0,
                                   3 * sizeof(float), vertexCount);
        rtcSetSharedGeometryBuffer(chunk, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, corners.data(),
                                   3 * first * sizeof(std::uint32_t), 3 * sizeof(std::uint32_t), count);
        rtcCommitGeometry(chunk);
        rtcAttachGeometryByID(scene, chunk, static_cast<unsigned>(chunks.size()));
        chunks.push_back(chunk);
    }

    void listChunksOfBlocks() {
        const std::size_t blocks = (vertexCount + kBlock - 1) / kBlock;
        std::vector<std::vector<std::uint32_t>> lists(blocks);
        for (std::size_t corner = 0; corner < corners.size(); ++corner) {
            std::vector<std::uint32_t>& list = lists[corners[corner] / kBlock];
            if (const auto chunk = static_cast<std::uint32_t>(corner / (3 * kChunk));
                list.empty() || list.back() != chunk)
                list.push_back(chunk);
        }
        for (const std::vector<std::uint32_t>& list : lists) {
            chunksOfBlock.items.insert(chunksOfBlock.items.end(), list.begin(), list.end());
            chunksOfBlock.offsets.push_back(static_cast<std::uint32_t>(chunksOfBlock.items.size()));
        }
        movedBlocks.resize(blocks);
        staleChunks.resize(chunks.size());
    }

    // Takes over what has moved; marks the chunks that it belongs to.
    void takePositions(std::span<const Eigen::Vector3f> positions) {
        inPieces(movedBlocks.size(), 512, [&](std::size_t first, std::size_t end) {
            for (std::size_t b = first; b < end; ++b) {
                const std::size_t begin = b * kBlock, count = std::min(kBlock, vertexCount - begin);
                const std::size_t bytes = count * sizeof(Eigen::Vector3f);
                float* own = vertices.data() + 3 * begin;
                movedBlocks[b] = std::memcmp(own, positions[begin].data(), bytes) != 0;
                if (movedBlocks[b])
                    std::memcpy(own, positions[begin].data(), bytes);
            }
        });
        std::fill(staleChunks.begin(), staleChunks.end(), std::uint8_t(0));
        for (std::size_t b = 0; b < movedBlocks.size(); ++b)
            if (movedBlocks[b])
                for (const std::uint32_t chunk : chunksOfBlock[b])
                    staleChunks[chunk] = 1;
    }
};

RayCaster::RayCaster(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles)
    : impl_(std::make_unique<Impl>()) {
    Impl& d = *impl_;
    d.vertexCount = positions.size();
    if (triangles.empty())
        return;
    d.vertices.resize(3 * positions.size() + 1);
    std::memcpy(d.vertices.data(), positions.data(), positions.size_bytes());
    d.order = TriangleOrder(positions, triangles).make();
    d.corners.resize(triangles.size());
    for (std::size_t k = 0; k < d.order.size(); ++k)
        std::copy_n(triangles.begin() + 3 * std::ptrdiff_t(d.order[k]), 3,
                    d.corners.begin() + 3 * static_cast<std::ptrdiff_t>(k));

    d.device = rtcNewDevice(nullptr);
    d.scene = rtcNewScene(d.device);
    // Only a scene of low quality refits what has changed instead of building all anew.
    rtcSetSceneFlags(d.scene, RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(d.scene, RTC_BUILD_QUALITY_LOW);
    for (std::size_t first = 0; first < d.order.size(); first += kChunk)
        d.addChunk(first, std::min(kChunk, d.order.size() - first));
    d.listChunksOfBlocks();
    rtcCommitScene(d.scene);
}

RayCaster::~RayCaster() = default;
RayCaster::RayCaster(RayCaster&&) noexcept = default;
RayCaster& RayCaster::operator=(RayCaster&&) noexcept = default;

void RayCaster::refit(std::span<const Eigen::Vector3f> positions) {
    Impl& d = *impl_;
    assert(positions.size() == d.vertexCount);
    if (!d.scene)
        return;
    d.takePositions(positions);
    bool any = false;
    for (std::size_t k = 0; k < d.chunks.size(); ++k)
        if (d.staleChunks[k]) {
            rtcUpdateGeometryBuffer(d.chunks[k], RTC_BUFFER_TYPE_VERTEX, 0);
            rtcCommitGeometry(d.chunks[k]);
            any = true;
        }
    if (any)
        rtcCommitScene(d.scene);
}

std::optional<RayHit> RayCaster::cast(const Ray& ray) const {
    if (!impl_->scene)
        return std::nullopt;
    RTCRayHit query{};
    query.ray.org_x = static_cast<float>(ray.origin.x());
    query.ray.org_y = static_cast<float>(ray.origin.y());
    query.ray.org_z = static_cast<float>(ray.origin.z());
    query.ray.dir_x = static_cast<float>(ray.direction.x());
    query.ray.dir_y = static_cast<float>(ray.direction.y());
    query.ray.dir_z = static_cast<float>(ray.direction.z());
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.mask = 0xffffffffu;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(impl_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return std::nullopt;

    RayHit hit;
    hit.triangle = impl_->order[query.hit.geomID * kChunk + query.hit.primID];
    hit.distance = query.ray.tfar;
    hit.barycentric = {1 - query.hit.u - query.hit.v, query.hit.u, query.hit.v};
    hit.position = (ray.origin + double(query.ray.tfar) * ray.direction).cast<float>();
    hit.normal = Eigen::Vector3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
    return hit;
}

} // namespace limber::mesh
