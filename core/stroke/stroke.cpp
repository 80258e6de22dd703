#include "core/stroke/stroke.h"

#include <algorithm>
#include <cassert>

namespace limber::stroke {

std::span<const Dab> DabSpacer::moveTo(const Eigen::Vector2d& pixel, double pressure) {
    assert(spacing_ > 0);
    dabs_.clear();
    if (!started_) {
        started_ = true;
        last_ = {pixel, pressure};
        dabs_.push_back(last_);
        return dabs_;
    }
    const double length = (pixel - last_.pixel).norm();
    // The slack keeps rounding in sums of short events from moving a dab that falls on an event to the next one.
    const double slack = 1e-9 * spacing_;
    double next = spacing_ - travelled_;
    for (; length > 0 && next <= length + slack; next += spacing_) {
        const double t = std::clamp(next / length, 0.0, 1.0);
        dabs_.push_back({last_.pixel + t * (pixel - last_.pixel), last_.pressure + t * (pressure - last_.pressure)});
    }
    travelled_ = length - (next - spacing_);
    last_ = {pixel, pressure};
    return dabs_;
}

double dabSpacing(double radiusPx) {
    return std::max(1.0, 0.1 * radiusPx);
}

} // namespace limber::stroke
