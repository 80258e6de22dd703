#include "core/document/point_normals.h"

#include "core/mesh/normals.h"

namespace limber::document {

namespace {

constexpr float kAgrees = 0.5f; // cosine

Eigen::Vector3f ofFaces(const MeshData& mesh, std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    return mesh::pointNormal(mesh.weld(), mesh.geometry.triangles, positions, point);
}

} // namespace

bool agreesWithFaces(const MeshData& mesh, std::uint32_t point) {
    const Eigen::Vector3f told = summedNormal(mesh.weld(), mesh.geometry.normals, point);
    const Eigen::Vector3f faces = ofFaces(mesh, mesh.geometry.positions, point);
    return faces.isZero() || told.isZero(1e-6f) || told.dot(faces) >= kAgrees * told.norm();
}

PointNormal pointNormalOf(const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                          std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    if (agreesWithFaces(mesh, point))
        return {summedNormal(mesh.weld(), normals, point), false};
    return {ofFaces(mesh, positions, point), true};
}

PointNormal PointNormals::ofUnknown(std::span<const Eigen::Vector3f> positions,
                                    std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    if (known_[point] == Known::Nothing)
        known_[point] = agreesWithFaces(*mesh_, point) ? Known::Agrees : Known::Disagrees;
    if (known_[point] == Known::Agrees)
        return {summedNormal(*weld_, normals, point), false};
    return {mesh::pointNormal(*weld_, mesh_->geometry.triangles, positions, point), true};
}

} // namespace limber::document
