// The words by which files and the command line name the skinning methods.
#pragma once

#include "core/skin/skinning.h"

#include <optional>
#include <string_view>

namespace limber::io {

[[nodiscard]] std::string_view methodWord(skin::Method method); // "linear", "dual-quaternion", "spherical"
[[nodiscard]] std::optional<skin::Method> methodOf(std::string_view word);
// "linear, dual-quaternion, spherical"
inline constexpr std::string_view kMethodWords = "linear, dual-quaternion, spherical";

} // namespace limber::io
