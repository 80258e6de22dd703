#include "ui/panels/meshes_panel.h"

#include "ui/panels/skinning_section.h"
#include "ui/theme.h"

#include <QHeaderView>
#include <QLocale>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace limber::ui {

MeshesPanel::MeshesPanel(Editor& editor, const Actions& actions, QWidget* parent)
    : QWidget(parent), editor_(editor), list_(new QTreeWidget(this)) {
    list_->setAccessibleName(tr("Meshes"));
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 4, 4);
    column->setSpacing(4);
    column->addWidget(list_, 1);
    column->addWidget(new SkinningSection(editor, actions, this));
    setFocusProxy(list_);
    list_->viewport()->installEventFilter(this);

    connect(list_, &QTreeWidget::itemChanged, this, &MeshesPanel::takeVisibility);
    connect(list_, &QTreeWidget::itemSelectionChanged, this, &MeshesPanel::takeActive);
    connect(&editor_, &Editor::documentReplaced, this, &MeshesPanel::rebuild);
    connect(&editor_, &Editor::activeMeshesChanged, this, &MeshesPanel::showActive);
    connect(&editor_, &Editor::viewChanged, this, &MeshesPanel::showVisibility);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changes.names)
            rebuild();
    });
    rebuild();
}

void MeshesPanel::rebuild() {
    const QSignalBlocker quiet(list_);
    list_->clear();
    const document::Document& doc = editor_.document();
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const document::Instance& instance = doc.instance(InstanceId(i));
        auto* item = new QTreeWidgetItem(list_);
        const QString name = instance.name.empty() ? tr("mesh %1").arg(i) : QString::fromStdString(instance.name);
        const bool skinned = doc.isSkinned(InstanceId(i));
        const QString kind = skinned ? tr("moved by weights; its skinning is set below")
                                     : tr("rigid, follows its joint: no skinning to choose");
        item->setText(0, name);
        item->setToolTip(0, tr("%1: %2").arg(name, kind));
        item->setText(1, QLocale(QLocale::English, QLocale::UnitedStates)
                             .toString(qulonglong(doc.mesh(instance.mesh).geometry.vertexCount())));
        item->setToolTip(1, tr("Vertices"));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(1, themeColors().secondary);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable |
                       (skinned ? Qt::ItemIsSelectable : Qt::NoItemFlags));
        item->setCheckState(0, Qt::Checked);
    }
    showVisibility();
    showActive();
    emit countChanged(QString::number(doc.instanceCount()));
}

void MeshesPanel::showActive() {
    const QSignalBlocker quiet(list_);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        const MeshId mesh = editor_.document().instance(InstanceId(std::size_t(i))).mesh;
        const bool active = std::ranges::find(editor_.activeMeshes(), mesh) != editor_.activeMeshes().end();
        list_->topLevelItem(i)->setSelected(active);
    }
    scrollToActive();
}

// To the one whose skinning is shown.
void MeshesPanel::scrollToActive() {
    const auto shows = [&](QTreeWidgetItem* item) {
        const int row = item ? list_->indexOfTopLevelItem(item) : -1;
        return row >= 0 && editor_.document().instance(InstanceId(std::size_t(row))).mesh == editor_.activeMesh();
    };
    QTreeWidgetItem* shown = shows(list_->currentItem()) ? list_->currentItem() : nullptr;
    for (int i = 0; !shown && i < list_->topLevelItemCount(); ++i)
        if (shows(list_->topLevelItem(i)))
            shown = list_->topLevelItem(i);
    if (shown)
        list_->scrollToItem(shown);
}

// A list that loses height keeps it in sight; the list takes its new size after this.
bool MeshesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_->viewport() && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &MeshesPanel::scrollToActive, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

// The current one last: it is the one whose skinning is shown.
void MeshesPanel::takeActive() {
    std::vector<MeshId> meshes;
    MeshId current;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        if (!list_->topLevelItem(i)->isSelected())
            continue;
        const MeshId mesh = editor_.document().instance(InstanceId(std::size_t(i))).mesh;
        meshes.push_back(mesh);
        if (list_->topLevelItem(i) == list_->currentItem())
            current = mesh;
    }
    if (current.valid()) {
        std::erase(meshes, current);
        meshes.push_back(current);
    }
    editor_.setActiveMeshes(std::move(meshes));
    showActive(); // what cannot be left without a mesh has one still
}

void MeshesPanel::showVisibility() {
    const QSignalBlocker quiet(list_);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        const bool hidden = editor_.view().hidden.contains(InstanceId(std::size_t(i)));
        list_->topLevelItem(i)->setCheckState(0, hidden ? Qt::Unchecked : Qt::Checked);
    }
}

void MeshesPanel::takeVisibility() {
    ViewState view = editor_.view();
    view.hidden.clear();
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
        if (list_->topLevelItem(i)->checkState(0) == Qt::Unchecked)
            view.hidden.insert(InstanceId(std::size_t(i)));
    editor_.setView(std::move(view));
}

} // namespace limber::ui
