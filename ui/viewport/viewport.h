// The view of the scene: renders on change only, paints names and tools over the picture, and turns the pointer into
// samples for the tools or, where they do not want it, into camera moves.
#pragma once

#include "ui/viewport/camera.h"
#include "ui/viewport/navigation.h"

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QTimer>

#include <memory>

namespace limber::ui {

class Compositor;
class Editor;
class PointerHandler;
class RenderEngine;
class SceneView;
struct RenderCounts;

class Viewport : public QOpenGLWidget {
    Q_OBJECT
public:
    // The editor outlives it. Call prepareGraphics() before QApplication.
    explicit Viewport(Editor& editor, QWidget* parent = nullptr);
    ~Viewport() override;

    // After changing it, call cameraMoved().
    [[nodiscard]] Camera& camera() { return camera_; }
    [[nodiscard]] const Camera& camera() const { return camera_; }
    void cameraMoved();

    // Not owned; may be null. It must outlive the viewport or be taken back.
    void setPointerHandler(PointerHandler* handler);

    // Renders the scene soon; many calls make one frame.
    void requestRender();
    // At once where the picture is out of date, so that it appears together with what else changed.
    void renderNow();
    // Paints anew what lies over the scene, without rendering it.
    void requestOverlay() { update(); }

    void frameAll();
    void frameSelected(); // all where nothing is selected
    void setStandardView(Camera::View view);
    void setOrthographic(bool on);

    // The whole picture at once, as shown, in device pixels. Renders when it is out of date.
    [[nodiscard]] QImage picture();

    // Frames of the scene rendered so far: what a test of idleness counts.
    [[nodiscard]] int frameCount() const { return frameCount_; }
    [[nodiscard]] RenderCounts counts() const; // scene_view.h

signals:
    void cameraChanged();
    void rendered();

protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void tabletEvent(QTabletEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void releaseGraphics();
    void documentReplaced();
    void frame(const Eigen::AlignedBox3d& box);
    [[nodiscard]] PointerSample sample(QPointF at, double pressure, Qt::KeyboardModifiers modifiers) const;
    void press(const PointerSample& sample, Qt::MouseButton button);
    void move(const PointerSample& sample, Qt::MouseButtons buttons);
    void release(const PointerSample& sample, Qt::MouseButton button);
    void cancelPointer();

    Editor& editor_;
    Camera camera_;
    PointerHandler* handler_ = nullptr;
    std::unique_ptr<RenderEngine> engine_;
    std::unique_ptr<SceneView> scene_;
    std::unique_ptr<Compositor> compositor_;
    QTimer renderTimer_;
    QTimer stillTimer_; // runs out when the picture has stood still for a moment: then it is smoothed
    bool still_ = false;
    QElapsedTimer clock_;
    QImage hud_;
    Navigation navigation_;
    Qt::MouseButton heldBy_ = Qt::NoButton; // the button of a drag, of the handler's or of the camera
    bool handlerDrags_ = false;
    bool framed_ = true; // the camera has not been moved by hand since it framed something
    bool outdated_ = true;
    Eigen::AlignedBox3d framedBox_;
    int frameCount_ = 0;
};

} // namespace limber::ui
