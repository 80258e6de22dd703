#pragma once

#include <cstdint>

namespace limber::document {

// Vertices [first, end).
struct VertexRange {
    std::uint32_t first, end;
};

} // namespace limber::document
