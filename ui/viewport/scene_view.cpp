#include "ui/viewport/scene_view.h"

#include "ui/editor/editor.h"
#include "ui/viewport/camera.h"
#include "ui/viewport/graphics_setup.h"

namespace limber::ui {

SceneView::SceneView(Editor& editor, RenderEngine& engine)
    : editor_(editor), engine_(engine),
      effects_(hasStorageBuffers() ? ShaderLevel::Gl43 : ShaderLevel::Gl33, engine.scene()), grid_(engine.scene()),
      skeleton_(engine.scene()) {
    connect(&editor, &Editor::documentReplaced, this, [this] {
        replaceDocument();
        emit outdated();
    });
    connect(&editor, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        for (const auto& mesh : meshes_)
            mesh->invalidate(changes);
        emit outdated();
    });
    for (const auto signal : {&Editor::selectionChanged, &Editor::hoverChanged, &Editor::viewChanged})
        connect(&editor, signal, this, &SceneView::outdated);
    replaceDocument();
}

SceneView::~SceneView() = default;

void SceneView::replaceDocument() {
    meshes_.clear();
    textures_.reset();
    delete documentRoot_;
    documentRoot_ = new Qt3DCore::QEntity;
    textures_ = std::make_unique<SceneTextures>(documentRoot_);
    connect(textures_.get(), &SceneTextures::ready, this, [this] {
        engine_.needFrames(3); // it is uploaded in one frame and drawn in a later one
        emit outdated();
    });
    connect(textures_.get(), &SceneTextures::broken, this, [this](int image) {
        const std::string& given = editor_.document().state().images[std::size_t(image)].name;
        const QString name = given.empty() ? tr("number %1").arg(image + 1) : QString::fromStdString(given);
        editor_.addNote(tr("The picture %1 cannot be shown: it is damaged, too large or of an unknown kind. Surfaces "
                           "with it are white.")
                            .arg(name));
    });
    for (std::size_t i = 0; i < editor_.document().instanceCount(); ++i)
        meshes_.push_back(std::make_unique<MeshView>(editor_, InstanceId(i), effects_, *textures_, documentRoot_));
    documentRoot_->setParent(engine_.scene());
    engine_.needFrames(3);
}

void SceneView::applyView() {
    const ViewState& view = editor_.view();
    engine_.setEnabled(Pass::Solid, !view.wireframe);
    engine_.setEnabled(Pass::Wireframe, view.wireframe);
    engine_.setEnabled(Pass::Grid, view.grid);
    engine_.setEnabled(Pass::Skeleton, view.skeleton);
    effects_.setShading(view.heatMap ? Shading::Heat : view.textures ? Shading::Material : Shading::Clay);
}

RenderCounts SceneView::counts() const {
    RenderCounts counts;
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
        counts.sentBytes += meshes_[i]->sentBytes();
        if (!editor_.view().hidden.contains(InstanceId(i)))
            ++(meshes_[i]->shaderPoses() ? counts.shaderPosed : counts.processorPosed);
    }
    return counts;
}

void SceneView::render(const Camera& camera) {
    const ViewState& view = editor_.view();
    applyView();
    effects_.setTargetSize(engine_.size());
    effects_.setOrthographic(camera.orthographic());
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
        const bool visible = !view.hidden.contains(InstanceId(i));
        meshes_[i]->setVisible(visible);
        if (!visible)
            continue;
        meshes_[i]->setGpuSkinning(view.gpuSkinning);
        meshes_[i]->setHeatJoint(editor_.activeJoint());
        engine_.needFrames(meshes_[i]->flush());
    }
    grid_.follow(camera, gridColor_);
    if (view.skeleton)
        skeleton_.flush(editor_, camera);
    engine_.setCamera(camera);
    engine_.render();
}

} // namespace limber::ui
