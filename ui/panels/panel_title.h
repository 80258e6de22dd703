// The line above a panel: its name, a quiet note at the right (a count, a space) and a button that closes the panel.
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace limber::ui {

class PanelTitle : public QWidget {
    Q_OBJECT
public:
    explicit PanelTitle(QDockWidget* dock);

    void setTitle(const QString& text); // shortened in the middle where there is no room
    void setNote(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();

    QLabel* title_;
    QLabel* note_;
    QString text_;
};

} // namespace limber::ui
