// Qt3D driven by hand: renders a scene into a texture that other OpenGL contexts of the program share.
#pragma once

#include "ui/viewport/frame_graph.h"

#include <QOffscreenSurface>
#include <Qt3DCore/QAspectEngine>

#include <memory>

namespace limber::ui {

class Camera;

// Lives on the window's thread; blocks in render(). Nothing happens between the calls.
class RenderEngine {
public:
    RenderEngine();
    ~RenderEngine();

    // The node under which the scene's entities live. Owned by the engine. Give a node its parent when it is complete:
    // of one that is made under a parent, Qt3D 6.4 learns from an event, and draws the frames before without it.
    [[nodiscard]] Qt3DCore::QEntity* scene() const { return scene_; }

    // Pixels of the picture; samples 0 or 4.
    void setTarget(QSize size, int samples);
    [[nodiscard]] QSize size() const { return size_; }
    [[nodiscard]] int samples() const { return samples_; }
    void setEnabled(Pass pass, bool on) { graph_->setEnabled(pass, on); }
    void setCamera(const Camera& camera);

    // Draws one frame, or as many as it takes until the picture is whole: after a start or a resize the first are not.
    void render();
    // The next render must run this many frames at least.
    void needFrames(int frames) { frames_ = std::max(frames_, frames); }

    // OpenGL name of the rendered picture, 0 before the first; multisampled where samples() > 1.
    [[nodiscard]] unsigned colorTexture() const { return graph_->colorTexture(); }

private:
    // Deleted in this order: the surface must outlive the engine.
    std::unique_ptr<QOffscreenSurface> surface_;
    std::unique_ptr<Qt3DCore::QAspectEngine> engine_;
    std::unique_ptr<FrameGraph> graph_;
    Qt3DCore::QEntity* scene_ = nullptr;
    Qt3DRender::QCamera* camera_ = nullptr;
    QSize size_;
    int samples_ = -1;
    int frames_ = 3;
};

} // namespace limber::ui
