// The meshes of the scene with their size; a check mark shows or hides each. Below how the selected ones are skinned.
#pragma once

#include "ui/actions.h"
#include "ui/editor/editor.h"

#include <QWidget>

class QTreeWidget;

namespace limber::ui {

class MeshesPanel : public QWidget {
    Q_OBJECT
public:
    MeshesPanel(Editor& editor, const Actions& actions, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget* list() const { return list_; }
    void refreshColors() { rebuild(); } // another theme

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void countChanged(const QString& text);

private:
    void rebuild();
    void showVisibility();
    void takeVisibility();
    void showActive();
    void scrollToActive();
    void takeActive();

    Editor& editor_;
    QTreeWidget* list_;
};

} // namespace limber::ui
