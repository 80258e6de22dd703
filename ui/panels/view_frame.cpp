#include "ui/panels/view_frame.h"

#include "ui/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace limber::ui {

namespace {
constexpr int kToastMs = 5000;
}

ViewFrame::ViewFrame(QWidget* view, QWidget* parent)
    : QWidget(parent), notice_(new QFrame(this)), what_(new QLabel(notice_)), details_(new QLabel(notice_)),
      action_(new QToolButton(notice_)), toast_(new QLabel(this)), toastTimer_(new QTimer(this)) {
    notice_->setObjectName("notice");
    notice_->setAccessibleName(tr("Notice"));
    auto* icon = new QLabel(notice_);
    icon->setPixmap(themedIcon("warning").pixmap(20, 20));
    what_->setProperty("role", "heading");
    for (QLabel* label : {what_, details_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    action_->setObjectName("noticeAction");
    action_->setAccessibleName(tr("What can be done about it"));
    action_->hide();
    connect(action_, &QToolButton::clicked, this, [this] {
        if (const auto run = run_) // it may show another notice
            run();
    });
    auto* close = new QToolButton(notice_);
    close->setText(tr("Close"));
    close->setAccessibleName(tr("Close the notice"));
    connect(close, &QToolButton::clicked, this, &ViewFrame::hideNotice);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(what_);
    words->addWidget(details_);
    auto* row = new QHBoxLayout(notice_);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(12);
    row->addWidget(icon);
    row->addLayout(words, 1);
    row->addWidget(action_);
    row->addWidget(close);
    notice_->hide();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(notice_);
    column->addWidget(view, 1);

    toast_->setObjectName("toast");
    toast_->setAccessibleName(tr("Message"));
    toast_->setTextFormat(Qt::PlainText);
    toast_->setWordWrap(false);
    toast_->setAttribute(Qt::WA_TransparentForMouseEvents);
    toast_->hide();
    toastTimer_->setSingleShot(true);
    toastTimer_->setInterval(kToastMs);
    connect(toastTimer_, &QTimer::timeout, toast_, &QLabel::hide);
}

void ViewFrame::say(const QString& text) {
    if (text.isEmpty())
        return;
    toast_->setText(text);
    placeToast();
    toast_->show();
    toast_->raise();
    toastTimer_->start();
}

void ViewFrame::showNotice(const QString& what, const QString& details, const QString& action,
                           std::function<void()> run) {
    action_->setText(action);
    if (!action.isEmpty())
        action_->setAccessibleName(action);
    action_->setVisible(!action.isEmpty());
    run_ = std::move(run);
    what_->setText(what);
    details_->setText(details);
    details_->setVisible(!details.isEmpty());
    notice_->show();
}

void ViewFrame::hideNotice() {
    notice_->hide();
}

QString ViewFrame::noticeText() const {
    return notice_->isVisibleTo(this) ? what_->text() + "\n" + details_->text() : QString();
}

QString ViewFrame::message() const {
    return toast_->isVisibleTo(this) ? toast_->text() : QString();
}

void ViewFrame::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeToast();
}

void ViewFrame::placeToast() {
    toast_->setWordWrap(false);
    toast_->adjustSize();
    const int room = width() - 32;
    if (toast_->width() > room) {
        toast_->setWordWrap(true);
        toast_->resize(room, toast_->heightForWidth(room));
    }
    toast_->move((width() - toast_->width()) / 2, height() - toast_->height() - 16);
}

} // namespace limber::ui
