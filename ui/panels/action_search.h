// Finds any action by its words and runs it.
#pragma once

#include "ui/actions.h"

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace limber::ui {

class ActionSearch : public QFrame {
    Q_OBJECT
public:
    explicit ActionSearch(Actions& actions, QWidget* window);

    void open(); // near the top of the window, empty, with the focus
    [[nodiscard]] QLineEdit* input() const { return input_; }
    [[nodiscard]] QListWidget* list() const { return list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& text);
    void runCurrent();

    Actions& actions_;
    QLineEdit* input_;
    QListWidget* list_;
};

} // namespace limber::ui
