// Dabs at equal arc length along the pointer's path, whatever the rate of its events (deformation-math.md section 6,
// D9).
#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace limber::stroke {

struct Dab {
    Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
    double pressure = 1; // 0 .. 1
};

class DabSpacer {
public:
    // `spacing` > 0 in pixels.
    explicit DabSpacer(double spacing) : spacing_(spacing) {}

    // The first call yields one dab at once; later ones a dab every `spacing` along the straight path from the last
    // event, the remainder carried over and pressure interpolated. Valid until the next call.
    [[nodiscard]] std::span<const Dab> moveTo(const Eigen::Vector2d& pixel, double pressure = 1);

private:
    double spacing_;
    double travelled_ = 0; // since the last dab
    bool started_ = false;
    Dab last_;
    std::vector<Dab> dabs_;
};

// max(1 px, a tenth of the radius).
[[nodiscard]] double dabSpacing(double radiusPx);

} // namespace limber::stroke
