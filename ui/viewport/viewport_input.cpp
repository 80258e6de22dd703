// The part of Viewport that routes pointer and keys: a drag in progress, the camera's own buttons, the tool, the
// camera.
#include "ui/viewport/hud.h"
#include "ui/viewport/pointer_handler.h"
#include "ui/viewport/viewport.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTabletEvent>
#include <QWheelEvent>

namespace limber::ui {

PointerSample Viewport::sample(QPointF at, double pressure, Qt::KeyboardModifiers modifiers) const {
    PointerSample s;
    s.pixel = {at.x(), at.y()};
    s.ray = camera_.ray(s.pixel);
    s.pressure = pressure;
    s.modifiers = modifiers;
    s.time = static_cast<double>(clock_.nsecsElapsed()) * 1e-9;
    return s;
}

void Viewport::press(const PointerSample& s, Qt::MouseButton button) {
    if (heldBy_ != Qt::NoButton)
        return;
    if (const auto view = axisViewAt({s.pixel.x(), s.pixel.y()}, size(), camera_); view && button == Qt::LeftButton) {
        setStandardView(*view);
        return;
    }
    heldBy_ = button;
    handlerDrags_ = handler_ && !Navigation::claims(button, s.modifiers) && handler_->press(s, button);
    if (!handlerDrags_)
        navigation_.press(s, button);
    requestOverlay();
}

void Viewport::move(const PointerSample& s, Qt::MouseButtons buttons) {
    if (heldBy_ == Qt::NoButton || !buttons.testFlag(heldBy_)) {
        if (heldBy_ != Qt::NoButton)
            cancelPointer(); // the release went elsewhere
        if (handler_)
            handler_->hover(s);
    } else if (handlerDrags_) {
        handler_->drag(s);
    } else if (navigation_.drag(s, camera_)) {
        cameraMoved();
    }
    requestOverlay();
}

void Viewport::release(const PointerSample& s, Qt::MouseButton button) {
    if (button != heldBy_)
        return;
    heldBy_ = Qt::NoButton;
    if (handlerDrags_) {
        handlerDrags_ = false;
        handler_->release(s);
    } else if (navigation_.release() && handler_) {
        handler_->click(s);
    }
    if (handler_)
        handler_->hover(s);
    requestOverlay();
}

void Viewport::cancelPointer() {
    heldBy_ = Qt::NoButton;
    navigation_.release();
    if (handlerDrags_ || (handler_ && handler_->busy())) {
        handlerDrags_ = false;
        handler_->cancel();
        requestOverlay();
    }
}

void Viewport::mousePressEvent(QMouseEvent* event) {
    press(sample(event->position(), 1, event->modifiers()), event->button());
    event->accept();
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
    move(sample(event->position(), 1, event->modifiers()), event->buttons());
    event->accept();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
    release(sample(event->position(), 1, event->modifiers()), event->button());
    event->accept();
}

void Viewport::tabletEvent(QTabletEvent* event) {
    const PointerSample s = sample(event->position(), event->pressure(), event->modifiers());
    if (event->type() == QEvent::TabletPress)
        press(s, event->button());
    else if (event->type() == QEvent::TabletMove)
        move(s, event->buttons());
    else
        release(s, event->button());
    event->accept();
}

void Viewport::wheelEvent(QWheelEvent* event) {
    // With Alt, Qt turns the wheel sideways.
    const QPoint turned = event->angleDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    const PointerSample s = sample(event->position(), 1, event->modifiers());
    if (steps != 0 && !(handler_ && handler_->wheel(s, steps))) {
        camera_.zoom(steps, s.pixel);
        cameraMoved();
    }
    requestOverlay();
    event->accept();
}

void Viewport::leaveEvent(QEvent* event) {
    if (handler_ && heldBy_ == Qt::NoButton)
        handler_->leave();
    requestOverlay();
    QOpenGLWidget::leaveEvent(event);
}

bool Viewport::event(QEvent* event) {
    // While a tool is at work its keys (an axis, a typed angle) are not shortcuts of the window.
    if (event->type() == QEvent::ShortcutOverride && handler_ && handler_->busy()) {
        event->accept();
        return true;
    }
    return QOpenGLWidget::event(event);
}

void Viewport::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && (handlerDrags_ || (handler_ && handler_->busy()))) {
        cancelPointer();
        return;
    }
    // Shortcuts are not letters and digits: in the middle of a drag undo gives it up, and the others wait.
    const bool busy = handlerDrags_ || (handler_ && handler_->busy());
    if (busy && event->matches(QKeySequence::Undo)) {
        cancelPointer();
        return;
    }
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (handler_ && plain && handler_->key(event->key(), event->text())) {
        requestOverlay();
        return;
    }
    QOpenGLWidget::keyPressEvent(event);
}

void Viewport::focusOutEvent(QFocusEvent* event) {
    cancelPointer();
    QOpenGLWidget::focusOutEvent(event);
}

} // namespace limber::ui
