// Pairs of triangles that share an edge, in rows of such pairs: what SmoothNormals adds up fastest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::mesh {

using FacePair = std::array<std::uint32_t, 4>; // triangles (0 1 2) and (3 2 1), their points by any numbers

// As FaceLists (smooth_normals_kernel.h) has them.
struct FaceLadders {
    std::vector<std::uint32_t> ladders, mirrored, pairs;
};

// Looks for neighbours among pairs that follow each other. Each pair is in one of the lists. O(pairs).
[[nodiscard]] FaceLadders laddersOf(std::span<const FacePair> pairs);

} // namespace limber::mesh
