// How the active meshes are skinned: the method, delta mush, and what is painted of both.
#pragma once

#include "ui/actions.h"
#include "ui/editor/editor.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;

namespace limber::ui {

class NumberField;

class SkinningSection : public QWidget {
    Q_OBJECT
public:
    SkinningSection(Editor& editor, const Actions& actions, QWidget* parent = nullptr);

private:
    QLayout* row(const std::vector<QWidget*>& widgets, const Actions& actions, const char* paint, const char* clear);
    void show();
    void take();

    Editor& editor_;
    QComboBox* method_;
    QCheckBox* mush_;
    NumberField* iterations_;
    NumberField* lambda_;
};

} // namespace limber::ui
