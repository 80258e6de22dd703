// One stroke of the brush on a painted map (how much of the method, of the last step), from press to release, as
// changes of a preview. Points that several vertices share (seams) are painted as one.
#pragma once

#include "core/document/brush.h"
#include "core/document/paint_stroke.h"
#include "core/document/preview.h"

namespace limber::document {

class Evaluator;

struct MapSettings {
    skin::PaintedMap map = skin::PaintedMap::MethodShare;
    PaintSettings::Mode mode = PaintSettings::Mode::Add;
    double value = 1; // replace: the value to reach, 0 .. 1
};

// Counted in points.
struct MapOutcome {
    std::size_t reached = 0; // by the dab that reached most
    std::size_t changed = 0; // some value is another one now
};

class MapStroke {
public:
    // Keeps references for the stroke. Rigid and `leftOut` instances are not painted.
    MapStroke(const Document& doc, Evaluator& evaluator, Preview& preview, MapSettings settings,
              std::vector<InstanceId> leftOut = {});
    ~MapStroke();

    // As PaintStroke::dab: add, subtract and replace take the largest coverage from the stroke's start, smooth goes on.
    // The change set is valid until the next dab. No allocation once the lists have grown to the size of the dabs.
    const ChangeSet& dab(const BrushDab& dab);

    [[nodiscard]] const MapOutcome& outcome() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Whether the map changes anything of what the mesh is shown as: a method beside linear blend, delta mush that is on.
[[nodiscard]] bool hasEffect(skin::PaintedMap map, const skin::Skinning& skinning);

} // namespace limber::document
