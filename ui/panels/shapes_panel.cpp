#include "ui/panels/shapes_panel.h"

#include "core/document/intents.h"
#include "ui/actions.h"
#include "ui/actions/editor_actions.h"
#include "ui/panels/value_slider.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <set>
#include <utility>

namespace limber::ui {

namespace {

constexpr int kNameColumn = 0, kWeightColumn = 1, kMuteColumn = 2;

QToolButton* actionButton(QAction* action, QWidget* parent, bool withText) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(withText ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button->setIconSize({16, 16});
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    if (withText) {
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setMinimumWidth(120); // the panel may be narrower than the words
    }
    return button;
}

} // namespace

ShapesPanel::ShapesPanel(Editor& editor, const Actions& actions, QWidget* parent)
    : QWidget(parent), editor_(editor), list_(new QTreeWidget(this)),
      nothing_(new QLabel(tr("No shapes yet. Bend a joint, then sculpt, or start a corrective at this pose."), this)) {
    list_->setAccessibleName(tr("Shapes"));
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setIndentation(12);
    list_->setIconSize({14, 14});
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->header()->setStretchLastSection(false);
    list_->header()->setMinimumSectionSize(22);
    list_->header()->setSectionResizeMode(kNameColumn, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(kWeightColumn, QHeaderView::Fixed);
    list_->header()->resizeSection(kWeightColumn, 128);
    list_->header()->setSectionResizeMode(kMuteColumn, QHeaderView::Fixed);
    list_->header()->resizeSection(kMuteColumn, 26);
    nothing_->setWordWrap(true);
    nothing_->setProperty("role", "secondary");
    nothing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(4);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(actionButton(actions.action("shape.new"), this, true), 1);
    for (const char* id : {"shape.edit", "shape.delete"})
        buttons->addWidget(actionButton(actions.action(id), this, false));
    column->addLayout(buttons);
    column->addWidget(list_, 1);
    column->addWidget(nothing_, 1);
    connectSignals();
    rebuild();
}

void ShapesPanel::connectSignals() {
    connect(list_, &QTreeWidget::currentItemChanged, this, &ShapesPanel::currentShapeChanged);
    connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int col) {
        if (const Row* row = rowOf(item); row && col == kNameColumn)
            editShape(editor_, Editor::ActiveShape(row->shape));
    });
    connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int col) {
        const Row* row = rowOf(item);
        if (!row || col != kMuteColumn)
            return;
        const auto [mesh, shape] = row->shape;
        const bool muted = editor_.document().mesh(mesh).findShape(shape)->muted;
        editor_.perform(document::muteShape(editor_.document(), mesh, shape, !muted));
    });
    connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int col) {
        const Row* row = rowOf(item);
        if (showing_ || !row || col != kNameColumn)
            return;
        const Editor::ActiveShape shape = row->shape;
        const std::string name = item->text(kNameColumn).trimmed().toStdString();
        // Not at once: the list is filled anew, and the name's own editor is still open.
        QMetaObject::invokeMethod(
            this,
            [this, shape, name] {
                if (name.empty())
                    rebuild();
                else
                    rename(shape, name);
            },
            Qt::QueuedConnection);
    });
    connect(&editor_, &Editor::documentReplaced, this, &ShapesPanel::rebuild);
    connect(&editor_, &Editor::activeShapesChanged, this, &ShapesPanel::showActive);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        const bool listed =
            std::any_of(changes.meshes.begin(), changes.meshes.end(), [](const auto& mesh) { return mesh.shapeList; });
        if ((listed || changes.everything) && !std::exchange(rebuildPending_, true))
            QMetaObject::invokeMethod(this, &ShapesPanel::rebuild, Qt::QueuedConnection);
        else if (!rebuildPending_ && (!changes.joints.empty() || !changes.shapeWeights.empty()))
            showValues();
    });
}

const ShapesPanel::Row* ShapesPanel::rowOf(const QTreeWidgetItem* item) const {
    for (const Row& row : rows_)
        if (row.item == item)
            return &row;
    return nullptr;
}

std::optional<Editor::ActiveShape> ShapesPanel::currentShape() const {
    const Row* row = rowOf(list_->currentItem());
    // While the list is about to be filled anew a row may name a shape, or a mesh of another document, that is gone.
    const auto& meshes = editor_.document().state().meshes;
    if (!row || row->shape.mesh.index() >= meshes.size() ||
        !meshes[row->shape.mesh.index()].findShape(row->shape.shape))
        return std::nullopt;
    return row->shape;
}

// Drivers and engines find shapes by name: it is given once per mesh.
void ShapesPanel::rename(const Editor::ActiveShape& target, const std::string& wish) {
    const document::MeshData& mesh = editor_.document().mesh(target.mesh);
    const shape::Shape* now = mesh.findShape(target.shape);
    if (!now || now->name == wish) {
        rebuild();
        return;
    }
    const std::string name = document::uniqueShapeName(mesh, wish);
    editor_.perform(document::renameShape(editor_.document(), target.mesh, target.shape, name));
    if (name != wish)
        editor_.say(tr("%1 is taken on this mesh; the shape is now %2")
                        .arg(QString::fromStdString(wish), QString::fromStdString(name)));
    rebuild();
}

void ShapesPanel::renameCurrent() {
    if (rowOf(list_->currentItem()))
        list_->editItem(list_->currentItem(), kNameColumn);
}

ValueSlider* ShapesPanel::slider(const Editor::ActiveShape& shape) const {
    for (const Row& row : rows_)
        if (row.shape == shape)
            return row.slider;
    return nullptr;
}

void ShapesPanel::rebuild() {
    rebuildPending_ = false;
    showing_ = true;
    const auto before = currentShape();
    list_->clear();
    rows_.clear();
    const document::Document& doc = editor_.document();
    std::vector<InstanceId> withShapes;
    std::set<MeshId> seen;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const MeshId mesh = doc.instance(InstanceId(i)).mesh;
        if (!doc.mesh(mesh).shapes.empty() && seen.insert(mesh).second)
            withShapes.push_back(InstanceId(i));
    }
    bool driven = false;
    for (InstanceId i : withShapes) {
        QTreeWidgetItem* parent = list_->invisibleRootItem();
        if (withShapes.size() > 1) {
            parent = new QTreeWidgetItem(list_);
            parent->setText(kNameColumn, QString::fromStdString(doc.instance(i).name));
            parent->setForeground(kNameColumn, themeColors().secondary);
            parent->setFlags(Qt::ItemIsEnabled);
            parent->setFirstColumnSpanned(true);
        }
        for (const shape::Shape& shape : doc.mesh(doc.instance(i).mesh).shapes) {
            addRow(parent, i, shape);
            driven = driven || doc.mesh(doc.instance(i).mesh).isDriven(shape.id);
        }
    }
    list_->setRootIsDecorated(withShapes.size() > 1);
    list_->expandAll();
    list_->setVisible(!rows_.empty());
    nothing_->setVisible(rows_.empty());
    for (const Row& row : rows_)
        if (before && row.shape == *before)
            list_->setCurrentItem(row.item);
    if (!list_->currentItem() && !rows_.empty())
        list_->setCurrentItem(rows_.back().item);
    showing_ = false;
    showValues();
    showActive();
    emit noteChanged(driven ? tr("green: driven by the pose") : QString());
    emit currentShapeChanged();
}

void ShapesPanel::addRow(QTreeWidgetItem* parent, InstanceId instance, const shape::Shape& shape) {
    const MeshId mesh = editor_.document().instance(instance).mesh;
    const QString name = QString::fromStdString(shape.name);
    auto* item = new QTreeWidgetItem(parent);
    item->setText(kNameColumn, name);
    item->setToolTip(kNameColumn, tr("%1: double-click to go to its pose and sculpt it").arg(name));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
    item->setIcon(kMuteColumn, themedIcon(shape.muted ? "eye-off" : "eye"));
    item->setToolTip(kMuteColumn, shape.muted ? tr("Muted; click to switch on") : tr("Click to mute"));
    item->setData(kMuteColumn, Qt::AccessibleTextRole, shape.muted ? tr("muted") : tr("on"));
    auto* slider = new ValueSlider(tr("Weight of %1").arg(name), list_);
    slider->setDriven(editor_.document().mesh(mesh).isDriven(shape.id));
    list_->setItemWidget(item, kWeightColumn, slider);
    const Row row{{mesh, shape.id}, instance, item, slider};
    connect(slider, &ValueSlider::moved, this, [this, row](double value) { slide(row, value, false); });
    connect(slider, &ValueSlider::settled, this, [this, row](double value) { slide(row, value, true); });
    rows_.push_back(row);
}

void ShapesPanel::slide(const Row& row, double value, bool done) {
    const document::Document& doc = editor_.document();
    editor_.beginEdit();
    editor_.cancelPreview();
    document::Edit all;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        if (doc.instance(InstanceId(i)).mesh != row.shape.mesh)
            continue;
        document::Edit edit = document::setShapeWeight(doc, InstanceId(i), row.shape.shape, value);
        all.label = edit.label;
        all.patches.insert(all.patches.end(), edit.patches.begin(), edit.patches.end());
    }
    if (done)
        editor_.perform(std::move(all));
    else
        editor_.performProvisional(std::move(all));
}

void ShapesPanel::showValues() {
    const document::Document& doc = editor_.document();
    for (const Row& row : rows_) {
        const document::MeshData& mesh = doc.mesh(row.shape.mesh);
        const std::size_t index = mesh.shapeIndex(row.shape.shape);
        const auto weights = editor_.evaluator().shapeWeights(row.instance);
        if (index >= weights.size())
            continue;
        const bool muted = mesh.shapes[index].muted;
        row.slider->showValue(muted && !mesh.isDriven(row.shape.shape) ? doc.instance(row.instance).shapeWeights[index]
                                                                       : weights[index]);
    }
}

void ShapesPanel::showActive() {
    showing_ = true;
    const auto& active = editor_.activeShapes();
    for (const Row& row : rows_) {
        const bool on = std::find(active.begin(), active.end(), row.shape) != active.end();
        row.slider->setActive(on);
        QFont font = row.item->font(kNameColumn);
        font.setBold(on);
        row.item->setFont(kNameColumn, font);
        row.item->setForeground(kNameColumn, on ? themeColors().accentInk : themeColors().text);
        if (on)
            list_->setCurrentItem(row.item);
    }
    showing_ = false;
}

} // namespace limber::ui
