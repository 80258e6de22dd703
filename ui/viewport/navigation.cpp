#include "ui/viewport/navigation.h"

#include "ui/viewport/camera.h"

#include <cmath>

namespace limber::ui {

namespace {

constexpr double kDragFromPx = 3;
constexpr double kZoomStepsPerPx = 0.025;

} // namespace

bool Navigation::claims(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    return button == Qt::MiddleButton || (button == Qt::LeftButton && modifiers.testFlag(Qt::AltModifier));
}

void Navigation::press(const PointerSample& sample, Qt::MouseButton button) {
    const bool alt = sample.modifiers.testFlag(Qt::AltModifier);
    const bool claimed = claims(button, sample.modifiers);
    moved_ = false;
    pressed_ = last_ = sample.pixel;
    if (!claimed)
        mode_ = button == Qt::LeftButton ? Mode::Click : Mode::None;
    else if (sample.modifiers.testFlag(Qt::ShiftModifier) || (button == Qt::MiddleButton && alt))
        mode_ = Mode::Pan;
    else if (sample.modifiers.testFlag(Qt::ControlModifier))
        mode_ = Mode::Zoom;
    else
        mode_ = Mode::Orbit;
}

bool Navigation::drag(const PointerSample& sample, Camera& camera) {
    if (mode_ == Mode::Click && (sample.pixel - pressed_).norm() >= kDragFromPx) {
        mode_ = Mode::Orbit;
        last_ = pressed_;
    }
    if (mode_ == Mode::None || mode_ == Mode::Click)
        return false;
    const Eigen::Vector2d d = sample.pixel - last_;
    last_ = sample.pixel;
    moved_ = true;
    if (mode_ == Mode::Orbit)
        camera.orbit(d.x(), d.y());
    else if (mode_ == Mode::Pan)
        camera.pan(d.x(), d.y());
    else
        camera.zoom(-d.y() * kZoomStepsPerPx, pressed_);
    return true;
}

bool Navigation::release() {
    const bool click = mode_ == Mode::Click && !moved_;
    mode_ = Mode::None;
    return click;
}

} // namespace limber::ui
