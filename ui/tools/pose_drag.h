// What a gizmo's amount does to the selected joints, from the press to the release.
#pragma once

#include "core/base/result.h"
#include "core/document/selection.h"
#include "ui/gizmos/gizmo.h"

#include <QString>

#include <vector>

namespace limber::ui {

class Editor;

// Selected joints that have no selected ancestor, parents before children: those a drag applies to.
[[nodiscard]] std::vector<JointId> draggedJoints(const document::Document& doc, const document::Selection& selection);

class PoseDrag {
public:
    // Snapshots the joints. Each turns and scales about its own origin, in its own frame of the chosen space.
    // Refused where a joint's parent is scaled to nothing.
    [[nodiscard]] static Result<PoseDrag> begin(Editor& editor, GizmoAmount::Kind kind);

    // Previews the amount. `viewFrame`: the frame of the view's ring or centre instead of the joints' own; may be null.
    void apply(Editor& editor, const GizmoAmount& amount, const Matrix3d* viewFrame) const;

    // The name of the undo step: "Rotate lowerarm_l −38.5° about X".
    [[nodiscard]] QString label(const Editor& editor, const GizmoAmount& amount, GizmoHandle handle,
                                int lengthDecimals) const;
    [[nodiscard]] std::size_t jointCount() const { return joints_.size(); }
    [[nodiscard]] GizmoSettings::Space space() const { return space_; }

private:
    std::vector<JointId> joints_;
    std::vector<JointSnapshot, Eigen::aligned_allocator<JointSnapshot>> snapshots_;
    GizmoSettings::Space space_ = GizmoSettings::Space::Local;
    bool keepTrs_ = true;
};

// The space a gizmo works in: scaling that keeps TRS has only the joint's own axes.
[[nodiscard]] GizmoSettings::Space effectiveSpace(const GizmoSettings& settings, GizmoAmount::Kind kind);

// Beside the cursor: "Z local +38.5°".
[[nodiscard]] QString amountText(const GizmoAmount& amount, GizmoHandle handle, GizmoSettings::Space space,
                                 int lengthDecimals);

} // namespace limber::ui
