#include "ui/tools/sculpt_tool.h"

#include "core/document/intents.h"
#include "core/shape/corrective.h"
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

// A new corrective is named after the joint that is bent most.
std::string correctiveName(const document::Document& doc, std::span<const JointId> joints) {
    JointId most;
    double largest = -1;
    for (const JointId j : joints) {
        const double angle = Eigen::AngleAxisd(shape::driverRotation(doc.state().pose[j.index()])).angle();
        if (angle > largest) {
            largest = angle;
            most = j;
        }
    }
    return most.valid() ? jointLabel(doc, most).toStdString() : std::string("corrective");
}

// The driven shape that is fully on in the present pose.
std::optional<ShapeId> correctiveOfThisPose(Editor& editor, InstanceId instance) {
    const document::MeshData& mesh = editor.document().mesh(editor.document().instance(instance).mesh);
    const auto weights = editor.evaluator().shapeWeights(instance);
    for (std::size_t k = 0; k < mesh.shapes.size(); ++k)
        if (mesh.isDriven(mesh.shapes[k].id) && weights[k] > 0.99)
            return mesh.shapes[k].id;
    return std::nullopt;
}

} // namespace

SculptTool::SculptTool(ToolContext context) : context_(context), pointer_(context) {}
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
    pointer_.moveTo(sample);
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
    shapesBefore_ = editor.activeShapes();
    stroking_ = true;
    moved_ = false;
    pressDab_ = dabAt(context_, *pointer_.spot(), sample.pressure);
    pressPoint_ = onPlane(sample.ray, pressDab_.center, context_.camera.forward()).value_or(pressDab_.center);
    editor.setHoveredJoint({});
    reach(pressDab_);
    if (strokes_.empty() && !seen_.empty()) {
        cancel();
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

// Readies every visible mesh under the dab that the stroke has not reached before. Those that cannot be sculpted in
// this pose are left out; the reason has then been said.
void SculptTool::reach(const document::BrushDab& dab) {
    Editor& editor = context_.editor;
    std::vector<document::SculptTarget> reached;
    for (const InstanceId i : document::SculptStroke::instancesUnder(editor.document(), editor.evaluator(), dab)) {
        const MeshId mesh = editor.document().instance(i).mesh;
        if (editor.view().hidden.contains(i) || std::ranges::find(seen_, mesh) != seen_.end())
            continue;
        seen_.push_back(mesh);
        if (const std::optional<ShapeId> target = targetFor(i, dab))
            reached.push_back({mesh, *target});
    }
    if (reached.empty())
        return;
    targets_.insert(targets_.end(), reached.begin(), reached.end());
    strokes_.push_back(std::make_unique<document::SculptStroke>(editor.document(), editor.evaluator(), editor.preview(),
                                                                document::SculptSettings{mode_}, std::move(reached)));
}

std::optional<ShapeId> SculptTool::targetFor(InstanceId instance, const document::BrushDab& dab) {
    Editor& editor = context_.editor;
    const MeshId mesh = editor.document().instance(instance).mesh;
    const auto active = std::ranges::find(editor.activeShapes(), mesh, &Editor::ActiveShape::mesh);
    if (active == editor.activeShapes().end())
        return startCorrective(instance, dab);
    const document::MeshData& data = editor.document().mesh(mesh);
    const shape::Shape* shape = data.findShape(active->shape);
    if (!shape)
        return startCorrective(instance, dab);
    if (editor.evaluator().shapeWeights(instance)[data.shapeIndex(active->shape)] >= shape::kSmallestShapeWeight)
        return active->shape;
    const QString name = QString::fromStdString(shape->name);
    if (shape->muted)
        editor.say(QStringLiteral("‘%1’ is muted: unmute it in the list to sculpt it.").arg(name));
    else if (data.isDriven(active->shape))
        editor.say(QStringLiteral("Go to the pose of ‘%1’ first: double-click it in the list.").arg(name));
    else
        editor.say(QStringLiteral("Raise the weight of ‘%1’ first: at zero its sculpting cannot be seen.").arg(name));
    return std::nullopt;
}

std::optional<ShapeId> SculptTool::startCorrective(InstanceId instance, const document::BrushDab& dab) {
    Editor& editor = context_.editor;
    const document::Document& doc = editor.document();
    const MeshId mesh = doc.instance(instance).mesh;
    const auto vertices = document::SculptStroke::verticesUnder(doc, editor.evaluator(), instance, dab);
    const std::vector<JointId> joints = document::proposeDriverJoints(doc, mesh, vertices);
    const std::string name = document::uniqueShapeName(doc.mesh(mesh), correctiveName(doc, joints));
    Result<document::NewCorrective> made = document::newCorrective(doc, mesh, name, joints);
    if (made) {
        editor.performProvisional(std::move(made->edit));
        activate(mesh, made->shape);
        return made->shape;
    }
    const std::optional<ShapeId> present = correctiveOfThisPose(editor, instance);
    if (!present) {
        editor.say(QString::fromStdString(made.error().text));
        return std::nullopt;
    }
    activate(mesh, *present);
    editor.say(QStringLiteral("Sculpting goes on in ‘%1’, the corrective of this pose.")
                   .arg(QString::fromStdString(doc.mesh(mesh).findShape(*present)->name)));
    return present;
}

void SculptTool::activate(MeshId mesh, ShapeId shape) {
    std::vector<Editor::ActiveShape> shapes = context_.editor.activeShapes();
    std::erase_if(shapes, [&](const Editor::ActiveShape& s) { return s.mesh == mesh; });
    shapes.push_back({mesh, shape});
    context_.editor.setActiveShapes(std::move(shapes));
}

void SculptTool::touch(const document::BrushDab& dab) {
    document::ChangeSet changes;
    for (const auto& stroke : strokes_)
        changes.merge(stroke->dab(dab));
    moved_ = moved_ || (mode_ == Mode::Grab ? !dab.motion.isZero(0) : !changes.empty());
    context_.editor.previewChanged(changes);
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
        reach(dab);
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
    if (targets_.size() != 1)
        return QStringLiteral("Sculpt %1 meshes").arg(targets_.size());
    const shape::Shape* shape =
        context_.editor.document().mesh(targets_.front().mesh).findShape(targets_.front().shape);
    return QStringLiteral("Sculpt %1").arg(shape ? QString::fromStdString(shape->name) : QString());
}

void SculptTool::release(const PointerSample& sample) {
    if (!stroking_)
        return;
    drag(sample);
    if (!moved_) {
        cancel();
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
    targets_.clear();
    seen_.clear();
    spacer_.reset();
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
