#include "core/io/gltf_patch.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace limber::io {

namespace {

EncodedValues prepared(ComponentType type, std::size_t components, std::size_t count, bool normalized) {
    EncodedValues encoded{type, components, count, normalized, {}};
    encoded.bytes.resize(count * ((encoded.elementBytes() + 3) / 4 * 4));
    return encoded;
}

template <class T, class Source, class Convert>
void store(EncodedValues& encoded, std::span<const Source> values, Convert convert) {
    const std::size_t stride = encoded.stride(), components = encoded.components;
    for (std::size_t i = 0; i < encoded.count; ++i)
        for (std::size_t c = 0; c < components; ++c) {
            const T value = convert(values[i * components + c]);
            std::memcpy(encoded.bytes.data() + i * stride + c * sizeof(T), &value, sizeof(T));
        }
}

template <class T> void storeRounded(EncodedValues& encoded, std::span<const float> values) {
    const double scale = encoded.normalized ? std::numeric_limits<T>::max() : 1;
    store<T>(encoded, values, [scale](float v) {
        const double rounded = std::round(static_cast<double>(v) * scale);
        return static_cast<T>(
            std::clamp<double>(rounded, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    });
}

} // namespace

EncodedValues encodeFloats(std::span<const float> values, std::size_t components, ComponentType type, bool normalized) {
    // Single numbers stand packed; only vertex elements are padded.
    if (type == ComponentType::F32) {
        EncodedValues encoded{type, components, values.size() / components, false, {}};
        if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
            refuse("accessors", "A number left the range of floats and cannot be saved; undo the edit that made it.");
        const auto bytes = std::as_bytes(values);
        encoded.bytes.assign(bytes.begin(), bytes.end());
        return encoded;
    }
    EncodedValues encoded = prepared(type, components, values.size() / components, normalized);
    switch (type) {
    case ComponentType::I8:
        storeRounded<std::int8_t>(encoded, values);
        break;
    case ComponentType::U8:
        storeRounded<std::uint8_t>(encoded, values);
        break;
    case ComponentType::I16:
        storeRounded<std::int16_t>(encoded, values);
        break;
    case ComponentType::U16:
        storeRounded<std::uint16_t>(encoded, values);
        break;
    case ComponentType::U32:
    case ComponentType::F32:
        storeRounded<std::uint32_t>(encoded, values);
        break;
    }
    return encoded;
}

EncodedValues encodeUnsigned(std::span<const std::uint32_t> values, std::size_t components, ComponentType type) {
    EncodedValues encoded{type, components, values.size() / components, false, {}};
    encoded.bytes.resize(values.size() * byteSize(type));
    switch (type) {
    case ComponentType::U8:
        store<std::uint8_t>(encoded, values, [](std::uint32_t v) { return static_cast<std::uint8_t>(v); });
        break;
    case ComponentType::U16:
        store<std::uint16_t>(encoded, values, [](std::uint32_t v) { return static_cast<std::uint16_t>(v); });
        break;
    default:
        encoded.type = ComponentType::U32;
        encoded.bytes.resize(values.size() * 4);
        store<std::uint32_t>(encoded, values, [](std::uint32_t v) { return v; });
    }
    return encoded;
}

} // namespace limber::io
