// The slim bar above the view: the active tool's name and settings; at the right how the mesh is skinned, and the
// search.
#pragma once

#include "ui/actions.h"
#include "ui/stage.h"

#include <QToolBar>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace limber::ui {

class NumberField;

class ToolOptions : public QToolBar {
    Q_OBJECT
public:
    ToolOptions(Editor& editor, const Actions& actions, const Stage& stage, QWidget* parent = nullptr);
    void refresh(); // another tool or other settings

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit(); // leaves out words where there is no room for them
    QWidget* makeGizmoPart();
    QWidget* makeBrushPart();
    QWidget* makeRightPart(const Actions& actions);
    void takeBrush();
    void takeGizmo();
    void showMethod();

    Editor& editor_;
    const Stage& stage_;
    QLabel* name_;
    QWidget* all_ = nullptr;
    QToolButton* method_ = nullptr;
    QToolButton* search_ = nullptr;
    std::vector<QLabel*> words_; // before the fields of the brush, which say the same in their tooltips
    QWidget* gizmoPart_;
    QWidget* brushPart_;
    QComboBox* space_ = nullptr;
    QCheckBox* snap_ = nullptr;
    QCheckBox* keepTrs_ = nullptr;
    QComboBox* paintTarget_ = nullptr;
    QComboBox* paintMode_ = nullptr;
    QComboBox* sculptMode_ = nullptr;
    NumberField* radius_ = nullptr;
    NumberField* strength_ = nullptr;
    QComboBox* falloff_ = nullptr;
    QLabel* valueLabel_ = nullptr;
    NumberField* value_ = nullptr;
    QComboBox* device_ = nullptr;
    bool showing_ = false;
};

} // namespace limber::ui
