// Puts the picture together in an OpenGL context of ours: background, rendered scene, and what was painted over it.
#pragma once

#include <QColor>
#include <QImage>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>

#include <memory>

namespace limber::ui {

struct CompositeInput {
    unsigned sceneTexture = 0; // as FrameGraph::colorTexture(); 0: none yet
    QSize sceneSize;
    int samples = 0;
    int frame = 0;            // changes with every rendered frame
    bool smooth = false;      // soften stair steps of a picture without samples; done once a frame
    QImage hud;               // ARGB32_Premultiplied, may be null
    bool transparent = false; // no background
    QColor top{0x45, 0x49, 0x4f}, bottom{0x2a, 0x2c, 0x30};
};

// Create, use and destroy it with the same context (or one that shares with it) current.
class Compositor : private QOpenGLExtraFunctions {
public:
    Compositor();
    ~Compositor();

    // Fills the bound framebuffer `target`, `size` pixels.
    void draw(const CompositeInput& input, unsigned target, QSize size);

private:
    unsigned resolved(const CompositeInput& input);
    unsigned smoothed(const CompositeInput& input);
    void uploadHud(const QImage& hud);
    void fill(QSize size);

    QOpenGLShaderProgram program_, smooth_;
    QOpenGLVertexArrayObject vertices_;
    std::unique_ptr<QOpenGLFramebufferObject> resolve_; // the scene without samples, or smoothed
    int smoothedFrame_ = -1;
    unsigned readFramebuffer_ = 0, hudTexture_ = 0;
    QSize hudSize_;
};

} // namespace limber::ui
