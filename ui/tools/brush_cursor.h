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

// The pointer of a brush: where it is and what it would touch there. Off the surface its ring is a flat circle.
class BrushPointer {
public:
    explicit BrushPointer(ToolContext context) : context_(context) {}

    void moveTo(const PointerSample& sample);
    // The same for a pointer that only passes: while the editor is warming, it waits for nothing and has no spot.
    void hoverTo(const PointerSample& sample);
    void leave() { sample_.reset(); }
    // The spot goes along with what is held, wherever the pointer's ray would meet the surface.
    void carryTo(const PointerSample& sample, const Eigen::Vector3d& position);

    [[nodiscard]] const std::optional<BrushSpot>& spot() const { return spot_; } // as of the last move
    [[nodiscard]] Qt::KeyboardModifiers modifiers() const { return sample_ ? sample_->modifiers : Qt::NoModifier; }

    // Rim and falloff ring on the surface, nothing while the pointer is outside the view. Looks anew at the surface
    // where the camera, the document or the radius has changed under a pointer at rest.
    void draw(const QColor& color, bool pressed, Overlay& overlay) const;

private:
    struct Seen { // what the spot was found with
        Eigen::Matrix4d view = Eigen::Matrix4d::Zero();
        std::uint64_t revision = 0;
        bool warming = false;
        double radiusPx = 0, worldPerPixel = 0;
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    [[nodiscard]] Seen seenNow() const;

    ToolContext context_;
    std::optional<PointerSample> sample_;
    std::optional<BrushSpot> spot_;
    Seen seen_;
};

// For a stroke that met no vertex.
void sayNothingUnder(Editor& editor);

// The instances that are not shown, as strokes take them.
[[nodiscard]] std::vector<InstanceId> hiddenInstances(const Editor& editor);

} // namespace limber::ui
