#include "ui/viewport/grid_view.h"

#include "ui/viewport/camera.h"
#include "ui/viewport/frame_graph.h"
#include "ui/viewport/grid_step.h"
#include "ui/viewport/mesh_effects.h"

#include <QVector3D>
#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QBuffer>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QTechnique>

#include <cmath>

namespace limber::ui {

GridView::GridView(Qt3DCore::QEntity* parent) {
    static constexpr std::array<float, 18> kSquare{-1, 0, -1, -1, 0, 1, 1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, -1};
    auto* renderer = new Qt3DRender::QGeometryRenderer(parent);
    auto* geometry = new Qt3DCore::QGeometry(renderer);
    auto* buffer = new Qt3DCore::QBuffer(geometry);
    buffer->setData(QByteArray(reinterpret_cast<const char*>(kSquare.data()), sizeof(kSquare)));
    geometry->addAttribute(new Qt3DCore::QAttribute(buffer, QStringLiteral("vertexPosition"),
                                                    Qt3DCore::QAttribute::Float, 3, 6, 0, 0, geometry));
    renderer->setGeometry(geometry);
    renderer->setVertexCount(6);

    auto* effect = new Qt3DRender::QEffect(parent);
    addPass(addTechnique(effect, ShaderLevel::Gl33), passName(Pass::Grid), gridShader());
    auto* material = new Qt3DRender::QMaterial(parent);
    material->setEffect(effect);
    const auto add = [&](const char* name, const QVariant& value) {
        auto* parameter = new Qt3DRender::QParameter(QLatin1String(name), value, material);
        material->addParameter(parameter);
        return parameter;
    };
    center_ = add("gridCenter", QVector3D());
    extent_ = add("gridExtent", 1.0f);
    cell_ = add("gridCell", 1.0f);
    color_ = add("gridColor", QVector3D());
    auto* entity = new Qt3DCore::QEntity(parent);
    entity->addComponent(renderer);
    entity->addComponent(material);
}

void GridView::follow(const Camera& camera, const QColor& color) {
    center_->setValue(QVector3D(float(camera.target().x()), 0, float(camera.target().z())));
    extent_->setValue(float(camera.groundExtent()));
    cell_->setValue(float(gridCell(camera.sceneSize())));
    color_->setValue(QVector3D(color.redF(), color.greenF(), color.blueF()));
}

} // namespace limber::ui
