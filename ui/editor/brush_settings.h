// What the tool options bar sets: brushes and gizmos.
#pragma once

#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"

#include <optional>

namespace limber::ui {

struct BrushSettings {
    double radiusPx = 40;  // of the ring at the surface under the pointer
    double strength = 0.5; // 0 .. 1
    stroke::Falloff falloff = stroke::Falloff::Smooth;
    document::PaintSettings::Mode paintMode = document::PaintSettings::Mode::Add;    // of weights
    document::PaintSettings::Mode mapMode = document::PaintSettings::Mode::Subtract; // of maps: they begin full
    double paintValue = 1;                                                           // of replace
    std::optional<skin::PaintedMap> paintTarget;                                     // a painted map instead of weights
    document::SculptSettings::Mode sculptMode = document::SculptSettings::Mode::Grab;

    // Of what is painted at present; each target keeps its own.
    [[nodiscard]] document::PaintSettings::Mode mode() const { return paintTarget ? mapMode : paintMode; }
    void setMode(document::PaintSettings::Mode mode) { (paintTarget ? mapMode : paintMode) = mode; }
    friend bool operator==(const BrushSettings&, const BrushSettings&) = default;
};

struct GizmoSettings {
    enum class Space { World, Parent, Local };
    Space space = Space::Local;
    bool snap = false;
    double snapAngleDeg = 15, snapScale = 0.1, snapLength = 0; // length 0: a tenth of the grid's cell
    bool keepTrs = true;
    friend bool operator==(const GizmoSettings&, const GizmoSettings&) = default;
};

} // namespace limber::ui
