// The window: menus, bars and docks around the view. What happens in them is theirs.
#pragma once

#include "ui/actions.h"
#include "ui/stage.h"
#include "ui/theme.h"

#include <QByteArray>
#include <QMainWindow>

#include <functional>
#include <memory>

namespace limber::ui {

class ActionSearch;
class ClipsPanel;
class CorrectiveWatch;
class Doctor;
class HistoryPanel;
class JointsPanel;
class MeshesPanel;
class PanelTitle;
class PosePanel;
class ReportPanel;
class ShapesPanel;
class StatusLine;
class ToolOptions;
class ViewFrame;
class WeightsPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // Adds the editor's, the window's and the help actions to the registry, which may hold the file actions already,
    // and takes the view. Fills in the stage's part of the shapes. Keeps references.
    MainWindow(Editor& editor, Actions& actions, Stage& stage, QWidget* view);
    ~MainWindow() override;

    void setDocumentName(const QString& name); // of the file; the title and the history show it
    [[nodiscard]] ViewFrame& frame() { return *frame_; }
    [[nodiscard]] StatusLine& status() { return *status_; }
    [[nodiscard]] ActionSearch& search() { return *search_; }
    [[nodiscard]] JointsPanel& joints() { return *joints_; }
    [[nodiscard]] MeshesPanel& meshes() { return *meshes_; }
    [[nodiscard]] PosePanel& pose() { return *pose_; }
    [[nodiscard]] WeightsPanel& weights() { return *weights_; }
    [[nodiscard]] ShapesPanel& shapes() { return *shapes_; }
    [[nodiscard]] HistoryPanel& history() { return *history_; }
    [[nodiscard]] ClipsPanel& clips() { return *clips_; }

    void refreshTool(); // another tool
    void refreshHint();
    void resetLayout();
    void placeOn(const QRect& available); // the first place and size; all of it is inside, frame and all
    void setTheme(ThemeKind kind);

    // Asked before the window closes; false keeps it open.
    std::function<bool()> mayClose = [] { return true; };

signals:
    void fileDropped(const QString& path);
    void themeChanged(limber::ui::ThemeKind kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Dock {
        QDockWidget* dock;
        PanelTitle* title;
    };
    Dock addDock(const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void makePanels();
    void makeToolStrip();
    void addWindowActions();
    void addHelpActions();
    void addClipActions();
    void connectEditor();
    void refreshSummary();
    void showMisfits();
    void refreshTitle();

    Editor& editor_;
    Actions& actions_;
    Stage& stage_;
    QWidget* view_;
    std::unique_ptr<Doctor> doctor_;
    std::unique_ptr<CorrectiveWatch> correctives_;
    QString name_;
    ViewFrame* frame_;
    StatusLine* status_;
    ActionSearch* search_;
    ToolOptions* options_ = nullptr;
    JointsPanel* joints_ = nullptr;
    MeshesPanel* meshes_ = nullptr;
    ReportPanel* report_ = nullptr;
    PosePanel* pose_ = nullptr;
    WeightsPanel* weights_ = nullptr;
    ShapesPanel* shapes_ = nullptr;
    HistoryPanel* history_ = nullptr;
    ClipsPanel* clips_ = nullptr;
    std::vector<Dock> docks_;
    QDockWidget* clipsDock_ = nullptr;
    QByteArray defaultLayout_;
    QString misfits_; // as the notice says them
};

} // namespace limber::ui
