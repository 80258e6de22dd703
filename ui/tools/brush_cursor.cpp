#include "ui/tools/brush_cursor.h"

#include "core/mesh/normals.h"
#include "core/stroke/falloff.h"
#include "ui/editor/editor.h"
#include "ui/gizmos/gizmo_draw.h"

#include <cmath>
#include <numbers>

namespace limber::ui {

namespace {

constexpr int kSides = 72;
constexpr float kFits = 0.5f;  // cosine between a smooth normal and its triangle's
constexpr double kLift = 0.01; // of the radius: the ring stands clear of the surface

// Between the three corners: the normals of the mesh, or where they stray from the triangle those of the faces around.
Eigen::Vector3d smoothNormal(Editor& editor, const SurfaceHit& surface) {
    const auto normals = editor.evaluator().normals(surface.instance);
    const auto positions = editor.evaluator().positions(surface.instance);
    const document::MeshData& mesh = editor.document().mesh(editor.document().instance(surface.instance).mesh);
    const std::uint32_t* corners = &mesh.geometry.triangles[3 * surface.hit.triangle];
    const auto between = [&](auto normalAt) {
        Eigen::Vector3f n = Eigen::Vector3f::Zero();
        for (std::size_t k = 0; k < 3; ++k)
            n += surface.hit.barycentric[Eigen::Index(k)] * normalAt(corners[k]);
        return Eigen::Vector3f(n.normalized());
    };
    const auto fits = [&](const Eigen::Vector3f& n) { return std::abs(n.dot(surface.hit.normal)) > kFits; };
    if (const Eigen::Vector3f told = between([&](std::uint32_t v) { return normals[v]; }); fits(told))
        return told.cast<double>();
    const Eigen::Vector3f faces = between([&](std::uint32_t v) {
        return mesh::pointNormal(mesh.weld(), mesh.geometry.triangles, positions, mesh.weld().pointOfVertex[v]);
    });
    return (fits(faces) ? faces : surface.hit.normal).cast<double>();
}

void addRing(const Camera& camera, const BrushSpot& spot, double radius, const QColor& color, double width,
             Overlay& overlay) {
    const Eigen::Vector3d u = spot.normal.unitOrthogonal(), v = spot.normal.cross(u);
    const Eigen::Vector3d center = spot.position + kLift * spot.radius * spot.normal;
    QPolygonF ring;
    for (int i = 0; i < kSides; ++i) {
        const double a = 2 * std::numbers::pi * i / kSides;
        if (const auto p = projected(camera, center + radius * (std::cos(a) * u + std::sin(a) * v)))
            ring << *p;
    }
    // A dark line below keeps the ring readable on a light mesh and on the heat map.
    overlay.paths.push_back({ring, QColor(0, 0, 0, 110), QColor(), width + 2, true});
    overlay.paths.push_back({ring, color, QColor(), width, true});
}

} // namespace

std::optional<BrushSpot> brushSpot(const ToolContext& context, const mesh::Ray& ray) {
    const std::optional<SurfaceHit> hit = pickSurface(context.editor, ray);
    if (!hit)
        return std::nullopt;
    BrushSpot spot;
    spot.surface = *hit;
    spot.position = hit->hit.position.cast<double>();
    spot.normal = smoothNormal(context.editor, *hit);
    if (spot.normal.dot(ray.direction) > 0)
        spot.normal = -spot.normal;
    spot.radius = context.editor.brush().radiusPx * context.camera.worldPerPixel(spot.position);
    return spot;
}

document::BrushDab dabAt(const ToolContext& context, const BrushSpot& spot, double pressure) {
    document::BrushDab dab;
    dab.center = spot.position;
    dab.viewDirection = viewDirection(context.camera, spot.position);
    dab.radius = spot.radius;
    dab.strength = context.editor.brush().strength * pressure;
    dab.falloff = context.editor.brush().falloff;
    dab.seesBack = spot.surface.hit.normal.cast<double>().dot(dab.viewDirection) > 0;
    return dab;
}

double halfStrengthShare(stroke::Falloff falloff) {
    double low = 0, high = 1; // falloffs only come down
    for (int i = 0; i < 20; ++i) {
        const double middle = (low + high) / 2;
        (stroke::falloff(falloff, middle) > 0.5 ? low : high) = middle;
    }
    return low;
}

BrushPointer::Seen BrushPointer::seenNow() const {
    const Camera& camera = context_.camera;
    return {camera.viewFromWorld(), context_.editor.document().revision(), context_.editor.warming(),
            context_.editor.brush().radiusPx, camera.worldPerPixel(camera.target())};
}

void BrushPointer::moveTo(const PointerSample& sample) {
    sample_ = sample;
    spot_ = brushSpot(context_, sample.ray);
    seen_ = seenNow();
}

void BrushPointer::hoverTo(const PointerSample& sample) {
    if (!context_.editor.warming()) {
        moveTo(sample);
        return;
    }
    sample_ = sample;
    spot_.reset();
    seen_ = seenNow();
}

void BrushPointer::carryTo(const PointerSample& sample, const Eigen::Vector3d& position) {
    sample_ = sample;
    if (spot_)
        spot_->position = position;
}

void BrushPointer::draw(const QColor& color, bool pressed, Overlay& overlay) const {
    if (!sample_)
        return;
    const std::optional<BrushSpot> spot =
        pressed || seen_ == seenNow() ? spot_ : brushSpot(context_, context_.camera.ray(sample_->pixel));
    if (!spot) {
        QColor faint = color;
        faint.setAlpha(90);
        addDisc(overlay, toPoint(sample_->pixel), context_.editor.brush().radiusPx, faint, QColor(), 1);
        return;
    }
    addRing(context_.camera, *spot, spot->radius, color, pressed ? 2.5 : 2, overlay);
    const double half = halfStrengthShare(context_.editor.brush().falloff);
    QColor inner = color;
    inner.setAlpha(150);
    if (half > 0.02 && half < 0.98)
        addRing(context_.camera, *spot, half * spot->radius, inner, 1, overlay);
    if (const auto center = projected(context_.camera, spot->position))
        addDisc(overlay, *center, 2, QColor(0, 0, 0, 110), color, 1);
}

void sayNothingUnder(Editor& editor) {
    editor.say(QStringLiteral("No vertices under the brush: make it larger ( ] ) or zoom out."));
}

std::vector<InstanceId> hiddenInstances(const Editor& editor) {
    return {editor.view().hidden.begin(), editor.view().hidden.end()};
}

} // namespace limber::ui
