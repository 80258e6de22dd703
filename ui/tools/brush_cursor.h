// Where a brush touches the posed surface, and the rings that show it.
#pragma once

#include "core/document/brush.h"
#include "ui/tools/tool.h"
#include "ui/viewport/picking.h"

#include <QColor>

#include <optional>

namespace limber::ui {

struct BrushSpot {
    SurfaceHit surface;
    Eigen::Vector3d position = Eigen::Vector3d::Zero(); // world
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  // world, unit, smooth, towards the eye
    double radius = 0;                                  // of the brush there, world units
};

// Nothing where the ray meets no visible surface.
[[nodiscard]] std::optional<BrushSpot> brushSpot(const ToolContext& context, const mesh::Ray& ray);

// One touch there with the editor's brush settings.
[[nodiscard]] document::BrushDab dabAt(const ToolContext& context, const BrushSpot& spot, double pressure);

// The share of the radius at which the falloff has come down to a half.
[[nodiscard]] double halfStrengthShare(stroke::Falloff falloff);

// The rim and the falloff's ring on the surface; off the surface a faint flat circle at the pointer.
void drawBrush(const ToolContext& context, const std::optional<BrushSpot>& spot, const Eigen::Vector2d& pixel,
               const QColor& color, bool pressed, Overlay& overlay);

// The instances that are not shown, as strokes take them.
[[nodiscard]] std::vector<InstanceId> hiddenInstances(const Editor& editor);

} // namespace limber::ui
