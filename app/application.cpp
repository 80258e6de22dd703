#include "app/application.h"

#include "ui/panels/view_frame.h"
#include "ui/viewport/graphics_setup.h"

#include <QApplication>
#include <QScreen>

namespace limber::app {

Application::Application() : session_(editor_, settings_), viewport_(new ui::Viewport(editor_)) {
    ui::applyTheme(*qApp, settings_.theme());
    viewport_->setAccessibleName(QObject::tr("3D view"));
    viewport_->setMinimumSize(320, 240);
    tools_ = std::make_unique<ui::ToolManager>(editor_, viewport_->camera());
    viewport_->setPointerHandler(tools_.get());
    fillStage();
    session_.addActions(actions_);
    window_ = std::make_unique<ui::MainWindow>(editor_, actions_, stage_, viewport_);
    session_.attach(*window_);
    session_.gestureGoesOn = [this] { return tools_->busy(); };

    QObject::connect(tools_.get(), &ui::ToolManager::overlayChanged, viewport_, &ui::Viewport::requestOverlay);
    QObject::connect(tools_.get(), &ui::ToolManager::toolChanged, window_.get(), &ui::MainWindow::refreshTool);
    QObject::connect(tools_.get(), &ui::ToolManager::hintChanged, window_.get(), &ui::MainWindow::refreshHint);
    QObject::connect(window_.get(), &ui::MainWindow::themeChanged, window_.get(),
                     [this](ui::ThemeKind kind) { settings_.setTheme(kind); });
    // Rendered at once: the tree must not show another document than the view.
    QObject::connect(&session_, &Session::opened, viewport_, [this] {
        viewport_->frameAll();
        viewport_->renderNow();
    });

    if (const QByteArray geometry = settings_.windowGeometry(); !geometry.isEmpty())
        window_->restoreGeometry(geometry);
    else
        window_->placeOn(window_->screen()->availableGeometry());
    if (const QByteArray layout = settings_.windowLayout(); !layout.isEmpty())
        window_->restoreState(layout);
    tools_->setTool(ui::ToolId::Rotate);
    if (!ui::hasStorageBuffers())
        window_->frame().showNotice(QObject::tr("The graphics of this machine are older than OpenGL 4.3"),
                                    QObject::tr("Meshes are deformed on the processor instead."));
}

void Application::storeSettings() {
    settings_.setWindow(window_->saveGeometry(), window_->saveState());
}

Application::~Application() {
    storeSettings();
    viewport_->setPointerHandler(nullptr);
}

void Application::fillStage() {
    stage_.frameSelection = [this] { viewport_->frameSelected(); };
    stage_.frameAll = [this] { viewport_->frameAll(); };
    stage_.lookFrom = [this](ui::Camera::View view) { viewport_->setStandardView(view); };
    stage_.setOrthographic = [this](bool on) { viewport_->setOrthographic(on); };
    stage_.orthographic = [this] { return viewport_->camera().orthographic(); };
    stage_.setTool = [this](ui::ToolId tool) { tools_->setTool(tool); };
    stage_.tool = [this] { return tools_->current(); };
    stage_.hint = [this] { return tools_->hint(); };
    stage_.busy = [this] { return tools_->busy(); };
}

} // namespace limber::app
