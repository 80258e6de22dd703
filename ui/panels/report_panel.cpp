#include "ui/panels/report_panel.h"

#include "ui/theme.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace limber::ui {

ReportPanel::ReportPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), list_(new QListWidget(this)),
      nothing_(new QLabel(tr("Nothing to report: the file was read as it is."), this)) {
    list_->setObjectName("notes");
    list_->setAccessibleName(tr("Import report"));
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideNone);
    list_->setIconSize({16, 16});
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setResizeMode(QListView::Adjust);
    nothing_->setWordWrap(true);
    nothing_->setProperty("role", "secondary");
    nothing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    nothing_->setContentsMargins(4, 0, 4, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 4, 4);
    column->addWidget(list_);
    column->addWidget(nothing_, 1);
    connect(&editor_, &Editor::documentReplaced, this, &ReportPanel::rebuild);
    connect(&editor_, &Editor::notesChanged, this, &ReportPanel::rebuild);
    rebuild();
}

void ReportPanel::rebuild() {
    list_->clear();
    const auto add = [this](const char* icon, const QString& kind, const QString& note) {
        auto* item = new QListWidgetItem(themedIcon(icon), note, list_);
        item->setToolTip(note);
        item->setData(Qt::AccessibleTextRole, QString("%1: %2").arg(kind, note));
        item->setFlags(Qt::ItemIsEnabled);
    };
    for (const QString& note : editor_.notes())
        add("warning", tr("Warning"), note);
    for (const QString& note : editor_.information())
        add("info", tr("Information"), note);
    const bool any = list_->count() > 0;
    list_->setVisible(any);
    nothing_->setVisible(!any);
    emit countChanged(any ? QString::number(list_->count()) : QString());
}

} // namespace limber::ui
