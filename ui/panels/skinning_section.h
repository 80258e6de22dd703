// How the active meshes are skinned: the method, delta mush, and what is painted of both.
#pragma once

#include "ui/actions.h"
#include "ui/editor/editor.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;

namespace limber::ui {

class NumberField;

class SkinningSection : public QWidget {
    Q_OBJECT
public:
    SkinningSection(Editor& editor, const Actions& actions, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeControls();
    QLayout* row(QWidget* control, const Actions& actions, const char* paint, const char* clear);
    QWidget* makeNumbers();
    void refresh();
    void showName();
    void fit();
    void change(const std::function<void(skin::Skinning&)>& change);

    Editor& editor_;
    QLabel* title_;
    QComboBox* method_;
    QCheckBox* mush_;
    NumberField* iterations_;
    NumberField* lambda_;
    QWidget* numbers_; // of delta mush
    std::vector<QLabel*> words_;
};

} // namespace limber::ui
