#include "ui/actions/editor_actions.h"

#include <algorithm>

namespace limber::ui {

namespace {

QString withLabel(const char* verb, const std::string& label) {
    return label.empty() ? QString(verb) : QString("%1 %2").arg(verb, QString::fromStdString(label));
}

void select(Editor& editor, std::vector<JointId> joints) {
    document::Selection selection;
    selection.set(std::move(joints));
    editor.setSelection(std::move(selection));
}

void selectParents(Editor& editor) {
    const rig::Skeleton& skeleton = editor.document().skeleton();
    std::vector<JointId> parents;
    for (JointId j : editor.selection().joints()) {
        const JointId parent = skeleton[j].parent.valid() ? skeleton[j].parent : j;
        std::erase(parents, parent);
        parents.push_back(parent);
    }
    select(editor, std::move(parents));
}

// Children in tree order; with `all`, everything below as well. Joints without children stay.
void selectChildren(Editor& editor, bool all) {
    const document::Document& doc = editor.document();
    const rig::Skeleton& skeleton = doc.skeleton();
    std::vector<JointId> result;
    if (all) {
        for (JointId j : shownJoints(doc))
            for (JointId top : editor.selection().joints())
                if (j != top && skeleton.isAncestor(top, j)) {
                    result.push_back(j);
                    break;
                }
        // The joints that were selected stay, the active one last.
        for (JointId j : editor.selection().joints())
            std::erase(result, j);
        result.insert(result.end(), editor.selection().joints().begin(), editor.selection().joints().end());
    } else {
        const std::vector<JointId> shown = shownJoints(doc);
        for (JointId j : editor.selection().joints()) {
            const std::size_t before = result.size();
            for (JointId child : skeleton.children(j))
                if (std::find(shown.begin(), shown.end(), child) != shown.end())
                    result.push_back(child);
            if (result.size() == before)
                result.push_back(j);
        }
    }
    select(editor, std::move(result));
}

void invertSelection(Editor& editor) {
    std::vector<JointId> rest;
    for (JointId j : shownJoints(editor.document()))
        if (!editor.selection().contains(j))
            rest.push_back(j);
    select(editor, std::move(rest));
}

} // namespace

std::vector<JointId> shownJoints(const document::Document& doc) {
    const rig::Skeleton& skeleton = doc.skeleton();
    std::vector<std::uint8_t> shown(skeleton.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i < skeleton.size(); ++i) {
        if (!skeleton[JointId(i)].deforms)
            continue;
        any = true;
        for (JointId j(i); j.valid() && !shown[j.index()]; j = skeleton[j].parent)
            shown[j.index()] = 1;
    }
    std::vector<JointId> result;
    for (JointId j : skeleton.order())
        if (!any || shown[j.index()])
            result.push_back(j);
    return result;
}

void addEditActions(Actions& actions, Editor& editor) {
    const history::History& history = editor.history();
    actions.add({.id = "edit.undo",
                 .menu = "Edit",
                 .text = "Undo",
                 .tooltip = "Take back the last step",
                 .shortcuts = {"Ctrl+Z"},
                 .icon = "undo",
                 .run = [&editor] { editor.undo(); },
                 .enabled = [&history] { return history.canUndo(); },
                 .label = [&history] { return withLabel("Undo", history.undoLabel()); }});
    actions.add({.id = "edit.redo",
                 .menu = "Edit",
                 .text = "Redo",
                 .tooltip = "Do again what was taken back",
                 .shortcuts = {"Ctrl+Shift+Z", "Ctrl+Y"},
                 .icon = "redo",
                 .run = [&editor] { editor.redo(); },
                 .enabled = [&history] { return history.canRedo(); },
                 .label = [&history] { return withLabel("Redo", history.redoLabel()); }});
}

void addSelectActions(Actions& actions, Editor& editor) {
    const auto any = [&editor] { return !editor.selection().empty(); };
    const auto filled = [&editor] { return editor.document().skeleton().size() > 0; };
    const auto add = [&](const char* id, int section, const char* text, const char* tooltip, const char* key,
                         std::function<void()> run, std::function<bool()> enabled) {
        actions.add({.id = id,
                     .menu = "Select",
                     .section = section,
                     .text = text,
                     .tooltip = tooltip,
                     .shortcuts = {key},
                     .run = std::move(run),
                     .enabled = std::move(enabled)});
    };
    add(
        "select.all", 0, "All Joints", "Select every joint", "Ctrl+A",
        [&editor] { select(editor, shownJoints(editor.document())); }, filled);
    add(
        "select.none", 0, "None", "Select nothing", "Ctrl+Shift+A", [&editor] { editor.setSelection({}); }, any);
    add(
        "select.invert", 0, "Invert", "Select the joints that are not selected", "Ctrl+I",
        [&editor] { invertSelection(editor); }, filled);
    add(
        "select.parent", 1, "Parent", "Go one joint up", "Ctrl+Up", [&editor] { selectParents(editor); }, any);
    add(
        "select.children", 1, "Children", "Go one joint down", "Ctrl+Down",
        [&editor] { selectChildren(editor, false); }, any);
    add(
        "select.below", 1, "Everything Below", "Add all joints below the selected ones", "Ctrl+Shift+Down",
        [&editor] { selectChildren(editor, true); }, any);
}

} // namespace limber::ui
