// Names for things in a document. An id is an index that stays valid for the life of the document:
// joints, meshes, instances and skins are never removed; shapes carry an id of their own because they are.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace limber {

template <class Tag> struct Id {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t value = kNone;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
    [[nodiscard]] constexpr bool valid() const { return value != kNone; }
    [[nodiscard]] constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using JointId = Id<struct JointTag>;       // a joint: every node of the file is one, whether a skin names it or not
using MeshId = Id<struct MeshTag>;         // geometry, weights and shapes
using InstanceId = Id<struct InstanceTag>; // a mesh placed by a node, with or without a skin
using SkinId = Id<struct SkinTag>;         // joints with inverse binds
using ShapeId = Id<struct ShapeTag>;       // unique within its mesh, never reused

} // namespace limber

template <class Tag> struct std::hash<limber::Id<Tag>> {
    std::size_t operator()(limber::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.value); }
};
