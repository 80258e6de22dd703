#include "core/io/gltf_container.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/targets.h"

#include <algorithm>

namespace limber::fuzz {

namespace {

// Lengths in a container's header stop a fuzzer early; JSON and binary data with a zero between them do not.
std::vector<std::byte> containerOf(Bytes input) {
    const auto end = std::find(input.begin(), input.end(), std::byte{0});
    if (end == input.end() || textOf(input).starts_with("glTF"))
        return {input.begin(), input.end()};
    return io::buildGlb(std::string(textOf({input.begin(), end})), {end + 1, input.end()}, {});
}

} // namespace

void gltf(Bytes input) {
    const auto file = io::loadGlb(containerOf(input), "");
    if (!file) {
        require(!file.error().text.empty(), "Refused without a reason.");
        return;
    }
    const std::string wrong = exercise(*file);
    require(wrong.empty(), wrong);
}

} // namespace limber::fuzz
