// The actions that work on the editor, one function a theme, in the order of the menus.
#pragma once

#include "ui/actions.h"
#include "ui/editor/doctor.h"
#include "ui/stage.h"

namespace limber::ui {

// All keep references to the editor and the stage.
void addEditActions(Actions& actions, Editor& editor);
void addCheckActions(Actions& actions, Doctor& doctor); // keeps a reference to the doctor
void addViewActions(Actions& actions, Editor& editor, const Stage& stage);
void addSelectActions(Actions& actions, Editor& editor);
void addPoseActions(Actions& actions, Editor& editor);
void addWeightActions(Actions& actions, Editor& editor);
void addSkinningActions(Actions& actions, Editor& editor, const Stage& stage); // within the Weights menu
void addShapeActions(Actions& actions, Editor& editor, const Stage& stage);
void addToolActions(Actions& actions, Editor& editor, const Stage& stage);

// The joints that the tree shows and "select all" takes: those that deform and their ancestors; every one in a file
// without a skin.
[[nodiscard]] std::vector<JointId> shownJoints(const document::Document& doc);

// The mesh that "new corrective" is for: the one with the most weight of the selected joints, or else the first with a
// skin.
[[nodiscard]] MeshId correctiveMesh(const Editor& editor);
// A new corrective at the present pose on that mesh, made active. Says why where it cannot.
void newCorrectiveHere(Editor& editor);
// What is skinned how, of the active meshes, as one step each.
void skinActiveMeshes(Editor& editor, const std::function<void(skin::Skinning&)>& change);
[[nodiscard]] skin::Skinning activeSkinning(const Editor& editor); // of the one that panels show
[[nodiscard]] bool changesSkinning(const document::ChangeSet& changes);
// "Body", or "3 meshes" where several are set together; empty where there is none with a skin.
[[nodiscard]] QString activeMeshesName(const Editor& editor);
[[nodiscard]] QString methodName(skin::Method method); // "Dual quaternion"
[[nodiscard]] QString methodTooltip(skin::Method method);
// To the pose where the shape is fully on, and sculpt into it from now on.
void editShape(Editor& editor, const Editor::ActiveShape& shape);

} // namespace limber::ui
