// Sculpts correctives on the posed surface: grab, smooth, inflate.
#pragma once

#include "core/document/sculpt_stroke.h"
#include "core/stroke/stroke.h"
#include "ui/editor/editor.h"
#include "ui/tools/brush_cursor.h"
#include "ui/tools/sculpt_targets.h"
#include "ui/tools/tool.h"

#include <memory>
#include <optional>
#include <vector>

namespace limber::ui {

// A stroke goes into the shapes that SculptTargets finds or starts. Shift smooths for the stroke, Ctrl turns inflate
// around. One stroke is one edit, the new corrective included.
class SculptTool final : public Tool {
public:
    explicit SculptTool(ToolContext context);
    ~SculptTool() override;

    [[nodiscard]] QString hint() const override;
    void hover(const PointerSample& sample) override;
    bool press(const PointerSample& sample) override;
    void click(const PointerSample& sample) override;
    void drag(const PointerSample& sample) override;
    void release(const PointerSample& sample) override;
    void cancel() override;
    void leave() override { pointer_.leave(); }
    [[nodiscard]] bool busy() const override { return stroking_; }
    void draw(Overlay& overlay) const override;

private:
    using Mode = document::SculptSettings::Mode;
    void reach(const document::BrushDab& dab, InstanceId pointed);
    void touch(const document::BrushDab& dab);
    void grabTo(const PointerSample& sample);
    void brushTo(const PointerSample& sample);
    void giveUp(); // a stroke that changed nothing: says why where that is not plain
    void finish();
    [[nodiscard]] QString strokeLabel() const;

    ToolContext context_;
    BrushPointer pointer_;

    // Of a stroke.
    bool stroking_ = false, moved_ = false;
    bool inverted_ = false; // inflate draws in
    Mode mode_ = Mode::Grab;
    SculptTargets targets_;
    std::vector<std::unique_ptr<document::SculptStroke>> strokes_; // one for each time meshes were reached
    std::optional<stroke::DabSpacer> spacer_;
    document::BrushDab pressDab_;
    Eigen::Vector3d pressPoint_ = Eigen::Vector3d::Zero(); // of the pointer, in the plane that grab moves in
    std::vector<Editor::ActiveShape> shapesBefore_;
};

} // namespace limber::ui
