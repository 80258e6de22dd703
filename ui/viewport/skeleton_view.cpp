#include "ui/viewport/skeleton_view.h"

#include "ui/editor/editor.h"
#include "ui/viewport/drawn_joints.h"
#include "ui/viewport/frame_graph.h"
#include "ui/viewport/mesh_effects.h"

#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QMaterial>
#include <Qt3DRender/QTechnique>

namespace limber::ui {

SkeletonView::SkeletonView(Qt3DCore::QEntity* parent)
    : renderer_(new Qt3DRender::QGeometryRenderer(parent)), buffer_(renderer_) {
    auto* geometry = new Qt3DCore::QGeometry(renderer_);
    const auto add = [&](const char* name, unsigned offset) {
        auto* attribute = new Qt3DCore::QAttribute(buffer_.buffer(), QLatin1String(name), Qt3DCore::QAttribute::Float,
                                                   4, 0, offset, sizeof(SkeletonVertex), geometry);
        geometry->addAttribute(attribute);
    };
    add("vertexPosition", offsetof(SkeletonVertex, position));
    add("vertexColor", offsetof(SkeletonVertex, color));
    add("vertexShape", offsetof(SkeletonVertex, shape));
    renderer_->setGeometry(geometry);
    renderer_->setVertexCount(3);

    auto* effect = new Qt3DRender::QEffect(parent);
    addPass(addTechnique(effect, ShaderLevel::Gl33), passName(Pass::Skeleton), skeletonShader());
    auto* material = new Qt3DRender::QMaterial(parent);
    material->setEffect(effect);
    auto* entity = new Qt3DCore::QEntity(parent);
    entity->addComponent(renderer_);
    entity->addComponent(material);
}

void SkeletonView::flush(Editor& editor, const Camera& camera) {
    const document::Selection& selection = editor.selection();
    std::vector<std::uint8_t> drawn = DrawnJoints::of(editor);
    std::vector<BoneState> states(drawn.size(), BoneState::Plain);
    for (const JointId j : selection.joints()) {
        drawn[j.index()] = 1;
        states[j.index()] = j == selection.active() ? BoneState::Active : BoneState::Selected;
    }
    if (const JointId hovered = editor.hoveredJoint(); hovered.valid() && states[hovered.index()] == BoneState::Plain)
        states[hovered.index()] = BoneState::Hovered;
    const SkeletonShape shape = skeletonShape(editor.document().skeleton(), editor.evaluator().world(), drawn);
    const double fill = editor.view().heatMap ? 0.2 : 1; // weights show through
    buildSkeletonMesh(
        shape, camera, [&](JointId j) { return states[j.index()]; }, fill, vertices_);
    if (vertices_.empty()) // one invisible triangle, as Qt3D draws nothing sensible from an empty buffer
        vertices_.assign(3, SkeletonVertex{{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}});
    renderer_->setVertexCount(static_cast<int>(vertices_.size()));
    buffer_.markAll();
    buffer_.flush(bytesOf(std::span<const SkeletonVertex>(vertices_)));
}

} // namespace limber::ui
