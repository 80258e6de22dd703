#include "core/document/brush_points.h"

#include "core/base/pieces.h"
#include "core/document/evaluator.h"

#include <cassert>
#include <cmath>

namespace limber::document {

namespace {

constexpr std::size_t kSweepPiece = 65536, kFinishPiece = 2048;

// What the dab does to a point at a place within its radius; 0 for nothing. `normal` tells which way the point looks.
template <class Normal>
float falloffAt(const BrushDab& dab, const Eigen::Vector3f& view, float squaredDistance, Normal normal) {
    if (dab.frontFacesOnly) {
        const PointNormal n = normal();
        const float away = n.direction.dot(view);
        if ((n.ofFaces && dab.seesBack ? -away : away) > 0)
            return 0;
    }
    const double f = stroke::falloff(dab.falloff, std::sqrt(static_cast<double>(squaredDistance)) / dab.radius);
    return f > 0 ? static_cast<float>(f) : 0;
}

} // namespace

void pointsUnder(const BrushDab& dab, const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                 std::span<const Eigen::Vector3f> normals, std::vector<BrushPoint>& out) {
    assert(positions.size() == normals.size());
    out.clear();
    if (!(dab.radius > 0))
        return;
    const Eigen::Vector3f center = dab.center.cast<float>(), view = dab.viewDirection.cast<float>();
    const float radius = static_cast<float>(dab.radius), squaredRadius = radius * radius;
    const mesh::Weld& weld = mesh.weld();
    const auto count = static_cast<std::uint32_t>(weld.pointCount());
    for (std::uint32_t p = 0; p < count; ++p) {
        const float squared = (positions[weld.firstVertex(p)] - center).squaredNorm();
        if (!(squared <= squaredRadius))
            continue;
        if (const float f = falloffAt(dab, view, squared, [&] { return pointNormalOf(mesh, positions, normals, p); });
            f > 0)
            out.push_back({p, f});
    }
}

BrushPoints::BrushPoints(const Document& doc, Evaluator& evaluator, const Preview& preview)
    : doc_(doc), evaluator_(evaluator), preview_(preview) {}

BrushPoints::Surface& BrushPoints::surfaceOf(InstanceId instance) {
    for (Surface& s : surfaces_)
        if (s.instance == instance)
            return s;
    surfaces_.emplace_back().instance = instance;
    return surfaces_.back();
}

void BrushPoints::changed(MeshId mesh, std::span<const std::uint32_t> vertices) {
    for (Surface& s : surfaces_)
        if (doc_.instance(s.instance).mesh == mesh && !s.grid.empty())
            s.changed.insert(s.changed.end(), vertices.begin(), vertices.end());
}

// Whether the grid holds all that stands now.
bool BrushPoints::ready(Surface& s, std::span<const Eigen::Vector3f> positions) {
    const MeshData& mesh = doc_.mesh(doc_.instance(s.instance).mesh);
    // The last step moves points around those that changed, too.
    if (positions.size() < kGridVertices || mesh.skinning.mush.on || !s.visited) {
        s.visited = true;
        s.changed.clear();
        s.grid.clear();
        return false;
    }
    const bool stands = s.document == doc_.revision() && s.pose == preview_.poseRevision() && !s.grid.empty();
    if (stands)
        s.grid.moved(positions, s.changed);
    if (!stands || s.grid.worn()) {
        s.grid.build(mesh.weld(), positions);
        s.document = doc_.revision();
        s.pose = preview_.poseRevision();
    }
    s.changed.clear();
    s.changed.reserve(positions.size() / 4);
    return !s.grid.empty();
}

void BrushPoints::sweep(const BrushDab& dab, const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions) {
    const Eigen::Vector3f center = dab.center.cast<float>();
    const float radius = static_cast<float>(dab.radius), squaredRadius = radius * radius;
    bits_.resize(positions.size());
    inPieces(positions.size(), kSweepPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v)
            if ((positions[v] - center).squaredNorm() <= squaredRadius && weld.firstVertex(weld.pointOfVertex[v]) == v)
                bits_.add(static_cast<std::uint32_t>(v));
    });
    found_.clear();
    bits_.take(0, static_cast<std::uint32_t>(positions.size()), found_);
}

void BrushPoints::finish(const BrushDab& dab, Surface& surface, std::span<const Eigen::Vector3f> positions,
                         std::span<const Eigen::Vector3f> normals) {
    const mesh::Weld& weld = doc_.mesh(doc_.instance(surface.instance).mesh).weld();
    const Eigen::Vector3f center = dab.center.cast<float>(), view = dab.viewDirection.cast<float>();
    points_.resize(found_.size());
    inPieces(found_.size(), kFinishPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const std::uint32_t v = found_[k], point = weld.pointOfVertex[v];
            points_[k] = {point, falloffAt(dab, view, (positions[v] - center).squaredNorm(),
                                           [&] { return surface.normals.of(positions, normals, point); })};
        }
    });
    std::erase_if(points_, [](const BrushPoint& p) { return !(p.falloff > 0); });
}

std::span<const BrushPoint> BrushPoints::under(InstanceId instance, const BrushDab& dab) {
    const MeshData& mesh = doc_.mesh(doc_.instance(instance).mesh);
    const auto normals = dab.frontFacesOnly ? evaluator_.normals(instance) : std::span<const Eigen::Vector3f>();
    const auto positions = evaluator_.positions(instance);
    points_.clear();
    if (!(dab.radius > 0))
        return points_;
    Surface& s = surfaceOf(instance);
    s.normals.prepare(mesh);
    if (ready(s, positions))
        s.grid.within(positions, dab.center.cast<float>(), static_cast<float>(dab.radius), found_);
    else
        sweep(dab, mesh.weld(), positions);
    finish(dab, s, positions, normals);
    return points_;
}

} // namespace limber::document
