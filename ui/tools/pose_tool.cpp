#include "ui/tools/pose_tool.h"

#include "ui/editor/editor.h"
#include "ui/gizmos/gizmo_draw.h"
#include "ui/tools/joint_text.h"
#include "ui/viewport/grid_step.h"
#include "ui/viewport/picking.h"

#include <cmath>
#include <numbers>

namespace limber::ui {

namespace {

std::unique_ptr<Gizmo> makeGizmo(PoseTool::Kind kind) {
    switch (kind) {
    case PoseTool::Kind::Move:
        return makeTranslateGizmo();
    case PoseTool::Kind::Rotate:
        return makeRotateGizmo();
    case PoseTool::Kind::Scale:
        return makeScaleGizmo();
    case PoseTool::Kind::Select:
        break;
    }
    return nullptr;
}

} // namespace

JointId jointAt(const ToolContext& context, const PointerSample& sample, bool byMesh) {
    if (!byMesh)
        return pickJoint(context.editor, context.camera, sample.pixel);
    const std::optional<SurfaceHit> hit = pickSurface(context.editor, sample.ray);
    return hit ? strongestJoint(context.editor, *hit) : JointId{};
}

void selectByClick(Editor& editor, JointId joint, bool add) {
    document::Selection selection = editor.selection();
    if (!joint.valid()) {
        if (!add)
            selection.clear();
    } else if (add) {
        selection.toggle(joint);
    } else {
        selection.set(joint);
    }
    editor.setSelection(std::move(selection));
}

PoseTool::PoseTool(ToolContext context, Kind kind) : context_(context), kind_(kind), gizmo_(makeGizmo(kind)) {}

QString PoseTool::hint() const {
    if (busy() && !typed_.isEmpty())
        return QStringLiteral(
            "Release to accept, or press Enter · Backspace corrects · X, Y, Z pick the axis · Esc cancels");
    if (busy())
        return QStringLiteral("Type an amount · X, Y, Z pick the axis · Ctrl %1 · Esc cancels")
            .arg(context_.editor.gizmo().snap ? QStringLiteral("moves freely") : QStringLiteral("snaps"));
    if (kind_ == Kind::Select || context_.editor.selection().empty())
        return QStringLiteral(
            "Click a joint to select it · Shift-click adds · Ctrl-click the mesh picks what moves it · "
            "Drag to orbit");
    const QString grip = kind_ == Kind::Move     ? QStringLiteral("Drag an arrow or a square to move")
                         : kind_ == Kind::Rotate ? QStringLiteral("Drag a ring to rotate")
                                                 : QStringLiteral("Drag a handle to scale, the centre for all axes");
    return grip + QStringLiteral(" · Shift-click adds a joint · Drag on nothing to orbit · Esc cancels");
}

std::optional<GizmoPlace> PoseTool::place() const {
    const JointId joint = context_.editor.activeJoint();
    if (!gizmo_ || !joint.valid())
        return std::nullopt;
    const auto world = context_.editor.evaluator().world();
    if (joint.index() >= world.size())
        return std::nullopt;
    const math::Affine& at = world[joint.index()];
    const math::Affine parent = rig::parentWorld(context_.editor.document().skeleton(), world, joint);
    const Matrix3d frame = gizmoFrame(effectiveSpace(context_.editor.gizmo(), amountKind()), parent, at);
    if (!projected(context_.camera, at.translation()))
        return std::nullopt;
    return gizmoPlace(context_.camera, at.translation(), frame);
}

GizmoAmount::Kind PoseTool::amountKind() const {
    return kind_ == Kind::Rotate  ? GizmoAmount::Kind::Rotate
           : kind_ == Kind::Scale ? GizmoAmount::Kind::Scale
                                  : GizmoAmount::Kind::Translate;
}

GizmoSnap PoseTool::snap() const {
    const GizmoSettings& settings = context_.editor.gizmo();
    const bool turned = last_.modifiers & Qt::ControlModifier;
    if (settings.snap == turned)
        return {};
    const double length = settings.snapLength > 0 ? settings.snapLength : gridCell(context_.camera.sceneSize()) / 10;
    return {settings.snapAngleDeg * std::numbers::pi / 180, settings.snapScale, length};
}

int PoseTool::decimals() const {
    return lengthDecimals(context_.editor.evaluator().bindDiagonal());
}

void PoseTool::hover(const PointerSample& sample) {
    last_ = sample;
    const auto at = place();
    hovered_ = at ? gizmo_->hit(context_.camera, *at, sample.pixel) : GizmoHandle::None;
    const bool byMesh = sample.modifiers & Qt::ControlModifier;
    context_.editor.setHoveredJoint(hovered_ == GizmoHandle::None ? jointAt(context_, sample, byMesh) : JointId{});
}

void PoseTool::leave() {
    hovered_ = GizmoHandle::None;
    context_.editor.setHoveredJoint({});
}

bool PoseTool::press(const PointerSample& sample) {
    const auto at = place();
    if (!at)
        return false;
    const GizmoHandle handle = gizmo_->hit(context_.camera, *at, sample.pixel);
    if (handle == GizmoHandle::None)
        return false;
    context_.editor.beginEdit();
    Result<PoseDrag> drag = PoseDrag::begin(context_.editor, amountKind());
    if (!drag) {
        context_.editor.say(QString::fromStdString(drag.error().text));
        return true;
    }
    drag_ = std::move(*drag);
    pressPlace_ = *at;
    press_ = last_ = sample;
    typed_.clear();
    gizmo_->begin(handle, context_.camera, pressPlace_, sample);
    context_.editor.setHoveredJoint({});
    return true;
}

void PoseTool::click(const PointerSample& sample) {
    const bool byMesh = sample.modifiers & Qt::ControlModifier;
    selectByClick(context_.editor, jointAt(context_, sample, byMesh), sample.modifiers & Qt::ShiftModifier);
}

void PoseTool::drag(const PointerSample& sample) {
    if (!drag_)
        return;
    last_ = sample;
    if (typed_.isEmpty())
        update();
}

void PoseTool::update() {
    (void)gizmo_->update(context_.camera, last_, snap());
    apply();
}

void PoseTool::apply() {
    const Matrix3d* viewFrame = gizmo_->inViewFrame(gizmo_->handle()) ? &pressPlace_.view : nullptr;
    drag_->apply(context_.editor, gizmo_->amount(), viewFrame);
}

void PoseTool::release(const PointerSample& sample) {
    if (!drag_)
        return;
    drag(sample);
    accept();
    hover(sample);
}

void PoseTool::accept() {
    const GizmoAmount amount = gizmo_->amount();
    const QString label = drag_->label(context_.editor, amount, gizmo_->handle(), decimals());
    drag_.reset();
    gizmo_->end();
    if (amount.isNothing())
        context_.editor.cancelPreview();
    else
        context_.editor.commitPreview(label);
}

void PoseTool::cancel() {
    if (!drag_)
        return;
    drag_.reset();
    gizmo_->end();
    context_.editor.cancelPreview();
}

bool PoseTool::key(int qtKey, const QString& text) {
    if (!drag_)
        return false;
    if (qtKey == Qt::Key_X || qtKey == Qt::Key_Y || qtKey == Qt::Key_Z) {
        constrainTo(qtKey - Qt::Key_X);
        return true;
    }
    if (qtKey == Qt::Key_Return || qtKey == Qt::Key_Enter) {
        accept();
        return true;
    }
    if (qtKey == Qt::Key_Backspace) {
        typed_.chop(1);
    } else if (text.size() != 1 || !typeCharacter(text.front())) {
        return false;
    }
    bool isNumber = false;
    const double value = typed_.toDouble(&isNumber);
    if (isNumber) {
        (void)gizmo_->type(value);
        apply();
    } else if (typed_.isEmpty()) {
        update();
    }
    return true;
}

bool PoseTool::typeCharacter(QChar c) {
    if (c == QChar('-')) // turns the sign, wherever it is typed
        typed_ = typed_.startsWith(c) ? typed_.mid(1) : c + typed_;
    else if (c.isDigit() || ((c == QChar('.') || c == QChar(',')) && !typed_.contains(QChar('.'))))
        typed_ += c == QChar(',') ? QChar('.') : c;
    else
        return false;
    return true;
}

void PoseTool::constrainTo(int axis) {
    gizmo_->begin(axisHandle(axis), context_.camera, pressPlace_, press_);
    bool isNumber = false;
    const double value = typed_.toDouble(&isNumber);
    if (isNumber) {
        (void)gizmo_->type(value);
        apply();
    } else {
        update();
    }
}

void PoseTool::draw(Overlay& overlay) const {
    const auto at = place();
    if (!at)
        return;
    gizmo_->draw(context_.camera, *at, hovered_, snap(), overlay);
    if (!drag_)
        return;
    QString text = amountText(gizmo_->amount(), gizmo_->handle(), drag_->space(), decimals());
    if (drag_->jointCount() > 1)
        text += QStringLiteral(" · %1 joints").arg(drag_->jointCount());
    // On the side of the cursor that has room.
    constexpr double kCharacterPx = 8, kGapPx = 20;
    const double width = kCharacterPx * double(text.size()) + kGapPx;
    const bool left = last_.pixel.x() + kGapPx + width > context_.camera.viewport().x();
    const QPointF offset(left ? -width : kGapPx, last_.pixel.y() > 40 ? -16 : 30);
    overlay.texts.push_back({toPoint(last_.pixel) + offset, text, handleColor(gizmo_->handle()), true});
}

} // namespace limber::ui
