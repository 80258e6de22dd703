#include "ui/panels/tool_options.h"

#include "ui/actions/editor_actions.h"
#include "ui/panels/number_field.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace limber::ui {

namespace {

constexpr int kRoomAround = 16; // margins of the bar

using PaintMode = document::PaintSettings::Mode;

QHBoxLayout* makeRow(QWidget* part) {
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

QComboBox* makeChoice(const QString& name, const QString& tooltip, const QStringList& items, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(tooltip);
    box->addItems(items);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

QString nameOf(ToolId kind) {
    switch (kind) {
    case ToolId::Move:
        return QObject::tr("Move");
    case ToolId::Rotate:
        return QObject::tr("Rotate");
    case ToolId::Scale:
        return QObject::tr("Scale");
    case ToolId::Paint:
        return QObject::tr("Paint");
    case ToolId::Sculpt:
        return QObject::tr("Sculpt");
    case ToolId::Select:
        break;
    }
    return QObject::tr("Select");
}

} // namespace

ToolOptions::ToolOptions(Editor& editor, const Actions& actions, const Stage& stage, QWidget* parent)
    : QToolBar(tr("Tool options"), parent), editor_(editor), stage_(stage), name_(new QLabel(this)) {
    setObjectName("toolOptions");
    setMovable(false);
    name_->setObjectName("toolName");
    name_->setMinimumWidth(56);
    gizmoPart_ = makeGizmoPart();
    brushPart_ = makeBrushPart();
    all_ = new QWidget(this);
    all_->setMinimumWidth(1); // fit() sees to it; the window may be narrower than all the words
    QHBoxLayout* row = makeRow(all_);
    row->addWidget(name_);
    row->addWidget(gizmoPart_);
    row->addWidget(brushPart_);
    row->addStretch(1);
    row->addWidget(makeRightPart(actions));
    addWidget(all_);

    connect(&editor_, &Editor::brushChanged, this, &ToolOptions::refresh);
    connect(&editor_, &Editor::gizmoChanged, this, &ToolOptions::refresh);
    connect(&editor_, &Editor::viewChanged, this, &ToolOptions::refresh);
    connect(&editor_, &Editor::activeMeshesChanged, this, &ToolOptions::showMethod);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changesSkinning(changes))
            showMethod();
    });
    refresh();
}

QWidget* ToolOptions::makeGizmoPart() {
    auto* part = new QWidget(this);
    QHBoxLayout* row = makeRow(part);
    space_ =
        makeChoice(tr("Space"), tr("Whose axes the gizmo follows"), {tr("Local"), tr("Parent"), tr("World")}, part);
    snap_ = new QCheckBox(tr("Snap"), part);
    snap_->setToolTip(tr("Move in steps: 15 degrees, a tenth of the scale, a tenth of a grid cell"));
    keepTrs_ = new QCheckBox(tr("Keep TRS"), part);
    keepTrs_->setToolTip(tr("Keep joints free of shear, so that every file format can hold the pose"));
    row->addWidget(new QLabel(tr("Space"), part));
    row->addWidget(space_);
    row->addWidget(snap_);
    row->addWidget(keepTrs_);
    connect(space_, &QComboBox::activated, this, &ToolOptions::takeGizmo);
    connect(snap_, &QCheckBox::clicked, this, &ToolOptions::takeGizmo);
    connect(keepTrs_, &QCheckBox::clicked, this, &ToolOptions::takeGizmo);
    return part;
}

QWidget* ToolOptions::makeBrushPart() {
    auto* part = new QWidget(this);
    QHBoxLayout* row = makeRow(part);
    paintTarget_ = makeChoice(tr("Paint target"),
                              tr("What is painted: the weights of the active joint, how much of the skinning method "
                                 "is used, or how much of delta mush"),
                              {tr("Weights"), tr("Method share"), tr("Delta mush share")}, part);
    paintMode_ = makeChoice(tr("Paint mode"), tr("What the brush does to the values"),
                            {tr("Add"), tr("Subtract"), tr("Replace"), tr("Smooth")}, part);
    sculptMode_ = makeChoice(tr("Sculpt mode"), tr("What the brush does to the surface"),
                             {tr("Grab"), tr("Smooth"), tr("Inflate")}, part);
    radius_ = new NumberField(tr("Brush radius in pixels"), 2, 500, 0, 2, part);
    radius_->setToolTip(tr("Radius of the brush in pixels ( [ and ] )"));
    strength_ = new NumberField(tr("Brush strength"), 0, 1, 2, 0.05, part);
    strength_->setToolTip(tr("Strength of the brush, 0 to 1 ( - and = )"));
    falloff_ = makeChoice(tr("Falloff"), tr("How the brush fades towards its rim"),
                          {tr("Constant"), tr("Linear"), tr("Smooth"), tr("Sphere"), tr("Gaussian")}, part);
    valueLabel_ = new QLabel(tr("Value"), part);
    value_ = new NumberField(tr("Value to reach"), 0, 1, 2, 0.05, part);
    value_->setToolTip(tr("The value that Replace moves to, 0 to 1"));
    row->addWidget(paintTarget_);
    row->addWidget(paintMode_);
    row->addWidget(sculptMode_);
    row->addWidget(valueLabel_);
    row->addWidget(value_);
    for (auto [text, field] : {std::pair<QString, QWidget*>{tr("Radius"), radius_},
                               {tr("Strength"), strength_},
                               {tr("Falloff"), falloff_}}) {
        words_.push_back(new QLabel(text, part));
        row->addWidget(words_.back());
        row->addWidget(field);
    }
    for (QComboBox* box : {paintTarget_, paintMode_, sculptMode_, falloff_})
        connect(box, &QComboBox::activated, this, &ToolOptions::takeBrush);
    for (NumberField* number : {radius_, strength_, value_})
        connect(number, &QDoubleSpinBox::valueChanged, this, &ToolOptions::takeBrush);
    return part;
}

QWidget* ToolOptions::makeRightPart(const Actions& actions) {
    auto* part = new QWidget(this);
    QHBoxLayout* row = makeRow(part);
    method_ = new QToolButton(part);
    method_->setAccessibleName(tr("Skinning of the active mesh"));
    method_->setToolTip(tr("How the active mesh is skinned; choose another mesh in the Meshes panel"));
    method_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    method_->setPopupMode(QToolButton::InstantPopup);
    method_->setFocusPolicy(Qt::TabFocus);
    auto* methods = new QMenu(method_);
    methods->setToolTipsVisible(true);
    for (const char* id : {"skinning.linear", "skinning.dualQuaternion", "skinning.spherical"})
        methods->addAction(actions.action(id));
    methods->addSeparator();
    methods->addAction(actions.action("skinning.mush"));
    method_->setMenu(methods);
    device_ = makeChoice(tr("Skinning device"), tr("Where the mesh is deformed: both give the same result"),
                         {tr("GPU"), tr("CPU")}, part);
    connect(device_, &QComboBox::activated, this, [this](int row_) {
        ViewState view = editor_.view();
        view.gpuSkinning = row_ == 0;
        editor_.setView(view);
    });
    search_ = new QToolButton(part);
    QToolButton* search = search_;
    QAction* action = actions.action("help.search");
    search->setIcon(themedIcon("search"));
    search->setIconSize({16, 16});
    search->setToolButtonStyle(Qt::ToolButtonTextOnly);
    search->setText(tr("Search actions\u2026  %1").arg(action->shortcut().toString(QKeySequence::NativeText)));
    search->setAccessibleName(tr("Search actions"));
    search->setToolTip(action->toolTip());
    search->setFocusPolicy(Qt::TabFocus);
    connect(search, &QToolButton::clicked, action, &QAction::trigger);
    row->addWidget(method_);
    row->addWidget(device_);
    row->addWidget(search);
    return part;
}

void ToolOptions::refresh() {
    showing_ = true;
    const ToolId kind = stage_.tool();
    const bool paint = kind == ToolId::Paint, sculpt = kind == ToolId::Sculpt;
    const BrushSettings& brush = editor_.brush();
    const GizmoSettings& gizmo = editor_.gizmo();
    name_->setText(nameOf(kind));
    gizmoPart_->setVisible(kind == ToolId::Move || kind == ToolId::Rotate || kind == ToolId::Scale);
    brushPart_->setVisible(paint || sculpt);
    paintTarget_->setVisible(paint);
    paintMode_->setVisible(paint);
    sculptMode_->setVisible(sculpt);
    const bool replaces = paint && brush.mode() == PaintMode::Replace;
    valueLabel_->setVisible(replaces);
    value_->setVisible(replaces);

    const bool onlyLocal = kind == ToolId::Scale && gizmo.keepTrs;
    const GizmoSettings::Space space = onlyLocal ? GizmoSettings::Space::Local : gizmo.space;
    space_->setEnabled(!onlyLocal);
    space_->setToolTip(onlyLocal ? tr("While Keep TRS is on, scaling goes along the joint's own axes: along others it "
                                      "would shear")
                                 : tr("Whose axes the gizmo follows"));
    space_->setCurrentIndex(space == GizmoSettings::Space::Local ? 0 : space == GizmoSettings::Space::Parent ? 1 : 2);
    snap_->setChecked(gizmo.snap);
    keepTrs_->setChecked(gizmo.keepTrs);
    paintTarget_->setCurrentIndex(brush.paintTarget ? 1 + int(*brush.paintTarget) : 0);
    paintMode_->setCurrentIndex(int(brush.mode()));
    sculptMode_->setCurrentIndex(int(brush.sculptMode));
    falloff_->setCurrentIndex(int(brush.falloff));
    radius_->showValue(brush.radiusPx);
    strength_->showValue(brush.strength);
    value_->showValue(brush.paintValue);
    device_->setCurrentIndex(editor_.view().gpuSkinning ? 0 : 1);
    showing_ = false;
    showMethod();
}

void ToolOptions::showMethod() {
    const bool any = editor_.activeMesh().valid();
    const skin::Skinning skinning = activeSkinning(editor_);
    const QString name = any ? methodName(skinning.method) : tr("none");
    method_->setText(tr("Skinning: %1%2").arg(name, skinning.mush.on ? tr(", delta mush") : QString()));
    method_->setEnabled(any);
    fit();
}

void ToolOptions::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fit();
}

void ToolOptions::fit() {
    constexpr int kSteps = 3;
    for (int step = 0; step <= kSteps; ++step) {
        method_->setVisible(step < 1);
        search_->setToolButtonStyle(step < 2 ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
        for (QLabel* word : words_)
            word->setVisible(step < 3);
        // Inner rows tell the outer one about it only in the next turn of the event loop.
        for (QWidget* part : all_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (part->layout())
                part->layout()->invalidate();
        all_->layout()->invalidate();
        if (all_->layout()->minimumSize().width() <= contentsRect().width() - kRoomAround)
            return;
    }
}

void ToolOptions::takeBrush() {
    if (showing_)
        return;
    BrushSettings brush = editor_.brush();
    const int target = paintTarget_->currentIndex();
    const auto before =
        std::exchange(brush.paintTarget, target > 0 ? std::optional(skin::PaintedMap(target - 1)) : std::nullopt);
    if (brush.paintTarget == before) // the box shows the mode of the target before
        brush.setMode(PaintMode(paintMode_->currentIndex()));
    brush.sculptMode = document::SculptSettings::Mode(sculptMode_->currentIndex());
    brush.falloff = stroke::Falloff(falloff_->currentIndex());
    // The field shows whole pixels; keys set parts of them.
    if (std::abs(radius_->value() - brush.radiusPx) > 0.5)
        brush.radiusPx = radius_->value();
    if (std::abs(strength_->value() - brush.strength) > 0.005)
        brush.strength = strength_->value();
    brush.paintValue = value_->value();
    editor_.setBrush(brush);
}

void ToolOptions::takeGizmo() {
    if (showing_)
        return;
    GizmoSettings gizmo = editor_.gizmo();
    using Space = GizmoSettings::Space;
    if (space_->isEnabled())
        gizmo.space = std::array{Space::Local, Space::Parent, Space::World}[std::size_t(space_->currentIndex())];
    gizmo.snap = snap_->isChecked();
    gizmo.keepTrs = keepTrs_->isChecked();
    editor_.setGizmo(gizmo);
}

} // namespace limber::ui
