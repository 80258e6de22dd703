#include "ui/panels/pose_panel.h"

#include "core/document/intents.h"
#include "ui/actions.h"
#include "ui/gizmos/gizmo_math.h"
#include "ui/panels/number_field.h"
#include "ui/tools/joint_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <limits>
#include <numbers>

namespace limber::ui {

namespace {

constexpr double kDeg = 180 / std::numbers::pi;
const char* const kAxisNames[] = {"x", "y", "z"};

struct RowText {
    const char* label;
    const char* step;
    const char* tooltip;
};
constexpr RowText kRows[] = {
    {"Translation", "Move", "Along the axes of the joint at bind, in the file's units"},
    {"Rotation \u00b0", "Rotate",
     "Euler XYZ in degrees: about X first, then Y, then Z, the fixed axes of the joint at bind"},
    {"Scale", "Scale", "Along the axes of the joint; zero becomes 0.000001, so that the rotation is not lost"},
};

// Of the triples that are this rotation, the one nearest to `before`, so that a drag through half a turn shows no jump.
Eigen::Vector3d nearestEuler(const Eigen::Vector3d& angles, const Eigen::Vector3d& before) {
    Eigen::Vector3d best;
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Vector3d candidate : {angles, Eigen::Vector3d(angles.x() + 180, 180 - angles.y(), angles.z() + 180)}) {
        for (int k = 0; k < 3; ++k)
            candidate[k] -= 360 * std::round((candidate[k] - before[k]) / 360);
        const double distance = (candidate - before).cwiseAbs().sum();
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

// With the sign of `value`, or of the scale before where that is zero.
double keptScale(double value, double before) {
    if (std::abs(value) >= kSmallestScale)
        return value;
    return std::copysign(kSmallestScale, value != 0 ? value : before);
}

QToolButton* actionButton(QAction* action, const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setText(text);
    button->setAccessibleName(action->text());
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::TabFocus);
    // The action's own text is longer than the room here.
    QObject::connect(action, &QAction::changed, button, [button, text] { button->setText(text); });
    return button;
}

} // namespace

PosePanel::PosePanel(Editor& editor, const Actions& actions, QWidget* parent)
    : QWidget(parent), editor_(editor), shear_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(8);
    column->addLayout(makeFields());

    auto* note = new QLabel(tr("Relative to bind. Rotation as Euler XYZ: X first, then Y, then Z."), this);
    note->setProperty("role", "secondary");
    note->setWordWrap(true);
    column->addWidget(note);
    shear_->setText(tr("This joint is sheared as well; the shear is kept."));
    shear_->setWordWrap(true);
    shear_->hide();
    column->addWidget(shear_);

    column->addLayout(makeButtons(actions));
    column->addStretch(1);

    connect(&editor_, &Editor::documentReplaced, this, &PosePanel::show);
    connect(&editor_, &Editor::selectionChanged, this, &PosePanel::show);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        const JointId j = editor_.activeJoint();
        if (changes.everything || changes.names ||
            std::find(changes.joints.begin(), changes.joints.end(), j) != changes.joints.end())
            show();
    });
    show();
}

QLayout* PosePanel::makeFields() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(4);
    for (int row = 0; row < 3; ++row) {
        auto* label = new QLabel(tr(kRows[row].label), this);
        label->setToolTip(tr(kRows[row].tooltip));
        grid->addWidget(label, row, 0);
        for (int axis = 0; axis < 3; ++axis) {
            const QString name = QString("%1 %2").arg(kRows[row].step, QString(kAxisNames[axis]).toUpper());
            auto* number = row == Rotation ? new NumberField(name, -36000, 36000, 1, 1, this)
                                           : new NumberField(name, -1e6, 1e6, 3, 0.01, this);
            number->setProperty("axis", kAxisNames[axis]);
            number->setToolTip(tr(kRows[row].tooltip));
            connect(number, &QDoubleSpinBox::valueChanged, this, [this, row, axis] { take(Row(row), axis); });
            grid->addWidget(number, row, axis + 1);
            grid->setColumnStretch(axis + 1, 1);
            fields_[std::size_t(row)][std::size_t(axis)] = number;
        }
    }
    return grid;
}

QLayout* PosePanel::makeButtons(const Actions& actions) {
    auto* buttons = new QGridLayout;
    buttons->setHorizontalSpacing(4);
    buttons->setVerticalSpacing(4);
    auto* selection = new QLabel(tr("Selection"), this);
    auto* all = new QLabel(tr("All joints"), this);
    buttons->addWidget(selection, 0, 0);
    buttons->addWidget(actionButton(actions.action("pose.bind.selection"), tr("To bind"), this), 0, 1);
    buttons->addWidget(actionButton(actions.action("pose.file.selection"), tr("To file pose"), this), 0, 2);
    buttons->addWidget(all, 1, 0);
    buttons->addWidget(actionButton(actions.action("pose.bind.all"), tr("To bind"), this), 1, 1);
    buttons->addWidget(actionButton(actions.action("pose.file.all"), tr("To file pose"), this), 1, 2);
    buttons->setColumnStretch(1, 1);
    buttons->setColumnStretch(2, 1);
    return buttons;
}

void PosePanel::show() {
    const JointId j = editor_.activeJoint();
    const bool any = j.valid();
    math::TransformParts parts;
    if (any)
        parts = math::decompose(editor_.preview().userLocal(editor_.document(), j));
    const Eigen::Quaterniond typed = math::rotationFromEulerXyz(eulerDeg_ / kDeg);
    if (j != joint_)
        eulerDeg_.setZero();
    if (j != joint_ || typed.angularDistance(parts.rotation) > 1e-7)
        eulerDeg_ = nearestEuler(math::eulerXyzFromRotation(parts.rotation) * kDeg, eulerDeg_);
    const bool other = j != joint_;
    joint_ = j;
    const Eigen::Vector3d values[] = {parts.translation, eulerDeg_, parts.scale};
    for (std::size_t row = 0; row < 3; ++row)
        for (int axis = 0; axis < 3; ++axis) {
            NumberField* number = fields_[row][std::size_t(axis)];
            number->setEnabled(any);
            const double value = values[row][axis];
            number->showValue(std::abs(value) < 0.5 * std::pow(10.0, -number->decimals()) ? 0.0 : value);
        }
    shear_->setVisible(any && parts.hasShear());
    if (other || !any)
        emit titleChanged(any ? jointLabel(editor_.document(), j) : tr("No joint selected"));
    const std::size_t selected = editor_.selection().joints().size();
    emit noteChanged(selected > 1 ? tr("%1 selected \u00b7 user-local").arg(selected) : tr("user-local"));
}

// Only the axis that was edited: the fields of the others show rounded numbers.
void PosePanel::take(Row row, int axis) {
    const JointId j = editor_.activeJoint();
    if (!j.valid())
        return;
    editor_.beginEdit();
    math::TransformParts parts = math::decompose(editor_.document().state().pose[j.index()]);
    const double value = field(row, axis)->value();
    if (row == Translation)
        parts.translation[axis] = value;
    else if (row == Scale) {
        if (std::abs(value) < kSmallestScale)
            editor_.say(tr("Scaled to nothing a joint would lose its rotation: %1 is used.")
                            .arg(QString::number(kSmallestScale, 'f', 6)));
        parts.scale[axis] = keptScale(value, parts.scale[axis]);
    } else {
        eulerDeg_[axis] = value;
        parts.rotation = math::rotationFromEulerXyz(eulerDeg_ / kDeg);
    }
    const QString label = QString("%1 %2").arg(tr(kRows[row].step), jointLabel(editor_.document(), j));
    editor_.perform(document::setUserLocal(editor_.document(), j, math::compose(parts), label.toStdString()));
}

} // namespace limber::ui
