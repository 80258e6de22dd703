// How a brush fades from its centre (0) to its rim (1).
#pragma once

namespace limber::stroke {

enum class Falloff { Constant, Linear, Smooth, Sphere, Gaussian };

// Value in [0, 1] for x >= 0; zero beyond the rim (x > 1).
[[nodiscard]] double falloff(Falloff kind, double x);

} // namespace limber::stroke
