// The ways a mesh part can be drawn, and what all of them share. They outlive the documents that are shown.
#pragma once

#include "ui/viewport/shader_source.h"

#include <QSize>
#include <QVector2D>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QParameter>
#include <Qt3DRender/QRenderPass>
#include <Qt3DRender/QTechnique>

#include <array>

namespace limber::ui {

enum class Shading { Material = 0, Clay = 1, Heat = 2 };

class MeshEffects {
public:
    // Nodes belong to `parent`.
    MeshEffects(ShaderLevel level, Qt3DCore::QNode* parent);

    [[nodiscard]] ShaderLevel level() const { return level_; }
    // Made, and its shaders compiled, when it is first asked for.
    [[nodiscard]] Qt3DRender::QEffect* effect(bool blended, bool twoSided, SkinStage stage);

    void setShading(Shading shading) { shading_->setValue(static_cast<int>(shading)); }
    void setTargetSize(QSize px) { targetSize_->setValue(QVector2D(float(px.width()), float(px.height()))); }
    void setOrthographic(bool on) { orthographic_->setValue(on ? 1 : 0); }

private:
    Qt3DRender::QEffect* make(bool blended, bool twoSided, SkinStage stage);

    ShaderLevel level_;
    Qt3DCore::QNode* parent_;
    Qt3DRender::QParameter *shading_, *targetSize_, *orthographic_;
    std::array<Qt3DRender::QEffect*, 16> effects_{};
};

// An effect of one technique for the level's OpenGL version; add passes to the technique.
[[nodiscard]] Qt3DRender::QTechnique* addTechnique(Qt3DRender::QEffect* effect, ShaderLevel level);
// A pass named for the frame graph's filter.
Qt3DRender::QRenderPass* addPass(Qt3DRender::QTechnique* technique, const QString& name, const ShaderSource& source);

} // namespace limber::ui
