// The step of the ground grid, for those who draw it and those who snap to it.
#pragma once

#include <cmath>

namespace limber::ui {

// World length of a cell for a scene of this size (diagonal): a power of ten near a tenth of it.
[[nodiscard]] inline double gridCell(double sceneSize) {
    return std::pow(10.0, std::floor(std::log10(sceneSize / 10) + 0.35));
}

} // namespace limber::ui
