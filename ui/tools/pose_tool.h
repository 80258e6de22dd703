// Selects joints and drags them by a gizmo: one class for select, move, rotate and scale, which differ by the gizmo
// alone.
#pragma once

#include "ui/gizmos/gizmo.h"
#include "ui/tools/pose_drag.h"
#include "ui/tools/tool.h"

#include <memory>
#include <optional>

namespace limber::ui {

// Click selects (Shift adds or takes away, Ctrl picks by the mesh: the joint of greatest influence; on nothing clears).
// A drag on a handle previews and commits one edit. While dragging: digits type the amount, X, Y, Z pick an axis,
// Enter accepts before the button is up, Ctrl turns snapping the other way.
class PoseTool final : public Tool {
public:
    enum class Kind { Select, Move, Rotate, Scale };
    PoseTool(ToolContext context, Kind kind);

    [[nodiscard]] QString hint() const override;
    void hover(const PointerSample& sample) override;
    bool press(const PointerSample& sample) override;
    void click(const PointerSample& sample) override;
    void drag(const PointerSample& sample) override;
    void release(const PointerSample& sample) override;
    void cancel() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return drag_.has_value(); }
    bool key(int qtKey, const QString& text) override;
    void draw(Overlay& overlay) const override;

private:
    [[nodiscard]] std::optional<GizmoPlace> place() const; // of the active joint, as it is seen now
    [[nodiscard]] GizmoAmount::Kind amountKind() const;
    [[nodiscard]] GizmoSnap snap() const;
    [[nodiscard]] int decimals() const;
    void update();
    void apply();
    void accept(); // what is previewed becomes an undo step
    bool typeCharacter(QChar c);
    void constrainTo(int axis);

    ToolContext context_;
    Kind kind_;
    std::unique_ptr<Gizmo> gizmo_; // none for select
    GizmoHandle hovered_ = GizmoHandle::None;

    // Of a drag.
    std::optional<PoseDrag> drag_;
    GizmoPlace pressPlace_;
    PointerSample press_, last_;
    QString typed_;
};

// The joint a click at `sample` means: by the drawn skeleton, or with `byMesh` the strongest influence of the surface.
[[nodiscard]] JointId jointAt(const ToolContext& context, const PointerSample& sample, bool byMesh);

// A click's effect on the selection; `add` toggles, a click on nothing clears unless it adds.
void selectByClick(Editor& editor, JointId joint, bool add);

} // namespace limber::ui
