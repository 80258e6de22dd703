// What actions and bars ask of the view, the tools and the panels, without knowing them.
// Each owner fills in its part before the window is shown; the application owns the object.
#pragma once

#include "ui/editor/editor.h"
#include "ui/tools/tool_manager.h"
#include "ui/viewport/camera.h"

#include <functional>
#include <optional>

namespace limber::ui {

struct Stage {
    std::function<void()> frameSelection = [] {};
    std::function<void()> frameAll = [] {};
    std::function<void(Camera::View)> lookFrom = [](Camera::View) {};
    std::function<void(bool)> setOrthographic = [](bool) {};
    std::function<bool()> orthographic = [] { return false; };

    std::function<void(ToolId)> setTool = [](ToolId) {};
    std::function<ToolId()> tool = [] { return ToolId::Select; };
    std::function<QString()> hint = [] { return QString(); };
    std::function<bool()> busy = [] { return false; }; // a drag or stroke is going on

    // The shape that the list of shapes points at, and the start of its renaming in place.
    std::function<std::optional<Editor::ActiveShape>()> currentShape = [] {
        return std::optional<Editor::ActiveShape>();
    };
    std::function<void()> renameShape = [] {};
};

} // namespace limber::ui
