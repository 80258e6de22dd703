// Which bytes of an array the graphics card does not have yet.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace limber::ui {

struct ByteRange {
    std::size_t first, end;
};

class DirtyRanges {
public:
    void markAll() { state_ = State::Full; }
    void markRange(std::size_t firstByte, std::size_t byteCount);
    [[nodiscard]] bool dirty() const { return state_ != State::Clean; }

    // What to send of an array of `size` bytes, ascending and merged; nothing is marked afterwards. One range that
    // holds all when the size changed or nearly all was marked. Valid until the next call.
    [[nodiscard]] std::span<const ByteRange> take(std::size_t size);

private:
    enum class State { Clean, Ranges, Full };
    void mergeRanges();
    void closeGaps();

    State state_ = State::Full;
    std::vector<ByteRange> ranges_, taken_;
    std::vector<std::size_t> gaps_;
    std::size_t size_ = 0;
};

} // namespace limber::ui
