// Which joints move the mesh, and how much of it: bars of each joint's share of all weight, with lock buttons.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

#include <map>
#include <vector>

class QComboBox;
class QTimer;
class QTreeWidget;

namespace limber::ui {

// Sums of the weights of meshes by slot. The document's are summed once a revision; what a stroke lays over them costs
// its own vertices only.
class WeightSums {
public:
    // As shown, the preview's rows laid over.
    [[nodiscard]] std::vector<double> shown(const Editor& editor, MeshId mesh, std::size_t slotCount);

private:
    struct Sums {
        std::uint64_t revision = 0;
        std::vector<double> bySlot;
    };
    const std::vector<double>& ofDocument(const document::Document& doc, MeshId mesh, std::size_t slotCount);
    std::map<MeshId, Sums> sums_;
};

// Weight of each joint summed over the vertices of the meshes, divided by the number of vertices. O(influences) where
// the document has changed since `known` was made, else O(those of the preview). `mesh` not valid: every mesh with a
// skin.
[[nodiscard]] std::vector<double> jointShares(const Editor& editor, MeshId mesh, WeightSums& known);

class WeightsPanel : public QWidget {
    Q_OBJECT
public:
    explicit WeightsPanel(Editor& editor, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget* list() const { return list_; }
    void setShown(bool shown); // while nobody sees it, it does not follow strokes

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
    bool shown_ = true, stale_ = false;
    WeightSums sums_;
};

} // namespace limber::ui
