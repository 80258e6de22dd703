// The shapes of all meshes: name, how much is on, muted or not. The ones being sculpted are marked in amber.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

#include <optional>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace limber::ui {

class Actions;
class ValueSlider;

class ShapesPanel : public QWidget {
    Q_OBJECT
public:
    ShapesPanel(Editor& editor, const Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<Editor::ActiveShape> currentShape() const;
    void renameCurrent();
    [[nodiscard]] QTreeWidget* list() const { return list_; }
    [[nodiscard]] ValueSlider* slider(const Editor::ActiveShape& shape) const; // null where it is not listed
    void refreshColors() { rebuild(); }                                        // another theme

signals:
    void currentShapeChanged();
    void noteChanged(const QString& text);

private:
    struct Row {
        Editor::ActiveShape shape;
        InstanceId instance; // whose weight is shown: the first of the mesh
        QTreeWidgetItem* item;
        ValueSlider* slider;
    };
    void connectSignals();
    void rebuild();
    void addRow(QTreeWidgetItem* parent, InstanceId instance, const shape::Shape& shape);
    void showValues();
    void showActive();
    void rename(const Editor::ActiveShape& target, const std::string& wish);
    void slide(const Row& row, double value, bool done);
    [[nodiscard]] const Row* rowOf(const QTreeWidgetItem* item) const;

    Editor& editor_;
    QTreeWidget* list_;
    QLabel* nothing_;
    std::vector<Row> rows_;
    bool showing_ = false;
    bool rebuildPending_ = false;
};

} // namespace limber::ui
