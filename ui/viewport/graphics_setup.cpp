#include "ui/viewport/graphics_setup.h"

#include "ui/viewport/shader_source.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QSurfaceFormat>

#include <algorithm>

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
    std::size_t largestStorage = 0, largestTextureSide = 1024;
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
        QOpenGLExtraFunctions* gl = context.extraFunctions();
        if (context.format().version() >= std::pair(4, 3)) {
            GLint blocks = 0; // of a vertex shader: OpenGL promises none
            gl->glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
            a.storageBuffers = blocks >= kSkinStorageBlocks;
        }
        GLint side = 0;
        gl->glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
        a.largestTextureSide = std::size_t(std::max(side, 1024));
        if (a.storageBuffers) {
            GLint64 bytes = 0;
            gl->glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
            a.largestStorage = std::size_t(std::max<GLint64>(bytes, 1 << 24));
        }
        const auto* text = reinterpret_cast<const char*>(gl->glGetString(GL_RENDERER));
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

std::size_t largestStorage() {
    return abilities().largestStorage;
}

std::size_t largestTextureSide() {
    return abilities().largestTextureSide;
}

bool isSoftwareGraphics() {
    return abilities().software;
}

} // namespace limber::ui
