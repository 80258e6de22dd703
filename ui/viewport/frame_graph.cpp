#include "ui/viewport/frame_graph.h"

#include <Qt3DRender/QBlendEquation>
#include <Qt3DRender/QBlendEquationArguments>
#include <Qt3DRender/QCameraSelector>
#include <Qt3DRender/QClearBuffers>
#include <Qt3DRender/QCullFace>
#include <Qt3DRender/QDepthTest>
#include <Qt3DRender/QFilterKey>
#include <Qt3DRender/QNoDepthMask>
#include <Qt3DRender/QNoDraw>
#include <Qt3DRender/QRenderPassFilter>
#include <Qt3DRender/QRenderStateSet>
#include <Qt3DRender/QRenderTarget>
#include <Qt3DRender/QRenderTargetOutput>
#include <Qt3DRender/QSortPolicy>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QViewport>

namespace limber::ui {

using namespace Qt3DRender;

QString passName(Pass pass) {
    switch (pass) {
    case Pass::Solid:
        return QStringLiteral("solid");
    case Pass::Wireframe:
        return QStringLiteral("wireframe");
    case Pass::Blended:
        return QStringLiteral("blended");
    case Pass::Grid:
        return QStringLiteral("grid");
    case Pass::Skeleton:
        return QStringLiteral("skeleton");
    }
    return {};
}

FrameGraph::FrameGraph(Qt3DCore::QEntity* camera, QObject* surface, Qt3DCore::QNode* parent)
    : root_(new QViewport(parent)) {
    surface_ = new QRenderSurfaceSelector(root_);
    surface_->setSurface(surface);
    auto* viewport = new QViewport(surface_);
    auto* cameraSelector = new QCameraSelector(viewport);
    cameraSelector->setCamera(camera);
    targetSelector_ = new QRenderTargetSelector(cameraSelector);
    addBranches(targetSelector_);

    // processFrame() waits for ever in a graph that leaves nothing to render.
    auto* guard = new QRenderSurfaceSelector(root_);
    guard->setSurface(surface);
    guard->setExternalRenderTargetSize(QSize(16, 16));
    new QNoDraw(guard);
}

void FrameGraph::addBranches(QFrameGraphNode* parent) {
    auto* clear = new QClearBuffers(parent);
    clear->setBuffers(QClearBuffers::ColorDepthStencilBuffer);
    clear->setClearColor(QColor(0, 0, 0, 0));
    new QNoDraw(clear);
    for (const Pass pass : {Pass::Solid, Pass::Wireframe, Pass::Grid, Pass::Blended, Pass::Skeleton})
        enablers_[static_cast<std::size_t>(pass)] = addBranch(parent, pass);
}

QSubtreeEnabler* FrameGraph::addBranch(QFrameGraphNode* parent, Pass pass) {
    const bool opaque = pass == Pass::Solid || pass == Pass::Wireframe;
    // Only an enabler switches a branch off; disabling another node drops that node's setting alone.
    auto* enabler = new QSubtreeEnabler(parent);
    auto* states = new QRenderStateSet(enabler);
    auto* depthTest = new QDepthTest;
    depthTest->setDepthFunction(pass == Pass::Skeleton ? QDepthTest::Always : QDepthTest::LessOrEqual);
    states->addRenderState(depthTest);
    auto* cull = new QCullFace;
    cull->setMode(opaque ? QCullFace::Back : QCullFace::NoCulling);
    states->addRenderState(cull);
    QFrameGraphNode* last = states;
    if (!opaque) {
        states->addRenderState(new QNoDepthMask);
        auto* equation = new QBlendEquation;
        equation->setBlendFunction(QBlendEquation::Add);
        states->addRenderState(equation);
        auto* arguments = new QBlendEquationArguments;
        arguments->setSourceRgba(QBlendEquationArguments::One);
        arguments->setDestinationRgba(QBlendEquationArguments::OneMinusSourceAlpha);
        states->addRenderState(arguments);
    }
    if (pass == Pass::Blended) {
        auto* sort = new QSortPolicy(last);
        sort->setSortTypes(QVector<QSortPolicy::SortType>{QSortPolicy::BackToFront});
        last = sort;
    }
    auto* filter = new QRenderPassFilter(last);
    auto* key = new QFilterKey(filter);
    key->setName(QStringLiteral("pass"));
    key->setValue(passName(pass));
    filter->addMatch(key);
    return enabler;
}

void FrameGraph::setTarget(QSize size, int samples) {
    surface_->setExternalRenderTargetSize(size);
    if (samples_ == samples) {
        color_->setSize(size.width(), size.height());
        depth_->setSize(size.width(), size.height());
        return;
    }
    samples_ = samples;
    QRenderTarget* old = target_;
    target_ = new QRenderTarget(targetSelector_);
    const auto makeTexture = [&](QAbstractTexture::TextureFormat format, QRenderTargetOutput::AttachmentPoint point) {
        auto* output = new QRenderTargetOutput(target_);
        QAbstractTexture* texture = nullptr;
        if (samples > 1) {
            texture = new QTexture2DMultisample(output);
            texture->setSamples(samples);
        } else {
            texture = new QTexture2D(output);
            texture->setMinificationFilter(QAbstractTexture::Linear);
            texture->setMagnificationFilter(QAbstractTexture::Linear);
        }
        texture->setFormat(format);
        texture->setGenerateMipMaps(false);
        texture->setSize(size.width(), size.height());
        output->setAttachmentPoint(point);
        output->setTexture(texture);
        target_->addOutput(output);
        return texture;
    };
    color_ = makeTexture(QAbstractTexture::RGBA8_UNorm, QRenderTargetOutput::Color0);
    depth_ = makeTexture(QAbstractTexture::D24S8, QRenderTargetOutput::DepthStencil);
    targetSelector_->setTarget(target_);
    delete old;
}

unsigned FrameGraph::colorTexture() const {
    if (!color_ || color_->handleType() != QAbstractTexture::OpenGLTextureId)
        return 0;
    return color_->handle().toUInt();
}

} // namespace limber::ui
