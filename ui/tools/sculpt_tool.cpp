#include "ui/tools/sculpt_tool.h"

#include "ui/editor/editor.h"
#include "ui/gizmos/gizmo_draw.h"
#include "ui/tools/pose_tool.h"

namespace limber::ui {

namespace {

constexpr auto kPickModifiers = Qt::ControlModifier | Qt::ShiftModifier;

bool picks(const PointerSample& sample) {
    return (sample.modifiers & kPickModifiers) == kPickModifiers;
}

} // namespace

SculptTool::SculptTool(ToolContext context) : context_(context), pointer_(context), targets_(context) {}
SculptTool::~SculptTool() = default;

QString SculptTool::hint() const {
    if (busy())
        return QStringLiteral("Release to keep the stroke · Esc cancels");
    const QString inverse =
        context_.editor.brush().sculptMode == Mode::Inflate ? QStringLiteral("Ctrl deflates · ") : QString();
    return QStringLiteral("Drag on the mesh to sculpt a corrective of this pose · Shift smooths · %1Ctrl+Shift-click "
                          "picks a joint · [ and ] change the radius")
        .arg(inverse);
}

void SculptTool::hover(const PointerSample& sample) {
    pointer_.hoverTo(sample);
    context_.editor.setHoveredJoint(pointer_.spot() && !picks(sample) ? JointId{}
                                                                      : jointAt(context_, sample, picks(sample)));
}

bool SculptTool::press(const PointerSample& sample) {
    pointer_.moveTo(sample);
    if (!pointer_.spot() || picks(sample))
        return false;
    Editor& editor = context_.editor;
    mode_ = sample.modifiers & Qt::ShiftModifier ? Mode::Smooth : editor.brush().sculptMode;
    inverted_ = mode_ == Mode::Inflate && sample.modifiers & Qt::ControlModifier;
    editor.beginEdit();
    shapesBefore_ = editor.activeShapes();
    stroking_ = true;
    moved_ = false;
    pressDab_ = dabAt(context_, *pointer_.spot(), sample.pressure);
    pressPoint_ = onPlane(sample.ray, pressDab_.center, context_.camera.forward()).value_or(pressDab_.center);
    editor.setHoveredJoint({});
    targets_.begin();
    reach(pressDab_, pointer_.spot()->surface.instance);
    if (strokes_.empty() && (mode_ == Mode::Grab || targets_.refused())) {
        giveUp();
        return true;
    }
    if (mode_ == Mode::Grab) {
        touch(pressDab_); // holds the points
    } else {
        spacer_.emplace(stroke::dabSpacing(editor.brush().radiusPx));
        brushTo(sample);
    }
    return true;
}

void SculptTool::click(const PointerSample& sample) {
    const JointId joint = jointAt(context_, sample, picks(sample));
    if (joint.valid())
        selectByClick(context_.editor, joint, false);
}

// Readies the meshes under the dab that the stroke has not reached before.
void SculptTool::reach(const document::BrushDab& dab, InstanceId pointed) {
    std::vector<document::SculptTarget> reached = targets_.reach(dab, pointed);
    if (reached.empty())
        return;
    Editor& editor = context_.editor;
    strokes_.push_back(std::make_unique<document::SculptStroke>(editor.document(), editor.evaluator(), editor.preview(),
                                                                document::SculptSettings{mode_}, std::move(reached)));
}

void SculptTool::touch(const document::BrushDab& dab) {
    moved_ = moved_ || (mode_ == Mode::Grab && !dab.motion.isZero(0));
    for (const auto& stroke : strokes_) {
        const document::ChangeSet& changes = stroke->dab(dab);
        moved_ = moved_ || (mode_ != Mode::Grab && !changes.empty());
        context_.editor.previewChanged(changes);
    }
}

void SculptTool::grabTo(const PointerSample& sample) {
    // In the plane of the view through the point that was grabbed: it stays under the pointer.
    const auto point = onPlane(sample.ray, pressDab_.center, context_.camera.forward());
    if (!point)
        return;
    document::BrushDab dab = pressDab_;
    dab.motion = *point - pressPoint_;
    touch(dab);
    pointer_.carryTo(sample, pressDab_.center + dab.motion);
}

void SculptTool::brushTo(const PointerSample& sample) {
    for (const stroke::Dab& step : spacer_->moveTo(sample.pixel, sample.pressure)) {
        const std::optional<BrushSpot> spot = brushSpot(context_, context_.camera.ray(step.pixel));
        if (!spot)
            continue;
        document::BrushDab dab = dabAt(context_, *spot, step.pressure);
        if (inverted_)
            dab.strength = -dab.strength;
        reach(dab, spot->surface.instance);
        touch(dab);
    }
}

void SculptTool::drag(const PointerSample& sample) {
    if (!stroking_)
        return;
    if (mode_ == Mode::Grab) {
        grabTo(sample);
        return;
    }
    brushTo(sample);
    pointer_.moveTo(sample);
}

QString SculptTool::strokeLabel() const {
    const std::vector<document::SculptTarget>& targets = targets_.all();
    if (targets.size() != 1)
        return QStringLiteral("Sculpt %1 meshes").arg(targets.size());
    const shape::Shape* shape = context_.editor.document().mesh(targets.front().mesh).findShape(targets.front().shape);
    return QStringLiteral("Sculpt %1").arg(shape ? QString::fromStdString(shape->name) : QString());
}

void SculptTool::release(const PointerSample& sample) {
    if (!stroking_)
        return;
    drag(sample);
    if (!moved_) {
        giveUp();
        return;
    }
    std::size_t unreachable = 0;
    for (const auto& stroke : strokes_)
        unreachable += stroke->unreachable();
    const QString label = strokeLabel();
    finish();
    context_.editor.commitPreview(label);
    if (unreachable > 0)
        context_.editor.say(QStringLiteral("%1 vertices could not follow the brush: their joints pull in opposite "
                                           "directions there. Smoother weights would help.")
                                .arg(unreachable));
    hover(sample);
}

void SculptTool::finish() {
    stroking_ = false;
    strokes_.clear();
    spacer_.reset();
}

void SculptTool::giveUp() {
    if (strokes_.empty() && !targets_.told())
        sayNothingUnder(context_.editor);
    cancel();
}

void SculptTool::cancel() {
    if (!stroking_)
        return;
    finish();
    context_.editor.cancelPreview();
    context_.editor.setActiveShapes(shapesBefore_);
}

void SculptTool::draw(Overlay& overlay) const {
    const bool smooths = busy() ? mode_ == Mode::Smooth : bool(pointer_.modifiers() & Qt::ShiftModifier);
    const QColor color = busy() ? accentColor() : smooths ? QColor(0xa9, 0xd6, 0xe5) : QColor(0xf4, 0xf5, 0xf6);
    pointer_.draw(color, busy(), overlay);
}

} // namespace limber::ui
