// The skeleton in the picture: rebuilt for each frame in which it or the camera moved.
#pragma once

#include "ui/viewport/dirty_buffer.h"
#include "ui/viewport/skeleton_mesh.h"

#include <Qt3DCore/QEntity>
#include <Qt3DRender/QGeometryRenderer>

namespace limber::ui {

class Editor;

class SkeletonView {
public:
    explicit SkeletonView(Qt3DCore::QEntity* parent);

    // Right before a frame. Selected joints are drawn whatever they do. O(joints).
    void flush(Editor& editor, const Camera& camera);

private:
    Qt3DRender::QGeometryRenderer* renderer_;
    DirtyBuffer buffer_;
    std::vector<SkeletonVertex> vertices_;
};

} // namespace limber::ui
