// What an editor shows, as Qt3D nodes that follow it. Shared by the viewport and by pictures made without a window.
#pragma once

#include "ui/viewport/grid_view.h"
#include "ui/viewport/mesh_view.h"
#include "ui/viewport/render_engine.h"
#include "ui/viewport/scene_textures.h"
#include "ui/viewport/skeleton_view.h"

#include <QObject>

#include <memory>
#include <vector>

namespace limber::ui {

// What drawing costs, for tests that count it.
struct RenderCounts {
    std::size_t shaderPosed = 0, processorPosed = 0; // visible instances of the last frame
    std::uint64_t sentBytes = 0;                     // of the document's meshes, to the graphics card, so far
};

class SceneView : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    SceneView(Editor& editor, RenderEngine& engine);
    ~SceneView() override;

    // Brings the nodes and the camera up to date and renders. Blocks for the frame.
    void render(const Camera& camera);
    void setGridColor(const QColor& color) { gridColor_ = color; } // drawn with the next frame
    // Blocks until every image is decoded.
    void waitForTextures() { textures_->wait(); }
    [[nodiscard]] RenderCounts counts() const;

signals:
    void outdated(); // the picture is not what it should be any more

private:
    void replaceDocument();
    void applyView();

    Editor& editor_;
    RenderEngine& engine_;
    MeshEffects effects_;
    GridView grid_;
    QColor gridColor_{0xb8, 0xbf, 0xcc};
    SkeletonView skeleton_;
    Qt3DCore::QEntity* documentRoot_ = nullptr;
    std::unique_ptr<SceneTextures> textures_;
    std::vector<std::unique_ptr<MeshView>> meshes_; // per instance
};

} // namespace limber::ui
