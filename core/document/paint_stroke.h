// One stroke of the weight brush, from press to release, as changes of a preview.
// Points that several vertices share (seams) are painted as one. Works on all skinned instances under the brush.
#pragma once

#include "core/document/brush.h"
#include "core/document/preview.h"

namespace limber::document {

class Evaluator;

struct PaintSettings {
    enum class Mode { Add, Subtract, Replace, Smooth };
    Mode mode = Mode::Add;
    JointId joint;                 // whose weight is painted; smooth works on all unlocked joints
    double value = 1;              // replace: the weight to reach, 0 .. 1
    std::size_t maxInfluences = 0; // 0: any number; never below what a row already has
};

// What could not be done, for the status bar; counted in points.
struct PaintOutcome {
    std::size_t reached = 0; // by the dab that reached most
    std::size_t touched = 0, rejected = 0, clamped = 0, overlocked = 0;
    std::size_t changed = 0; // some weight is another one now
    std::size_t full = 0;    // stayed as they were: locked joints leave the painted one no room
};

class PaintStroke {
public:
    // Keeps references for the stroke. `hidden` instances are left out.
    PaintStroke(const Document& doc, Evaluator& evaluator, Preview& preview, PaintSettings settings,
                std::vector<InstanceId> hidden = {});
    ~PaintStroke();

    // Add, subtract and replace do not accumulate within a stroke (the largest coverage counts, from the
    // stroke's start); smooth does. The posed surface of the present moment is what distances are measured on.
    // The caller passes the change set, which is valid until the next dab, on to the evaluator and the views. Threads
    // by oneTBB; no allocation once the lists have grown to the size of the dabs.
    const ChangeSet& dab(const BrushDab& dab);

    [[nodiscard]] const PaintOutcome& outcome() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
