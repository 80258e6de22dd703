// KHR_draco_mesh_compression: the attributes and indices of one primitive.
#pragma once

#include "core/io/gltf_accessor.h"

#include <map>

namespace limber::io {

struct DracoPrimitive {
    std::size_t vertices = 0;
    std::map<std::string, std::vector<float>>
        attributes;                     // by semantic: [vertices x components], normalized as their accessors say
    std::vector<std::uint32_t> indices; // triangles
};

// Empty where the primitive is not compressed. Throws a Refusal.
[[nodiscard]] std::optional<DracoPrimitive> decodeDraco(AccessorReader& reader, const Json& primitive,
                                                        std::size_t viewCount, const std::string& where);

} // namespace limber::io
