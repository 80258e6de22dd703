// What is painted over the rendered scene: names, axes, legend, and what the tools draw.
#pragma once

#include "core/base/ids.h"
#include "ui/tools/overlay.h"

#include <QPainter>
#include <QSizeF>

namespace limber::ui {

class Camera;
class Editor;

// Paints in device-independent pixels on a view of `size`.
void paintHud(QPainter& painter, QSizeF size, Editor& editor, const Camera& camera, const Overlay& overlay);

// The line under the name of the projection, such as "lowerarm.l · 6,952 triangles · posed".
[[nodiscard]] QString sceneSummary(Editor& editor);

// A joint's name for a person; one without a name is called by its number.
[[nodiscard]] QString shownJointName(const Editor& editor, JointId joint);

} // namespace limber::ui
