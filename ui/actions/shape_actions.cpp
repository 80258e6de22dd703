#include "core/document/intents.h"
#include "ui/actions/editor_actions.h"
#include "ui/tools/joint_text.h"

#include <algorithm>
#include <numeric>

namespace limber::ui {

namespace {

double weightOf(const document::Document& doc, const document::Instance& instance,
                const document::Selection& selection) {
    const document::MeshData& mesh = doc.mesh(instance.mesh);
    std::vector<std::uint8_t> wanted(doc.skin(instance.skin).joints.size(), 0);
    for (std::size_t slot = 0; slot < wanted.size(); ++slot)
        wanted[slot] = selection.contains(doc.skin(instance.skin).joints[slot]);
    double sum = 0;
    for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v)
        for (const skin::Influence& influence : mesh.weights.row(v))
            if (influence.slot < wanted.size() && wanted[influence.slot])
                sum += influence.weight;
    return sum;
}

bool showsSkin(const Editor& editor) {
    const document::Document& doc = editor.document();
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (doc.instance(InstanceId(i)).skin.valid() && !editor.view().hidden.contains(InstanceId(i)))
            return true;
    return false;
}

void activate(Editor& editor, const Editor::ActiveShape& shape) {
    std::vector<Editor::ActiveShape> active = editor.activeShapes();
    std::erase_if(active, [&](const Editor::ActiveShape& other) { return other.mesh == shape.mesh; });
    active.push_back(shape);
    editor.setActiveShapes(std::move(active));
}

std::optional<ShapeId> shapeHoldingPose(Editor& editor, MeshId mesh, std::span<const JointId> joints) {
    const document::Document& doc = editor.document();
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (doc.instance(InstanceId(i)).mesh == mesh)
            return document::correctiveHoldingPose(doc, editor.evaluator(), InstanceId(i), joints);
    return std::nullopt;
}

void addSculptModes(Actions& actions, Editor& editor) {
    using Mode = document::SculptSettings::Mode;
    struct Row {
        const char* id;
        const char* text;
        const char* tooltip;
        const char* key;
        Mode mode;
    };
    const Row rows[] = {
        {"sculpt.grab", "Grab Brush", "The brush drags the surface along", "Alt+5", Mode::Grab},
        {"sculpt.smooth", "Smooth Brush", "The brush evens the surface out", "Alt+6", Mode::Smooth},
        {"sculpt.inflate", "Inflate Brush", "The brush pushes the surface outwards", "Alt+7", Mode::Inflate},
    };
    for (const Row& row : rows)
        actions.add({.id = row.id,
                     .menu = "Shapes",
                     .section = 2,
                     .text = row.text,
                     .tooltip = row.tooltip,
                     .shortcuts = {row.key},
                     .group = "sculpt.mode",
                     .run =
                         [&editor, mode = row.mode] {
                             BrushSettings brush = editor.brush();
                             brush.sculptMode = mode;
                             editor.setBrush(brush);
                         },
                     .checked = [&editor, mode = row.mode] { return editor.brush().sculptMode == mode; }});
}

} // namespace

MeshId correctiveMesh(const Editor& editor) {
    const document::Document& doc = editor.document();
    MeshId best;
    double most = -1;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const document::Instance& instance = doc.instance(InstanceId(i));
        if (!instance.skin.valid() || editor.view().hidden.contains(InstanceId(i)))
            continue;
        const double weight = weightOf(doc, instance, editor.selection());
        if (weight > most) {
            most = weight;
            best = instance.mesh;
        }
    }
    return best;
}

void newCorrectiveHere(Editor& editor) {
    editor.beginEdit();
    const document::Document& doc = editor.document();
    const MeshId mesh = correctiveMesh(editor);
    if (!mesh.valid())
        return;
    std::vector<std::uint32_t> vertices(doc.mesh(mesh).geometry.vertexCount());
    std::iota(vertices.begin(), vertices.end(), 0u);
    const std::vector<JointId> joints = document::proposeDriverJoints(doc, mesh, vertices);
    if (const auto holding = shapeHoldingPose(editor, mesh, joints)) {
        editor.say(QStringLiteral("‘%1’ holds this pose already: sculpting goes on in it.")
                       .arg(QString::fromStdString(doc.mesh(mesh).findShape(*holding)->name)));
        activate(editor, {mesh, *holding});
        return;
    }
    const std::string wish = editor.activeJoint().valid() ? jointLabel(doc, editor.activeJoint()).toStdString() + " fix"
                                                          : std::string("Corrective");
    auto made = document::newCorrective(doc, mesh, document::uniqueShapeName(doc.mesh(mesh), wish), joints);
    if (!made) {
        editor.say(QString::fromStdString(made.error().text));
        return;
    }
    const ShapeId shape = made->shape;
    editor.perform(std::move(made->edit));
    activate(editor, {mesh, shape});
}

void editShape(Editor& editor, const Editor::ActiveShape& shape) {
    editor.perform(document::goToShapePose(editor.document(), shape.mesh, shape.shape));
    activate(editor, shape);
}

void addShapeActions(Actions& actions, Editor& editor, const Stage& stage) {
    const auto onCurrent = [&](const char* id, int section, const char* text, const char* tooltip, const char* key,
                               const char* icon, std::function<void(const Editor::ActiveShape&)> run) {
        actions.add({.id = id,
                     .menu = "Shapes",
                     .section = section,
                     .text = text,
                     .tooltip = tooltip,
                     .shortcuts = {key},
                     .icon = icon,
                     .run =
                         [&stage, run = std::move(run)] {
                             if (const auto shape = stage.currentShape())
                                 run(*shape);
                         },
                     .enabled = [&stage] { return stage.currentShape().has_value(); }});
    };
    actions.add({.id = "shape.new",
                 .menu = "Shapes",
                 .text = "New Corrective at This Pose",
                 .tooltip = "Start a shape that fades in and out with the present pose",
                 .shortcuts = {"Ctrl+K"},
                 .icon = "add",
                 .run = [&editor] { newCorrectiveHere(editor); },
                 .enabled = [&editor] { return showsSkin(editor); }});
    actions.add({.id = "shape.finish",
                 .menu = "Shapes",
                 .text = "Stop Editing Shapes",
                 .tooltip = "The next sculpt stroke starts a new corrective",
                 .shortcuts = {"Ctrl+Shift+K"},
                 .run = [&editor] { editor.setActiveShapes({}); },
                 .enabled = [&editor] { return !editor.activeShapes().empty(); }});
    onCurrent("shape.edit", 1, "Go to Pose and Edit", "Take the pose of the shape and sculpt into it", "Ctrl+G",
              "target", [&editor](const auto& shape) { editShape(editor, shape); });
    onCurrent("shape.rename", 1, "Rename", "Give the shape another name", "F2", "",
              [&stage](const auto&) { stage.renameShape(); });
    onCurrent("shape.mute", 1, "Mute", "Switch the shape off or on", "M", "eye-off", [&editor](const auto& shape) {
        const shape::Shape* found = editor.document().mesh(shape.mesh).findShape(shape.shape);
        editor.perform(document::muteShape(editor.document(), shape.mesh, shape.shape, !found->muted));
    });
    onCurrent("shape.delete", 1, "Delete", "Remove the shape and its driver", "Ctrl+Del", "delete",
              [&editor](const auto& shape) {
                  editor.perform(document::removeShape(editor.document(), shape.mesh, shape.shape));
              });
    addSculptModes(actions, editor);
}

} // namespace limber::ui
