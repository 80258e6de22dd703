#include "core/document/skinning_intents.h"
#include "ui/actions/editor_actions.h"

namespace limber::ui {

namespace {

using skin::Method;
using skin::PaintedMap;

// Edits of several meshes as one step.
void performTogether(Editor& editor, std::vector<document::Edit> edits, const char* label) {
    std::erase_if(edits, [](const document::Edit& edit) { return edit.empty(); });
    if (edits.empty())
        return;
    document::Edit step = std::move(edits.front());
    if (edits.size() > 1)
        step.label = QString(label).arg(edits.size()).toStdString();
    for (std::size_t k = 1; k < edits.size(); ++k)
        std::move(edits[k].patches.begin(), edits[k].patches.end(), std::back_inserter(step.patches));
    editor.perform(std::move(step));
}

void clearMap(Editor& editor, PaintedMap map) {
    std::vector<document::Edit> edits;
    for (const MeshId mesh : editor.activeMeshes())
        edits.push_back(document::fillPaintedMap(editor.document(), mesh, map, 1));
    performTogether(editor, std::move(edits), "Clear a painted share of %1 meshes");
}

bool anyPainted(const Editor& editor, PaintedMap map) {
    return std::ranges::any_of(editor.activeMeshes(),
                               [&](MeshId mesh) { return !editor.document().mesh(mesh).map(map).empty(); });
}

void paintInto(Editor& editor, const Stage& stage, std::optional<PaintedMap> target) {
    BrushSettings brush = editor.brush();
    brush.paintTarget = target;
    editor.setBrush(brush);
    stage.setTool(ToolId::Paint);
}

void showNext(Editor& editor) {
    const int next = (int(activeSkinning(editor).method) + 1) % skin::kMethodCount;
    skinActiveMeshes(editor, [next](skin::Skinning& s) { s.method = Method(next); });
    editor.say(QStringLiteral("%1: %2").arg(activeMeshesName(editor), methodName(Method(next))));
}

std::vector<MeshId> allMeshes(const Editor& editor) {
    std::vector<MeshId> meshes;
    for (std::size_t m = 0; m < editor.document().state().meshes.size(); ++m)
        meshes.emplace_back(m);
    return meshes;
}

// The one whose skinning is shown stays that.
void selectAllMeshes(Editor& editor) {
    std::vector<MeshId> meshes = allMeshes(editor);
    const MeshId shown = editor.activeMesh();
    std::erase(meshes, shown);
    meshes.push_back(shown);
    editor.setActiveMeshes(std::move(meshes));
    editor.say(QStringLiteral("Skinning is set for %1 now.").arg(activeMeshesName(editor)));
}

void addMethods(Actions& actions, Editor& editor) {
    struct Row {
        const char* id;
        Method method;
        const char* key;
    };
    for (const Row& row : {Row{"skinning.linear", Method::Linear, "Ctrl+Alt+1"},
                           Row{"skinning.dualQuaternion", Method::DualQuaternion, "Ctrl+Alt+2"},
                           Row{"skinning.spherical", Method::Spherical, "Ctrl+Alt+3"}})
        actions.add({.id = row.id,
                     .menu = "Weights/Skinning",
                     .text = methodName(row.method),
                     .tooltip = methodTooltip(row.method),
                     .shortcuts = {row.key},
                     .group = "skinning.method",
                     .run =
                         [&editor, method = row.method] {
                             skinActiveMeshes(editor, [method](skin::Skinning& s) { s.method = method; });
                         },
                     .enabled = [&editor] { return editor.activeMesh().valid(); },
                     .checked =
                         [&editor, method = row.method] {
                             return editor.activeMesh().valid() && activeSkinning(editor).method == method;
                         }});
}

void addSteps(Actions& actions, Editor& editor) {
    const auto any = [&editor] { return editor.activeMesh().valid(); };
    actions.add({.id = "skinning.next",
                 .menu = "Weights/Skinning",
                 .section = 1,
                 .text = "Next Method",
                 .tooltip = "Skin the active mesh by the next method, to compare them",
                 .shortcuts = {"Shift+D"},
                 .run = [&editor] { showNext(editor); },
                 .enabled = any});
    actions.add(
        {.id = "skinning.allMeshes",
         .menu = "Weights/Skinning",
         .section = 1,
         .text = "Select All Meshes",
         .tooltip = "Set the skinning of all meshes together from now on; a click in the list selects one again",
         .shortcuts = {"Ctrl+Alt+A"},
         .run = [&editor] { selectAllMeshes(editor); },
         .enabled = any});
    actions.add({.id = "skinning.mush",
                 .menu = "Weights/Skinning",
                 .section = 2,
                 .text = "Delta Mush",
                 .tooltip = "Smooth the posed mesh and give it its detail back; posed by the CPU",
                 .shortcuts = {"Ctrl+D"},
                 .run =
                     [&editor] {
                         const bool on = !activeSkinning(editor).mush.on;
                         skinActiveMeshes(editor, [on](skin::Skinning& s) { s.mush.on = on; });
                     },
                 .enabled = any,
                 .checked = [&editor] { return activeSkinning(editor).mush.on; }});
}

void addTargets(Actions& actions, Editor& editor, const Stage& stage) {
    struct Target {
        const char* id;
        const char* text;
        const char* tooltip;
        const char* key;
        std::optional<PaintedMap> map;
    };
    const Target targets[] = {
        {"paint.weights", "Paint Weights", "The brush paints the weights of the active joint", "Alt+8", {}},
        {"paint.methodShare", "Paint Method Share",
         "The brush paints how much of the skinning method is used; the rest is linear blend", "Alt+9",
         PaintedMap::MethodShare},
        {"paint.mushShare", "Paint Delta Mush Share", "The brush paints how much of delta mush is used", "Alt+0",
         PaintedMap::MushShare},
    };
    for (const Target& row : targets)
        actions.add({.id = row.id,
                     .menu = "Weights",
                     .section = 2,
                     .text = row.text,
                     .tooltip = row.tooltip,
                     .shortcuts = {row.key},
                     .icon = "paint",
                     .group = "paint.target",
                     .run = [&editor, &stage, map = row.map] { paintInto(editor, stage, map); },
                     .enabled = [&editor, map = row.map] { return !map || editor.activeMesh().valid(); },
                     .checked =
                         [&editor, &stage, map = row.map] {
                             return stage.tool() == ToolId::Paint && editor.brush().paintTarget == map;
                         }});
}

void addClears(Actions& actions, Editor& editor) {
    const auto add = [&](const char* id, const char* text, const char* tooltip, const char* key, PaintedMap map) {
        actions.add({.id = id,
                     .menu = "Weights/Skinning",
                     .section = 3,
                     .text = text,
                     .tooltip = tooltip,
                     .shortcuts = {key},
                     .icon = "delete",
                     .run = [&editor, map] { clearMap(editor, map); },
                     .enabled = [&editor, map] { return anyPainted(editor, map); }});
    };
    add("skinning.clearMethod", "Clear Method Share", "Use all of the skinning method everywhere again", "Ctrl+Alt+9",
        PaintedMap::MethodShare);
    add("skinning.clearMush", "Clear Delta Mush Share", "Use all of delta mush everywhere again", "Ctrl+Alt+0",
        PaintedMap::MushShare);
}

} // namespace

QString methodName(Method method) {
    switch (method) {
    case Method::DualQuaternion:
        return QStringLiteral("Dual Quaternion");
    case Method::Spherical:
        return QStringLiteral("Spherical Blend");
    case Method::Linear:
        break;
    }
    return QStringLiteral("Linear Blend");
}

QString methodTooltip(Method method) {
    switch (method) {
    case Method::DualQuaternion:
        return QStringLiteral("Dual quaternion skinning (DQS), which others call preserve volume: keeps the volume "
                              "where joints twist and bulges a little where they bend. Programs that know only glTF "
                              "show linear blend instead");
    case Method::Spherical:
        return QStringLiteral("Spherical blend skinning (SBS): preserves the volume where joints twist and turns about "
                              "a centre of its own at each vertex. Programs that know only glTF show linear blend "
                              "instead");
    case Method::Linear:
        break;
    }
    return QStringLiteral("Classic linear blend skinning (LBS): what every program and game shows; thins out where "
                          "joints twist");
}

skin::Skinning activeSkinning(const Editor& editor) {
    const MeshId mesh = editor.activeMesh();
    return mesh.valid() ? editor.document().mesh(mesh).skinning : skin::Skinning{};
}

bool changesSkinning(const document::ChangeSet& changes) {
    return changes.everything || std::ranges::any_of(changes.meshes, [](const auto& mesh) { return mesh.skinning; });
}

QString activeMeshesName(const Editor& editor) {
    const std::size_t count = editor.activeMeshes().size();
    if (count > 1)
        return QStringLiteral("%1 meshes").arg(count);
    return count ? QString::fromStdString(document::meshName(editor.document(), editor.activeMesh())) : QString();
}

void skinActiveMeshes(Editor& editor, const std::function<void(skin::Skinning&)>& change) {
    std::vector<document::Edit> edits;
    for (const MeshId mesh : editor.activeMeshes()) {
        skin::Skinning skinning = editor.document().mesh(mesh).skinning;
        change(skinning);
        edits.push_back(document::setSkinning(editor.document(), mesh, skinning));
    }
    performTogether(editor, std::move(edits), "Skinning of %1 meshes");
}

void addSkinningActions(Actions& actions, Editor& editor, const Stage& stage) {
    actions.addSubmenu("Weights", 2, "Skinning");
    addMethods(actions, editor);
    addSteps(actions, editor);
    addTargets(actions, editor, stage);
    addClears(actions, editor);
}

} // namespace limber::ui
