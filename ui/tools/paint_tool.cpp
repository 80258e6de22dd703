#include "ui/tools/paint_tool.h"

#include "core/document/skinning_intents.h"
#include "ui/editor/editor.h"
#include "ui/gizmos/gizmo_draw.h"
#include "ui/tools/joint_text.h"
#include "ui/tools/pose_tool.h"

#include <algorithm>

namespace limber::ui {

namespace {

constexpr auto kPickModifiers = Qt::ControlModifier | Qt::ShiftModifier;

bool picks(const PointerSample& sample) {
    return (sample.modifiers & kPickModifiers) == kPickModifiers;
}

QString mapWords(skin::PaintedMap map) {
    return QString::fromLatin1(document::mapName(map));
}

QString modeWords(document::PaintSettings::Mode mode) {
    using Mode = document::PaintSettings::Mode;
    switch (mode) {
    case Mode::Add:
        return QStringLiteral("adds, Ctrl takes away");
    case Mode::Subtract:
        return QStringLiteral("takes away, Ctrl adds");
    case Mode::Replace:
        return QStringLiteral("moves to the value in the bar");
    case Mode::Smooth:
        break;
    }
    return QStringLiteral("smooths");
}

bool isPainted(const Editor& editor, skin::PaintedMap map) {
    return std::ranges::any_of(editor.activeMeshes(),
                               [&](MeshId mesh) { return !editor.document().mesh(mesh).map(map).empty(); });
}

// Why painting the map would change nothing there, and what to do about it.
QString noEffectText(skin::PaintedMap map, const QString& mesh) {
    return (map == skin::PaintedMap::MethodShare
                ? QStringLiteral("‘%1’ is skinned by linear blend: a method share has no effect. Choose another method "
                                 "in the Meshes panel, or by Shift+D.")
                : QStringLiteral("Delta mush is off for ‘%1’: its share has no effect. Turn it on in the Meshes panel, "
                                 "or by Ctrl+D."))
        .arg(mesh);
}

// Hidden ones, and those where the map would have no effect.
std::vector<InstanceId> instancesWithout(const Editor& editor, skin::PaintedMap map) {
    std::vector<InstanceId> out = hiddenInstances(editor);
    const document::Document& doc = editor.document();
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (!document::hasEffect(map, doc.mesh(doc.instance(InstanceId(i)).mesh).skinning))
            out.push_back(InstanceId(i));
    return out;
}

} // namespace

PaintTool::PaintTool(ToolContext context) : context_(context), pointer_(context) {}
PaintTool::~PaintTool() = default;

QString PaintTool::hint() const {
    if (const auto map = context_.editor.brush().paintTarget)
        return QStringLiteral("Paint the %1%2: the brush %3 · Shift smooths · [ and ] change the radius")
            .arg(mapWords(*map),
                 isPainted(context_.editor, *map) ? QString() : QStringLiteral(", which is 1 everywhere so far"),
                 modeWords(context_.editor.brush().mode()));
    const JointId joint = context_.editor.activeJoint();
    if (!joint.valid())
        return QStringLiteral("Select a joint to paint: click it in the list, or Ctrl+Shift-click the mesh");
    return QStringLiteral("Paint the weights of %1 · Shift smooths · Ctrl subtracts · Ctrl+Shift-click picks a joint · "
                          "[ and ] change the radius")
        .arg(jointLabel(context_.editor.document(), joint));
}

PaintTool::Mode PaintTool::modeOf(Qt::KeyboardModifiers modifiers) const {
    const Mode chosen = context_.editor.brush().mode();
    if (modifiers & Qt::ShiftModifier)
        return Mode::Smooth;
    if (!(modifiers & Qt::ControlModifier))
        return chosen;
    return chosen == Mode::Add ? Mode::Subtract : chosen == Mode::Subtract ? Mode::Add : chosen;
}

QString PaintTool::strokeLabel() const {
    if (mapStroke_)
        return (mode_ == Mode::Smooth ? QStringLiteral("Smooth the %1") : QStringLiteral("Paint the %1"))
            .arg(mapWords(map_));
    const QString name = jointLabel(context_.editor.document(), joint_);
    return mode_ == Mode::Smooth ? QStringLiteral("Smooth weights: %1").arg(name)
                                 : QStringLiteral("Paint weights: %1").arg(name);
}

void PaintTool::hover(const PointerSample& sample) {
    pointer_.hoverTo(sample);
    context_.editor.setHoveredJoint(pointer_.spot() && !picks(sample) ? JointId{}
                                                                      : jointAt(context_, sample, picks(sample)));
}

bool PaintTool::press(const PointerSample& sample) {
    pointer_.moveTo(sample);
    if (!pointer_.spot() || picks(sample))
        return false;
    const auto map = context_.editor.brush().paintTarget;
    if (!(map ? pressMap(sample, *map) : pressWeights(sample)))
        return false;
    if (busy()) {
        spacer_.emplace(stroke::dabSpacing(context_.editor.brush().radiusPx));
        context_.editor.setHoveredJoint({});
        paintTo(sample);
    }
    return true;
}

bool PaintTool::pressWeights(const PointerSample& sample) {
    joint_ = context_.editor.activeJoint();
    if (!joint_.valid()) {
        // Without a joint to paint a click may still pick one.
        if (jointAt(context_, sample, false).valid())
            return false;
        context_.editor.say(QStringLiteral("Select a joint first: its weights are what the brush paints."));
        return true;
    }
    context_.editor.beginEdit();
    mode_ = modeOf(sample.modifiers);
    document::PaintSettings settings;
    settings.mode = mode_;
    settings.joint = joint_;
    settings.value = context_.editor.brush().paintValue;
    stroke_ =
        std::make_unique<document::PaintStroke>(context_.editor.document(), context_.editor.evaluator(),
                                                context_.editor.preview(), settings, hiddenInstances(context_.editor));
    sayRigid();
    return true;
}

bool PaintTool::pressMap(const PointerSample& sample, skin::PaintedMap map) {
    Editor& editor = context_.editor;
    const document::Instance& pressed = editor.document().instance(pointer_.spot()->surface.instance);
    if (editor.document().isSkinned(pointer_.spot()->surface.instance) &&
        !document::hasEffect(map, editor.document().mesh(pressed.mesh).skinning)) {
        editor.say(noEffectText(map, QString::fromStdString(document::meshName(editor.document(), pressed.mesh))));
        return true;
    }
    editor.beginEdit();
    mode_ = modeOf(sample.modifiers);
    map_ = map;
    mapStroke_ = std::make_unique<document::MapStroke>(editor.document(), editor.evaluator(), editor.preview(),
                                                       document::MapSettings{map, mode_, editor.brush().paintValue},
                                                       instancesWithout(editor, map));
    sayRigid();
    return true;
}

void PaintTool::sayRigid() {
    Editor& editor = context_.editor;
    const SurfaceHit& hit = pointer_.spot()->surface;
    onRigid_ = !editor.document().isSkinned(hit.instance);
    if (onRigid_)
        editor.say(QStringLiteral("‘%1’ has no skin: it follows its joint %2 as a whole.")
                       .arg(QString::fromStdString(editor.document().instance(hit.instance).name),
                            jointLabel(editor.document(), strongestJoint(editor, hit))));
}

void PaintTool::click(const PointerSample& sample) {
    const JointId joint = jointAt(context_, sample, picks(sample));
    if (joint.valid())
        selectByClick(context_.editor, joint, false);
}

void PaintTool::paintTo(const PointerSample& sample) {
    for (const stroke::Dab& dab : spacer_->moveTo(sample.pixel, sample.pressure)) {
        // Each dab looks at the surface as the dabs before it have left it.
        const std::optional<BrushSpot> spot = brushSpot(context_, context_.camera.ray(dab.pixel));
        if (!spot)
            continue;
        const document::BrushDab at = dabAt(context_, *spot, dab.pressure);
        context_.editor.previewChanged(mapStroke_ ? mapStroke_->dab(at) : stroke_->dab(at));
    }
}

void PaintTool::drag(const PointerSample& sample) {
    if (busy())
        paintTo(sample);
    pointer_.moveTo(sample);
}

void PaintTool::release(const PointerSample& sample) {
    if (!busy())
        return;
    drag(sample);
    if (mapStroke_)
        releaseMap();
    else
        releaseWeights();
}

void PaintTool::end() {
    stroke_.reset();
    mapStroke_.reset();
    spacer_.reset();
}

void PaintTool::releaseMap() {
    const document::MapOutcome outcome = mapStroke_->outcome();
    const QString label = strokeLabel();
    end();
    if (outcome.changed > 0)
        context_.editor.commitPreview(label);
    else
        context_.editor.cancelPreview();
    if (onRigid_)
        return;
    if (outcome.reached == 0)
        sayNothingUnder(context_.editor);
    else if (outcome.changed == 0 && (mode_ == Mode::Add || mode_ == Mode::Subtract))
        context_.editor.say((mode_ == Mode::Add ? QStringLiteral("The %1 is 1 there already: Ctrl takes it away.")
                                                : QStringLiteral("The %1 is 0 there already: Ctrl adds to it."))
                                .arg(mapWords(map_)));
}

void PaintTool::releaseWeights() {
    const document::PaintOutcome outcome = stroke_->outcome();
    end();
    if (outcome.changed > 0)
        context_.editor.commitPreview(strokeLabel());
    else
        context_.editor.cancelPreview();
    sayOutcome(outcome);
}

void PaintTool::sayOutcome(const document::PaintOutcome& outcome) const {
    Editor& editor = context_.editor;
    const QString name = jointLabel(editor.document(), joint_);
    const bool jointLocked = joint_.index() < editor.document().state().locked.size() &&
                             editor.document().state().locked[joint_.index()] != 0;
    const bool anyLocked = std::ranges::any_of(editor.document().state().locked, [](auto locked) { return locked; });
    if (outcome.reached == 0) {
        if (!onRigid_)
            sayNothingUnder(editor);
    } else if (outcome.touched == 0 && outcome.rejected == 0)
        editor.say(QStringLiteral("‘%1’ has no weight on this mesh that could be taken away.").arg(name));
    else if (jointLocked && outcome.rejected > 0)
        editor.say(QStringLiteral("‘%1’ is locked: unlock it in the list to paint it.").arg(name));
    else if (outcome.full > 0)
        editor.say(QStringLiteral("All other joints are locked there: %1 points cannot change.").arg(outcome.full));
    else if (outcome.overlocked > 0)
        editor.say(QStringLiteral("Locked weights alone exceed one at %1 points.").arg(outcome.overlocked));
    else if (outcome.rejected > 0)
        editor.say(QStringLiteral("Locked joints left no room at %1 points.").arg(outcome.rejected));
    else if (outcome.clamped > 0)
        editor.say((anyLocked ? QStringLiteral("Locked joints limited the weight at %1 points.")
                              : QStringLiteral("No other joint could take the weight at %1 points."))
                       .arg(outcome.clamped));
}

void PaintTool::cancel() {
    if (!busy())
        return;
    end();
    context_.editor.cancelPreview();
}

void PaintTool::draw(Overlay& overlay) const {
    const Mode mode = busy() ? mode_ : modeOf(pointer_.modifiers());
    const QColor color = busy()                   ? accentColor()
                         : mode == Mode::Smooth   ? QColor(0xa9, 0xd6, 0xe5)
                         : mode == Mode::Subtract ? QColor(0xe8, 0xb4, 0xb6)
                                                  : QColor(0xf4, 0xf5, 0xf6);
    pointer_.draw(color, busy(), overlay);
}

} // namespace limber::ui
