#include "core/mesh/ray_caster.h"

#include <embree3/rtcore.h>

#include <cassert>
#include <cstring>
#include <limits>

namespace limber::mesh {

struct RayCaster::Impl {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
    float* vertices = nullptr; // Embree's buffer, [V x 3]
    std::size_t vertexCount = 0;

    ~Impl() {
        if (geometry)
            rtcReleaseGeometry(geometry);
        if (scene)
            rtcReleaseScene(scene);
        if (device)
            rtcReleaseDevice(device);
    }
};

RayCaster::RayCaster(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles)
    : impl_(std::make_unique<Impl>()) {
    Impl& d = *impl_;
    d.vertexCount = positions.size();
    if (triangles.empty())
        return;
    d.device = rtcNewDevice(nullptr);
    d.scene = rtcNewScene(d.device);
    // A scene of low quality with a geometry of medium quality is what can later be refitted instead of rebuilt.
    rtcSetSceneFlags(d.scene, RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(d.scene, RTC_BUILD_QUALITY_LOW);
    d.geometry = rtcNewGeometry(d.device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(d.geometry, RTC_BUILD_QUALITY_MEDIUM);
    d.vertices = static_cast<float*>(rtcSetNewGeometryBuffer(d.geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                             3 * sizeof(float), positions.size()));
    void* indices = rtcSetNewGeometryBuffer(d.geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(std::uint32_t), triangles.size() / 3);
    std::memcpy(d.vertices, positions.data(), positions.size_bytes());
    std::memcpy(indices, triangles.data(), triangles.size_bytes());
    rtcCommitGeometry(d.geometry);
    rtcAttachGeometry(d.scene, d.geometry);
    rtcCommitScene(d.scene);
    rtcSetGeometryBuildQuality(d.geometry, RTC_BUILD_QUALITY_REFIT);
}

RayCaster::~RayCaster() = default;
RayCaster::RayCaster(RayCaster&&) noexcept = default;
RayCaster& RayCaster::operator=(RayCaster&&) noexcept = default;

void RayCaster::refit(std::span<const Eigen::Vector3f> positions) {
    assert(positions.size() == impl_->vertexCount);
    if (!impl_->scene)
        return;
    std::memcpy(impl_->vertices, positions.data(), positions.size_bytes());
    rtcUpdateGeometryBuffer(impl_->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(impl_->geometry);
    rtcCommitScene(impl_->scene);
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
    hit.triangle = query.hit.primID;
    hit.distance = query.ray.tfar;
    hit.barycentric = {1 - query.hit.u - query.hit.v, query.hit.u, query.hit.v};
    hit.position = (ray.origin + double(query.ray.tfar) * ray.direction).cast<float>();
    hit.normal = Eigen::Vector3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
    return hit;
}

} // namespace limber::mesh
