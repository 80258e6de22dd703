#include "core/document/point_normals.h"

#include "core/mesh/normals.h"

namespace limber::document {

namespace {

constexpr float kAgrees = 0.5f; // cosine

PointNormal ofFaces(const MeshData& mesh, std::span<const Eigen::Vector3f> positions, std::uint32_t point) {
    return {mesh::pointNormal(mesh.weld(), mesh.geometry.triangles, positions, point), true};
}

} // namespace

Eigen::Vector3f summedNormal(const mesh::Weld& weld, std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (const std::uint32_t v : weld.verticesOfPoint[point])
        sum += normals[v];
    return sum;
}

bool agreesWithFaces(const MeshData& mesh, std::uint32_t point) {
    const Eigen::Vector3f told = summedNormal(mesh.weld(), mesh.geometry.normals, point);
    const Eigen::Vector3f faces = ofFaces(mesh, mesh.geometry.positions, point).direction;
    return faces.isZero() || told.isZero(1e-6f) || told.dot(faces) >= kAgrees * told.norm();
}

PointNormal pointNormalOf(const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                          std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    if (agreesWithFaces(mesh, point))
        return {summedNormal(mesh.weld(), normals, point), false};
    return ofFaces(mesh, positions, point);
}

PointNormal PointNormals::of(const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                             std::span<const Eigen::Vector3f> normals, std::uint32_t point) {
    Known& known = known_[point];
    if (known == Known::Nothing)
        known = agreesWithFaces(mesh, point) ? Known::Agrees : Known::Disagrees;
    if (known == Known::Agrees)
        return {summedNormal(mesh.weld(), normals, point), false};
    return ofFaces(mesh, positions, point);
}

} // namespace limber::document
