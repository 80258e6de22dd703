// Least times: what else the machine does only adds to them.
#pragma once

#include <algorithm>
#include <chrono>

namespace limber::bench {

template <class Work> double millisecondsOf(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template <class Work> double bestOf(int times, const Work& work) {
    double best = 1e9;
    for (int k = 0; k < times; ++k)
        best = std::min(best, millisecondsOf(work));
    return best;
}

} // namespace limber::bench
