// How long something may take in a test. Sanitizers make everything slower, and are not there to tell time.
#pragma once

namespace limber::test {

template <class Milliseconds> constexpr Milliseconds timeLimit(Milliseconds limit) {
#ifdef LIMBER_SANITIZED
    return limit * 30;
#else
    return limit;
#endif
}

} // namespace limber::test
