// How findings name places and counts.
#pragma once

#include "core/check/finding.h"
#include "core/document/document.h"

#include <span>
#include <string>

namespace limber::check {

// "1 vertex", "12 vertices"; `many` is `one` with an s where it is left out.
[[nodiscard]] std::string counted(std::size_t count, const std::string& one, const std::string& many = {});

// 39.37, 1e+05: so many significant digits at most.
[[nodiscard]] std::string rounded(double value, int digits);

// meshes[0] "Body", nodes[12] "arm", skins[0]; without the name where there is none.
[[nodiscard]] std::string placeOf(const document::Document& doc, MeshId mesh);
[[nodiscard]] std::string placeOf(const document::Document& doc, JointId joint);
[[nodiscard]] std::string placeOf(const document::Document& doc, SkinId skin);
// meshes[0] "Body", targets[2] "smile"
[[nodiscard]] std::string placeOf(const document::Document& doc, MeshId mesh, std::size_t shape);
// The first few of them, and how many more there are.
[[nodiscard]] std::string placeOf(const document::Document& doc, std::span<const JointId> joints);

// Ascending lists as one.
[[nodiscard]] std::vector<std::uint32_t> united(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
// A finding about these vertices (ascending), with its place and count.
[[nodiscard]] Finding aboutVertices(const document::Document& doc, MeshId mesh, std::vector<std::uint32_t> vertices);

} // namespace limber::check
