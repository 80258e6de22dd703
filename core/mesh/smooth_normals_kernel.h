// The inner loops of SmoothNormals as plain arrays: their source is compiled once per instruction set, and nothing that
// is a template elsewhere may be compiled in there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber::mesh {

// Vectors of the kernels have up to so many numbers: there is room for so many slots more than are used.
inline constexpr std::size_t kSlotsAtOnce = 16;

// Points while their faces are added up, x y z and whatever each: a 64-byte line of four points, a line of the sums of
// their face normals (z x y), and so on.
inline constexpr std::size_t kSlotsOfLine = 4, kFloatsOfLine = 16;
[[nodiscard]] inline std::size_t slotFloat(std::size_t slot) {
    return slot / kSlotsOfLine * 2 * kFloatsOfLine + slot % kSlotsOfLine * 4;
}

// Puts `count` points [x 3] into the first slots, their sums zero.
void fillSlots(const float* points, std::size_t count, float* slots);
// The same from slot `first` on with those of `points` that `which` [count] names.
void fillSlotsOf(const float* points, const std::uint32_t* which, std::size_t count, float* slots, std::size_t first);

// Triangles, their slots named by the bytes up to their points.
struct FaceLists {
    // Two ladders beside each other: [4] the slots a c of the first and of the second, and kRungs times [4] b d of
    // each. A rung makes the triangles (a b c) and (d c b) and hands its b and d on as a and c.
    const std::uint32_t* ladders = nullptr;
    const std::uint32_t* mirrored = nullptr; // the same with triangles (a c b) and (d b c)
    const std::uint32_t* pairs = nullptr;    // [4] triangles (0 1 2) and (3 2 1)
    const std::uint32_t* singles = nullptr;  // [3]
    std::size_t ladderCount = 0, mirroredCount = 0, pairCount = 0, singleCount = 0;
};
inline constexpr std::size_t kRungs = 16;
inline constexpr std::size_t kLadderSlots = 4 * (kRungs + 1);

// Adds up the faces of the lists at their corners.
void addFaces(float* slots, const FaceLists& faces);

// Unit normals [count x 3] of the slots from `first` on, a multiple of kSlotsAtOnce. Those whose sums are no floats
// with all their digits, or of no length, are listed in `unusual` [count], ascending; what is written for them is
// nothing. Returns how many.
std::size_t unitNormals(const float* slots, std::size_t first, std::size_t count, float* normals,
                        std::uint32_t* unusual);

} // namespace limber::mesh
