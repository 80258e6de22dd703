#include "core/io/glb_buffer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>
#include <string_view>

namespace limber::io {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

namespace {

constexpr int kFloat = 5126, kByte = 5121, kShort = 5123, kInt = 5125;

std::size_t widthOf(std::string_view type) {
    return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
}

void append(std::vector<std::byte>& out, std::uint32_t value) {
    const auto* p = reinterpret_cast<const std::byte*>(&value);
    out.insert(out.end(), p, p + sizeof value);
}

template <class T> std::vector<std::byte> narrowed(std::span<const std::uint32_t> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T v = static_cast<T>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
    }
    return bytes;
}

} // namespace

int GlbBuffer::addView(std::span<const std::byte> bytes, Use use) {
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    nlohmann::ordered_json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", bytes.size()}};
    if (use != Use::Data)
        view["target"] = use == Use::Vertices ? 34962 : 34963;
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
}

int GlbBuffer::addAccessor(int view, int componentType, std::size_t count, const char* type) {
    accessors_.push_back({{"bufferView", view}, {"componentType", componentType}, {"count", count}, {"type", type}});
    return static_cast<int>(accessors_.size()) - 1;
}

int GlbBuffer::addFloats(std::span<const float> values, const char* type, Use use, bool bounds) {
    const std::size_t width = widthOf(type);
    assert(!values.empty() && values.size() % width == 0);
    const int index = addAccessor(addView(std::as_bytes(values), use), kFloat, values.size() / width, type);
    if (bounds) {
        std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)), high = low;
        for (std::size_t i = 0; i < values.size(); ++i) {
            low[i % width] = std::min(low[i % width], values[i]);
            high[i % width] = std::max(high[i % width], values[i]);
        }
        accessors_[index]["min"] = low;
        accessors_[index]["max"] = high;
    }
    return index;
}

int GlbBuffer::addIntegers(std::span<const std::uint32_t> values, const char* type, Use use) {
    const std::uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    const std::size_t count = values.size() / widthOf(type);
    // Indices keep clear of the highest value of their type: it may restart a strip.
    if (largest > 65534)
        return addAccessor(addView(std::as_bytes(values), use), kInt, count, type);
    if (largest > 254 || use == Use::Indices)
        return addAccessor(addView(narrowed<std::uint16_t>(values), use), kShort, count, type);
    return addAccessor(addView(narrowed<std::uint8_t>(values), use), kByte, count, type);
}

std::vector<std::byte> assembleGlb(const nlohmann::ordered_json& json, std::span<const std::byte> binary) {
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::size_t padded = (binary.size() + 3) / 4 * 4;
    const std::size_t total = 12 + 8 + text.size() + (binary.empty() ? 0 : 8 + padded);
    std::vector<std::byte> out;
    out.reserve(total);
    append(out, 0x46546C67); // glTF
    append(out, 2);
    append(out, static_cast<std::uint32_t>(total));
    append(out, static_cast<std::uint32_t>(text.size()));
    append(out, 0x4E4F534A); // JSON
    const auto* p = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), p, p + text.size());
    if (!binary.empty()) {
        append(out, static_cast<std::uint32_t>(padded));
        append(out, 0x004E4942); // BIN
        out.insert(out.end(), binary.begin(), binary.end());
        out.resize(total);
    }
    return out;
}

} // namespace limber::io
