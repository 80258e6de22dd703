#include "core/io/gltf_accessor.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cmath>

namespace limber::fuzz {

namespace {

using io::Json;

// Numbers out of the front of the input; zero when it is used up.
class Numbers {
public:
    explicit Numbers(Bytes input) : rest_(input) {}

    unsigned byte() {
        if (rest_.empty())
            return 0;
        const unsigned value = std::to_integer<unsigned>(rest_.front());
        rest_ = rest_.subspan(1);
        return value;
    }
    // Small ones as they are, and those that overflow something.
    Json size() {
        constexpr std::uint64_t kEdges[] = {
            0xffff,   0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, std::uint64_t(1) << 62, ~std::uint64_t(0),
            67108863, 67108864};
        const unsigned value = byte();
        if (value < 200)
            return value;
        if (value < 200 + std::size(kEdges))
            return kEdges[value - 200];
        if (value < 240)
            return byte() * 256 + value;
        return value < 248 ? Json(-1) : Json(double(value) + 0.5);
    }
    template <std::size_t N> Json oneOf(const char* const (&names)[N]) { return names[byte() % N]; }
    [[nodiscard]] Bytes rest() const { return rest_; }

private:
    Bytes rest_;
};

// Between these an accessor is read, but takes too long for fuzzing; above, it is refused.
constexpr std::size_t kMostValues = std::size_t(1) << 20, kTooMany = std::size_t(1) << 29;

constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC5"};
constexpr const char* kModes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", "OTHER"};
constexpr const char* kFilters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};

void set(Json& json, const char* key, Numbers& numbers) {
    if (Json value = numbers.size(); value != 0)
        json[key] = std::move(value);
}

Json view(Numbers& numbers) {
    Json json = {{"buffer", 0}};
    for (const char* key : {"byteOffset", "byteLength", "byteStride"})
        set(json, key, numbers);
    if (numbers.byte() % 4 != 0)
        return json;
    Json packed = {{"buffer", 0}, {"mode", numbers.oneOf(kModes)}, {"filter", numbers.oneOf(kFilters)}};
    for (const char* key : {"byteOffset", "byteLength", "byteStride", "count"})
        set(packed, key, numbers);
    json["extensions"]["EXT_meshopt_compression"] = std::move(packed);
    return json;
}

Json accessor(Numbers& numbers) {
    Json json = {{"componentType", 5120 + numbers.byte() % 8}, {"type", numbers.oneOf(kTypes)}};
    for (const char* key : {"count", "byteOffset"})
        set(json, key, numbers);
    if (const unsigned at = numbers.byte(); at < 8)
        json["bufferView"] = at;
    json["normalized"] = numbers.byte() % 2 == 1;
    if (numbers.byte() % 4 != 0)
        return json;
    Json& sparse = json["sparse"];
    set(sparse, "count", numbers);
    sparse["indices"] = {{"bufferView", numbers.byte() % 8}, {"componentType", 5120 + numbers.byte() % 8}};
    sparse["values"] = {{"bufferView", numbers.byte() % 8}};
    set(sparse["indices"], "byteOffset", numbers);
    set(sparse["values"], "byteOffset", numbers);
    return json;
}

// Runs f; a refusal is an answer, and has a reason.
template <class F> void read(F f) {
    try {
        f();
    } catch (const io::Refusal& refusal) {
        require(!refusal.error.text.empty(), "Refused without a reason.");
    }
}

void readAll(const io::GltfSource& source, std::size_t views) {
    io::AccessorReader reader(source);
    for (std::size_t v = 0; v < views; ++v)
        read([&] { static_cast<void>(reader.viewBytes(v)); });
    for (std::size_t a = 0; a < reader.count(); ++a)
        read([&] {
            const io::AccessorInfo info = reader.info(a);
            if (const std::size_t size = info.count * info.components; size > kMostValues && size < kTooMany)
                return;
            read([&] {
                const auto values = reader.floats(a, info.components);
                require(values.size() == info.count * info.components, "Wrong number of values.");
                require(std::all_of(values.begin(), values.end(), [](float f) { return std::isfinite(f); }),
                        "A value that is not finite.");
            });
            read([&] {
                require(reader.unsignedValues(a, info.components).size() == info.count * info.components,
                        "Wrong number of indices.");
            });
        });
}

} // namespace

void accessors(Bytes input) {
    Numbers numbers(input);
    Json json = {{"asset", {{"version", "2.0"}}}, {"bufferViews", Json::array()}, {"accessors", Json::array()}};
    const std::size_t views = 1 + numbers.byte() % 4;
    const std::size_t count = 1 + numbers.byte() % 3;
    for (std::size_t v = 0; v < views; ++v)
        json["bufferViews"].push_back(view(numbers));
    for (std::size_t a = 0; a < count; ++a)
        json["accessors"].push_back(accessor(numbers));
    json["buffers"] = {{{"byteLength", numbers.rest().size()}}};
    std::vector<io::Repair> repairs;
    read([&] { readAll(*io::readTree(io::buildGlb(json.dump(), numbers.rest(), {}), "", repairs), views); });
}

} // namespace limber::fuzz
