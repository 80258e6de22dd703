#include "ui/actions/editor_actions.h"

namespace limber::ui {

namespace {

struct Look {
    const char* id;
    const char* text;
    const char* key;
    Camera::View view;
};
constexpr Look kLooks[] = {
    {"view.front", "Front", "1", Camera::View::Front}, {"view.back", "Back", "Ctrl+1", Camera::View::Back},
    {"view.right", "Right", "3", Camera::View::Right}, {"view.left", "Left", "Ctrl+3", Camera::View::Left},
    {"view.top", "Top", "7", Camera::View::Top},       {"view.bottom", "Bottom", "Ctrl+7", Camera::View::Bottom},
};

struct Toggle {
    const char* id;
    const char* text;
    const char* tooltip;
    const char* key;
    const char* icon;
    bool ViewState::*flag;
};
constexpr Toggle kToggles[] = {
    {"view.wireframe", "Wireframe", "Draw the edges of the triangles", "Shift+W", "wireframe", &ViewState::wireframe},
    {"view.heat", "Weight Heat Map", "Colour the mesh by the weight of the active joint", "Shift+H", "heat",
     &ViewState::heatMap},
    {"view.skeleton", "Skeleton", "Draw the joints and bones", "Shift+B", "skeleton", &ViewState::skeleton},
    {"view.grid", "Ground Grid", "Draw the ground", "Shift+G", "grid", &ViewState::grid},
    {"view.textures", "Textures", "Draw the file's textures and colours", "Shift+T", "", &ViewState::textures},
    {"view.antialiasing", "Antialiasing", "Smooth edges with four samples a pixel; slow without a graphics card",
     "Shift+A", "", &ViewState::antialiasing},
    {"view.gpu", "GPU Skinning", "Deform the mesh on the graphics card; off, on the processor", "Shift+U", "",
     &ViewState::gpuSkinning},
};

} // namespace

void addViewActions(Actions& actions, Editor& editor, const Stage& stage) {
    actions.add({.id = "view.frameSelected",
                 .menu = "View",
                 .text = "Frame Selected",
                 .tooltip = "Bring the selected joints into view",
                 .shortcuts = {"F"},
                 .icon = "frame",
                 .run = [&stage] { stage.frameSelection(); },
                 .enabled = [&editor] { return !editor.selection().empty(); }});
    actions.add({.id = "view.frameAll",
                 .menu = "View",
                 .text = "Frame All",
                 .tooltip = "Bring everything into view",
                 .shortcuts = {"A", "Home"},
                 .run = [&stage] { stage.frameAll(); }});
    for (const Look& look : kLooks)
        actions.add({.id = look.id,
                     .menu = "View",
                     .section = 1,
                     .text = look.text,
                     .tooltip = QString("Look from the %1").arg(QString(look.text).toLower()),
                     .shortcuts = {look.key},
                     .run = [&stage, view = look.view] { stage.lookFrom(view); }});
    actions.add({.id = "view.orthographic",
                 .menu = "View",
                 .section = 2,
                 .text = "Orthographic",
                 .tooltip = "Without perspective",
                 .shortcuts = {"5"},
                 .run = [&stage] { stage.setOrthographic(!stage.orthographic()); },
                 .checked = [&stage] { return stage.orthographic(); }});
    for (const Toggle& toggle : kToggles)
        actions.add({.id = toggle.id,
                     .menu = "View",
                     .section = 3,
                     .text = toggle.text,
                     .tooltip = toggle.tooltip,
                     .shortcuts = {toggle.key},
                     .icon = toggle.icon,
                     .run =
                         [&editor, flag = toggle.flag] {
                             ViewState view = editor.view();
                             view.*flag = !(view.*flag);
                             editor.setView(view);
                         },
                     .checked = [&editor, flag = toggle.flag] { return editor.view().*flag; }});
    actions.add({.id = "view.showAllMeshes",
                 .menu = "View",
                 .section = 4,
                 .text = "Show All Meshes",
                 .tooltip = "Show the meshes that were hidden",
                 .shortcuts = {"Ctrl+H"},
                 .run =
                     [&editor] {
                         ViewState view = editor.view();
                         view.hidden.clear();
                         editor.setView(view);
                     },
                 .enabled = [&editor] { return !editor.view().hidden.empty(); }});
}

} // namespace limber::ui
