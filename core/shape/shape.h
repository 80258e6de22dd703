// A shape: sparse offsets from the rest positions, added before skinning.
#pragma once

#include "core/base/ids.h"
#include "core/math/transform.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace limber::shape {

using Eigen::Vector3f;

struct Shape {
    ShapeId id;
    std::string name;
    bool muted = false;
    std::vector<std::uint32_t> vertices; // ascending, no vertex twice
    std::vector<Vector3f> deltas;        // same length, mesh space
    std::vector<Vector3f> normalDeltas;  // same length or empty: then normals are recomputed from the moved surface
    std::vector<Vector3f> tangentDeltas; // same length or empty; carried, not edited

    // Zero for a vertex without an entry. O(log n).
    [[nodiscard]] Vector3f delta(std::uint32_t vertex) const;
    // Inserts, replaces, or (for a zero delta) removes the entry. `vertices` ascending. Normal and tangent offsets are
    // dropped: they no longer fit, and are made anew from the moved surface.
    void setDeltas(std::span<const std::uint32_t> vertices, std::span<const Vector3f> deltas);
    // Whether setDeltas at these vertices (ascending) drops what setting the old offsets again would not bring back:
    // normals, tangents, entries whose offset is zero.
    [[nodiscard]] bool losesByEditing(std::span<const std::uint32_t> vertices) const;
};

} // namespace limber::shape
