// How a mesh is skinned: the method, its painted share, and the last step (deformation-math.md section 3).
#pragma once

#include <cstdint>

namespace limber::skin {

enum class Method : std::uint8_t {
    Linear,         // linear blend skinning
    DualQuaternion, // Kavan et al. 2007, in two phases: stretch first, then the rigid blend
    Spherical,      // Kavan and Zara 2005: spherical blend about a centre per vertex
};
inline constexpr std::uint8_t kMethodCount = 3;

// The last step, on posed points: Laplacian smoothing that gives each point its own detail back.
struct DeltaMush {
    bool on = false;
    std::uint32_t iterations = 10; // k, 1 .. kMaxMushIterations
    double lambda = 0.5;           // of one smoothing step, (0, 1]
    friend bool operator==(const DeltaMush&, const DeltaMush&) = default;
};
inline constexpr std::uint32_t kMaxMushIterations = 100;

struct Skinning {
    Method method = Method::Linear;
    DeltaMush mush;
    friend bool operator==(const Skinning&, const Skinning&) = default;
};

// What is painted per vertex beside weights, each in [0, 1]; a mesh without the map has 1 everywhere.
enum class PaintedMap : std::uint8_t {
    MethodShare, // mu: the method's share, the rest is linear blend. Without effect where the method is linear
    MushShare,   // m: how much of the mushed point is taken
};
inline constexpr std::uint8_t kPaintedMapCount = 2;

} // namespace limber::skin
