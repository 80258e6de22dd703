// Sculpts correctives on the posed surface: grab, smooth, inflate.
#pragma once

#include "core/document/sculpt_stroke.h"
#include "core/stroke/stroke.h"
#include "ui/editor/editor.h"
#include "ui/tools/brush_cursor.h"
#include "ui/tools/tool.h"

#include <memory>
#include <optional>
#include <vector>

namespace limber::ui {

// A stroke goes into the mesh's active corrective; where there is none it starts one, driven by the bent joints that
// move the touched vertices. Shift smooths for the stroke, Ctrl turns inflate around. One stroke is one edit, the new
// corrective included.
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
    void forget() override { finish(); }
    void leave() override { pointer_.leave(); }
    [[nodiscard]] bool busy() const override { return stroking_; }
    void draw(Overlay& overlay) const override;

private:
    using Mode = document::SculptSettings::Mode;
    void reach(const document::BrushDab& dab);
    [[nodiscard]] std::optional<ShapeId> targetFor(InstanceId instance, const document::BrushDab& dab);
    [[nodiscard]] std::optional<ShapeId> startCorrective(InstanceId instance, const document::BrushDab& dab);
    void activate(MeshId mesh, ShapeId shape);
    void touch(const document::BrushDab& dab);
    void grabTo(const PointerSample& sample);
    void brushTo(const PointerSample& sample);
    void finish();
    [[nodiscard]] QString strokeLabel() const;

    ToolContext context_;
    BrushPointer pointer_;

    // Of a stroke.
    bool stroking_ = false, moved_ = false;
    bool inverted_ = false; // inflate draws in
    Mode mode_ = Mode::Grab;
    std::vector<MeshId> seen_;                                     // meshes that came under the brush
    std::vector<document::SculptTarget> targets_;                  // those of them that can be sculpted
    std::vector<std::unique_ptr<document::SculptStroke>> strokes_; // one for each time meshes were reached
    std::optional<stroke::DabSpacer> spacer_;
    document::BrushDab pressDab_;
    Eigen::Vector3d pressPoint_ = Eigen::Vector3d::Zero(); // of the pointer, in the plane that grab moves in
    std::vector<Editor::ActiveShape> shapesBefore_;
};

} // namespace limber::ui
