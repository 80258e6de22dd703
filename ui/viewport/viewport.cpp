#include "ui/viewport/viewport.h"

#include "ui/editor/editor.h"
#include "ui/theme.h"
#include "ui/viewport/compositor.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/hud.h"
#include "ui/viewport/pointer_handler.h"
#include "ui/viewport/scene_view.h"

#include <QEvent>
#include <QOpenGLContext>

#include <cmath>

namespace limber::ui {

namespace {

constexpr double kFirstYawRad = 0.42, kFirstPitchRad = 0.13;
constexpr int kStillMs = 150;
constexpr double kLeastFramed = 0.15; // of the scene's size

} // namespace

Viewport::Viewport(Editor& editor, QWidget* parent)
    : QOpenGLWidget(parent), editor_(editor), engine_(std::make_unique<RenderEngine>()),
      scene_(std::make_unique<SceneView>(editor, *engine_)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    clock_.start();
    renderTimer_.setSingleShot(true);
    renderTimer_.setInterval(0);
    stillTimer_.setSingleShot(true);
    stillTimer_.setInterval(kStillMs);
    connect(&stillTimer_, &QTimer::timeout, this, [this] {
        still_ = true;
        update();
    });
    connect(&renderTimer_, &QTimer::timeout, this, &Viewport::renderNow);
    connect(scene_.get(), &SceneView::outdated, this, &Viewport::requestRender);
    connect(&editor, &Editor::documentReplaced, this, &Viewport::documentReplaced);
    connect(&editor, &Editor::brushChanged, this, &Viewport::requestOverlay);
    connect(&editor, &Editor::gizmoChanged, this, &Viewport::requestOverlay);
    if (ViewState view = editor.view(); !isSoftwareGraphics()) {
        view.antialiasing = true;
        editor.setView(view);
    }
    documentReplaced();
}

Viewport::~Viewport() {
    // The base class ends the context, when there is no viewport left to tell.
    if (context())
        disconnect(context(), nullptr, this, nullptr);
    if (compositor_)
        releaseGraphics();
}

void Viewport::setPointerHandler(PointerHandler* handler) {
    cancelPointer();
    handler_ = handler;
    requestOverlay();
}

void Viewport::requestRender() {
    outdated_ = true;
    if (isVisible() && !renderTimer_.isActive())
        renderTimer_.start();
}

void Viewport::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        requestRender();
    QOpenGLWidget::changeEvent(event);
}

void Viewport::showEvent(QShowEvent* event) {
    QOpenGLWidget::showEvent(event);
    if (outdated_)
        requestRender();
}

void Viewport::renderNow() {
    if (!outdated_)
        return;
    outdated_ = false;
    const qreal ratio = devicePixelRatioF();
    const QSize pixels(qRound(width() * ratio), qRound(height() * ratio));
    engine_->setTarget(pixels, editor_.view().antialiasing ? 4 : 0);
    scene_->setGridColor(themeColors().viewGrid);
    scene_->render(camera_);
    ++frameCount_;
    still_ = false;
    stillTimer_.start();
    update();
    emit rendered();
}

// May run again when the window gets another context.
void Viewport::initializeGL() {
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewport::releaseGraphics, Qt::UniqueConnection);
    compositor_ = std::make_unique<Compositor>();
}

void Viewport::releaseGraphics() {
    makeCurrent();
    compositor_.reset();
    doneCurrent();
}

void Viewport::resizeGL(int width, int height) {
    camera_.setViewport(width, height);
    if (framed_)
        camera_.frame(framedBox_);
    requestRender();
    emit cameraChanged();
}

void Viewport::paintGL() {
    if (!compositor_)
        return;
    const qreal ratio = devicePixelRatioF();
    const QSize pixels(qRound(width() * ratio), qRound(height() * ratio));
    if (hud_.size() != pixels)
        hud_ = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    hud_.setDevicePixelRatio(ratio);
    hud_.fill(Qt::transparent);
    Overlay overlay;
    if (handler_)
        handler_->draw(overlay);
    {
        QPainter painter(&hud_);
        paintHud(painter, QSizeF(size()), editor_, camera_, overlay);
    }
    CompositeInput input;
    input.sceneTexture = frameCount_ > 0 ? engine_->colorTexture() : 0;
    input.sceneSize = engine_->size();
    input.samples = engine_->samples();
    input.frame = frameCount_;
    input.smooth = still_;
    input.hud = hud_;
    input.top = themeColors().viewTop;
    input.bottom = themeColors().viewBottom;
    compositor_->draw(input, defaultFramebufferObject(), pixels);
}

QImage Viewport::picture() {
    renderNow();
    still_ = true;
    return grabFramebuffer();
}

RenderCounts Viewport::counts() const {
    return scene_->counts();
}

void Viewport::cameraMoved() {
    framed_ = false;
    requestRender();
    emit cameraChanged();
}

void Viewport::documentReplaced() {
    cancelPointer();
    const Eigen::AlignedBox3d bounds = editor_.evaluator().bounds();
    camera_.setSceneBounds(bounds);
    camera_.setAngles(kFirstYawRad, kFirstPitchRad);
    frame(bounds.isEmpty() ? Eigen::AlignedBox3d(Eigen::Vector3d(-1, -1, -1), Eigen::Vector3d(1, 1, 1)) : bounds);
}

void Viewport::frame(const Eigen::AlignedBox3d& box) {
    framedBox_ = box;
    camera_.frame(box);
    framed_ = true;
    requestRender();
    emit cameraChanged();
}

void Viewport::frameAll() {
    const Eigen::AlignedBox3d bounds = editor_.evaluator().bounds();
    if (bounds.isEmpty())
        return;
    camera_.setSceneBounds(bounds);
    frame(bounds);
}

void Viewport::frameSelected() {
    Eigen::AlignedBox3d box;
    const rig::Skeleton& skeleton = editor_.document().skeleton();
    for (const JointId j : editor_.selection().joints()) {
        box.extend(editor_.evaluator().world(j).translation());
        if (const JointId parent = skeleton[j].parent; parent.valid())
            box.extend(editor_.evaluator().world(parent).translation());
        for (const JointId child : skeleton.children(j))
            box.extend(editor_.evaluator().world(child).translation());
    }
    if (box.isEmpty()) {
        frameAll();
        return;
    }
    // A small joint is shown with what lies around it.
    const double size = std::max(1.3 * box.diagonal().norm(), kLeastFramed * camera_.sceneSize());
    const Eigen::Vector3d half = Eigen::Vector3d::Constant(0.5 * size / std::sqrt(3.0));
    frame({box.center() - half, box.center() + half});
}

void Viewport::setStandardView(Camera::View view) {
    camera_.setView(view);
    requestRender();
    emit cameraChanged();
}

void Viewport::setOrthographic(bool on) {
    camera_.setOrthographic(on);
    requestRender();
    emit cameraChanged();
}

} // namespace limber::ui
