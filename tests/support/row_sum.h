// What the weights of a vertex are together.
#pragma once

#include "core/skin/skin_weights.h"

namespace limber::test {

inline double sumOf(std::span<const skin::Influence> row) {
    double sum = 0;
    for (const skin::Influence& i : row)
        sum += static_cast<double>(i.weight);
    return sum;
}

} // namespace limber::test
