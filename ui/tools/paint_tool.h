// Paints the weight of the active joint, or a painted map, on the posed surface.
#pragma once

#include "core/document/map_stroke.h"
#include "core/document/paint_stroke.h"
#include "core/stroke/stroke.h"
#include "ui/tools/brush_cursor.h"
#include "ui/tools/tool.h"

#include <memory>
#include <optional>

namespace limber::ui {

// Shift smooths and Ctrl turns add into subtract (and back) for the stroke. Ctrl+Shift+click on the mesh picks the
// joint of greatest influence. One stroke is one edit.
class PaintTool final : public Tool {
public:
    explicit PaintTool(ToolContext context);
    ~PaintTool() override;

    [[nodiscard]] QString hint() const override;
    void hover(const PointerSample& sample) override;
    bool press(const PointerSample& sample) override;
    void click(const PointerSample& sample) override;
    void drag(const PointerSample& sample) override;
    void release(const PointerSample& sample) override;
    void cancel() override;
    void leave() override { pointer_.leave(); }
    [[nodiscard]] bool busy() const override { return stroke_ || mapStroke_; }
    void draw(Overlay& overlay) const override;

private:
    using Mode = document::PaintSettings::Mode;
    [[nodiscard]] Mode modeOf(Qt::KeyboardModifiers modifiers) const;
    [[nodiscard]] QString strokeLabel() const;
    bool pressWeights(const PointerSample& sample);
    bool pressMap(const PointerSample& sample, skin::PaintedMap map);
    void releaseWeights();
    void releaseMap();
    void end();
    void sayRigid();
    void paintTo(const PointerSample& sample);
    void sayOutcome(const document::PaintOutcome& outcome) const;

    ToolContext context_;
    BrushPointer pointer_;

    // Of a stroke.
    std::unique_ptr<document::PaintStroke> stroke_;
    std::unique_ptr<document::MapStroke> mapStroke_;
    skin::PaintedMap map_ = skin::PaintedMap::MethodShare; // of mapStroke_
    std::optional<stroke::DabSpacer> spacer_;
    Mode mode_ = Mode::Add;
    JointId joint_;
    bool onRigid_ = false; // it was pressed on a mesh without skin
};

} // namespace limber::ui
