#include "ui/panels/scrub_slider.h"

#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace limber::ui {

ScrubSlider::ScrubSlider(const QString& accessibleName, QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
}

QRectF ScrubSlider::groove() const {
    return QRectF(rect()).adjusted(6, 0, -6, 0);
}

void ScrubSlider::follow(double x) {
    const QRectF area = groove();
    const double share = std::clamp((x - area.left()) / std::max(1.0, area.width()), 0.0, 1.0);
    emit scrubbed();
    setValue(minimum() + int(std::lround(share * (maximum() - minimum()))));
}

void ScrubSlider::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors();
    const QRectF area = groove();
    const double y = area.center().y();
    const double share = maximum() > minimum() ? double(value() - minimum()) / (maximum() - minimum()) : 0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.field);
    painter.drawRoundedRect(QRectF(area.left(), y - 3, area.width(), 6), 3, 3);
    painter.setBrush(isEnabled() ? colors.secondary : colors.disabled);
    painter.drawRoundedRect(QRectF(area.left(), y - 3, area.width() * share, 6), 3, 3);
    painter.setBrush(isEnabled() ? colors.text : colors.disabled);
    painter.drawRoundedRect(QRectF(area.left() + area.width() * share - 2, y - 8, 4, 16), 2, 2);
    if (hasFocus() && byKeys_) {
        painter.setPen(colors.secondary);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

void ScrubSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    dragging_ = true;
    follow(event->position().x());
}

void ScrubSlider::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_)
        follow(event->position().x());
}

void ScrubSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        dragging_ = false;
}

void ScrubSlider::focusInEvent(QFocusEvent* event) {
    byKeys_ = event->reason() != Qt::MouseFocusReason;
    QSlider::focusInEvent(event);
}

void ScrubSlider::keyPressEvent(QKeyEvent* event) {
    byKeys_ = true;
    update();
    if (event->key() >= Qt::Key_Home && event->key() <= Qt::Key_PageDown)
        emit scrubbed();
    QSlider::keyPressEvent(event);
}

void ScrubSlider::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

} // namespace limber::ui
