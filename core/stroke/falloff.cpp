#include "core/stroke/falloff.h"

#include <cmath>

namespace limber::stroke {

double falloff(Falloff kind, double x) {
    if (!(x <= 1))
        return 0;
    switch (kind) {
    case Falloff::Constant:
        return 1;
    case Falloff::Linear:
        return 1 - x;
    case Falloff::Smooth:
        return 1 - x * x * (3 - 2 * x);
    case Falloff::Sphere:
        return std::sqrt(1 - x * x);
    case Falloff::Gaussian:
        return std::exp(-4.5 * x * x);
    }
    return 0;
}

} // namespace limber::stroke
