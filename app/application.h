// The composition root of the editor: owns the document, the view, the tools and the window, and ties them together.
#pragma once

#include "app/session.h"
#include "app/settings.h"
#include "ui/actions.h"
#include "ui/editor/editor.h"
#include "ui/main_window.h"
#include "ui/stage.h"
#include "ui/tools/tool_manager.h"
#include "ui/viewport/viewport.h"

#include <memory>

namespace limber::app {

class Application {
public:
    // Needs a QApplication on graphics that prepareGraphics() set up. Applies the theme.
    Application();
    ~Application();

    [[nodiscard]] ui::Editor& editor() { return editor_; }
    [[nodiscard]] ui::Actions& actions() { return actions_; }
    [[nodiscard]] ui::Viewport& viewport() { return *viewport_; }
    [[nodiscard]] ui::ToolManager& tools() { return *tools_; }
    [[nodiscard]] ui::MainWindow& window() { return *window_; }
    [[nodiscard]] Session& session() { return session_; }
    void storeSettings(); // the destructor does it too

private:
    void fillStage();

    Settings settings_;
    ui::Editor editor_;
    ui::Actions actions_;
    ui::Stage stage_;
    Session session_;
    ui::Viewport* viewport_; // the window's
    std::unique_ptr<ui::ToolManager> tools_;
    std::unique_ptr<ui::MainWindow> window_;
};

} // namespace limber::app
