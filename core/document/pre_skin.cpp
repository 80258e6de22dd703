#include "core/document/pre_skin.h"

#include "core/base/pieces.h"
#include "core/mesh/normals.h"

namespace limber::document {

namespace {

const Eigen::Vector3f kUnknown(2, 2, 2); // no normal

// The shape's own offset, or the preview's where it lies over it.
Eigen::Vector3f movedBy(const MeshData& mesh, std::span<const double> weights, const Preview::PreviewDeltas* preview,
                        std::uint32_t vertex) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < mesh.shapes.size(); ++k) {
        if (weights[k] == 0)
            continue;
        const shape::Shape& shape = mesh.shapes[k];
        if (preview && preview->shape == shape.id)
            if (const std::uint32_t at = preview->places.find(vertex); at != VertexPlaces::kNone) {
                sum += weights[k] * preview->deltas[at];
                continue;
            }
        sum += weights[k] * shape.delta(vertex).cast<double>();
    }
    if (preview && !preview->shape.valid())
        if (const std::uint32_t at = preview->places.find(vertex); at != VertexPlaces::kNone)
            sum += preview->weight * preview->deltas[at];
    return sum.cast<float>();
}

} // namespace

void PreSkin::startFromRest(const MeshData& mesh) {
    active_ = true;
    positions_ = mesh.geometry.positions;
    normals_ = mesh.geometry.normals;
    mark_.resize(mesh.weld().pointCount(), 0);
    restNormals_.resize(mark_.size(), kUnknown);
}

void PreSkin::rebuild(const MeshData& mesh, std::span<const double> weights, const Preview::PreviewDeltas* preview) {
    bool active = preview && !preview->vertices.empty();
    for (const double w : weights)
        active |= w != 0;
    if (!active) {
        active_ = false;
        return;
    }
    startFromRest(mesh);

    // Normals from the file's own offsets first; where the surface is moved without them, from the surface.
    reshaped_.clear();
    for (std::size_t k = 0; k < mesh.shapes.size(); ++k) {
        const shape::Shape& shape = mesh.shapes[k];
        if (weights[k] == 0)
            continue;
        const auto w = static_cast<float>(weights[k]);
        for (std::size_t e = 0; e < shape.vertices.size(); ++e)
            positions_[shape.vertices[e]] += w * shape.deltas[e];
        for (std::size_t e = 0; e < shape.normalDeltas.size(); ++e)
            normals_[shape.vertices[e]] += w * shape.normalDeltas[e];
        if (shape.normalDeltas.empty())
            reshaped_.insert(reshaped_.end(), shape.vertices.begin(), shape.vertices.end());
        else
            for (const std::uint32_t v : shape.vertices)
                if (const float length = normals_[v].norm(); length > 1e-6f)
                    normals_[v] /= length;
    }
    if (preview)
        for (const std::uint32_t v : preview->vertices) {
            positions_[v] = mesh.geometry.positions[v] + movedBy(mesh, weights, preview, v);
            reshaped_.push_back(v);
        }
    movePoints(mesh, reshaped_);
    renewNormals(mesh);
}

std::span<const std::uint32_t> PreSkin::update(const MeshData& mesh, std::span<const double> weights,
                                               const Preview::PreviewDeltas* preview,
                                               std::span<const std::uint32_t> vertices) {
    if (!active_)
        startFromRest(mesh);
    for (const std::uint32_t v : vertices)
        positions_[v] = mesh.geometry.positions[v] + movedBy(mesh, weights, preview, v);
    movePoints(mesh, vertices);
    renewNormals(mesh);
    return touchedVertices_;
}

// Lists the points of the vertices and their neighbours.
void PreSkin::movePoints(const MeshData& mesh, std::span<const std::uint32_t> vertices) {
    ++stamp_;
    points_.clear();
    const auto list = [this](std::uint32_t point) {
        if (mark_[point] != stamp_) {
            mark_[point] = stamp_;
            points_.push_back(point);
        }
    };
    const mesh::Weld& weld = mesh.weld();
    for (const std::uint32_t v : vertices)
        list(weld.pointOfVertex[v]);
    const std::size_t moved = points_.size();
    for (std::size_t k = 0; k < moved; ++k)
        for (const std::uint32_t neighbour : weld.neighbours[points_[k]])
            list(neighbour);
}

Eigen::Vector3f PreSkin::restNormal(const MeshData& mesh, std::uint32_t point) {
    Eigen::Vector3f& normal = restNormals_[point];
    if (normal == kUnknown)
        normal = mesh::pointNormal(mesh.weld(), mesh.geometry.triangles, mesh.geometry.positions, point);
    return normal;
}

// All smooth normals at once, where most of a large mesh moves.
bool PreSkin::smoothAll(const MeshData& mesh) {
    constexpr std::size_t kLarge = 20'000; // points; below, a point at a time is as quick
    const mesh::Weld& weld = mesh.weld();
    if (weld.pointCount() < kLarge || points_.size() < weld.pointCount() / 2)
        return false;
    if (!smooth_ || !smooth_->isOf(weld, mesh.geometry.triangles)) {
        smooth_ = std::make_unique<mesh::SmoothNormals>(weld, mesh.geometry.triangles);
        smoothed_.resize(positions_.size());
        smooth_->compute(mesh.geometry.positions, smoothed_);
        for (std::uint32_t point = 0; point < weld.pointCount(); ++point)
            if (const Eigen::Vector3f& n = smoothed_[weld.firstVertex(point)]; n != Eigen::Vector3f::UnitY())
                restNormals_[point] = n;
    }
    smooth_->compute(positions_, smoothed_);
    return true;
}

// The file's normal turned by as much as the smooth normal of the surface has changed: hard edges stay hard.
void PreSkin::renewNormals(const MeshData& mesh) {
    constexpr std::size_t kPiece = 2048; // points of one task
    const auto& triangles = mesh.geometry.triangles;
    const mesh::Weld& weld = mesh.weld();
    const bool all = smoothAll(mesh);
    inPieces(points_.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const std::uint32_t point = points_[k];
            Eigen::Vector3f now = Eigen::Vector3f::UnitY();
            if (all)
                now = smoothed_[weld.firstVertex(point)];
            if (now == Eigen::Vector3f::UnitY()) // it may stand for none
                now = mesh::pointNormal(weld, triangles, positions_, point);
            const Eigen::Vector3f change = now - restNormal(mesh, point);
            for (const std::uint32_t v : weld.verticesOfPoint[point]) {
                const Eigen::Vector3f n = mesh.geometry.normals[v] + change;
                const float length = n.norm();
                normals_[v] = length > 1e-6f ? Eigen::Vector3f(n / length) : mesh.geometry.normals[v];
            }
        }
    });
    touchedVertices_.clear();
    for (const std::uint32_t point : points_)
        for (const std::uint32_t v : weld.verticesOfPoint[point])
            touchedVertices_.push_back(v);
}

} // namespace limber::document
