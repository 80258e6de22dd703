// The ground: a grid at y = 0 that fades with distance, its cells a power of ten near a tenth of the scene's size.
#pragma once

#include <QColor>
#include <Qt3DCore/QEntity>
#include <Qt3DRender/QParameter>

namespace limber::ui {

class Camera;

class GridView {
public:
    explicit GridView(Qt3DCore::QEntity* parent);
    void follow(const Camera& camera, const QColor& color);

private:
    Qt3DRender::QParameter *center_, *extent_, *cell_, *color_;
};

} // namespace limber::ui
