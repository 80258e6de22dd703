// What the kernels read and write, as plain arrays: their source is compiled once per instruction set, and nothing that
// is a template elsewhere may be compiled in there.
#pragma once

#include "core/skin/joint_sets.h"

#include <cstddef>
#include <cstdint>

namespace limber::skin {

// How the turn of a vertex is found; None is linear blend.
enum class Turn : std::uint8_t { None, DualQuaternion, Spherical, SphericalPerSet };

struct KernelJob {
    const float* positions = nullptr; // [V x 3], as are the next three
    const float* normals = nullptr;
    float* outPositions = nullptr;
    float* outNormals = nullptr;
    bool withNormals = true; // without: the pointers of normals are those of positions and nothing goes through them
    std::size_t vertices = 0;
    const WeightBlock* blocks = nullptr;
    const std::uint32_t* slots = nullptr;
    const float* lanes = nullptr;

    const float* linear = nullptr;            // [slots x 12]
    const RigidSlot* rigid = nullptr;         // [slots]
    const float* signs = nullptr;             // [slots], none where all are 1
    const float* sizes = nullptr;             // [slots] |A|_F squared
    const float* shares = nullptr;            // [V] or none
    const float* centres = nullptr;           // [sets x 3], of the joint sets
    const std::uint32_t* sets = nullptr;      // [blocks x kLanes]
    const std::uint32_t* blockSets = nullptr; // [blocks], kMixedSets where lanes differ
    bool past = false;                        // the caches are the results written, which are then 64-byte aligned
    Turn turn = Turn::None;
    Stretch stretch = Stretch::None;

    // Normals of lanes (bit per lane) whose map may have no rank left; called after the block is written.
    void (*repair)(const KernelJob& job, std::size_t block, std::uint32_t lanes) = nullptr;
};

// `list` [end]: blocks begin .. end of it; none: the blocks begin .. end themselves.
void runKernel(const KernelJob& job, const std::uint32_t* list, std::size_t begin, std::size_t end);

// The instruction set that runs.
[[nodiscard]] const char* kernelTarget();

} // namespace limber::skin
