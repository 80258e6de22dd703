// What the kernels are compared with: a loop over vertices with four influences each, as engines have it, and the same
// bytes without any arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber::bench {

struct PlainSkin {
    const float* positions; // [vertices x 3], as are the next three
    const float* normals;
    float* outPositions;
    float* outNormals;
    const float* weights;       // [vertices x 4]
    const std::uint8_t* joints; // [vertices x 4]
    const float* matrices;      // [joints x 16] by columns, 16-byte aligned
    std::size_t vertices;
};

// Normals by the blended matrix, made unit again.
void eigenLoop(const PlainSkin& skin);     // as the rest is compiled
void eigenLoopAvx2(const PlainSkin& skin); // for AVX2 with fused multiply-add
// Reads 44 bytes and writes 24 a vertex with ordinary stores of 32 bytes; returns what keeps the reads.
std::uint64_t sameBytes(const PlainSkin& skin);

} // namespace limber::bench
