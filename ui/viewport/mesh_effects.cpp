#include "ui/viewport/mesh_effects.h"

#include "ui/viewport/frame_graph.h"

#include <Qt3DRender/QCullFace>
#include <Qt3DRender/QFilterKey>
#include <Qt3DRender/QGraphicsApiFilter>
#include <Qt3DRender/QRenderPass>
#include <Qt3DRender/QShaderProgram>
#include <Qt3DRender/QTechnique>

namespace limber::ui {

using namespace Qt3DRender;

QTechnique* addTechnique(QEffect* effect, ShaderLevel level) {
    auto* technique = new QTechnique(effect);
    technique->graphicsApiFilter()->setApi(QGraphicsApiFilter::OpenGL);
    technique->graphicsApiFilter()->setProfile(QGraphicsApiFilter::CoreProfile);
    technique->graphicsApiFilter()->setMajorVersion(level == ShaderLevel::Gl43 ? 4 : 3);
    technique->graphicsApiFilter()->setMinorVersion(3);
    effect->addTechnique(technique);
    return technique;
}

QRenderPass* addPass(QTechnique* technique, const QString& name, const ShaderSource& source) {
    auto* pass = new QRenderPass(technique);
    auto* key = new QFilterKey(pass);
    key->setName(QStringLiteral("pass"));
    key->setValue(name);
    pass->addFilterKey(key);
    auto* program = new QShaderProgram(pass);
    program->setVertexShaderCode(source.vertex);
    if (!source.geometry.isEmpty())
        program->setGeometryShaderCode(source.geometry);
    program->setFragmentShaderCode(source.fragment);
    pass->setShaderProgram(program);
    technique->addRenderPass(pass);
    return pass;
}

MeshEffects::MeshEffects(ShaderLevel level, Qt3DCore::QNode* parent)
    : level_(level), parent_(parent), shading_(new QParameter(QStringLiteral("shading"), QVariant(0), parent)),
      targetSize_(new QParameter(QStringLiteral("targetSize"), QVector2D(1, 1), parent)),
      orthographic_(new QParameter(QStringLiteral("orthographicView"), QVariant(0), parent)) {}

QEffect* MeshEffects::effect(bool blended, bool twoSided, SkinStage stage) {
    QEffect*& known = effects_[static_cast<std::size_t>(stage) * 4 + (blended ? 2u : 0u) + (twoSided ? 1u : 0u)];
    if (!known)
        known = make(blended, twoSided, stage);
    return known;
}

QEffect* MeshEffects::make(bool blended, bool twoSided, SkinStage stage) {
    auto* effect = new QEffect;
    for (QParameter* shared : {shading_, targetSize_, orthographic_})
        effect->addParameter(shared);
    QTechnique* technique = addTechnique(effect, level_);
    const auto add = [&](Pass pass, bool wireframe) {
        QRenderPass* added = addPass(technique, passName(pass), meshShader(level_, wireframe, stage));
        auto* cull = new QCullFace(added);
        cull->setMode(twoSided ? QCullFace::NoCulling : QCullFace::Back);
        added->addRenderState(cull);
    };
    if (blended) {
        add(Pass::Blended, false);
    } else {
        add(Pass::Solid, false);
        add(Pass::Wireframe, true);
    }
    effect->setParent(parent_);
    return effect;
}

} // namespace limber::ui
