// The vertex data of one primitive, wherever it is kept.
#pragma once

#include "core/io/gltf_decompress.h"

#include <memory>

namespace limber::io {

// The values of a vertex attribute, read a few vertices at a time: from the file's bytes, or from a decoded copy where
// they do not lie there plainly.
template <class T> struct AttributeValues {
    std::optional<PlainElements> plain;
    std::vector<T> decoded; // [V x components]
    std::size_t components = 4;

    // Values of [first, first + count); `room` may be used to hold them. Any thread.
    [[nodiscard]] const T* at(std::size_t first, std::size_t count, std::vector<T>& room) const {
        if (!plain)
            return decoded.data() + first * components;
        room.resize(count * components);
        plain->read(first, count, room.data());
        return room.data();
    }
};

// JOINTS_n and WEIGHTS_n: 4 each.
struct InfluenceSet {
    AttributeValues<std::uint32_t> joints;
    AttributeValues<float> weights; // may hold what is not finite
};

class PrimitiveSource {
public:
    PrimitiveSource(AccessorReader& reader, const Json& primitive, std::size_t viewCount, std::string where);
    ~PrimitiveSource();

    [[nodiscard]] std::size_t vertexCount() const { return vertexCount_; }
    [[nodiscard]] bool has(const std::string& semantic) const;
    // [V x components]; empty where the primitive has no such attribute.
    [[nodiscard]] std::vector<float> floats(const std::string& semantic, std::size_t components,
                                            NonFinite nonFinite = NonFinite::Refuse);
    // The same into `values` [V x components]; the primitive must have the attribute.
    void readFloats(const std::string& semantic, std::size_t components, std::span<float> values,
                    NonFinite nonFinite = NonFinite::Refuse);
    [[nodiscard]] std::vector<std::uint32_t> joints(const std::string& semantic);
    // Whether it is kept somewhere; an accessor without data reads as zeros.
    [[nodiscard]] bool hasData(const std::string& semantic);
    // Components of the attribute's elements, 0 where there is none.
    [[nodiscard]] std::size_t components(const std::string& semantic);
    // Begins to read the triangles beside what this thread does next, where they lie in the file as they are.
    void prepareTriangles();
    // Corners of triangles, below vertexCount(); strips and fans unrolled; empty for points and lines.
    [[nodiscard]] std::vector<std::uint32_t> triangles(std::vector<Repair>& repairs);
    [[nodiscard]] InfluenceSet influenceSet(std::size_t set);
    // Number of JOINTS_n and WEIGHTS_n pairs.
    [[nodiscard]] std::size_t influenceSets(std::vector<Repair>& repairs) const;

private:
    [[nodiscard]] std::optional<std::size_t> accessorOf(const std::string& semantic) const;
    void checkCount(std::size_t accessor, const std::string& semantic);
    void checkFloats(std::size_t accessor, const std::string& semantic, std::size_t components);
    void checkJoints(std::size_t accessor, const std::string& semantic);
    [[nodiscard]] bool isInDraco(const std::string& semantic) const {
        return draco_ && draco_->attributes.contains(semantic);
    }

    AccessorReader& reader_;
    const Json& primitive_;
    std::string where_;
    std::optional<DracoPrimitive> draco_;
    std::size_t vertexCount_ = 0;
    struct Ahead;
    std::unique_ptr<Ahead> ahead_; // triangles that are being read
    bool positioned_ = true;       // without positions there is nothing to show: it has no vertices then
};

} // namespace limber::io
