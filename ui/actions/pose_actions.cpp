#include "core/document/intents.h"
#include "ui/actions/editor_actions.h"

namespace limber::ui {

namespace {

std::vector<JointId> everyJoint(const document::Document& doc) {
    const auto order = doc.skeleton().order();
    return {order.begin(), order.end()};
}

void setLocked(Editor& editor, const std::vector<JointId>& joints, bool locked) {
    editor.perform(document::setLocked(editor.document(), joints, locked));
}

bool isLocked(const Editor& editor, JointId j) {
    return j.valid() && editor.document().state().locked[j.index()];
}

} // namespace

void addPoseActions(Actions& actions, Editor& editor) {
    struct Scope {
        const char* id;
        const char* text;
        const char* words;
        const char* bindKey;
        const char* fileKey;
        std::function<std::vector<JointId>()> joints;
    };
    const Scope scopes[] = {
        {"joint", "Active Joint", "the active joint", "Ctrl+Alt+B", "Ctrl+Alt+R",
         [&editor] {
             return editor.activeJoint().valid() ? std::vector<JointId>{editor.activeJoint()} : std::vector<JointId>{};
         }},
        {"selection", "Selection", "the selected joints", "Ctrl+B", "Ctrl+R",
         [&editor] { return editor.selection().joints(); }},
        {"all", "All", "every joint", "Ctrl+Shift+B", "Ctrl+Shift+R",
         [&editor] { return everyJoint(editor.document()); }},
    };
    const auto add = [&](const Scope& scope, document::PoseTarget target, int section) {
        const bool bind = target == document::PoseTarget::Bind;
        actions.add(
            {.id = QString("pose.%1.%2").arg(bind ? "bind" : "file", scope.id),
             .menu = "Pose",
             .section = section,
             .text = QString("%1 to %2").arg(scope.text, bind ? "Bind Pose" : "File Pose"),
             .tooltip = QString("Put %1 back to %2").arg(scope.words, bind ? "the bind pose" : "the pose in the file"),
             .shortcuts = {bind ? scope.bindKey : scope.fileKey},
             .icon = "pose",
             .run =
                 [&editor, joints = scope.joints, target] {
                     editor.beginEdit();
                     editor.perform(document::resetPose(editor.document(), joints(), target));
                 },
             .enabled = [joints = scope.joints] { return !joints().empty(); }});
    };
    for (const Scope& scope : scopes)
        add(scope, document::PoseTarget::Bind, 0);
    for (const Scope& scope : scopes)
        add(scope, document::PoseTarget::File, 1);
}

void addWeightActions(Actions& actions, Editor& editor) {
    using Mode = document::PaintSettings::Mode;
    struct Row {
        const char* id;
        const char* text;
        const char* tooltip;
        const char* key;
        Mode mode;
    };
    const Row rows[] = {
        {"weights.add", "Add", "The brush adds weight", "Alt+1", Mode::Add},
        {"weights.subtract", "Subtract", "The brush takes weight away", "Alt+2", Mode::Subtract},
        {"weights.replace", "Replace", "The brush moves weights to a value", "Alt+3", Mode::Replace},
        {"weights.smooth", "Smooth", "The brush evens weights out", "Alt+4", Mode::Smooth},
    };
    for (const Row& row : rows)
        actions.add({.id = row.id,
                     .menu = "Weights",
                     .text = row.text,
                     .tooltip = row.tooltip,
                     .shortcuts = {row.key},
                     .group = "weights.mode",
                     .run =
                         [&editor, mode = row.mode] {
                             BrushSettings brush = editor.brush();
                             brush.setMode(mode);
                             editor.setBrush(brush);
                         },
                     .checked = [&editor, mode = row.mode] { return editor.brush().mode() == mode; }});
    actions.add(
        {.id = "weights.lock",
         .menu = "Weights",
         .section = 1,
         .text = "Lock Active Joint",
         .tooltip = "Keep the weights of the active joint from being changed",
         .shortcuts = {"L"},
         .icon = "lock",
         .run = [&editor] { setLocked(editor, {editor.activeJoint()}, !isLocked(editor, editor.activeJoint())); },
         .enabled = [&editor] { return editor.activeJoint().valid(); },
         .label =
             [&editor] {
                 return QString(isLocked(editor, editor.activeJoint()) ? "Unlock Active Joint" : "Lock Active Joint");
             }});
    actions.add({.id = "weights.lockOthers",
                 .menu = "Weights",
                 .section = 1,
                 .text = "Lock All but Selected",
                 .tooltip = "Let only the selected joints' weights be changed",
                 .shortcuts = {"Shift+L"},
                 .run =
                     [&editor] {
                         std::vector<JointId> others = everyJoint(editor.document());
                         std::erase_if(others, [&](JointId j) { return editor.selection().contains(j); });
                         document::Edit edit = document::setLocked(editor.document(), others, true);
                         document::Edit open =
                             document::setLocked(editor.document(), editor.selection().joints(), false);
                         edit.label = "Lock all but the selected joints";
                         edit.patches.insert(edit.patches.end(), open.patches.begin(), open.patches.end());
                         editor.perform(std::move(edit));
                     },
                 .enabled = [&editor] { return !editor.selection().empty(); }});
    actions.add({.id = "weights.unlockAll",
                 .menu = "Weights",
                 .section = 1,
                 .text = "Unlock All",
                 .tooltip = "Let all weights be changed",
                 .shortcuts = {"Ctrl+L"},
                 .icon = "unlock",
                 .run = [&editor] { setLocked(editor, everyJoint(editor.document()), false); }});
}

} // namespace limber::ui
