// What reading the file mended or found odd.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

class QLabel;
class QListWidget;

namespace limber::ui {

class ReportPanel : public QWidget {
    Q_OBJECT
public:
    explicit ReportPanel(Editor& editor, QWidget* parent = nullptr);

signals:
    void countChanged(const QString& text); // empty where there is nothing to tell

private:
    void rebuild();

    Editor& editor_;
    QListWidget* list_;
    QLabel* nothing_;
};

} // namespace limber::ui
