// What is painted over the rendered scene: names, axes, legend, and what the tools draw.
#pragma once

#include "core/base/ids.h"
#include "ui/tools/overlay.h"
#include "ui/viewport/camera.h"

#include <QPainter>
#include <QSizeF>

#include <optional>

namespace limber::ui {

class Editor;

// Paints in device-independent pixels on a view of `size`.
void paintHud(QPainter& painter, QSizeF size, Editor& editor, const Camera& camera, const Overlay& overlay);

// The view that a click on the axes in the corner asks for: along the axis clicked, from its other end where the camera
// looks along it already.
[[nodiscard]] std::optional<Camera::View> axisViewAt(QPointF at, QSizeF size, const Camera& camera);

// The line under the name of the projection, such as "lowerarm.l · 6,952 triangles · posed".
[[nodiscard]] QString sceneSummary(Editor& editor);

// A joint's name for a person; one without a name is called by its number.
[[nodiscard]] QString shownJointName(const Editor& editor, JointId joint);

} // namespace limber::ui
