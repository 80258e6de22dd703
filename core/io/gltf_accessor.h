// Typed reading of accessors: any component type, strides, sparse values, normalized integers, meshopt-compressed
// views. Every bound is checked in 64 bit before anything is allocated. All functions throw a Refusal.
#pragma once

#include "core/io/gltf_tree.h"

#include <unordered_map>

namespace limber::io {

enum class ComponentType { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

[[nodiscard]] std::size_t byteSize(ComponentType type);
[[nodiscard]] bool isComponentType(std::uint64_t value);

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

class AccessorReader {
public:
    // Keeps a reference.
    explicit AccessorReader(const GltfSource& source);

    [[nodiscard]] std::size_t count() const { return accessors_.size(); }
    [[nodiscard]] const AccessorInfo& info(std::size_t accessor);
    [[nodiscard]] ViewInfo viewInfo(std::size_t view) const;
    // The bytes of a view, decompressed where needed (and then kept).
    [[nodiscard]] std::span<const std::byte> viewBytes(std::size_t view);

    // [count x components], integers turned to floats (to 0..1 or -1..1 where normalized). `components` must fit.
    // Refuses numbers that are not finite, unless the caller says that it mends them.
    [[nodiscard]] std::vector<float> floats(std::size_t accessor, std::size_t components,
                                            NonFinite nonFinite = NonFinite::Refuse);
    // [count x components] of an accessor of unsigned integers.
    [[nodiscard]] std::vector<std::uint32_t> unsignedValues(std::size_t accessor, std::size_t components);

    // Counts decoded bytes against what one file may take; small files that unfold to gigabytes are refused.
    void spend(std::uint64_t bytes, const std::string& where);

private:
    [[nodiscard]] AccessorInfo readInfo(std::size_t accessor) const;
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
