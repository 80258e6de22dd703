// Pictures without a window.
#pragma once

#include "core/base/result.h"

#include <QColor>
#include <QImage>

namespace limber::ui {

class Camera;
class Editor;

struct PictureOptions {
    QSize size{1280, 960};
    bool antialiasing = true; // 4x
    bool transparent = false; // instead of the background gradient
};

// The scene as the viewport shows it (skeleton, grid, heat map and so on follow editor.view()), without the names and
// axes painted over it. Needs a QGuiApplication prepared by prepareGraphics(). Waits for the textures.
// Failed where no OpenGL can be had, with what to do.
[[nodiscard]] Result<QImage> renderScene(Editor& editor, Camera camera, const PictureOptions& options);

} // namespace limber::ui
