#include "core/weights/normalize.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber::weights {

std::vector<std::uint32_t> quantizeWeights(std::span<const double> weights, std::uint32_t total) {
    std::vector<std::uint32_t> result(weights.size(), 0);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(sum > 0))
        return result;

    std::vector<double> remainders(weights.size());
    std::uint32_t given = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double exact = std::max(0.0, weights[k]) / sum * total;
        // 0.2 * 255 must count as 51 and not as 50.999...: a share within rounding of an integer is that integer.
        const double whole = std::floor(exact + 1e-9 * total);
        result[k] = static_cast<std::uint32_t>(whole);
        remainders[k] = std::max(0.0, exact - whole);
        given += result[k];
    }

    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    // Remainders are compared in steps, so that equal ones are equal in spite of rounding.
    const auto step = [&](std::size_t k) { return std::llround(remainders[k] * 1e8); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) > step(b); });
    for (std::size_t k = 0; given < total && k < order.size(); ++k, ++given)
        ++result[order[k]];
    return result;
}

} // namespace limber::weights
