#include "ui/panels/status_line.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace limber::ui {

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent), hint_(new QLabel(this)), summary_(new QLabel(this)), work_(new QLabel(this)),
      bar_(new QProgressBar(this)), cancel_(new QToolButton(this)) {
    setAccessibleName(tr("Status"));
    setSizeGripEnabled(false);
    hint_->setAccessibleName(tr("What the mouse can do"));
    hint_->setTextFormat(Qt::PlainText);
    // A long hint must not widen the window.
    hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    summary_->setAccessibleName(tr("Document"));
    bar_->setAccessibleName(tr("Progress"));
    bar_->setFixedWidth(160);
    bar_->setTextVisible(false);
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel the work that is going on"));
    cancel_->setToolTip(tr("Stop; the open document stays as it is"));
    connect(cancel_, &QToolButton::clicked, this, [this] {
        if (const auto cancel = onCancel_) // a copy: the work may end in it
            cancel();
    });
    addWidget(hint_, 1);
    addPermanentWidget(work_);
    addPermanentWidget(bar_);
    addPermanentWidget(cancel_);
    addPermanentWidget(summary_);
    endWork();
}

void StatusLine::setHint(const QString& text) {
    hint_->setText(text);
}
void StatusLine::setSummary(const QString& text) {
    summary_->setText(text);
}
QString StatusLine::hint() const {
    return hint_->text();
}
QString StatusLine::summary() const {
    return summary_->text();
}
bool StatusLine::working() const {
    return bar_->isVisibleTo(this);
}

void StatusLine::beginWork(const QString& what, std::function<void()> cancel) {
    what_ = what;
    onCancel_ = std::move(cancel);
    bar_->setRange(0, 0);
    work_->setText(what_);
    work_->show();
    bar_->show();
    cancel_->setVisible(bool(onCancel_));
}

void StatusLine::setWorkProgress(double fraction, const QString& stage) {
    work_->setText(stage.isEmpty() ? what_ : QString("%1: %2").arg(what_, stage));
    if (fraction < 0) {
        bar_->setRange(0, 0);
        return;
    }
    bar_->setRange(0, 1000);
    bar_->setValue(int(1000 * fraction));
}

void StatusLine::endWork() {
    work_->hide();
    bar_->hide();
    cancel_->hide();
    onCancel_ = {};
}

} // namespace limber::ui
