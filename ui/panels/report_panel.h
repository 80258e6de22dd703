// What reading the file mended, and what the doctor finds wrong or odd in the document, with the fixes.
#pragma once

#include "ui/actions.h"
#include "ui/editor/doctor.h"

#include <QWidget>

class QLabel;
class QListWidget;

namespace limber::ui {

class ReportPanel : public QWidget {
    Q_OBJECT
public:
    // Keeps references. The actions hold those of the doctor.
    ReportPanel(Editor& editor, Doctor& doctor, Actions& actions, QWidget* parent = nullptr);
    ~ReportPanel() override;

signals:
    void countChanged(const QString& text); // empty where there is nothing to tell

private:
    void refresh();
    void rebuild();
    void addNote(const char* icon, const QString& kind, const QString& note);
    void addFinding(std::size_t index);
    void choose(int row);

    Editor& editor_;
    Doctor& doctor_;
    QListWidget* list_;
    QLabel* nothing_;
    QWidget* buttons_;
    bool filling_ = false;
    std::vector<check::Finding> shown_;
};

} // namespace limber::ui
