#include "ui/panels/meshes_panel.h"

#include "ui/theme.h"

#include <QHeaderView>
#include <QLocale>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace limber::ui {

MeshesPanel::MeshesPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), list_(new QTreeWidget(this)) {
    list_->setAccessibleName(tr("Meshes"));
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 4, 4);
    column->addWidget(list_);
    setFocusProxy(list_);

    connect(list_, &QTreeWidget::itemChanged, this, &MeshesPanel::takeVisibility);
    connect(&editor_, &Editor::documentReplaced, this, &MeshesPanel::rebuild);
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
        const QString kind = instance.skin.valid() ? tr("bound to a skin") : tr("rigid, follows its joint");
        item->setText(0, name);
        item->setToolTip(0, tr("%1: %2").arg(name, kind));
        item->setText(1, QLocale(QLocale::English, QLocale::UnitedStates)
                             .toString(qulonglong(doc.mesh(instance.mesh).geometry.vertexCount())));
        item->setToolTip(1, tr("Vertices"));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(1, themeColors().secondary);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(0, Qt::Checked);
    }
    showVisibility();
    emit countChanged(QString::number(doc.instanceCount()));
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
