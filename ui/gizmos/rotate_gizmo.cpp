// Three rings about the frame's axes and one about the line of sight.
#include "ui/gizmos/gizmo_draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber::ui {

namespace {

constexpr int kSegments = 96;
constexpr double kEdgeOn = 0.17;       // sine of the angle of sight below which a ring is dragged along its tangent
constexpr double kBackHalfPenalty = 3; // pixels: the half facing the eye wins
constexpr std::array kRings = {GizmoHandle::AxisX, GizmoHandle::AxisY, GizmoHandle::AxisZ, GizmoHandle::View};

bool facesEye(const Camera& camera, const GizmoPlace& place, const Vector3d& point) {
    return (point - place.origin).dot(viewDirection(camera, place.origin)) <= 1e-9;
}

struct RingSample {
    QPointF pixel;
    bool front = true;
};

// kSegments + 1 samples, the last on the first; empty where some lie behind the eye.
std::vector<RingSample> sampleRing(const Camera& camera, const GizmoPlace& place, GizmoHandle ring) {
    std::vector<RingSample> samples;
    samples.reserve(kSegments + 1);
    for (int i = 0; i <= kSegments; ++i) {
        const Vector3d world = ringPoint(camera, place, ring, 2 * std::numbers::pi * i / kSegments);
        const auto pixel = projected(camera, world);
        if (!pixel)
            return {};
        samples.push_back({*pixel, ring == GizmoHandle::View || facesEye(camera, place, world)});
    }
    return samples;
}

class RotateGizmo final : public Gizmo {
public:
    GizmoHandle hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const override;
    bool inViewFrame(GizmoHandle handle) const override { return handle == GizmoHandle::View; }
    void draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap& snap,
              Overlay& overlay) const override;

protected:
    void start(const Camera& camera, const PointerSample& sample) override;
    void measure(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) override;
    void setTyped(double valueDeg) override {
        amount_.angleRad = valueDeg * std::numbers::pi / 180;
        total_ = amount_.angleRad;
    }

private:
    [[nodiscard]] int axis() const { return handle_ == GizmoHandle::View ? 2 : axisOf(handle_); }
    [[nodiscard]] Vector3d normal() const { return frame().col(axis()); }
    [[nodiscard]] Vector3d zero() const { return frame().col((axis() + 1) % 3); }
    [[nodiscard]] double nearestRingAngle(const Camera& camera, const Eigen::Vector2d& pixel) const;
    void drawRing(const Camera& camera, const GizmoPlace& place, GizmoHandle ring, GizmoHandle hovered, bool front,
                  Overlay& overlay) const;
    void drawSector(const Camera& camera, const GizmoPlace& place, Overlay& overlay) const;
    void drawTicks(const Camera& camera, const GizmoPlace& place, double stepRad, Overlay& overlay) const;

    double pressAngle_ = 0;     // on the ring, where it was grabbed
    double total_ = 0;          // unsnapped, turns counted
    bool alongTangent_ = false; // the ring was seen edge on at the press
    Eigen::Vector2d pixelsPerRad_ = Eigen::Vector2d::Zero();
};

GizmoHandle RotateGizmo::hit(const Camera& camera, const GizmoPlace& place, const Eigen::Vector2d& pixel) const {
    GizmoHandle best = GizmoHandle::None;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (const GizmoHandle ring : kRings) {
        const std::vector<RingSample> samples = sampleRing(camera, place, ring);
        for (std::size_t i = 1; i < samples.size(); ++i) {
            const double distance = segmentDistance(pixel, samples[i - 1].pixel, samples[i].pixel);
            const double rank = distance + (samples[i].front ? 0 : kBackHalfPenalty);
            if (distance <= kGizmoTolerancePx && rank < bestDistance) {
                best = ring;
                bestDistance = rank;
            }
        }
    }
    return best;
}

double RotateGizmo::nearestRingAngle(const Camera& camera, const Eigen::Vector2d& pixel) const {
    const std::vector<RingSample> samples = sampleRing(camera, place_, handle_);
    double best = 0, bestDistance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double distance = std::hypot(pixel.x() - samples[i].pixel.x(), pixel.y() - samples[i].pixel.y()) +
                                (samples[i].front ? 0 : kBackHalfPenalty);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = 2 * std::numbers::pi * double(i) / kSegments;
        }
    }
    return best;
}

void RotateGizmo::start(const Camera& camera, const PointerSample& sample) {
    amount_.kind = GizmoAmount::Kind::Rotate;
    amount_.axis = Vector3d::Unit(axis());
    total_ = 0;
    const auto point = onPlane(sample.ray, place_.origin, normal());
    alongTangent_ = !point || std::abs(normal().dot(viewDirection(camera, place_.origin))) < kEdgeOn;
    if (!alongTangent_) {
        pressAngle_ = angleAbout(*point, place_.origin, normal(), zero());
        return;
    }
    pressAngle_ = nearestRingAngle(camera, sample.pixel);
    constexpr double kStep = 1e-3;
    const Vector3d ahead = camera.project(ringPoint(camera, place_, handle_, pressAngle_ + kStep));
    const Vector3d behind = camera.project(ringPoint(camera, place_, handle_, pressAngle_ - kStep));
    pixelsPerRad_ = (ahead - behind).head<2>() / (2 * kStep);
    // Near the ends of the line that the ring looks like, its foreshortened tangent would turn it wildly.
    const double length = pixelsPerRad_.norm();
    if (length >= kGizmoRadiusPx)
        return;
    if (length >= 1) {
        pixelsPerRad_ *= kGizmoRadiusPx / length;
        return;
    }
    // Grabbed where the tangent points along the line of sight: the near side's direction stands in.
    const Vector3d near = normal().cross(-viewDirection(camera, place_.origin)).normalized();
    const double step = 1e-3 * gizmoRadius(camera, place_.origin);
    const Vector3d moved = camera.project(place_.origin + step * near) - camera.project(place_.origin);
    pixelsPerRad_ = kGizmoRadiusPx * moved.head<2>().normalized();
}

void RotateGizmo::measure(const Camera&, const PointerSample& sample, const GizmoSnap& snap) {
    if (alongTangent_) {
        total_ = (sample.pixel - press_.pixel).dot(pixelsPerRad_) / pixelsPerRad_.squaredNorm();
    } else {
        const auto point = onPlane(sample.ray, place_.origin, normal());
        if (!point || (*point - place_.origin).isZero(0))
            return;
        total_ = unwrapped(angleAbout(*point, place_.origin, normal(), zero()) - pressAngle_, total_);
    }
    amount_.angleRad = snapped(total_, snap.angleRad);
}

void RotateGizmo::drawRing(const Camera& camera, const GizmoPlace& place, GizmoHandle ring, GizmoHandle hovered,
                           bool front, Overlay& overlay) const {
    const std::vector<RingSample> samples = sampleRing(camera, place, ring);
    const bool strong = ring == (handle_ != GizmoHandle::None ? handle_ : hovered);
    QColor color = shownColor(ring, hovered, handle_);
    if (!front)
        color.setAlpha(strong ? 130 : color.alpha() * 2 / 7);
    const double width = strong ? kHoveredLinePx : ring == GizmoHandle::View ? kLinePx - 1 : kLinePx;
    QPolygonF run;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const bool inRun = samples[i].front == front;
        if (inRun || !run.isEmpty())
            run << samples[i].pixel;
        if ((!inRun || i + 1 == samples.size()) && run.size() > 1) {
            if (front)
                addRimmed(overlay, run, color, width);
            else
                overlay.paths.push_back({run, color, QColor(), std::min(width, kLinePx) - 1, false});
        }
        if (!inRun)
            run.clear();
    }
}

void RotateGizmo::drawSector(const Camera& camera, const GizmoPlace& place, Overlay& overlay) const {
    const auto center = projected(camera, place.origin);
    if (!center)
        return;
    const double sweep = std::clamp(amount_.angleRad, -2 * std::numbers::pi, 2 * std::numbers::pi);
    const int steps = 2 + int(std::abs(sweep) * kSegments / (2 * std::numbers::pi));
    QPolygonF sector;
    sector << *center;
    for (int i = 0; i <= steps; ++i)
        if (const auto p = projected(camera, ringPoint(camera, place, handle_, pressAngle_ + sweep * i / steps)))
            sector << *p;
    QColor fill = handleColor(handle_);
    fill.setAlpha(70);
    QColor edge = handleColor(handle_);
    edge.setAlpha(200);
    overlay.paths.push_back({sector, QColor(), fill, 0, true});
    if (sector.size() > 2) {
        addLine(overlay, *center, sector[1], edge, 1.5);
        addLine(overlay, *center, sector.back(), edge, 1.5);
    }
}

void RotateGizmo::drawTicks(const Camera& camera, const GizmoPlace& place, double stepRad, Overlay& overlay) const {
    const int count = int(std::round(2 * std::numbers::pi / stepRad));
    if (count < 2 || count > 180)
        return;
    QColor color = handleColor(handle_);
    for (int i = 0; i < count; ++i) {
        const Vector3d rim = ringPoint(camera, place, handle_, pressAngle_ + i * stepRad);
        const auto a = projected(camera, rim);
        const auto b = projected(camera, place.origin + 0.93 * (rim - place.origin));
        if (a && b)
            addLine(overlay, *a, *b, color, 1);
    }
}

void RotateGizmo::draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap& snap,
                       Overlay& overlay) const {
    // A drag keeps the axes of its press: the swept sector lies in a ring that stands still.
    const GizmoPlace shown = handle_ != GizmoHandle::None ? GizmoPlace{place.origin, place_.axes, place_.view} : place;
    for (const GizmoHandle ring : kRings)
        if (ring != GizmoHandle::View)
            drawRing(camera, shown, ring, hovered, false, overlay);
    if (handle_ != GizmoHandle::None) {
        drawSector(camera, shown, overlay);
        if (snap.angleRad > 0)
            drawTicks(camera, shown, snap.angleRad, overlay);
    }
    for (const GizmoHandle ring : kRings)
        drawRing(camera, shown, ring, hovered, true, overlay);
}

} // namespace

std::unique_ptr<Gizmo> makeRotateGizmo() {
    return std::make_unique<RotateGizmo>();
}

} // namespace limber::ui
