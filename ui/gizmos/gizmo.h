// A handle in the view that is dragged to transform joints: hit, begin, update, draw. It knows geometry and pixels
// only; what an amount does to the document is the pose tool's business.
#pragma once

#include "ui/gizmos/gizmo_math.h"
#include "ui/tools/overlay.h"
#include "ui/tools/pointer_sample.h"
#include "ui/viewport/camera.h"

#include <memory>

namespace limber::ui {

// Size on the screen, whatever the distance.
inline constexpr double kGizmoRadiusPx = 90;
inline constexpr double kGizmoTolerancePx = 8;

enum class GizmoHandle { None, AxisX, AxisY, AxisZ, PlaneX, PlaneY, PlaneZ, Center, View };

// 0, 1, 2 for X, Y, Z (an axis, or the plane across it); -1 for the others.
[[nodiscard]] int axisOf(GizmoHandle handle);
[[nodiscard]] bool isPlane(GizmoHandle handle);
[[nodiscard]] GizmoHandle axisHandle(int axis);

// Where a gizmo stands and how it is seen.
struct GizmoPlace {
    Vector3d origin = Vector3d::Zero();   // world
    Matrix3d axes = Matrix3d::Identity(); // F
    Matrix3d view = Matrix3d::Identity(); // right, up, towards the eye: the frame of View and Center
};

// Steps to snap to; zero: free.
struct GizmoSnap {
    double angleRad = 0, scale = 0, length = 0;
};

class Gizmo {
public:
    virtual ~Gizmo() = default;

    // The handle under a pixel, tolerance included.
    [[nodiscard]] virtual GizmoHandle hit(const Camera& camera, const GizmoPlace& place,
                                          const Eigen::Vector2d& pixel) const = 0;

    // A drag starts. `place` is kept as it was at the press.
    void begin(GizmoHandle handle, const Camera& camera, const GizmoPlace& place, const PointerSample& sample);
    // The total since the press. Where the pointer says nothing (a plane seen from its edge) the last amount stays.
    [[nodiscard]] const GizmoAmount& update(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap);
    // The total typed as a number: degrees, length or factor, along the handle's axis.
    [[nodiscard]] const GizmoAmount& type(double value);
    void end() { handle_ = GizmoHandle::None; }

    [[nodiscard]] GizmoHandle handle() const { return handle_; } // None between drags
    [[nodiscard]] const GizmoAmount& amount() const { return amount_; }
    // View and Center turn and move in the view's frame, the others in the joint's own.
    [[nodiscard]] virtual bool inViewFrame(GizmoHandle handle) const;

    // `hovered` is what the pointer is over; during a drag the dragged handle shows the amount. `snap` draws its ticks.
    virtual void draw(const Camera& camera, const GizmoPlace& place, GizmoHandle hovered, const GizmoSnap& snap,
                      Overlay& overlay) const = 0;

protected:
    // Reads press_ and place_; fills amount_ with what nothing is.
    virtual void start(const Camera& camera, const PointerSample& sample) = 0;
    virtual void measure(const Camera& camera, const PointerSample& sample, const GizmoSnap& snap) = 0;
    virtual void setTyped(double value) = 0;

    [[nodiscard]] const Matrix3d& frame() const { return inViewFrame(handle_) ? place_.view : place_.axes; }

    GizmoHandle handle_ = GizmoHandle::None;
    GizmoPlace place_;
    PointerSample press_;
    GizmoAmount amount_;
};

[[nodiscard]] std::unique_ptr<Gizmo> makeTranslateGizmo();
[[nodiscard]] std::unique_ptr<Gizmo> makeRotateGizmo();
[[nodiscard]] std::unique_ptr<Gizmo> makeScaleGizmo();

// World length of the gizmo's radius.
[[nodiscard]] double gizmoRadius(const Camera& camera, const Vector3d& origin);

// Place of a gizmo with these axes, seen by the camera.
[[nodiscard]] GizmoPlace gizmoPlace(const Camera& camera, const Vector3d& origin, const Matrix3d& axes);

// World position of a handle: the point at `angleRad` of a ring (from the next axis on), the tip of an arrow,
// the middle of a square. Also what tests aim at.
[[nodiscard]] Vector3d ringPoint(const Camera& camera, const GizmoPlace& place, GizmoHandle ring, double angleRad);
[[nodiscard]] Vector3d handlePoint(const Camera& camera, const GizmoPlace& place, GizmoHandle handle);

} // namespace limber::ui
