#include "ui/viewport/render_scene.h"

#include "ui/viewport/camera.h"
#include "ui/viewport/compositor.h"
#include "ui/viewport/scene_view.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>

namespace limber::ui {

namespace {

Error noGraphics() {
    return {ErrorCode::Failed,
            "no OpenGL 3.3 could be had; run this in a desktop session, or under xvfb-run on a machine without one",
            {}};
}

} // namespace

Result<QImage> renderScene(Editor& editor, Camera camera, const PictureOptions& options) {
    QOffscreenSurface surface;
    surface.setFormat(QSurfaceFormat::defaultFormat());
    surface.create();
    QOpenGLContext context;
    context.setShareContext(QOpenGLContext::globalShareContext());
    if (!context.create() || !context.makeCurrent(&surface))
        return noGraphics();
    context.doneCurrent();

    RenderEngine engine;
    SceneView scene(editor, engine);
    camera.setViewport(options.size.width(), options.size.height());
    engine.setTarget(options.size, options.antialiasing ? 4 : 0);
    scene.waitForTextures();
    scene.render(camera);
    if (engine.colorTexture() == 0 || !context.makeCurrent(&surface))
        return noGraphics();

    QImage image;
    {
        Compositor compositor;
        QOpenGLFramebufferObject target(options.size);
        CompositeInput input;
        input.sceneTexture = engine.colorTexture();
        input.sceneSize = options.size;
        input.samples = engine.samples();
        input.transparent = options.transparent;
        compositor.draw(input, target.handle(), options.size);
        image = target.toImage();
    }
    context.doneCurrent();
    return image;
}

} // namespace limber::ui
