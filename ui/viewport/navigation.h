// What a drag does to the camera: orbit with the middle button or Alt and left, pan with Shift added or Alt and middle,
// zoom with Ctrl added. A left drag that nobody wants orbits once it has left its place.
#pragma once

#include "ui/tools/pointer_sample.h"

namespace limber::ui {

class Camera;

class Navigation {
public:
    // True when the press is the camera's whatever the tool says (middle button, Alt).
    [[nodiscard]] static bool claims(Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

    void press(const PointerSample& sample, Qt::MouseButton button);
    // True when the camera moved.
    bool drag(const PointerSample& sample, Camera& camera);
    // True when the press never became a drag: a click.
    bool release();
    [[nodiscard]] bool active() const { return mode_ != Mode::None; }

private:
    enum class Mode { None, Click, Orbit, Pan, Zoom };
    Mode mode_ = Mode::None;
    bool moved_ = false;
    Eigen::Vector2d pressed_ = Eigen::Vector2d::Zero(), last_ = Eigen::Vector2d::Zero();
};

} // namespace limber::ui
