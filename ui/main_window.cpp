#include "ui/main_window.h"

#include "ui/actions/editor_actions.h"
#include "ui/editor/corrective_watch.h"
#include "ui/panels/action_search.h"
#include "ui/panels/clips_panel.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/joints_panel.h"
#include "ui/panels/meshes_panel.h"
#include "ui/panels/panel_title.h"
#include "ui/panels/pose_panel.h"
#include "ui/panels/report_panel.h"
#include "ui/panels/shapes_panel.h"
#include "ui/panels/status_line.h"
#include "ui/panels/tool_options.h"
#include "ui/panels/view_frame.h"
#include "ui/panels/weights_panel.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

namespace limber::ui {

namespace {

constexpr QSize kFirstSize(1440, 900), kFrame(16, 48); // the frame is known only once it is there

const QStringList kMenus = {"File", "Edit", "View", "Select", "Pose", "Weights", "Shapes", "Tools", "Window", "Help"};

} // namespace

MainWindow::MainWindow(Editor& editor, Actions& actions, Stage& stage, QWidget* view)
    : editor_(editor), actions_(actions), stage_(stage), view_(view), doctor_(std::make_unique<Doctor>(editor)),
      correctives_(std::make_unique<CorrectiveWatch>(editor)), frame_(new ViewFrame(view, this)),
      status_(new StatusLine(this)), search_(new ActionSearch(actions, this)) {
    setObjectName("mainWindow");
    setWindowIcon(QIcon(":/icons/limber.svg"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCentralWidget(frame_);
    setStatusBar(status_);
    view_->installEventFilter(this);

    addEditActions(actions_, editor_);
    addCheckActions(actions_, *doctor_);
    addViewActions(actions_, editor_, stage_);
    addSelectActions(actions_, editor_);
    addPoseActions(actions_, editor_);
    addWeightActions(actions_, editor_);
    addSkinningActions(actions_, editor_, stage_);
    addShapeActions(actions_, editor_, stage_);
    addToolActions(actions_, editor_, stage_);
    addHelpActions();
    makeToolStrip();
    options_ = new ToolOptions(editor_, actions_, stage_, this);
    addToolBar(Qt::TopToolBarArea, options_);
    options_->toggleViewAction()->setVisible(false);
    makePanels();
    addWindowActions();
    addClipActions();
    actions_.fillMenuBar(*menuBar(), kMenus);
    for (QAction* action : actions_.all())
        addAction(action);
    connectEditor();
    resize(kFirstSize);
    resetLayout();
    defaultLayout_ = saveState();
    refreshTool();
    refreshSummary();
    view_->setFocus();
}

MainWindow::~MainWindow() = default;

MainWindow::Dock MainWindow::addDock(const char* name, const QString& title, QWidget* content,
                                     Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    dock->setWidget(content);
    auto* bar = new PanelTitle(dock);
    dock->setTitleBarWidget(bar);
    addDockWidget(area, dock);
    docks_.push_back({dock, bar});
    return docks_.back();
}

void MainWindow::makePanels() {
    const Dock joints = addDock("joints", tr("Joints"), joints_ = new JointsPanel(editor_), Qt::LeftDockWidgetArea);
    const Dock meshes =
        addDock("meshes", tr("Meshes"), meshes_ = new MeshesPanel(editor_, actions_), Qt::LeftDockWidgetArea);
    const Dock report = addDock("report", tr("Import report"), report_ = new ReportPanel(editor_, *doctor_, actions_),
                                Qt::LeftDockWidgetArea);
    const Dock pose = addDock("pose", tr("Pose"), pose_ = new PosePanel(editor_, actions_), Qt::RightDockWidgetArea);
    const Dock weights =
        addDock("weights", tr("Weights"), weights_ = new WeightsPanel(editor_), Qt::RightDockWidgetArea);
    const Dock shapes =
        addDock("shapes", tr("Shapes"), shapes_ = new ShapesPanel(editor_, actions_), Qt::RightDockWidgetArea);
    addDock("history", tr("History"), history_ = new HistoryPanel(editor_), Qt::RightDockWidgetArea);
    clipsDock_ = addDock("clips", tr("Clips"), clips_ = new ClipsPanel(editor_), Qt::BottomDockWidgetArea).dock;

    connect(joints_, &JointsPanel::filterLeft, view_, [this] { view_->setFocus(Qt::OtherFocusReason); });
    connect(joints_, &JointsPanel::countChanged, joints.title, &PanelTitle::setNote);
    connect(meshes_, &MeshesPanel::countChanged, meshes.title, &PanelTitle::setNote);
    connect(report_, &ReportPanel::countChanged, report.title, &PanelTitle::setNote);
    connect(pose_, &PosePanel::titleChanged, pose.title, &PanelTitle::setTitle);
    connect(pose_, &PosePanel::noteChanged, pose.title, &PanelTitle::setNote);
    connect(weights.dock, &QDockWidget::visibilityChanged, weights_, &WeightsPanel::setShown);
    connect(shapes_, &ShapesPanel::noteChanged, shapes.title, &PanelTitle::setNote);
    connect(clips_, &ClipsPanel::clipsChanged, clipsDock_, &QWidget::setVisible);
    pose.title->setNote(tr("user-local"));
    pose.title->setTitle(tr("No joint selected"));

    stage_.currentShape = [this] { return shapes_->currentShape(); };
    stage_.renameShape = [this] { shapes_->renameCurrent(); };
    connect(shapes_, &ShapesPanel::currentShapeChanged, &actions_, &Actions::refreshSoon);
}

void MainWindow::makeToolStrip() {
    auto* strip = new QToolBar(tr("Tools"), this);
    strip->setObjectName("toolStrip");
    strip->setMovable(false);
    strip->setOrientation(Qt::Vertical);
    strip->setIconSize({20, 20});
    strip->setFixedWidth(44);
    // Its layout took the margins of the style sheet before it had the name that the sheet knows it by.
    strip->style()->unpolish(strip);
    strip->style()->polish(strip);
    QEvent restyled(QEvent::StyleChange);
    QCoreApplication::sendEvent(strip, &restyled);
    strip->toggleViewAction()->setVisible(false);
    addToolBar(Qt::LeftToolBarArea, strip);
    for (QAction* action : actions_.all()) {
        if (!action->objectName().startsWith("tool."))
            continue;
        if (action->objectName() == "tool.paint")
            strip->addSeparator();
        strip->addAction(action);
        if (QWidget* button = strip->widgetForAction(action))
            button->setAccessibleName(action->text());
    }
}

void MainWindow::addWindowActions() {
    int number = 0;
    for (const Dock& entry : docks_) {
        ++number;
        QDockWidget* dock = entry.dock;
        actions_.add({.id = QString("window.%1").arg(dock->objectName()),
                      .menu = "Window",
                      .text = dock->windowTitle(),
                      .tooltip = tr("Show or hide the panel"),
                      .shortcuts = {QString("Ctrl+F%1").arg(number)},
                      .run =
                          [dock] {
                              dock->setVisible(dock->isHidden());
                              if (!dock->isHidden())
                                  dock->raise();
                          },
                      .checked = [dock] { return !dock->isHidden(); }});
        connect(dock, &QDockWidget::visibilityChanged, &actions_, &Actions::refreshSoon);
    }
    actions_.add({.id = "window.filter",
                  .menu = "Window",
                  .section = 1,
                  .text = tr("Filter Joints"),
                  .tooltip = tr("Type part of a joint's name"),
                  .shortcuts = {"Ctrl+F"},
                  .icon = "search",
                  .run = [this] {
                      docks_.front().dock->show();
                      joints_->focusFilter();
                  }});
    actions_.add({.id = "window.reset",
                  .menu = "Window",
                  .section = 1,
                  .text = tr("Reset Layout"),
                  .tooltip = tr("Put all panels back to where they were at first"),
                  .shortcuts = {"Ctrl+F9"},
                  .run = [this] { resetLayout(); }});
    actions_.add({.id = "window.theme",
                  .menu = "Window",
                  .section = 1,
                  .text = tr("Light Theme"),
                  .tooltip = tr("Dark text on light panels"),
                  .shortcuts = {"Ctrl+F10"},
                  .run = [this] { setTheme(currentTheme() == ThemeKind::Dark ? ThemeKind::Light : ThemeKind::Dark); },
                  .checked = [] { return currentTheme() == ThemeKind::Light; }});
}

void MainWindow::connectEditor() {
    for (auto signal : {&Editor::selectionChanged, &Editor::viewChanged, &Editor::brushChanged, &Editor::gizmoChanged,
                        &Editor::activeShapesChanged, &Editor::activeMeshesChanged, &Editor::historyChanged,
                        &Editor::documentReplaced})
        connect(&editor_, signal, &actions_, &Actions::refreshSoon);
    connect(&editor_, &Editor::historyChanged, this, &MainWindow::refreshSummary);
    connect(&editor_, &Editor::documentReplaced, this, &MainWindow::refreshSummary);
    connect(doctor_.get(), &Doctor::changed, &actions_, &Actions::refreshSoon);
    connect(&editor_, &Editor::message, frame_, &ViewFrame::say);
    connect(correctives_.get(), &CorrectiveWatch::changed, this, &MainWindow::showMisfits);
}

// A notice of somebody else that came since stays.
void MainWindow::showMisfits() {
    const QString what = correctives_->what();
    if (!what.isEmpty())
        frame_->showNotice(what, correctives_->details(), tr("Fit Them"), [this] { correctives_->fit(); });
    else if (!misfits_.isEmpty() && frame_->noticeText().startsWith(misfits_))
        frame_->hideNotice();
    misfits_ = what;
}

void MainWindow::setDocumentName(const QString& name) {
    name_ = name;
    history_->setOpenLabel(tr("Open %1").arg(name));
    refreshTitle();
}

void MainWindow::refreshTitle() {
    setWindowTitle(name_.isEmpty() ? QString("Limber[*]") : QString("%1[*] \u2014 Limber").arg(name_));
    setWindowModified(editor_.isModified());
}

void MainWindow::refreshSummary() {
    const document::Document& doc = editor_.document();
    std::size_t vertices = 0;
    for (const document::Instance& instance : doc.state().instances)
        vertices += doc.mesh(instance.mesh).geometry.vertexCount();
    const std::size_t joints = shownJoints(doc).size(); // as many as the tree lists and Select All selects
    const QLocale locale(QLocale::English, QLocale::UnitedStates);
    status_->setSummary(tr("%1 vertices \u00b7 %2 joints \u00b7 %3")
                            .arg(locale.toString(qulonglong(vertices)), locale.toString(qulonglong(joints)),
                                 editor_.isModified() ? tr("not saved") : tr("saved")));
    refreshTitle();
}

void MainWindow::refreshTool() {
    options_->refresh();
    refreshHint();
    actions_.refreshSoon();
}

void MainWindow::refreshHint() {
    status_->setHint(stage_.hint());
}

void MainWindow::resetLayout() {
    if (!defaultLayout_.isEmpty()) {
        restoreState(defaultLayout_);
    } else {
        const auto dock = [this](int i) { return docks_[std::size_t(i)].dock; };
        splitDockWidget(dock(3), dock(6), Qt::Vertical);
        tabifyDockWidget(dock(3), dock(4));
        tabifyDockWidget(dock(4), dock(5));
        dock(3)->raise();
        resizeDocks({dock(0), dock(3)}, {284, 304}, Qt::Horizontal);
        resizeDocks({dock(0), dock(1), dock(2)}, {390, 190, 200}, Qt::Vertical);
        resizeDocks({dock(3), dock(6)}, {520, 240}, Qt::Vertical);
    }
    clipsDock_->setVisible(!editor_.document().state().clips.empty());
}

void MainWindow::placeOn(const QRect& available) {
    const QSize most = available.size() - kFrame;
    const QSize size = kFirstSize.boundedTo(most);
    resize(size);
    const QSize spare = most - size;
    move(available.topLeft() + QPoint(spare.width() / 2, spare.height() / 2));
}

void MainWindow::setTheme(ThemeKind kind) {
    applyTheme(*qApp, kind);
    joints_->refreshColors();
    meshes_->refreshColors();
    shapes_->refreshColors();
    emit themeChanged(kind);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // Keys belong to a drag or stroke while there is one: axis letters and amounts, not shortcuts.
    if (watched == view_ && event->type() == QEvent::ShortcutOverride && stage_.busy()) {
        event->accept();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

// Docks that share a place get their tabs from Qt, when they need them and without a name.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    if (auto* tabs = qobject_cast<QTabBar*>(event->child()); tabs && event->polished())
        tabs->setAccessibleName(tr("Panels"));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (mayClose())
        event->accept();
    else
        event->ignore();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1 &&
        event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    emit fileDropped(event->mimeData()->urls().front().toLocalFile());
}

} // namespace limber::ui
