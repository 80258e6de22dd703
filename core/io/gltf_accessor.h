// Typed reading of accessors: any component type, strides, sparse values, normalized integers, meshopt-compressed
// views. Every bound is checked in 64 bit before anything is allocated. All functions throw a Refusal.
#pragma once

#include "core/io/gltf_tree.h"

#include <unordered_map>

namespace limber::io {

enum class ComponentType { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

[[nodiscard]] std::size_t byteSize(ComponentType type);
[[nodiscard]] bool isComponentType(std::uint64_t value);

// Of "VEC3" three; 0 for what is no type of the standard.
[[nodiscard]] std::size_t componentsOf(const std::string& type);

struct AccessorInfo {
    ComponentType type = ComponentType::F32;
    std::size_t components = 1; // 1, 2, 3, 4, 9 or 16
    std::size_t count = 0;
    bool normalized = false;
    std::optional<std::size_t> view;
    std::uint64_t byteOffset = 0; // in the view
    std::uint64_t stride = 0;     // bytes from one element to the next
    bool sparse = false;

    [[nodiscard]] std::size_t elementBytes() const { return components * byteSize(type); }
};

// Where a buffer view lies; nothing about compression.
struct ViewInfo {
    std::size_t buffer = 0;
    std::uint64_t offset = 0, length = 0, stride = 0; // stride 0: packed
    bool meshopt = false;
};

enum class NonFinite { Refuse, Keep };

// Elements that lie in the file as they are: no sparse part, not compressed, not without data.
struct PlainElements {
    const std::byte* data = nullptr;
    std::uint64_t stride = 0;
    std::size_t components = 1;
    ComponentType type = ComponentType::F32;
    bool normalized = false;

    // Elements [first, first + count) into [count x components]; any thread.
    void read(std::size_t first, std::size_t count, float* to) const;
    void read(std::size_t first, std::size_t count, std::uint32_t* to) const;
};

class AccessorReader {
public:
    // Keeps a reference.
    explicit AccessorReader(const GltfSource& source);

    [[nodiscard]] std::size_t count() const { return accessors_.size(); }
    [[nodiscard]] const AccessorInfo& info(std::size_t accessor);
    [[nodiscard]] ViewInfo viewInfo(std::size_t view) const;
    // Its buffer names no file and has no chunk, which glTF allows: accessors read it as zeros.
    [[nodiscard]] bool lacksData(std::size_t view) const;
    // Whether the accessor was asked for before.
    [[nodiscard]] bool wasRead(std::size_t accessor) const { return infos_[accessor].has_value(); }
    // The bytes of a view, decompressed where needed (and then kept).
    [[nodiscard]] std::span<const std::byte> viewBytes(std::size_t view);

    // [count x components], integers turned to floats (to 0..1 or -1..1 where normalized). `components` must fit.
    // Refuses numbers that are not finite, unless the caller says that it mends them.
    [[nodiscard]] std::vector<float> floats(std::size_t accessor, std::size_t components,
                                            NonFinite nonFinite = NonFinite::Refuse);
    // The same into `values`, which has that many.
    void readFloats(std::size_t accessor, std::size_t components, std::span<float> values,
                    NonFinite nonFinite = NonFinite::Refuse);
    // [count x components] of an accessor of unsigned integers.
    [[nodiscard]] std::vector<std::uint32_t> unsignedValues(std::size_t accessor, std::size_t components);

    // Nothing where the elements need decoding first. Looks into the file's bytes.
    [[nodiscard]] std::optional<PlainElements> plain(std::size_t accessor);

    // Counts decoded bytes against what one file may take; small files that unfold to gigabytes are refused.
    void spend(std::uint64_t bytes, const std::string& where);

private:
    [[nodiscard]] AccessorInfo readInfo(std::size_t accessor) const;
    void startFloats(std::size_t accessor, std::size_t components); // checks before anything is allocated
    void decodeFloats(std::size_t accessor, std::span<float> values, NonFinite nonFinite);
    [[nodiscard]] std::span<const std::byte> dataOf(std::size_t accessor, const AccessorInfo& info);
    [[nodiscard]] std::vector<std::byte> decodeMeshopt(std::size_t view, const Json& extension);
    // Calls put(element index, pointer to the element's bytes) for every replaced element.
    template <class Put> void readSparse(std::size_t accessor, const AccessorInfo& info, Put put);

    const GltfSource& source_;
    const Json& accessors_;
    const Json& views_;
    std::vector<std::optional<AccessorInfo>> infos_;
    std::unordered_map<std::size_t, std::vector<std::byte>> decoded_;
    std::uint64_t spent_ = 0;
};

} // namespace limber::io
