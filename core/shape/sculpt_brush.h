// What a sculpt brush does to one point of the posed surface (deformation-math.md section 7). World space.
#pragma once

#include <Eigen/Core>

namespace limber::shape {

// y + f motion: `motion` is the whole way since the press, so a grab depends on where it ends and not on its events.
[[nodiscard]] inline Eigen::Vector3d grabbed(const Eigen::Vector3d& pressed, double falloff,
                                             const Eigen::Vector3d& motion) {
    return pressed + falloff * motion;
}

// y + s f (mean - y), `mean` being that of the neighbours before the dab.
[[nodiscard]] inline Eigen::Vector3d smoothed(const Eigen::Vector3d& point, double amount,
                                              const Eigen::Vector3d& mean) {
    return point + amount * (mean - point);
}

// How far one full dab of inflate moves a point, as a share of the radius: ten dabs overlap along a radius, so a
// stroke raises about the radius times its strength.
inline constexpr double kInflateStep = 0.1;

// y + s f h n, h = kInflateStep radius.
[[nodiscard]] inline Eigen::Vector3d inflated(const Eigen::Vector3d& point, double amount, double radius,
                                              const Eigen::Vector3d& unitNormal) {
    return point + amount * kInflateStep * radius * unitNormal;
}

} // namespace limber::shape
