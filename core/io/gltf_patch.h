// A copy of a glTF tree that is being changed: JSON members are edited directly, data through put(). What is not
// touched stays as it was, byte for byte; nothing is renumbered, new accessors and views come last.
#pragma once

#include "core/io/gltf_accessor.h"

namespace limber::io {

// Values ready to be stored: [count x components], elements padded to four bytes where glTF wants that.
struct EncodedValues {
    ComponentType type = ComponentType::F32;
    std::size_t components = 1, count = 0;
    bool normalized = false;
    std::vector<std::byte> bytes; // [count x stride]

    [[nodiscard]] std::size_t elementBytes() const { return components * byteSize(type); }
    [[nodiscard]] std::size_t stride() const { return count ? bytes.size() / count : 0; }
};

// Floats as they are, or as integers of `type` (scaled to its range where `normalized`), rounded.
[[nodiscard]] EncodedValues encodeFloats(std::span<const float> values, std::size_t components,
                                         ComponentType type = ComponentType::F32, bool normalized = false);
[[nodiscard]] EncodedValues encodeUnsigned(std::span<const std::uint32_t> values, std::size_t components,
                                           ComponentType type);

class TreePatch {
public:
    enum class Use { Vertices, Indices, Other }; // of the data: decides the view's target
    enum class Bounds { IfPresent, Required };   // accessor.min and max

    // Keeps a reference. Throws a Refusal where the tree cannot be read.
    explicit TreePatch(const GltfSource& source);

    [[nodiscard]] const GltfSource& source() const { return source_; }
    [[nodiscard]] AccessorReader& reader() { return reader_; } // of the file as it was
    [[nodiscard]] Json& json() { return json_; }
    [[nodiscard]] const Json& json() const { return json_; }

    // Stores `values` for one user of `accessor` (or of a new one): in place where nobody else sees the bytes and they
    // fit, else behind the present data. An accessor that others use as well is left to them and a new one is made.
    // Returns the accessor's index.
    [[nodiscard]] std::size_t put(std::optional<std::size_t> accessor, const EncodedValues& values, Use use,
                                  Bounds bounds = Bounds::IfPresent);
    // One user of the accessor is gone.
    void release(std::size_t accessor);
    // New data with a view of its own; returns the view.
    [[nodiscard]] std::size_t addView(std::span<const std::byte> bytes);

    // Call after the last edit: removes what an unedited tree would not have.
    void dropEmptyLists();

    // The bytes of a buffer as they are now: of the file, or edited.
    [[nodiscard]] std::span<const std::byte> bytes(std::size_t buffer) const;
    [[nodiscard]] bool isEdited(std::size_t buffer) const { return edited_[buffer].has_value(); }
    [[nodiscard]] std::size_t bufferCount() const { return edited_.size(); }
    // Buffers the file did not have (at most one, the last) hold data but name no file yet.
    [[nodiscard]] SourceBuffer::Kind kind(std::size_t buffer) const;

    std::vector<std::string> notes; // for WrittenFile

private:
    std::vector<std::byte>& editable(std::size_t buffer);
    [[nodiscard]] bool ownsItsBytes(std::size_t accessor);
    [[nodiscard]] const AccessorInfo* untouched(std::size_t accessor);
    [[nodiscard]] bool overwrite(std::size_t accessor, const EncodedValues& values);
    [[nodiscard]] bool rewrite(std::size_t accessor, const EncodedValues& values);
    void describe(Json& accessor, const EncodedValues& values, Bounds bounds, bool changed);
    void countUses();

    const GltfSource& source_;
    AccessorReader reader_;
    Json json_;
    std::size_t home_ = 0; // the buffer that new data goes to
    std::vector<std::optional<std::vector<std::byte>>> edited_;
    std::vector<std::size_t> uses_;                         // per accessor
    std::vector<std::size_t> viewUses_;                     // per view, by others than accessors
    std::unordered_map<std::size_t, std::size_t> ownViews_; // accessor -> the view that put() made for it
};

} // namespace limber::io
