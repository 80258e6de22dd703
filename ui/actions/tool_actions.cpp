#include "ui/actions/editor_actions.h"

#include <algorithm>

namespace limber::ui {

namespace {

struct ToolRow {
    const char* id;
    const char* text;
    const char* tooltip;
    const char* key;
    const char* icon;
    ToolId kind;
};
constexpr ToolRow kToolRows[] = {
    {"tool.select", "Select", "Select joints", "Q", "select", ToolId::Select},
    {"tool.move", "Move", "Move joints along axes and planes", "W", "move", ToolId::Move},
    {"tool.rotate", "Rotate", "Rotate joints with rings", "E", "rotate", ToolId::Rotate},
    {"tool.scale", "Scale", "Scale joints along axes", "R", "scale", ToolId::Scale},
    {"tool.paint", "Paint Weights", "Paint the weights of the active joint on the posed mesh", "B", "paint",
     ToolId::Paint},
    {"tool.sculpt", "Sculpt", "Sculpt a corrective shape on the posed mesh", "S", "sculpt", ToolId::Sculpt},
};

bool isBrush(ToolId kind) {
    return kind == ToolId::Paint || kind == ToolId::Sculpt;
}

void scaleBrush(Editor& editor, double factor) {
    BrushSettings brush = editor.brush();
    brush.radiusPx = std::clamp(brush.radiusPx * factor, 2.0, 500.0);
    editor.setBrush(brush);
}

void changeStrength(Editor& editor, double by) {
    BrushSettings brush = editor.brush();
    brush.strength = std::clamp(brush.strength + by, 0.0, 1.0);
    editor.setBrush(brush);
}

void addBrushActions(Actions& actions, Editor& editor, const Stage& stage) {
    struct Row {
        const char* id;
        const char* text;
        const char* tooltip;
        const char* key;
        std::function<void()> run;
    };
    const Row rows[] = {
        {"brush.smaller", "Smaller Brush", "Make the brush smaller", "[", [&editor] { scaleBrush(editor, 1 / 1.2); }},
        {"brush.bigger", "Bigger Brush", "Make the brush bigger", "]", [&editor] { scaleBrush(editor, 1.2); }},
        {"brush.weaker", "Weaker Brush", "Make the brush weaker", "-", [&editor] { changeStrength(editor, -0.05); }},
        {"brush.stronger", "Stronger Brush", "Make the brush stronger", "=",
         [&editor] { changeStrength(editor, 0.05); }},
    };
    for (const Row& row : rows)
        actions.add({.id = row.id,
                     .menu = "Tools",
                     .section = 1,
                     .text = row.text,
                     .tooltip = row.tooltip,
                     .shortcuts = {row.key},
                     .run = row.run,
                     .enabled = [&stage] { return isBrush(stage.tool()); }});
}

void addGizmoActions(Actions& actions, Editor& editor, const Stage& stage) {
    const auto onlyLocal = [&editor, &stage] { return stage.tool() == ToolId::Scale && editor.gizmo().keepTrs; };
    struct Space {
        const char* id;
        const char* text;
        const char* key;
        GizmoSettings::Space space;
    };
    const Space spaces[] = {{"gizmo.local", "Local Space", "Alt+L", GizmoSettings::Space::Local},
                            {"gizmo.parent", "Parent Space", "Alt+R", GizmoSettings::Space::Parent},
                            {"gizmo.world", "World Space", "Alt+G", GizmoSettings::Space::World}};
    for (const Space& row : spaces)
        actions.add(
            {.id = row.id,
             .menu = "Tools",
             .section = 2,
             .text = row.text,
             .tooltip = QString("Move, rotate and scale along the axes of the %1; while Keep TRS is on, "
                                "scaling is always local")
                            .arg(QString(row.text).section(' ', 0, 0).toLower() + " space"),
             .shortcuts = {row.key},
             .group = "gizmo.space",
             .run =
                 [&editor, space = row.space, onlyLocal] {
                     if (onlyLocal())
                         return;
                     GizmoSettings gizmo = editor.gizmo();
                     gizmo.space = space;
                     editor.setGizmo(gizmo);
                 },
             .enabled = [space = row.space, onlyLocal] { return space == GizmoSettings::Space::Local || !onlyLocal(); },
             .checked =
                 [&editor, space = row.space, onlyLocal] {
                     return (onlyLocal() ? GizmoSettings::Space::Local : editor.gizmo().space) == space;
                 }});
    const auto toggle = [&](const char* id, const char* text, const char* tooltip, const char* key,
                            bool GizmoSettings::*flag) {
        actions.add({.id = id,
                     .menu = "Tools",
                     .section = 3,
                     .text = text,
                     .tooltip = tooltip,
                     .shortcuts = {key},
                     .run =
                         [&editor, flag] {
                             GizmoSettings gizmo = editor.gizmo();
                             gizmo.*flag = !(gizmo.*flag);
                             editor.setGizmo(gizmo);
                         },
                     .checked = [&editor, flag] { return editor.gizmo().*flag; }});
    };
    toggle("gizmo.snap", "Snap", "Move in steps: 15 degrees, a tenth of the scale, a tenth of a grid cell", "Ctrl+T",
           &GizmoSettings::snap);
    toggle("gizmo.keepTrs", "Keep TRS", "Keep joints free of shear, so that every file format can hold the pose",
           "Ctrl+Shift+T", &GizmoSettings::keepTrs);
}

} // namespace

void addToolActions(Actions& actions, Editor& editor, const Stage& stage) {
    for (const ToolRow& row : kToolRows)
        actions.add({.id = row.id,
                     .menu = "Tools",
                     .text = row.text,
                     .tooltip = row.tooltip,
                     .shortcuts = {row.key},
                     .icon = row.icon,
                     .group = "tool",
                     .run = [&stage, kind = row.kind] { stage.setTool(kind); },
                     .checked = [&stage, kind = row.kind] { return stage.tool() == kind; }});
    addBrushActions(actions, editor, stage);
    addGizmoActions(actions, editor, stage);
}

} // namespace limber::ui
