#include "core/io/gltf_accessor.h"

#include "core/base/pieces.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace limber::io {

namespace {

constexpr std::size_t kPiece = 32768; // elements that one thread reads at a time
constexpr std::uint64_t kMostDecodedBytes = std::uint64_t(2) << 30;

template <class T> float toFloat(T value, bool normalized) {
    if constexpr (std::is_floating_point_v<T>)
        return value;
    else if (!normalized)
        return static_cast<float>(value);
    else
        return std::max(static_cast<float>(value) / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
}

template <class T> void readElement(const std::byte* from, std::size_t components, bool normalized, float* to) {
    for (std::size_t c = 0; c < components; ++c) {
        T value;
        std::memcpy(&value, from + c * sizeof(T), sizeof(T));
        to[c] = toFloat(value, normalized);
    }
}

template <class T> void readElement(const std::byte* from, std::size_t components, std::uint32_t* to) {
    for (std::size_t c = 0; c < components; ++c) {
        T value;
        std::memcpy(&value, from + c * sizeof(T), sizeof(T));
        to[c] = static_cast<std::uint32_t>(value);
    }
}

// An exponent of all ones: infinite or no number. On whole words, sixteen at a time, which compilers do at once.
bool allFinite(std::span<const float> values) {
    constexpr std::uint32_t kExponent = 0x7f800000u;
    std::array<std::uint32_t, 16> wrong{};
    const auto isWrong = [&](float value) -> std::uint32_t {
        return (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? ~0u : 0u;
    };
    for (; values.size() >= wrong.size(); values = values.subspan(wrong.size()))
        for (std::size_t k = 0; k < wrong.size(); ++k)
            wrong[k] |= isWrong(values[k]);
    for (const float value : values)
        wrong[0] |= isWrong(value);
    return std::all_of(wrong.begin(), wrong.end(), [](std::uint32_t w) { return w == 0; });
}

// Four components as well, but not a vector: columns of small numbers are padded.
bool isMat2(const Json& accessor) {
    return accessor["type"] == "MAT2";
}

// Calls f with a value of the C++ type of the components.
template <class F> void withType(ComponentType type, F f) {
    switch (type) {
    case ComponentType::I8:
        return f(std::int8_t{});
    case ComponentType::U8:
        return f(std::uint8_t{});
    case ComponentType::I16:
        return f(std::int16_t{});
    case ComponentType::U16:
        return f(std::uint16_t{});
    case ComponentType::U32:
        return f(std::uint32_t{});
    case ComponentType::F32:
        return f(float{});
    }
}

} // namespace

std::size_t componentsOf(const std::string& type) {
    if (type == "SCALAR")
        return 1;
    if (type == "VEC2")
        return 2;
    if (type == "VEC3")
        return 3;
    if (type == "VEC4" || type == "MAT2")
        return 4;
    if (type == "MAT3")
        return 9;
    return type == "MAT4" ? 16 : 0;
}

std::size_t byteSize(ComponentType type) {
    switch (type) {
    case ComponentType::I8:
    case ComponentType::U8:
        return 1;
    case ComponentType::I16:
    case ComponentType::U16:
        return 2;
    case ComponentType::U32:
    case ComponentType::F32:
        break;
    }
    return 4;
}

bool isComponentType(std::uint64_t value) {
    return value >= 5120 && value <= 5126 && value != 5124;
}

void PlainElements::read(std::size_t first, std::size_t count, float* to) const {
    const std::byte* from = data + first * stride;
    if (type == ComponentType::F32 && stride == components * sizeof(float)) {
        std::memcpy(to, from, count * stride);
        return;
    }
    withType(type, [&](auto tag) {
        for (std::size_t i = 0; i < count; ++i)
            readElement<decltype(tag)>(from + i * stride, components, normalized, to + i * components);
    });
}

void PlainElements::read(std::size_t first, std::size_t count, std::uint32_t* to) const {
    const std::byte* from = data + first * stride;
    if (type == ComponentType::U8 && components == 4) { // joints, as most files have them
        for (std::size_t i = 0; i < count; ++i, from += stride, to += 4)
            readElement<std::uint8_t>(from, 4, to);
        return;
    }
    withType(type, [&](auto tag) {
        for (std::size_t i = 0; i < count; ++i)
            readElement<decltype(tag)>(from + i * stride, components, to + i * components);
    });
}

AccessorReader::AccessorReader(const GltfSource& source)
    : source_(source), accessors_(objects(source.json(), "accessors", "accessors")),
      views_(objects(source.json(), "bufferViews", "bufferViews")), infos_(accessors_.size()) {}

void AccessorReader::spend(std::uint64_t bytes, const std::string& where) {
    spent_ += std::min(bytes, kMostDecodedBytes + 1);
    if (spent_ > kMostDecodedBytes)
        refuse(where, "The file unfolds to more than 2 GiB of data; that is more than Limber takes.");
}

ViewInfo AccessorReader::viewInfo(std::size_t view) const {
    const std::string where = place("bufferViews", view);
    const Json& json = views_[view];
    const std::optional<std::size_t> buffer = indexMember(json, "buffer", source_.buffers.size(), where);
    if (!buffer)
        refuse(where, "The view names no buffer.", "UNDEFINED_PROPERTY");
    ViewInfo info;
    info.buffer = *buffer;
    info.offset = wholeMember(json, "byteOffset", 0, where);
    info.length = wholeMember(json, "byteLength", 0, where);
    info.stride = wholeMember(json, "byteStride", 0, where);
    if (const Json* extensions = member(json, "extensions"))
        info.meshopt = member(*extensions, "EXT_meshopt_compression") != nullptr;
    const std::uint64_t size = source_.buffers[*buffer].declaredLength;
    if (info.length == 0 || info.offset > size || info.length > size - info.offset)
        refuse(where,
               "The view of " + std::to_string(info.length) + " bytes at " + std::to_string(info.offset) +
                   " does not fit its buffer of " + std::to_string(size) + " bytes.",
               info.length == 0 ? "VALUE_NOT_IN_RANGE" : "BUFFER_VIEW_TOO_LONG");
    if (info.stride > 252)
        refuse(where, "A stride of " + std::to_string(info.stride) + " bytes is more than glTF allows (252).",
               "VALUE_NOT_IN_RANGE");
    return info;
}

bool AccessorReader::lacksData(std::size_t view) const {
    const ViewInfo info = viewInfo(view);
    return !info.meshopt && source_.buffers[info.buffer].kind == SourceBuffer::Kind::Missing;
}

std::span<const std::byte> AccessorReader::viewBytes(std::size_t view) {
    const ViewInfo info = viewInfo(view);
    if (info.meshopt) {
        auto found = decoded_.find(view);
        if (found == decoded_.end())
            found = decoded_.emplace(view, decodeMeshopt(view, views_[view]["extensions"]["EXT_meshopt_compression"]))
                        .first;
        return found->second;
    }
    const SourceBuffer& buffer = source_.buffers[info.buffer];
    if (buffer.kind == SourceBuffer::Kind::Missing)
        refuse(place("buffers", info.buffer), "The buffer has no data: it names no file, and the container holds none.",
               "BUFFER_MISSING_GLB_DATA");
    return buffer.bytes.subspan(info.offset, info.length);
}

AccessorInfo AccessorReader::readInfo(std::size_t accessor) const {
    const std::string where = place("accessors", accessor);
    const Json& json = accessors_[accessor];
    AccessorInfo info;
    const std::uint64_t type = wholeMember(json, "componentType", 0, where);
    if (!isComponentType(type))
        refuse(where, "The component type " + std::to_string(type) + " is not one of glTF's.",
               member(json, "componentType") ? "VALUE_NOT_IN_LIST" : "UNDEFINED_PROPERTY");
    info.type = static_cast<ComponentType>(type);
    info.components = componentsOf(stringMember(json, "type", where));
    if (info.components == 0)
        refuse(where, "The type \"" + stringMember(json, "type", where) + "\" is not one of glTF's.",
               member(json, "type") ? "VALUE_NOT_IN_LIST" : "UNDEFINED_PROPERTY");
    const std::uint64_t count = wholeMember(json, "count", 0, where);
    // Only bytes and shorts can be; what claims it of others is listed (gltf_check_data.cpp).
    info.normalized = boolMember(json, "normalized", where) && byteSize(info.type) < 4;
    info.view = indexMember(json, "bufferView", views_.size(), where);
    info.byteOffset = wholeMember(json, "byteOffset", 0, where);
    info.sparse = member(json, "sparse") != nullptr;
    if (count == 0)
        refuse(where, "The accessor has no elements.",
               member(json, "count") ? "VALUE_NOT_IN_RANGE" : "UNDEFINED_PROPERTY");
    if (count > std::numeric_limits<std::uint32_t>::max() / 64)
        refuse(where, std::to_string(count) + " elements are more than Limber takes.");
    info.count = static_cast<std::size_t>(count);
    info.stride = info.elementBytes();
    if (!info.view)
        return info;

    const ViewInfo view = viewInfo(*info.view);
    if (view.stride)
        info.stride = view.stride;
    if (info.stride < info.elementBytes())
        refuse(where, "The elements overlap: the stride is smaller than an element.", "ACCESSOR_SMALL_BYTESTRIDE");
    const std::uint64_t needed = (count - 1) * info.stride + info.elementBytes();
    if (info.byteOffset > view.length || needed > view.length - info.byteOffset)
        refuse(where,
               std::to_string(count) + " elements do not fit into " + place("bufferViews", *info.view) + " of " +
                   std::to_string(view.length) + " bytes.",
               "ACCESSOR_TOO_LONG");
    return info;
}

const AccessorInfo& AccessorReader::info(std::size_t accessor) {
    if (!infos_[accessor])
        infos_[accessor] = readInfo(accessor);
    return *infos_[accessor];
}

std::span<const std::byte> AccessorReader::dataOf(std::size_t accessor, const AccessorInfo& info) {
    if (!info.view || lacksData(*info.view))
        return {};
    const std::span<const std::byte> bytes = viewBytes(*info.view);
    const std::uint64_t needed = info.byteOffset + (info.count - 1) * info.stride + info.elementBytes();
    if (needed > bytes.size())
        refuse(place("accessors", accessor), "The decompressed data is shorter than the accessor needs.");
    return bytes.subspan(info.byteOffset);
}

template <class Put> void AccessorReader::readSparse(std::size_t accessor, const AccessorInfo& info, Put put) {
    const std::string where = place("accessors", accessor) + ".sparse";
    const Json& sparse = accessors_[accessor]["sparse"];
    const Json* indices = member(sparse, "indices");
    const Json* values = member(sparse, "values");
    if (!indices || !values)
        refuse(where, "The sparse part lacks its indices or its values.", "UNDEFINED_PROPERTY");
    const std::uint64_t count = wholeMember(sparse, "count", 0, where);
    const auto indexView = indexMember(*indices, "bufferView", views_.size(), where);
    const auto valueView = indexMember(*values, "bufferView", views_.size(), where);
    const std::uint64_t type = wholeMember(*indices, "componentType", 0, where);
    if (!indexView || !valueView || (type != 5121 && type != 5123 && type != 5125) || count == 0 || count > info.count)
        refuse(where, "The sparse part is not complete or counts more elements than the accessor has.",
               "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE");
    if (lacksData(*indexView) || lacksData(*valueView))
        return;
    const auto indexType = static_cast<ComponentType>(type);
    const std::uint64_t indexOffset = wholeMember(*indices, "byteOffset", 0, where);
    const std::uint64_t valueOffset = wholeMember(*values, "byteOffset", 0, where);
    const std::span<const std::byte> indexBytes = viewBytes(*indexView);
    const std::span<const std::byte> valueBytes = viewBytes(*valueView);
    if (indexOffset > indexBytes.size() || count * byteSize(indexType) > indexBytes.size() - indexOffset ||
        valueOffset > valueBytes.size() || count * info.elementBytes() > valueBytes.size() - valueOffset)
        refuse(where, "The sparse part does not fit its buffer views.", "ACCESSOR_TOO_LONG");

    std::int64_t last = -1;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint32_t index = 0;
        const std::byte* at = indexBytes.data() + indexOffset + i * byteSize(indexType);
        withType(indexType, [&](auto tag) { readElement<decltype(tag)>(at, 1, &index); });
        if (index >= info.count || static_cast<std::int64_t>(index) <= last)
            refuse(where, "The indices of the sparse part are not ascending or lie outside of the accessor.",
                   index >= info.count ? "ACCESSOR_SPARSE_INDEX_OOB" : "ACCESSOR_SPARSE_INDICES_NON_INCREASING");
        last = index;
        put(index, valueBytes.data() + valueOffset + i * info.elementBytes());
    }
}

std::optional<PlainElements> AccessorReader::plain(std::size_t accessor) {
    const AccessorInfo& about = info(accessor);
    const std::span<const std::byte> data = dataOf(accessor, about);
    if (about.sparse || data.empty() || isMat2(accessors_[accessor]))
        return std::nullopt;
    return PlainElements{data.data(), about.stride, about.components, about.type, about.normalized};
}

void AccessorReader::startFloats(std::size_t accessor, std::size_t components) {
    const AccessorInfo& about = info(accessor);
    if (about.components != components)
        refuse(place("accessors", accessor), "The accessor has " + std::to_string(about.components) +
                                                 " components where " + std::to_string(components) + " are needed.");
    if (isMat2(accessors_[accessor]))
        refuse(place("accessors", accessor), "The accessor has matrices where vectors are needed.");
    if (components > 4 && about.type != ComponentType::F32)
        refuse(place("accessors", accessor), "Matrices are read only as floats.");
    spend(about.count * components * sizeof(float), place("accessors", accessor));
}

std::vector<float> AccessorReader::floats(std::size_t accessor, std::size_t components, NonFinite nonFinite) {
    startFloats(accessor, components);
    std::vector<float> values(info(accessor).count * components);
    decodeFloats(accessor, values, nonFinite);
    return values;
}

void AccessorReader::readFloats(std::size_t accessor, std::size_t components, std::span<float> values,
                                NonFinite nonFinite) {
    startFloats(accessor, components);
    decodeFloats(accessor, values, nonFinite);
}

void AccessorReader::decodeFloats(std::size_t accessor, std::span<float> values, NonFinite nonFinite) {
    const AccessorInfo& about = info(accessor);
    const std::size_t components = about.components;
    const std::span<const std::byte> data = dataOf(accessor, about);
    const bool packed = about.type == ComponentType::F32 && about.stride == about.elementBytes();
    const bool checks = nonFinite == NonFinite::Refuse && about.type == ComponentType::F32;
    std::atomic<bool> finite = true;
    inPieces(about.count, kPiece, [&](std::size_t first, std::size_t end) {
        const std::span<float> piece = values.subspan(first * components, (end - first) * components);
        if (data.empty())
            std::fill(piece.begin(), piece.end(), 0.0f);
        else if (packed)
            std::memcpy(piece.data(), data.data() + first * about.stride, piece.size_bytes());
        else
            withType(about.type, [&](auto tag) {
                for (std::size_t i = first; i < end; ++i)
                    readElement<decltype(tag)>(data.data() + i * about.stride, components, about.normalized,
                                               &values[i * components]);
            });
        if (checks && !allFinite(piece))
            finite = false;
    });
    if (about.sparse)
        readSparse(accessor, about, [&](std::uint32_t index, const std::byte* from) {
            withType(about.type, [&](auto tag) {
                readElement<decltype(tag)>(from, components, about.normalized, &values[index * components]);
            });
        });
    // A sparse part may have put in what is not finite, or replaced it.
    for (std::size_t i = 0; checks && (!finite || about.sparse) && i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            refuse(place("accessors", accessor),
                   "Element " + std::to_string(i / components) + " is not a finite number.", "ACCESSOR_INVALID_FLOAT");
}

std::vector<std::uint32_t> AccessorReader::unsignedValues(std::size_t accessor, std::size_t components) {
    const AccessorInfo& about = info(accessor);
    if (about.components != components)
        refuse(place("accessors", accessor), "The accessor has " + std::to_string(about.components) +
                                                 " components where " + std::to_string(components) + " are needed.");
    if (isMat2(accessors_[accessor]))
        refuse(place("accessors", accessor), "The accessor has matrices where vectors are needed.");
    if (about.type != ComponentType::U8 && about.type != ComponentType::U16 && about.type != ComponentType::U32)
        refuse(place("accessors", accessor), "Unsigned whole numbers are needed here.");
    spend(about.count * components * sizeof(std::uint32_t), place("accessors", accessor));
    const std::span<const std::byte> data = dataOf(accessor, about);
    std::vector<std::uint32_t> values(about.count * components);
    if (!data.empty())
        inPieces(about.count, kPiece, [&](std::size_t first, std::size_t end) {
            if (about.type == ComponentType::U32 && about.stride == about.elementBytes())
                std::memcpy(&values[first * components], data.data() + first * about.stride,
                            (end - first) * about.stride);
            else
                withType(about.type, [&](auto tag) {
                    for (std::size_t i = first; i < end; ++i)
                        readElement<decltype(tag)>(data.data() + i * about.stride, components, &values[i * components]);
                });
        });
    if (about.sparse)
        readSparse(accessor, about, [&](std::uint32_t index, const std::byte* from) {
            withType(about.type,
                     [&](auto tag) { readElement<decltype(tag)>(from, components, &values[index * components]); });
        });
    return values;
}

} // namespace limber::io
