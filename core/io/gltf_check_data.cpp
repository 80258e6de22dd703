#include "core/base/pieces.h"
#include "core/io/gltf_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace limber::io {

namespace {

constexpr std::size_t kMostComponents = 16;
constexpr std::size_t kPiece = 32768;          // elements that one thread looks at in one go
constexpr std::size_t kMostSparse = 4'000'000; // elements: a few bytes can claim any number

struct Range {
    std::array<double, kMostComponents> least, most;
    std::size_t invalid = 0; // numbers that are none

    Range() {
        least.fill(std::numeric_limits<double>::infinity());
        most.fill(-std::numeric_limits<double>::infinity());
    }
};

// Chunks of elements small enough to stay in the cache, in the components' own type: compilers make the inner loop
// fast.
template <class T, std::size_t kComponents>
void scanFixed(const std::byte* data, std::size_t count, std::uint64_t stride, Range& range) {
    std::array<T, kComponents> least, most, values;
    least.fill(std::numeric_limits<T>::max());
    most.fill(std::numeric_limits<T>::lowest());
    T noise = 0; // 0 * x is 0 for every finite x
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(values.data(), data + i * stride, sizeof values);
        for (std::size_t c = 0; c < kComponents; ++c) {
            least[c] = std::min(least[c], values[c]);
            most[c] = std::max(most[c], values[c]);
            if constexpr (std::is_floating_point_v<T>)
                noise += values[c] * T(0);
        }
    }
    for (std::size_t c = 0; c < kComponents; ++c) {
        range.least[c] = static_cast<double>(least[c]);
        range.most[c] = static_cast<double>(most[c]);
    }
    if constexpr (std::is_floating_point_v<T>)
        if (noise != 0 || std::isnan(noise))
            for (std::size_t i = 0; i < count; ++i) {
                std::memcpy(values.data(), data + i * stride, sizeof values);
                for (const T v : values)
                    range.invalid += !std::isfinite(v);
            }
}

template <class T>
void scan(const std::byte* data, std::size_t count, std::uint64_t stride, std::size_t components, Range& range) {
    switch (components) {
    case 1:
        return scanFixed<T, 1>(data, count, stride, range);
    case 2:
        return scanFixed<T, 2>(data, count, stride, range);
    case 3:
        return scanFixed<T, 3>(data, count, stride, range);
    case 4:
        return scanFixed<T, 4>(data, count, stride, range);
    case 9:
        return scanFixed<T, 9>(data, count, stride, range);
    default:
        return scanFixed<T, 16>(data, count, stride, range);
    }
}

Range rangeOfPiece(const std::byte* data, const AccessorInfo& info) {
    Range range;
    switch (info.type) {
    case ComponentType::I8:
        scan<std::int8_t>(data, info.count, info.stride, info.components, range);
        break;
    case ComponentType::U8:
        scan<std::uint8_t>(data, info.count, info.stride, info.components, range);
        break;
    case ComponentType::I16:
        scan<std::int16_t>(data, info.count, info.stride, info.components, range);
        break;
    case ComponentType::U16:
        scan<std::uint16_t>(data, info.count, info.stride, info.components, range);
        break;
    case ComponentType::U32:
        scan<std::uint32_t>(data, info.count, info.stride, info.components, range);
        break;
    case ComponentType::F32:
        scan<float>(data, info.count, info.stride, info.components, range);
        break;
    }
    return range;
}

Range rangeOf(const std::byte* data, const AccessorInfo& info) {
    Range whole;
    std::mutex guard;
    inPieces(info.count, kPiece, [&](std::size_t first, std::size_t end) {
        AccessorInfo piece = info;
        piece.count = end - first;
        const Range range = rangeOfPiece(data + first * info.stride, piece);
        const std::scoped_lock lock(guard);
        for (std::size_t c = 0; c < info.components; ++c) {
            whole.least[c] = std::min(whole.least[c], range.least[c]);
            whole.most[c] = std::max(whole.most[c], range.most[c]);
        }
        whole.invalid += range.invalid;
    });
    return whole;
}

class DataCheck {
public:
    DataCheck(ReadContext& context, FaultList& faults)
        : reader_(context.accessors), json_(context.json), faults_(faults),
          told_(context.source.buffers.size(), false) {}

    void run() {
        const Json& accessors = list(json_, "accessors", "accessors");
        for (std::size_t a = 0; a < accessors.size(); ++a) {
            const std::string where = place("accessors", a);
            const bool wasRead = reader_.wasRead(a);
            try {
                check(a, accessors[a], wasRead, where);
            } catch (const Refusal& refusal) {
                if (wasRead)
                    throw;
                faults_.add(refusal.code.empty() ? "ACCESSOR_UNREADABLE" : refusal.code, where,
                            refusal.reason + " Nothing uses it.");
            }
        }
    }

private:
    void check(std::size_t accessor, const Json& json, bool wasRead, const std::string& where) {
        if (!hasKnownType(json))
            return;
        const AccessorInfo& info = reader_.info(accessor);
        if (info.components > 4 && info.type != ComponentType::F32)
            return; // columns with padding; nothing is kept in such
        checkPlace(info, json, where);
        if (!info.view && !info.sparse)
            return; // zeros; and of Draco's the bounds are of the decoded values
        if (info.view && reader_.lacksData(*info.view)) {
            tellMissing(*info.view);
            return;
        }
        const auto least = bounds(json, "min", info), most = bounds(json, "max", info);
        if (wasRead && !least && !most)
            return;
        if (const std::optional<Range> range = measure(accessor, info)) {
            if (range->invalid)
                faults_.add("ACCESSOR_INVALID_FLOAT", where, "It holds numbers that are not finite.", range->invalid);
            else
                compare(*range, least, most, info, where);
        }
    }

    // A type that the standard does not know may be an extension's; nothing reads it.
    static bool hasKnownType(const Json& json) {
        const Json* type = member(json, "type");
        return !type || !type->is_string() || componentsOf(type->get<std::string>()) > 0;
    }

    void checkPlace(const AccessorInfo& info, const Json& json, const std::string& where) {
        if (const Json* normalized = member(json, "normalized");
            normalized && *normalized == true && byteSize(info.type) == 4)
            faults_.add("ACCESSOR_NORMALIZED_INVALID", where + ".normalized",
                        "Only bytes and shorts can be normalized; it was ignored.");
        if (info.byteOffset % byteSize(info.type))
            faults_.add("ACCESSOR_OFFSET_ALIGNMENT", where, "It does not start at a multiple of its components' size.");
        else if (info.view && reader_.viewInfo(*info.view).offset % byteSize(info.type))
            faults_.add("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", where,
                        "With its view it does not start at a multiple of its components' size.");
    }

    // glTF allows buffers that only an extension fills.
    void tellMissing(std::size_t view) {
        const std::size_t buffer = reader_.viewInfo(view).buffer;
        if (!told_[buffer])
            faults_.add("BUFFER_WITHOUT_DATA", place("buffers", buffer),
                        "The buffer names no file; its data was read as zeros.", 0);
        told_[buffer] = true;
    }

    static std::optional<std::vector<double>> bounds(const Json& json, const char* key, const AccessorInfo& info) {
        const Json* values = member(json, key);
        if (!values || !values->is_array() || values->size() != info.components)
            return std::nullopt;
        std::vector<double> out;
        for (const Json& value : *values) {
            if (!value.is_number())
                return std::nullopt;
            const double number = value.get<double>();
            // As programs with floats write them.
            out.push_back(info.type == ComponentType::F32 ? static_cast<double>(static_cast<float>(number)) : number);
        }
        return out;
    }

    std::optional<Range> measure(std::size_t accessor, const AccessorInfo& info) {
        if (!info.sparse) {
            const std::span<const std::byte> bytes = reader_.viewBytes(*info.view);
            if (info.byteOffset + (info.count - 1) * info.stride + info.elementBytes() > bytes.size())
                return std::nullopt;
            return rangeOf(bytes.data() + info.byteOffset, info);
        }
        // Read as floats, normalized and large numbers are no longer what the bounds are of.
        if (info.normalized || info.type == ComponentType::U32 || info.count > kMostSparse)
            return std::nullopt;
        const std::vector<float> values = reader_.floats(accessor, info.components, NonFinite::Keep);
        AccessorInfo packed = info;
        packed.type = ComponentType::F32;
        packed.stride = packed.elementBytes();
        return rangeOf(reinterpret_cast<const std::byte*>(values.data()), packed);
    }

    void compare(const Range& range, const std::optional<std::vector<double>>& least,
                 const std::optional<std::vector<double>>& most, const AccessorInfo& info, const std::string& where) {
        bool below = false, above = false, otherLeast = false, otherMost = false;
        for (std::size_t c = 0; c < info.components; ++c) {
            otherLeast |= least && (*least)[c] != range.least[c];
            below |= least && (*least)[c] > range.least[c];
            otherMost |= most && (*most)[c] != range.most[c];
            above |= most && (*most)[c] < range.most[c];
        }
        const std::string kept = "; the data was used.";
        if (otherLeast)
            faults_.add("ACCESSOR_MIN_MISMATCH", where + ".min", "The least values are not those of the data" + kept);
        if (below)
            faults_.add("ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", where + ".min", "Values lie below the least" + kept);
        if (otherMost)
            faults_.add("ACCESSOR_MAX_MISMATCH", where + ".max",
                        "The greatest values are not those of the data" + kept);
        if (above)
            faults_.add("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", where + ".max", "Values lie above the greatest" + kept);
    }

    AccessorReader& reader_;
    const Json& json_;
    FaultList& faults_;
    std::vector<bool> told_; // per buffer
};

} // namespace

void checkData(ReadContext& context, FaultList& faults) {
    DataCheck(context, faults).run();
}

} // namespace limber::io
