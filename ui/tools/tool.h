// A tool: what the left mouse button does in the view. States are explicit; cancel() always leaves the document as it
// was.
#pragma once

#include "ui/tools/overlay.h"
#include "ui/tools/pointer_sample.h"

#include <QString>

namespace limber::ui {

class Camera;
class Editor;

// What a tool may use. Lives as long as the tools.
struct ToolContext {
    Editor& editor;
    const Camera& camera;
};

class Tool {
public:
    virtual ~Tool() = default;

    [[nodiscard]] virtual QString hint() const = 0; // what the mouse can do now, for the status bar

    virtual void hover(const PointerSample&) {}
    // True when the tool took the press and wants the moves up to the release.
    virtual bool press(const PointerSample&) = 0;
    virtual void click(const PointerSample&) {} // a press that was not taken, released where it was pressed
    virtual void drag(const PointerSample&) {}
    virtual void release(const PointerSample&) {}
    virtual void cancel() {}
    virtual void leave() {}                                   // the pointer left the view
    [[nodiscard]] virtual bool busy() const { return false; } // between press and release
    // True when the key was used (typing an angle, an axis letter); only asked while busy.
    virtual bool key(int /*qtKey*/, const QString& /*text*/) { return false; }
    virtual void draw(Overlay&) const {}
};

} // namespace limber::ui
