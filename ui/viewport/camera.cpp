#include "ui/viewport/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::ui {

using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kHalfFovTan = 0.30573; // of a vertical field of view of 34 degrees
constexpr double kOrbitRadPerPx = 0.0065;
constexpr double kZoomPerStep = 0.86;
constexpr double kFrameFill = 0.95; // share of the view that a framed box may use

} // namespace

void Camera::setViewport(double widthPx, double heightPx) {
    viewport_ = {std::max(widthPx, 1.0), std::max(heightPx, 1.0)};
}

void Camera::setSceneBounds(const Eigen::AlignedBox3d& bounds) {
    if (!bounds.isEmpty() && bounds.sizes().allFinite())
        scene_ = bounds;
}

double Camera::sceneSize() const {
    const double size = scene_.diagonal().norm();
    return size > 1e-9 ? size : 1.0;
}

void Camera::orbit(double dxPx, double dyPx) {
    yawRad_ = std::remainder(yawRad_ - dxPx * kOrbitRadPerPx, 2 * kPi);
    pitchRad_ = std::clamp(pitchRad_ + dyPx * kOrbitRadPerPx, -kPi / 2, kPi / 2);
}

void Camera::pan(double dxPx, double dyPx) {
    const double unit = worldPerPixel(target_);
    target_ += right() * (-dxPx * unit) + up() * (dyPx * unit);
}

void Camera::zoom(double steps, const Vector2d& pixel) {
    const double size = sceneSize();
    const double wanted = distance_ * std::pow(kZoomPerStep, steps);
    const double next = std::clamp(wanted, size * 2e-3, size * 40);
    const Vector2d offset = (pixel - viewport_ / 2) * worldPerPixel(target_);
    const double share = 1 - next / distance_;
    target_ += (right() * offset.x() - up() * offset.y()) * share;
    distance_ = next;
}

void Camera::frame(const Eigen::AlignedBox3d& box) {
    if (box.isEmpty() || !box.sizes().allFinite())
        return;
    target_ = box.center();
    const double tanY = kHalfFovTan * kFrameFill, tanX = tanY * viewport_.x() / viewport_.y();
    double distance = sceneSize() * 5e-3;
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3d offset = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)) - target_;
        const double nearer = orthographic_ ? 0.0 : -offset.dot(forward());
        distance = std::max(
            {distance, std::abs(offset.dot(right())) / tanX + nearer, std::abs(offset.dot(up())) / tanY + nearer});
    }
    distance_ = distance;
}

void Camera::setView(View view) {
    struct Angles {
        double yaw, pitch;
    };
    const auto [yaw, pitch] = [view]() -> Angles {
        switch (view) {
        case View::Front:
            return {0, 0};
        case View::Back:
            return {kPi, 0};
        case View::Left:
            return {-kPi / 2, 0};
        case View::Right:
            return {kPi / 2, 0};
        case View::Top:
            return {0, kPi / 2};
        case View::Bottom:
            return {0, -kPi / 2};
        }
        return {0, 0};
    }();
    setAngles(yaw, pitch);
}

void Camera::setAngles(double yawRad, double pitchRad) {
    yawRad_ = std::remainder(yawRad, 2 * kPi);
    pitchRad_ = std::clamp(pitchRad, -kPi / 2, kPi / 2);
}

Vector3d Camera::eye() const {
    return target_ - forward() * distance_;
}

Vector3d Camera::forward() const {
    return -Vector3d(std::sin(yawRad_) * std::cos(pitchRad_), std::sin(pitchRad_),
                     std::cos(yawRad_) * std::cos(pitchRad_));
}

Vector3d Camera::right() const {
    return {std::cos(yawRad_), 0, -std::sin(yawRad_)};
}

Vector3d Camera::up() const {
    return right().cross(forward());
}

Matrix4d Camera::viewFromWorld() const {
    Matrix4d m = Matrix4d::Identity();
    m.row(0).head<3>() = right();
    m.row(1).head<3>() = up();
    m.row(2).head<3>() = -forward();
    m.topRightCorner<3, 1>() = -m.topLeftCorner<3, 3>() * eye();
    return m;
}

double Camera::groundExtent() const {
    return std::max(3 * sceneSize(), 3 * distance_);
}

double Camera::nearPlane() const {
    const double radius = sceneSize() / 2, depth = (scene_.center() - eye()).dot(forward());
    if (orthographic_)
        return std::min(depth - radius, distance_ - groundExtent()) - radius;
    return std::max(depth - 2.5 * radius, distance_ / 100);
}

double Camera::farPlane() const {
    const double radius = sceneSize() / 2, depth = (scene_.center() - eye()).dot(forward());
    return std::max({depth + 2.5 * radius, distance_ + groundExtent(), 2 * std::abs(nearPlane())});
}

Matrix4d Camera::clipFromView() const {
    const double n = nearPlane(), f = farPlane(), aspect = viewport_.x() / viewport_.y();
    Matrix4d m = Matrix4d::Zero();
    if (orthographic_) {
        const double halfHeight = distance_ * kHalfFovTan;
        m(0, 0) = 1 / (halfHeight * aspect);
        m(1, 1) = 1 / halfHeight;
        m(2, 2) = -2 / (f - n);
        m(2, 3) = -(f + n) / (f - n);
        m(3, 3) = 1;
    } else {
        m(0, 0) = 1 / (kHalfFovTan * aspect);
        m(1, 1) = 1 / kHalfFovTan;
        m(2, 2) = -(f + n) / (f - n);
        m(2, 3) = -2 * f * n / (f - n);
        m(3, 2) = -1;
    }
    return m;
}

mesh::Ray Camera::ray(const Vector2d& pixel) const {
    const Vector2d fromCenter = (pixel - viewport_ / 2) * (2 * kHalfFovTan / viewport_.y());
    const Vector3d aside = right() * fromCenter.x() - up() * fromCenter.y();
    if (orthographic_)
        return {eye() + aside * distance_, forward()};
    return {eye(), (forward() + aside).normalized()};
}

Vector3d Camera::project(const Vector3d& world) const {
    const Vector3d d = world - eye();
    const double depth = d.dot(forward());
    const double scale =
        viewport_.y() / (2 * kHalfFovTan) / (orthographic_ ? distance_ : (std::abs(depth) > 1e-12 ? depth : 1e-12));
    return {viewport_.x() / 2 + d.dot(right()) * scale, viewport_.y() / 2 - d.dot(up()) * scale, depth};
}

double Camera::worldPerPixel(const Vector3d& at) const {
    const double depth = orthographic_ ? distance_ : std::max((at - eye()).dot(forward()), nearPlane());
    return 2 * kHalfFovTan * depth / viewport_.y();
}

} // namespace limber::ui
