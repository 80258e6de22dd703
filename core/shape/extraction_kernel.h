// Offsets of posed points carried back through their maps x = A p + b, a vector of vertices at a time and in double:
// the fast version of correctiveIncrement(). The same values on every processor. Plain arrays, as skin_kernel.h has
// them: the source is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber::skin {
struct Influence;
}

namespace limber::shape {

// One joint: [A | t] of its matrix as rows, sigma = |A|_2 and zeros.
inline constexpr std::size_t kJointRow = 16;

// Linear blends of joints, row by row of SkinWeights.
struct BlendRows {
    const double* joints = nullptr;              // [slots x kJointRow]
    const skin::Influence* influences = nullptr; // [V x capacity]
    const std::uint32_t* counts = nullptr;       // [V]
    std::size_t capacity = 0;
};

// What became of a vertex. Irregular ones are for clampedInverse(): their matrix is near to losing its rank.
enum class Extracted : std::uint8_t { Still, Moved, Irregular };

// Some vertices at a time. Vertex k of the run has row r of [A | b] at maps[r][k], and its joint scale at
// maps[3][k][0].
struct ExtractionRun {
    static constexpr std::size_t kVertices = 64;

    alignas(64) double maps[4][kVertices][4];
    alignas(64) double delta[3][kVertices]; // of the moved ones: A^-1 (y - x) / weight
    alignas(64) double residual[kVertices]; // |y - x - A A^-1 (y - x)|
    Extracted states[kVertices];
};

// The maps of vertices first .. first + count. A row without influences above kWeightEpsilon is the identity.
void blendMaps(const BlendRows& rows, std::size_t first, std::size_t count, ExtractionRun& run);

// `points` [count x 3] before the skin, `sculpted` [count x 3] posed. Vertices whose |y - x| is at most `threshold`
// stay still. `floor`: the least singular value that is inverted as it is, as a share of the joint scale.
// False where a sculpted position is not finite.
[[nodiscard]] bool invertMaps(const float* points, const double* sculpted, std::size_t count, double weight,
                              double threshold, double floor, ExtractionRun& run);

} // namespace limber::shape
