#include "ui/panels/panel_title.h"

#include "ui/theme.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace limber::ui {

PanelTitle::PanelTitle(QDockWidget* dock)
    : QWidget(dock), title_(new QLabel(this)), note_(new QLabel(this)), text_(dock->windowTitle()) {
    setObjectName("panelTitle");
    note_->setObjectName("note");
    title_->setMinimumWidth(24);
    auto* close = new QToolButton(this);
    close->setProperty("flat", true);
    close->setIcon(themedIcon("close"));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Close; the Window menu brings it back"));
    close->setAccessibleName(tr("Close %1").arg(text_));
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 4, 4);
    row->setSpacing(4);
    row->addWidget(title_, 1);
    row->addWidget(note_);
    row->addWidget(close);
    setTitle(text_);
}

void PanelTitle::setTitle(const QString& text) {
    text_ = text;
    title_->setToolTip(text);
    elide();
}

void PanelTitle::setNote(const QString& text) {
    note_->setText(text);
}

void PanelTitle::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

void PanelTitle::elide() {
    QFont bold = title_->font();
    bold.setWeight(QFont::DemiBold);
    title_->setText(QFontMetrics(bold).elidedText(text_, Qt::ElideMiddle, std::max(24, title_->width() - 4)));
}

} // namespace limber::ui
