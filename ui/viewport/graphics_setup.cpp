#include "ui/viewport/graphics_setup.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>

namespace limber::ui {

void prepareGraphics() {
    qputenv("QT3D_RENDERER", "opengl");
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(4, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setStencilBufferSize(8);
    format.setSamples(0);
    format.setSwapInterval(0);
    QSurfaceFormat::setDefaultFormat(format);
}

bool hasStorageBuffers() {
    static const bool has = [] {
        QOpenGLContext context;
        context.setShareContext(QOpenGLContext::globalShareContext());
        return context.create() && context.format().version() >= std::pair(4, 3);
    }();
    return has;
}

} // namespace limber::ui
