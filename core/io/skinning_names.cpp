#include "core/io/skinning_names.h"

#include <array>
#include <cstddef>

namespace limber::io {

namespace {

constexpr std::array<std::string_view, skin::kMethodCount> kWords = {"linear", "dual-quaternion", "spherical"};

} // namespace

std::string_view methodWord(skin::Method method) {
    return kWords[static_cast<std::size_t>(method)];
}

std::optional<skin::Method> methodOf(std::string_view word) {
    for (std::size_t k = 0; k < kWords.size(); ++k)
        if (kWords[k] == word)
            return static_cast<skin::Method>(k);
    return std::nullopt;
}

} // namespace limber::io
