// The active joint's user-local transform in numbers: what is added to its bind transform.
#pragma once

#include "ui/editor/editor.h"

#include <QWidget>

#include <array>

class QLabel;
class QLayout;

namespace limber::ui {

class Actions;
class NumberField;

class PosePanel : public QWidget {
    Q_OBJECT
public:
    // Its buttons are actions of the registry.
    PosePanel(Editor& editor, const Actions& actions, QWidget* parent = nullptr);

    enum Row { Translation, Rotation, Scale };
    [[nodiscard]] NumberField* field(Row row, int axis) const { return fields_[row][std::size_t(axis)]; }

signals:
    void titleChanged(const QString& title); // the active joint's name
    void noteChanged(const QString& note);   // how many are selected

private:
    [[nodiscard]] QLayout* makeFields();
    [[nodiscard]] QLayout* makeButtons(const Actions& actions);
    void show();
    void take(Row row, int axis);

    Editor& editor_;
    std::array<std::array<NumberField*, 3>, 3> fields_{};
    QLabel* shear_;
    JointId joint_;
    Eigen::Vector3d eulerDeg_ = Eigen::Vector3d::Zero(); // as typed: several triples are one rotation
};

} // namespace limber::ui
