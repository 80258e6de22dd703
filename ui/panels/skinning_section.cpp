#include "ui/panels/skinning_section.h"

#include "core/document/skinning_intents.h"
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

constexpr int kIcon = 16, kSpacing = 4;
constexpr int kIndent = 18; // below the words of the check box
constexpr int kNumber = 48; // width of a number that is not cut

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
    : QWidget(parent), editor_(editor), title_(new QLabel(this)), method_(new QComboBox(this)),
      mush_(new QCheckBox(tr("Delta mush"), this)),
      iterations_(new NumberField(tr("Delta mush iterations"), 1, skin::kMaxMushIterations, 0, 1, this)),
      lambda_(
          new NumberField(tr("Delta mush strength of one iteration"), document::kLeastMushLambda, 1, 2, 0.05, this)) {
    makeControls();
    numbers_ = makeNumbers();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 0, 0);
    column->setSpacing(kSpacing);
    column->addWidget(title_);
    column->addLayout(row(method_, actions, "paint.methodShare", "skinning.clearMethod"));
    column->addLayout(row(mush_, actions, "paint.mushShare", "skinning.clearMush"));
    column->addWidget(numbers_);

    connect(method_, &QComboBox::activated, this,
            [this](int index) { change([index](skin::Skinning& s) { s.method = skin::Method(index); }); });
    connect(mush_, &QCheckBox::clicked, this, [this](bool on) { change([on](skin::Skinning& s) { s.mush.on = on; }); });
    connect(iterations_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { change([value](skin::Skinning& s) { s.mush.iterations = std::uint32_t(value); }); });
    connect(lambda_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { change([value](skin::Skinning& s) { s.mush.lambda = value; }); });
    connect(&editor_, &Editor::documentReplaced, this, &SkinningSection::refresh);
    connect(&editor_, &Editor::activeMeshesChanged, this, &SkinningSection::refresh);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changesSkinning(changes) || changes.names)
            refresh();
    });
    refresh();
}

void SkinningSection::makeControls() {
    title_->setBuddy(method_);
    title_->setTextFormat(Qt::PlainText);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long name must not widen the panel
    method_->setAccessibleName(tr("Skinning method"));
    for (int k = 0; k < skin::kMethodCount; ++k) {
        method_->addItem(methodName(skin::Method(k)));
        method_->setItemData(k, methodTooltip(skin::Method(k)), Qt::ToolTipRole);
    }
    iterations_->setToolTip(tr("Iterations: how far delta mush smooths. Each takes a pass over the mesh"));
    lambda_->setToolTip(tr("Strength of one iteration, 0 to 1"));
    for (NumberField* number : {iterations_, lambda_})
        number->setMinimumWidth(36);
}

QLayout* SkinningSection::row(QWidget* control, const Actions& actions, const char* paint, const char* clear) {
    auto* line = new QHBoxLayout;
    line->setSpacing(kSpacing);
    line->addWidget(control, 1);
    line->addWidget(iconButton(actions.action(paint), this));
    line->addWidget(iconButton(actions.action(clear), this));
    return line;
}

QWidget* SkinningSection::makeNumbers() {
    auto* numbers = new QWidget(this);
    numbers->setMinimumWidth(kIndent + kSpacing + 2 * kNumber); // fit() sees to the words
    auto* line = new QHBoxLayout(numbers);
    line->setContentsMargins(kIndent, 0, 0, 0);
    line->setSpacing(kSpacing);
    for (auto [text, field] : {std::pair{tr("Iterations"), iterations_}, {tr("Strength"), lambda_}}) {
        auto* label = new QLabel(text, numbers);
        label->setBuddy(field);
        words_.push_back(label);
        line->addWidget(label);
        line->addWidget(field, 1);
    }
    return numbers;
}

void SkinningSection::refresh() {
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
    numbers_->setVisible(any && skinning.mush.on);
    showName();
}

void SkinningSection::showName() {
    const QString name = activeMeshesName(editor_);
    const QString text = name.isEmpty() ? tr("Skinning") : tr("Skinning of %1").arg(name);
    const QFontMetrics metrics(title_->font());
    title_->setText(metrics.elidedText(text, Qt::ElideMiddle, std::max(24, title_->width())));
    title_->setToolTip(tr("%1. Choose meshes in the list above; Ctrl+click selects several").arg(text));
}

void SkinningSection::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showName();
    fit();
}

// A narrow panel keeps the numbers, which tell what they are when they are pointed at, and leaves out the words.
void SkinningSection::fit() {
    int needed = kIndent + 2 * kNumber + 4 * kSpacing;
    for (const QLabel* word : words_)
        needed += word->sizeHint().width();
    for (QLabel* word : words_)
        word->setVisible(needed <= width());
}

// One step a change.
void SkinningSection::change(const std::function<void(skin::Skinning&)>& change) {
    skinActiveMeshes(editor_, change);
    refresh(); // a step that changed nothing may leave a control out of step
}

} // namespace limber::ui
