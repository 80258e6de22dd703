// One libFuzzer program: LIMBER_FUZZ_TARGET names the function of targets.h that it runs.
#include "tests/fuzz/targets.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    limber::fuzz::LIMBER_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
    return 0;
}
