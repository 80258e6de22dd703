#include "ui/panels/value_slider.h"

#include "ui/panels/bar_delegate.h"
#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>

#include <cmath>

namespace limber::ui {

ValueSlider::ValueSlider(const QString& accessibleName, QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setAccessibleName(accessibleName);
    setRange(0, kSteps);
    setSingleStep(kSteps / 100);
    setPageStep(kSteps / 10);
    setFocusPolicy(Qt::StrongFocus);
}

void ValueSlider::showValue(double value) {
    if (dragging_)
        return;
    const QSignalBlocker quiet(this);
    setValue(int(std::lround(value * kSteps)));
}

void ValueSlider::setDriven(bool driven) {
    driven_ = driven;
    setEnabled(!driven);
    setToolTip(driven ? tr("Driven by the pose: bend its joint to change it, or mute the shape")
                      : tr("How much of the shape is on"));
    update();
}

void ValueSlider::setActive(bool active) {
    active_ = active;
    update();
}

QRect ValueSlider::groove() const {
    return rect().adjusted(2, 0, -40, 0);
}

void ValueSlider::follow(const QPoint& at) {
    const QRect area = groove();
    const double share = double(at.x() - area.left()) / std::max(1, area.width());
    setValue(int(std::lround(std::clamp(share, 0.0, 1.0) * kSteps)));
}

void ValueSlider::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors();
    QPainter painter(this);
    // What cannot be dragged is a thin line with a pale number.
    if (driven_)
        drawBar(painter, groove(), share(), colors.driven, 3);
    else
        drawBar(painter, groove(), share(), active_ ? colors.accent : colors.secondary);
    painter.setPen(driven_ ? colors.secondary : active_ ? colors.accentInk : colors.text);
    painter.drawText(rect().adjusted(0, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, QString::number(share(), 'f', 2));
    if (hasFocus() && byKeys_) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(colors.secondary);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5), 3, 3);
    }
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    dragging_ = true;
    follow(event->pos());
    emit moved(share());
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_)
        return;
    follow(event->pos());
    emit moved(share());
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_)
        return;
    dragging_ = false;
    emit settled(share());
}

void ValueSlider::focusInEvent(QFocusEvent* event) {
    byKeys_ = event->reason() != Qt::MouseFocusReason;
    QSlider::focusInEvent(event);
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    const int before = value();
    QSlider::keyPressEvent(event);
    if (value() != before)
        emit settled(share());
}

} // namespace limber::ui
