// The tree of joints: those that deform a mesh, with their ancestors. Shows and sets the selection, the hover and the
// locks.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

#include <unordered_map>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace limber::ui {

class JointsPanel : public QWidget {
    Q_OBJECT
public:
    explicit JointsPanel(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] QTreeWidget* tree() const { return tree_; }
    void focusFilter();
    void refreshColors() { rebuild(); } // another theme

signals:
    void filterLeft();                      // by Escape
    void countChanged(const QString& text); // of the joints shown

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectSignals();
    void rebuild();
    void showNames();
    void showSelection();
    void showHover();
    void showLocks();
    void takeSelection();
    void filter(const QString& text);
    void selectFirstMatch();
    [[nodiscard]] JointId jointOf(const QTreeWidgetItem* item) const;

    Editor& editor_;
    QLineEdit* filter_;
    QTreeWidget* tree_;
    std::unordered_map<JointId, QTreeWidgetItem*> items_;
    JointId hovered_;
    bool syncing_ = false;
};

} // namespace limber::ui
