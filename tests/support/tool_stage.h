// An editor with the tube, a camera and the tools, driven by synthetic pointer samples: the window without a window.
#pragma once

#include "tests/support/make_tube.h"
#include "ui/editor/editor.h"
#include "ui/gizmos/gizmo.h"
#include "ui/tools/tool_manager.h"
#include "ui/viewport/camera.h"

#include <QStringList>

namespace limber::test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using ui::GizmoHandle;
using ui::ToolId;

class ToolStage {
public:
    explicit ToolStage(TubeOptions options = {}) : tools(editor, camera) {
        camera.setViewport(900, 700);
        open(options);
        QObject::connect(&editor, &ui::Editor::message, [this](const QString& text) { messages << text; });
    }

    void open(TubeOptions options) {
        editor.replaceDocument(makeTube(options), {});
        camera.setSceneBounds(editor.evaluator().bounds());
        camera.frame(editor.evaluator().bounds());
        camera.setView(ui::Camera::View::Front);
    }

    [[nodiscard]] ui::PointerSample at(const Vector2d& pixel, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        ui::PointerSample sample;
        sample.pixel = pixel;
        sample.ray = camera.ray(pixel);
        sample.modifiers = modifiers;
        return sample;
    }
    [[nodiscard]] Vector2d pixelOf(const Vector3d& world) const { return camera.project(world).head<2>(); }

    // As the view does it: a press that is refused becomes a click. True when the press was taken.
    bool click(const Vector2d& pixel, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        const ui::PointerSample sample = at(pixel, modifiers);
        tools.hover(sample);
        const bool taken = tools.press(sample, Qt::LeftButton);
        if (taken)
            tools.release(sample);
        else
            tools.click(sample);
        return taken;
    }

    // From `from` to `to` with `events` moves, without the release.
    bool pull(const Vector2d& from, const Vector2d& to, int events = 8,
              Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        tools.hover(at(from, modifiers));
        if (!tools.press(at(from, modifiers), Qt::LeftButton))
            return false;
        for (int k = 1; k <= events; ++k)
            tools.drag(at(from + (to - from) * k / events, modifiers));
        return true;
    }
    bool drag(const Vector2d& from, const Vector2d& to, int events = 8,
              Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        const bool taken = pull(from, to, events, modifiers);
        if (taken)
            tools.release(at(to, modifiers));
        return taken;
    }

    void select(JointId joint) {
        document::Selection selection;
        selection.set(joint);
        editor.setSelection(selection);
    }

    // The rotation gizmo of the active joint as it stands now.
    [[nodiscard]] ui::GizmoPlace ringPlace() {
        const JointId joint = editor.activeJoint();
        const auto world = editor.evaluator().world();
        const rig::Affine parent = rig::parentWorld(editor.document().skeleton(), world, joint);
        return ui::gizmoPlace(camera, world[joint.index()].translation(),
                              ui::gizmoFrame(editor.gizmo().space, parent, world[joint.index()]));
    }

    // Turns a ring on from a place where nothing else is grabbed; the release is left out where `finish` is not set.
    bool turn(GizmoHandle ring, double degrees, int events = 12, bool finish = true) {
        tools.setTool(ToolId::Rotate);
        const ui::GizmoPlace place = ringPlace();
        const auto pixel = [&](double rad) { return pixelOf(ui::ringPoint(camera, place, ring, rad)); };
        const auto gizmo = ui::makeRotateGizmo();
        double start = 0.05;
        while (start < 6.3 && gizmo->hit(camera, place, pixel(start)) != ring)
            start += 0.1;
        const double rad = degrees * std::numbers::pi / 180;
        tools.hover(at(pixel(start)));
        if (!tools.press(at(pixel(start)), Qt::LeftButton))
            return false;
        for (int k = 1; k <= events; ++k)
            tools.drag(at(pixel(start + rad * k / events)));
        if (finish)
            tools.release(at(pixel(start + rad)));
        return true;
    }

    [[nodiscard]] const rig::Affine& userLocal(JointId joint) const {
        return editor.document().state().pose[joint.index()];
    }
    [[nodiscard]] std::uint64_t hash() const { return editor.document().hash(); }
    [[nodiscard]] std::size_t steps() const { return editor.history().size(); }

    ui::Editor editor;
    ui::Camera camera;
    ui::ToolManager tools;
    QStringList messages;
};

} // namespace limber::test
