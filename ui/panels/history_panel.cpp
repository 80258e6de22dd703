#include "ui/panels/history_panel.h"

#include "ui/theme.h"

#include <QListView>
#include <QVBoxLayout>

namespace limber::ui {

HistoryModel::HistoryModel(Editor& editor, QObject* parent)
    : QAbstractListModel(parent), editor_(editor), openLabel_(tr("Open")) {}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(editor_.history().size()) + 1;
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto step = std::size_t(index.row());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return step == 0 ? openLabel_ : QString::fromStdString(editor_.history().label(step - 1));
    if (role == Qt::ForegroundRole && step > editor_.history().cursor())
        return themeColors().disabled;
    return {};
}

void HistoryModel::setOpenLabel(const QString& text) {
    openLabel_ = text;
    emit dataChanged(index(0), index(0));
}

void HistoryModel::reload() {
    beginResetModel();
    endResetModel();
}

HistoryPanel::HistoryPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), model_(new HistoryModel(editor, this)), list_(new QListView(this)) {
    list_->setModel(model_);
    list_->setAccessibleName(tr("History"));
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 4, 4);
    column->addWidget(list_);
    setFocusProxy(list_);

    connect(&editor_, &Editor::historyChanged, this, &HistoryPanel::show);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (!showing_ && index.isValid())
            // Not at once: the list must not be filled anew while it handles the click.
            QMetaObject::invokeMethod(
                this, [this, row = std::size_t(index.row())] { editor_.goToStep(row); }, Qt::QueuedConnection);
    });
    show();
}

void HistoryPanel::show() {
    showing_ = true;
    model_->reload();
    const QModelIndex current = model_->index(int(editor_.history().cursor()));
    list_->setCurrentIndex(current);
    list_->scrollTo(current);
    showing_ = false;
}

} // namespace limber::ui
