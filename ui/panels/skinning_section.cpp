#include "ui/panels/skinning_section.h"

#include "ui/actions/editor_actions.h"
#include "ui/panels/number_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace limber::ui {

namespace {

constexpr int kIcon = 16;

QToolButton* iconButton(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setIconSize({kIcon, kIcon});
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("small", true);
    return button;
}

} // namespace

SkinningSection::SkinningSection(Editor& editor, const Actions& actions, QWidget* parent)
    : QWidget(parent), editor_(editor), method_(new QComboBox(this)), mush_(new QCheckBox(tr("Delta mush"), this)),
      iterations_(new NumberField(tr("Delta mush iterations"), 1, skin::kMaxMushIterations, 0, 1, this)),
      lambda_(new NumberField(tr("Delta mush strength of one iteration"), 0.01, 1, 2, 0.05, this)) {
    method_->setAccessibleName(tr("Skinning method"));
    for (int k = 0; k < skin::kMethodCount; ++k) {
        method_->addItem(methodName(skin::Method(k)));
        method_->setItemData(k, methodTooltip(skin::Method(k)), Qt::ToolTipRole);
    }
    method_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    iterations_->setToolTip(tr("Iterations: how far delta mush smooths. Each takes a pass over the mesh"));
    lambda_->setToolTip(tr("Strength of one iteration, 0 to 1"));
    for (NumberField* number : {iterations_, lambda_})
        number->setMinimumWidth(40);

    setMinimumWidth(1); // a narrow window takes from the words

    auto* label = new QLabel(tr("Skinning"), this);
    label->setBuddy(method_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row({label, method_}, actions, "paint.methodShare", "skinning.clearMethod"));
    column->addLayout(row({mush_, iterations_, lambda_}, actions, "paint.mushShare", "skinning.clearMush"));

    connect(method_, &QComboBox::activated, this, &SkinningSection::take);
    connect(mush_, &QCheckBox::clicked, this, &SkinningSection::take);
    connect(iterations_, &QDoubleSpinBox::valueChanged, this, &SkinningSection::take);
    connect(lambda_, &QDoubleSpinBox::valueChanged, this, &SkinningSection::take);
    connect(&editor_, &Editor::documentReplaced, this, &SkinningSection::show);
    connect(&editor_, &Editor::activeMeshesChanged, this, &SkinningSection::show);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changes.everything || std::ranges::any_of(changes.meshes, [](const auto& mesh) { return mesh.skinning; }))
            show();
    });
    show();
}

QLayout* SkinningSection::row(const std::vector<QWidget*>& widgets, const Actions& actions, const char* paint,
                              const char* clear) {
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    for (QWidget* widget : widgets)
        line->addWidget(widget, widget != widgets.front());
    line->addWidget(iconButton(actions.action(paint), this));
    line->addWidget(iconButton(actions.action(clear), this));
    return line;
}

void SkinningSection::show() {
    const bool any = editor_.activeMesh().valid();
    const skin::Skinning skinning = activeSkinning(editor_);
    const QString none = tr("No mesh of this scene has a skin: each follows its joint as a whole");
    const QSignalBlocker quietMethod(method_), quietMush(mush_);
    method_->setCurrentIndex(int(skinning.method));
    method_->setEnabled(any);
    method_->setToolTip(any ? methodTooltip(skinning.method) : none);
    mush_->setChecked(skinning.mush.on);
    mush_->setEnabled(any);
    mush_->setToolTip(any ? tr("Smooths the posed mesh and gives it its detail back. The mesh is then posed by the "
                               "CPU: slower than the methods alone. Other programs show the mesh without it")
                          : none);
    iterations_->showValue(skinning.mush.iterations);
    lambda_->showValue(skinning.mush.lambda);
    iterations_->setEnabled(any && skinning.mush.on);
    lambda_->setEnabled(any && skinning.mush.on);
}

// One step a change: only what was touched differs from what is shown.
void SkinningSection::take() {
    const QObject* touched = sender();
    skinActiveMeshes(editor_, [&](skin::Skinning& s) {
        if (touched == method_)
            s.method = skin::Method(method_->currentIndex());
        else if (touched == mush_)
            s.mush.on = mush_->isChecked();
        else if (touched == iterations_)
            s.mush.iterations = std::uint32_t(iterations_->value());
        else
            s.mush.lambda = lambda_->value();
    });
    show(); // a step that changed nothing may leave a control out of step
}

} // namespace limber::ui
