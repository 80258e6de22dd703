// The eye: orbits a target, perspective or orthographic. Pure arithmetic, no Qt3D.
// Pixels are device-independent, y down, (0, 0) the view's upper left corner.
#pragma once

#include "core/mesh/ray_caster.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace limber::ui {

class Camera {
public:
    enum class View { Front, Back, Left, Right, Top, Bottom };

    void setViewport(double widthPx, double heightPx);
    [[nodiscard]] Eigen::Vector2d viewport() const { return viewport_; }

    // Clipping planes, zoom limits and steps follow the scene: `bounds` world. Does not move the eye.
    void setSceneBounds(const Eigen::AlignedBox3d& bounds);

    void orbit(double dxPx, double dyPx);
    void pan(double dxPx, double dyPx);
    // Steps > 0 come nearer; what is under `pixel` stays there.
    void zoom(double steps, const Eigen::Vector2d& pixel);
    // Whole box in view with some air around it.
    void frame(const Eigen::AlignedBox3d& box);
    void setView(View view);
    // Yaw about the world's up, 0 looking from +Z; pitch in [-pi/2, pi/2], positive from above.
    void setAngles(double yawRad, double pitchRad);
    void setOrthographic(bool on) { orthographic_ = on; }
    [[nodiscard]] bool orthographic() const { return orthographic_; }

    [[nodiscard]] Eigen::Vector3d eye() const;
    [[nodiscard]] const Eigen::Vector3d& target() const { return target_; }
    [[nodiscard]] double distance() const { return distance_; } // of the eye from the target
    [[nodiscard]] double sceneSize() const;                     // diagonal of the scene's bounds, never 0
    [[nodiscard]] double groundExtent() const;                  // how far from the target the ground is drawn
    [[nodiscard]] Eigen::Vector3d forward() const;
    [[nodiscard]] Eigen::Vector3d right() const;
    [[nodiscard]] Eigen::Vector3d up() const;

    [[nodiscard]] Eigen::Matrix4d viewFromWorld() const;
    [[nodiscard]] Eigen::Matrix4d clipFromView() const; // OpenGL clip space, z in [-1, 1]
    [[nodiscard]] double nearPlane() const;
    [[nodiscard]] double farPlane() const;

    // Unit direction; in orthographic views the origin lies in the eye's plane.
    [[nodiscard]] mesh::Ray ray(const Eigen::Vector2d& pixel) const;
    // Pixel and depth (distance along forward()); depth <= 0 lies behind the eye of a perspective view.
    [[nodiscard]] Eigen::Vector3d project(const Eigen::Vector3d& world) const;
    // World length of one pixel at a point.
    [[nodiscard]] double worldPerPixel(const Eigen::Vector3d& at) const;

private:
    Eigen::Vector2d viewport_{800, 600};
    Eigen::Vector3d target_ = Eigen::Vector3d::Zero();
    Eigen::AlignedBox3d scene_{Eigen::Vector3d(-1, -1, -1), Eigen::Vector3d(1, 1, 1)};
    double distance_ = 4;
    double yawRad_ = 0.5, pitchRad_ = 0.2;
    bool orthographic_ = false;
};

} // namespace limber::ui
