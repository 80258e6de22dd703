// Work on ranges of large arrays, on several threads where there is enough of it.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

namespace limber {

// `piece`, or all in one where `count` items are fewer than another thread is worth being started for.
[[nodiscard]] constexpr std::size_t pieceOf(std::size_t count, std::size_t piece, std::size_t alone = 10'000) {
    return std::max<std::size_t>(1, count < alone ? count : piece);
}

// Calls work(first, end) for ranges of at most `piece` that make up [0, count), each starting at a multiple of
// `piece`, in any order and at the same time. What work throws is thrown again here.
template <class Work> void inPieces(std::size_t count, std::size_t piece, const Work& work) {
    const std::size_t pieces = (count + piece - 1) / piece;
    const auto one = [&](std::size_t p) { work(p * piece, std::min(count, (p + 1) * piece)); };
    if (pieces == 1)
        one(0);
    else if (pieces > 1)
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, pieces), [&](const auto& range) {
            for (std::size_t p = range.begin(); p < range.end(); ++p)
                one(p);
        });
}

} // namespace limber
