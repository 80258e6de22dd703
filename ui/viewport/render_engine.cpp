#include "ui/viewport/render_engine.h"

#include "ui/viewport/camera.h"

#include <QMatrix4x4>
#include <Qt3DLogic/QLogicAspect>
#include <Qt3DRender/QCameraLens>
#include <Qt3DRender/QRenderAspect>
#include <Qt3DRender/QRenderSettings>

namespace limber::ui {

namespace {

QMatrix4x4 toQt(const Eigen::Matrix4d& m) {
    QMatrix4x4 q;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            q(r, c) = static_cast<float>(m(r, c));
    return q;
}

QVector3D toQt(const Eigen::Vector3d& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

} // namespace

RenderEngine::RenderEngine()
    : surface_(std::make_unique<QOffscreenSurface>()), engine_(std::make_unique<Qt3DCore::QAspectEngine>()) {
    surface_->setFormat(QSurfaceFormat::defaultFormat());
    surface_->create();

    engine_->setRunMode(Qt3DCore::QAspectEngine::Manual);
    engine_->registerAspect(new Qt3DRender::QRenderAspect);
    engine_->registerAspect(new Qt3DLogic::QLogicAspect);

    auto* root = new Qt3DCore::QEntity;
    camera_ = new Qt3DRender::QCamera(root);
    scene_ = new Qt3DCore::QEntity(root);
    auto* settings = new Qt3DRender::QRenderSettings(root);
    graph_ = std::make_unique<FrameGraph>(camera_, surface_.get(), settings);
    settings->setActiveFrameGraph(graph_->root());
    settings->setRenderPolicy(Qt3DRender::QRenderSettings::Always);
    root->addComponent(settings);
    setTarget(QSize(64, 64), 0);
    engine_->setRootEntity(Qt3DCore::QEntityPtr(root));
}

RenderEngine::~RenderEngine() {
    graph_.reset();
    engine_.reset();
}

void RenderEngine::setTarget(QSize size, int samples) {
    size = size.expandedTo(QSize(1, 1));
    samples = samples > 1 ? samples : 0;
    if (size == size_ && samples == samples_)
        return;
    needFrames(samples == samples_ ? 2 : 3);
    size_ = size;
    samples_ = samples;
    graph_->setTarget(size, samples);
}

void RenderEngine::setCamera(const Camera& camera) {
    camera_->setUpVector(toQt(camera.up()));
    camera_->setPosition(toQt(camera.eye()));
    camera_->setViewCenter(toQt(camera.target()));
    camera_->lens()->setProjectionMatrix(toQt(camera.clipFromView()));
}

void RenderEngine::render() {
    for (int frames = std::max(frames_, 1); frames > 0; --frames)
        engine_->processFrame();
    frames_ = 1;
}

} // namespace limber::ui
