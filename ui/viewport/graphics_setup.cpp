#include "ui/viewport/graphics_setup.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
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

namespace {

struct Abilities {
    bool storageBuffers = false, software = true;
};

const Abilities& abilities() {
    static const Abilities found = [] {
        Abilities a;
        QOffscreenSurface surface;
        surface.create();
        QOpenGLContext context;
        context.setShareContext(QOpenGLContext::globalShareContext());
        if (!context.create() || !context.makeCurrent(&surface))
            return a;
        a.storageBuffers = context.format().version() >= std::pair(4, 3);
        const auto* text = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
        const QByteArray renderer = QByteArray(text ? text : "").toLower();
        a.software = renderer.isEmpty() || renderer.contains("llvmpipe") || renderer.contains("softpipe") ||
                     renderer.contains("swiftshader") || renderer.contains("swrast");
        context.doneCurrent();
        return a;
    }();
    return found;
}

} // namespace

bool hasStorageBuffers() {
    return abilities().storageBuffers;
}

bool isSoftwareGraphics() {
    return abilities().software;
}

} // namespace limber::ui
