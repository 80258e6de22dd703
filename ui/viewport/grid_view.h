// The ground: a grid at y = 0 that fades with distance, its cells a power of ten near a tenth of the scene's size.
#pragma once

#include <Qt3DCore/QEntity>
#include <Qt3DRender/QParameter>

namespace limber::ui {

class Camera;

// World length of a cell for a scene of this size (diagonal).
[[nodiscard]] double gridCell(double sceneSize);

class GridView {
public:
    explicit GridView(Qt3DCore::QEntity* parent);
    void follow(const Camera& camera);

private:
    Qt3DRender::QParameter *center_, *extent_, *cell_;
};

} // namespace limber::ui
