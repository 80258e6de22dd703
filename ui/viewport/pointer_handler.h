// Who gets the pointer before the camera does: the tool manager in the window, a fake in tests.
#pragma once

#include "ui/tools/overlay.h"
#include "ui/tools/pointer_sample.h"

#include <QString>

namespace limber::ui {

// Called on the window's thread. A press that was taken is followed by drags and one release, or by cancel().
class PointerHandler {
public:
    virtual ~PointerHandler() = default;

    virtual void hover(const PointerSample& sample) = 0; // no button down
    virtual void leave() = 0;                            // the pointer left the view

    // True takes the press; false leaves it to the camera (middle drag, Alt+left drag, a drag on nothing).
    virtual bool press(const PointerSample& sample, Qt::MouseButton button) = 0;
    virtual void drag(const PointerSample& sample) = 0;
    virtual void release(const PointerSample& sample) = 0;
    // A left press that was refused, released where it was pressed: a click on nothing.
    virtual void click(const PointerSample&) {}

    // True uses the wheel; false zooms. Steps > 0 turn away from the hand.
    virtual bool wheel(const PointerSample&, double /*steps*/) { return false; }
    // True uses the key.
    virtual bool key(int qtKey, const QString& text) = 0;

    virtual void cancel() = 0;                   // Escape, focus lost, another document: as if the press had never been
    [[nodiscard]] virtual bool busy() const = 0; // between a taken press and its release

    virtual void draw(Overlay& overlay) const = 0; // once a frame, over the picture
};

} // namespace limber::ui
