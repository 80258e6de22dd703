// Rigged files of any size, made by code.
#pragma once

#include <cstddef>
#include <vector>

namespace limber::bench {

// A tube of about `vertices` vertices around a chain of `joints` joints, one unit apart along y, as the bytes of a
// .glb: positions, normals, UVs, four influences a vertex, triangles. Preconditions: 100 vertices, 4 to 65,535 joints.
[[nodiscard]] std::vector<std::byte> tubeFile(std::size_t vertices, std::size_t joints);

} // namespace limber::bench
