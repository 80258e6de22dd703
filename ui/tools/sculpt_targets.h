// Which shape a sculpt stroke goes into, on each mesh that comes under the brush.
#pragma once

#include "core/document/sculpt_stroke.h"
#include "ui/tools/tool.h"

#include <optional>
#include <vector>

namespace limber::ui {

// A mesh's active corrective is taken first, then the one that already belongs to the present pose, else one is
// started, driven by the bent joints that move the touched vertices. Where none does, only the mesh under the pointer
// gets one, which no pose drives. Meshes without skin follow their joint: they are left out, unless the pointer is on
// one and nothing else is there to sculpt.
class SculptTargets {
public:
    explicit SculptTargets(ToolContext context) : context_(context) {}

    void begin(); // of a stroke
    // The targets on meshes that the stroke had not reached before, new correctives among them as provisional edits.
    // `pointed` is the instance under the pointer.
    [[nodiscard]] std::vector<document::SculptTarget> reach(const document::BrushDab& dab, InstanceId pointed);

    [[nodiscard]] const std::vector<document::SculptTarget>& all() const { return all_; } // of the stroke
    [[nodiscard]] bool refused() const { return refused_; } // the mesh under the pointer cannot be sculpted now
    [[nodiscard]] bool told() const { return told_; }       // why something was not done as one might expect

private:
    struct Touched {
        InstanceId instance;
        MeshId mesh;
        std::vector<std::uint32_t> vertices;
        std::vector<JointId> joints; // out of their bind pose, moving the vertices
    };
    [[nodiscard]] std::optional<Touched> touched(InstanceId instance, const document::BrushDab& dab) const;
    [[nodiscard]] std::optional<ShapeId> ready(const Touched& t, bool pointed);
    [[nodiscard]] std::optional<ShapeId> presentCorrective(const Touched& t);
    [[nodiscard]] std::optional<ShapeId> startDriven(const Touched& t, bool pointed);
    [[nodiscard]] std::optional<ShapeId> startUndriven(const Touched& t);
    void refuse(MeshId mesh, bool pointed, const QString& reason);
    void activate(MeshId mesh, ShapeId shape);
    void tell(const QString& text);
    [[nodiscard]] bool anyDriven() const;

    ToolContext context_;
    std::vector<MeshId> decided_; // targets or left out for the stroke
    std::vector<document::SculptTarget> all_;
    bool refused_ = false, told_ = false;
};

} // namespace limber::ui
