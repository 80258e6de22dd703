// Vectors of three floats in one register, as GCC and Clang have them on every processor. What the fourth holds does
// not matter.
#pragma once

#include <Eigen/Core>

#include <cstring>
#include <span>

namespace limber::mesh {

using Four [[gnu::vector_size(16)]] = float;

// y z x.
[[nodiscard]] inline Four turned(Four v) {
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

// The cross product as z x y, given the second factor and the same turned. turned() makes it x y z again, which sums of
// many need only once.
[[nodiscard]] inline Four turnedCross(Four a, Four b, Four turnedB) {
    return a * turnedB - turned(a) * b;
}

// With whatever comes behind it: there must be something.
[[nodiscard]] inline Four loadFourOf(const Eigen::Vector3f& v) {
    Four four;
    std::memcpy(&four, v.data(), sizeof four);
    return four;
}

[[nodiscard]] inline Four loadFour(std::span<const Eigen::Vector3f> positions, std::size_t v) {
    if (v + 1 == positions.size()) // nothing behind it
        return Four{positions[v].x(), positions[v].y(), positions[v].z(), 0};
    return loadFourOf(positions[v]);
}

} // namespace limber::mesh
