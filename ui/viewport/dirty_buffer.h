// A Qt3D buffer that follows an array of ours: whole or by ranges, never both in one frame (Qt3D 6.4 loses one of
// them).
#pragma once

#include <Qt3DCore/QBuffer>

#include <cstddef>
#include <span>
#include <vector>

namespace limber::ui {

// The data stays with its owner and is read in flush() only. One writer per buffer.
class DirtyBuffer {
public:
    explicit DirtyBuffer(Qt3DCore::QNode* parent);

    [[nodiscard]] Qt3DCore::QBuffer* buffer() const { return buffer_; } // owned by the parent node

    void markAll() { state_ = State::Full; }
    void markRange(std::size_t firstByte, std::size_t byteCount);
    [[nodiscard]] bool dirty() const { return state_ != State::Clean; }

    // Sends what was marked, once a frame and right before it. Everything when the size changed or much was marked.
    void flush(std::span<const std::byte> data);

private:
    enum class State { Clean, Ranges, Full };
    struct Range {
        std::size_t first, end;
    };
    void mergeRanges();

    Qt3DCore::QBuffer* buffer_;
    State state_ = State::Full;
    std::vector<Range> ranges_;
    std::size_t size_ = 0;
};

template <class T> [[nodiscard]] std::span<const std::byte> bytesOf(std::span<const T> data) {
    return std::as_bytes(data);
}

} // namespace limber::ui
