// Which joints move the mesh, and how much of it: bars of each joint's share of all weight, with lock buttons.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

class QComboBox;
class QTimer;
class QTreeWidget;

namespace limber::ui {

// Weight of each joint summed over the vertices of the meshes, divided by the number of vertices. O(influences).
// `mesh` not valid: every mesh with a skin.
[[nodiscard]] std::vector<double> jointShares(Editor& editor, MeshId mesh);

class WeightsPanel : public QWidget {
    Q_OBJECT
public:
    explicit WeightsPanel(Editor& editor, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget* list() const { return list_; }

private:
    void connectSignals();
    void rebuildMeshes();
    void rebuildRows();
    void showActive();
    void showLocks();

    Editor& editor_;
    QComboBox* mesh_;
    QTreeWidget* list_;
    QTimer* soon_; // shares follow a stroke a few times a second
    bool showing_ = false;
};

} // namespace limber::ui
