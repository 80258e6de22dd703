#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace limber::fuzz {

void require(bool holds, std::string_view message) {
    if (holds)
        return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
    std::abort();
}

} // namespace limber::fuzz
