// What the import worker says to the program that started it: frames on a pipe, one after the other.
// The worker has read a file that nobody checked, so the reader trusts nothing it sends: every length has a limit and
// memory grows with the bytes that arrive, never with a length that was announced.
//
// A frame: "LBRW", kind (1 byte), three zero bytes, length of the payload (8 bytes, little endian), payload.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

enum class FrameKind : std::uint8_t {
    Progress = 1, // fraction (8 bytes, IEEE double, little endian) and the stage's name
    Note = 2,     // code, place, count and text, a newline between them: something that was mended or left out
    Scene = 3,    // a complete GLB; the last frame
    Failure = 4,  // why the file cannot be opened; the last frame
};

struct Frame {
    FrameKind kind = FrameKind::Progress;
    std::vector<std::byte> payload;

    [[nodiscard]] std::string_view text() const {
        return {reinterpret_cast<const char*>(payload.data()), payload.size()};
    }
};

inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxNotes = 500; // a worker sends no more, a reader accepts no more

// The longest payload of a kind; 0 for a kind that does not exist.
[[nodiscard]] std::uint64_t maxFramePayload(FrameKind kind);

[[nodiscard]] std::array<std::byte, kFrameHeaderBytes> frameHeader(FrameKind kind, std::uint64_t payloadBytes);
// Header and payload in one piece, for short messages. Text that is too long is cut at a character.
[[nodiscard]] std::vector<std::byte> textFrame(FrameKind kind, std::string_view text);
[[nodiscard]] std::vector<std::byte> progressFrame(double fraction, std::string_view stage);

struct ProgressMessage {
    double fraction = 0; // 0 .. 1
    std::string stage;
};
// Nothing where the payload is not one.
[[nodiscard]] std::optional<ProgressMessage> parseProgress(const Frame& frame);

struct NoteMessage {
    std::string code, where, text;
    std::size_t count = 1;
};
[[nodiscard]] std::vector<std::byte> noteFrame(const NoteMessage& note);
[[nodiscard]] std::optional<NoteMessage> parseNote(const Frame& frame);

// Puts frames together from whatever pieces a pipe delivers.
class FrameReader {
public:
    // False as soon as the stream cannot be one of frames; nothing is accepted after that.
    [[nodiscard]] bool append(std::span<const std::byte> bytes);
    // The next complete frame, in order of arrival.
    [[nodiscard]] std::optional<Frame> next();
    // True between frames: a stream that ends elsewhere was cut off.
    [[nodiscard]] bool atBoundary() const { return headerFill_ == 0; }

private:
    bool takeHeader();

    std::array<std::byte, kFrameHeaderBytes> header_{};
    std::size_t headerFill_ = 0;
    std::uint64_t expected_ = 0;
    Frame current_;
    std::vector<Frame> complete_;
    std::size_t delivered_ = 0;
    std::size_t notes_ = 0;
    bool broken_ = false;
    bool finished_ = false;
};

} // namespace limber::io
