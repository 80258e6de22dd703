// What is drawn in which order: solid or wireframe meshes, blended parts, the ground, and the skeleton on top,
// into a texture. A material takes part in a pass by its filter key "pass" (the names below).
#pragma once

#include <QSize>
#include <Qt3DCore/QEntity>
#include <Qt3DRender/QCamera>
#include <Qt3DRender/QRenderSurfaceSelector>
#include <Qt3DRender/QRenderTargetSelector>
#include <Qt3DRender/QSubtreeEnabler>

#include <array>

namespace limber::ui {

enum class Pass { Solid, Wireframe, Blended, Grid, Skeleton };
inline constexpr std::size_t kPassCount = 5;
[[nodiscard]] QString passName(Pass pass); // the value of the filter key

class FrameGraph {
public:
    // Nodes are owned by `parent`. `surface` outlives them.
    FrameGraph(Qt3DCore::QEntity* camera, QObject* surface, Qt3DCore::QNode* parent);

    [[nodiscard]] Qt3DRender::QFrameGraphNode* root() const { return root_; }
    // Pixels; 0 or 1 samples: none. Makes the target anew when the samples change.
    void setTarget(QSize size, int samples);
    void setEnabled(Pass pass, bool on) { enablers_[static_cast<std::size_t>(pass)]->setEnabled(on); }
    // The OpenGL name of the picture, 0 before it exists. RGBA8, premultiplied, multisampled where samples > 1.
    [[nodiscard]] unsigned colorTexture() const;

private:
    void addBranches(Qt3DRender::QFrameGraphNode* parent);
    Qt3DRender::QSubtreeEnabler* addBranch(Qt3DRender::QFrameGraphNode* parent, Pass pass);

    Qt3DRender::QFrameGraphNode* root_;
    Qt3DRender::QRenderSurfaceSelector* surface_ = nullptr;
    Qt3DRender::QRenderTargetSelector* targetSelector_ = nullptr;
    Qt3DRender::QRenderTarget* target_ = nullptr;
    Qt3DRender::QAbstractTexture *color_ = nullptr, *depth_ = nullptr;
    std::array<Qt3DRender::QSubtreeEnabler*, kPassCount> enablers_{};
    int samples_ = -1;
};

} // namespace limber::ui
