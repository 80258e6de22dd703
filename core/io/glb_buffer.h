// The binary half of a GLB while it is being written: buffer views and accessors over one growing buffer.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::io {

class GlbBuffer {
public:
    enum class Use { Data, Vertices, Indices };

    // Index of a new view; it starts at a multiple of four.
    int addView(std::span<const std::byte> bytes, Use use);

    // Index of a new accessor over `count` elements of `type` ("VEC3", ...). With `bounds`, its min and max are
    // written.
    int addFloats(std::span<const float> values, const char* type, Use use, bool bounds = false);
    int addIntegers(std::span<const std::uint32_t> values, const char* type, Use use); // in the fewest bytes

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
    [[nodiscard]] const nlohmann::ordered_json& views() const { return views_; }
    [[nodiscard]] const nlohmann::ordered_json& accessors() const { return accessors_; }

private:
    int addAccessor(int view, int componentType, std::size_t count, const char* type);

    std::vector<std::byte> bytes_;
    nlohmann::ordered_json views_ = nlohmann::ordered_json::array();
    nlohmann::ordered_json accessors_ = nlohmann::ordered_json::array();
};

// The file: header, JSON chunk, binary chunk (left out when `binary` is empty). Lengths must fit 32 bits.
[[nodiscard]] std::vector<std::byte> assembleGlb(const nlohmann::ordered_json& json, std::span<const std::byte> binary);

} // namespace limber::io
