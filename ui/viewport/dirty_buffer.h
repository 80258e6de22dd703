// A Qt3D buffer that follows an array of ours: whole or by ranges, never both in one frame (Qt3D 6.4 loses one of
// them).
#pragma once

#include "ui/viewport/dirty_ranges.h"

#include <Qt3DCore/QBuffer>

#include <cstdint>

namespace limber::ui {

// The data stays with its owner and is read in flush() only. One writer per buffer.
class DirtyBuffer {
public:
    explicit DirtyBuffer(Qt3DCore::QNode* parent);

    [[nodiscard]] Qt3DCore::QBuffer* buffer() const { return buffer_; } // owned by the parent node

    void markAll() { ranges_.markAll(); }
    void markRange(std::size_t firstByte, std::size_t byteCount) { ranges_.markRange(firstByte, byteCount); }
    [[nodiscard]] bool dirty() const { return ranges_.dirty(); }

    // Sends what was marked, once a frame and right before it. Everything when the size changed or nearly all was
    // marked.
    void flush(std::span<const std::byte> data);
    [[nodiscard]] std::uint64_t sentBytes() const { return sentBytes_; } // so far

private:
    Qt3DCore::QBuffer* buffer_;
    DirtyRanges ranges_;
    std::uint64_t sentBytes_ = 0;
};

[[nodiscard]] QByteArray copyOf(std::span<const std::byte> data);

template <class T> [[nodiscard]] std::span<const std::byte> bytesOf(std::span<const T> data) {
    return std::as_bytes(data);
}

} // namespace limber::ui
