#include "core/io/worker_protocol.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace limber::io {

namespace {

constexpr std::string_view kMagic = "LBRW";

void putLittleEndian(std::byte* out, std::uint64_t value) {
    for (int i = 0; i < 8; ++i)
        out[i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
}

std::uint64_t getLittleEndian(const std::byte* in) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value |= std::uint64_t(std::to_integer<unsigned>(in[i])) << (8 * i);
    return value;
}

void appendText(std::vector<std::byte>& out, std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), bytes, bytes + text.size());
}

// The longest start of `text` that fits and does not end inside a UTF-8 character.
std::string_view cut(std::string_view text, std::size_t limit) {
    if (text.size() <= limit)
        return text;
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80)
        --limit;
    return text.substr(0, limit);
}

std::vector<std::byte> frameOf(FrameKind kind, std::span<const std::byte> payload) {
    const auto header = frameHeader(kind, payload.size());
    std::vector<std::byte> out(header.begin(), header.end());
    out.insert(out.end(), payload.begin(), payload.end());
    return out;
}

} // namespace

std::uint64_t maxFramePayload(FrameKind kind) {
    switch (kind) {
    case FrameKind::Progress:
        return 256;
    case FrameKind::Note:
    case FrameKind::Failure:
        return 4096;
    case FrameKind::Scene:
        return std::uint64_t(3) << 29; // 1.5 GiB: what a worker of 2 GiB can have at most
    }
    return 0;
}

std::array<std::byte, kFrameHeaderBytes> frameHeader(FrameKind kind, std::uint64_t payloadBytes) {
    std::array<std::byte, kFrameHeaderBytes> header{};
    std::memcpy(header.data(), kMagic.data(), kMagic.size());
    header[4] = static_cast<std::byte>(kind);
    putLittleEndian(header.data() + 8, payloadBytes);
    return header;
}

std::vector<std::byte> textFrame(FrameKind kind, std::string_view text) {
    const std::string_view fitting = cut(text, maxFramePayload(kind));
    return frameOf(kind, {reinterpret_cast<const std::byte*>(fitting.data()), fitting.size()});
}

std::vector<std::byte> progressFrame(double fraction, std::string_view stage) {
    std::vector<std::byte> payload(8);
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof fraction);
    std::memcpy(&bits, &fraction, sizeof bits);
    putLittleEndian(payload.data(), bits);
    appendText(payload, cut(stage, maxFramePayload(FrameKind::Progress) - payload.size()));
    return frameOf(FrameKind::Progress, payload);
}

std::vector<std::byte> noteFrame(const NoteMessage& note) {
    std::string place(cut(note.where, 512));
    std::replace(place.begin(), place.end(), '\n', ' ');
    return textFrame(FrameKind::Note, std::string(cut(note.code, 64)) + '\n' + place + '\n' +
                                          std::to_string(note.count) + '\n' + note.text);
}

std::optional<ProgressMessage> parseProgress(const Frame& frame) {
    if (frame.kind != FrameKind::Progress || frame.payload.size() < 8)
        return std::nullopt;
    const std::uint64_t bits = getLittleEndian(frame.payload.data());
    ProgressMessage message;
    std::memcpy(&message.fraction, &bits, sizeof bits);
    if (!std::isfinite(message.fraction))
        return std::nullopt;
    message.fraction = std::clamp(message.fraction, 0.0, 1.0);
    message.stage = frame.text().substr(8);
    return message;
}

std::optional<NoteMessage> parseNote(const Frame& frame) {
    if (frame.kind != FrameKind::Note)
        return std::nullopt;
    std::string_view rest = frame.text();
    std::array<std::string_view, 3> lines;
    for (std::string_view& line : lines) {
        const std::size_t end = rest.find('\n');
        if (end == rest.npos)
            return std::nullopt;
        line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
    }
    NoteMessage note{std::string(lines[0]), std::string(lines[1]), std::string(rest), 0};
    const auto [end, error] = std::from_chars(lines[2].data(), lines[2].data() + lines[2].size(), note.count);
    if (error != std::errc() || end != lines[2].data() + lines[2].size())
        return std::nullopt;
    return note;
}

bool FrameReader::takeHeader() {
    const bool magic = std::memcmp(header_.data(), kMagic.data(), kMagic.size()) == 0;
    const bool zeros =
        std::all_of(header_.begin() + 5, header_.begin() + 8, [](std::byte b) { return b == std::byte(0); });
    current_ = Frame{static_cast<FrameKind>(header_[4]), {}};
    expected_ = getLittleEndian(header_.data() + 8);
    if (current_.kind == FrameKind::Note)
        ++notes_;
    return magic && zeros && expected_ <= maxFramePayload(current_.kind) && maxFramePayload(current_.kind) > 0 &&
           notes_ <= kMaxNotes && !finished_;
}

bool FrameReader::append(std::span<const std::byte> bytes) {
    while (!broken_ && !bytes.empty()) {
        if (headerFill_ < kFrameHeaderBytes) {
            const std::size_t n = std::min(bytes.size(), kFrameHeaderBytes - headerFill_);
            std::copy_n(bytes.begin(), n, header_.begin() + static_cast<std::ptrdiff_t>(headerFill_));
            headerFill_ += n;
            bytes = bytes.subspan(n);
            if (headerFill_ < kFrameHeaderBytes)
                break;
            if (!takeHeader()) {
                broken_ = true;
                break;
            }
        }
        const std::uint64_t missing = expected_ - current_.payload.size();
        const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), missing));
        current_.payload.insert(current_.payload.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
        bytes = bytes.subspan(n);
        if (current_.payload.size() == expected_) {
            finished_ = current_.kind == FrameKind::Scene || current_.kind == FrameKind::Failure;
            complete_.push_back(std::move(current_));
            current_ = Frame{};
            headerFill_ = 0;
        }
    }
    return !broken_;
}

std::optional<Frame> FrameReader::next() {
    if (delivered_ == complete_.size()) {
        complete_.clear();
        delivered_ = 0;
        return std::nullopt;
    }
    return std::move(complete_[delivered_++]);
}

} // namespace limber::io
