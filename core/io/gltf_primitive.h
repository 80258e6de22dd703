// The vertex data of one primitive, wherever it is kept.
#pragma once

#include "core/io/gltf_decompress.h"

namespace limber::io {

class PrimitiveSource {
public:
    PrimitiveSource(AccessorReader& reader, const Json& primitive, std::size_t viewCount, std::string where);

    [[nodiscard]] std::size_t vertexCount() const { return vertexCount_; }
    [[nodiscard]] bool has(const std::string& semantic) const;
    // [V x components]; empty where the primitive has no such attribute.
    [[nodiscard]] std::vector<float> floats(const std::string& semantic, std::size_t components,
                                            NonFinite nonFinite = NonFinite::Refuse);
    [[nodiscard]] std::vector<std::uint32_t> joints(const std::string& semantic);
    // Components of the attribute's elements, 0 where there is none.
    [[nodiscard]] std::size_t components(const std::string& semantic);
    // Corners of triangles, below vertexCount(); strips and fans unrolled; empty for points and lines.
    [[nodiscard]] std::vector<std::uint32_t> triangles(std::vector<Repair>& repairs);
    // Number of JOINTS_n and WEIGHTS_n pairs.
    [[nodiscard]] std::size_t influenceSets(std::vector<Repair>& repairs) const;

private:
    [[nodiscard]] std::optional<std::size_t> accessorOf(const std::string& semantic) const;
    void checkCount(std::size_t accessor, const std::string& semantic);

    AccessorReader& reader_;
    const Json& primitive_;
    std::string where_;
    std::optional<DracoPrimitive> draco_;
    std::size_t vertexCount_ = 0;
};

} // namespace limber::io
