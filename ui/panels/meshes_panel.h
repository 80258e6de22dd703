// The meshes of the scene with their size; a check mark shows or hides each.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

class QTreeWidget;

namespace limber::ui {

class MeshesPanel : public QWidget {
    Q_OBJECT
public:
    explicit MeshesPanel(Editor& editor, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget* list() const { return list_; }
    void refreshColors() { rebuild(); } // another theme

signals:
    void countChanged(const QString& text);

private:
    void rebuild();
    void showVisibility();
    void takeVisibility();

    Editor& editor_;
    QTreeWidget* list_;
};

} // namespace limber::ui
