#include "core/history/journal_format.h"

#include "core/base/byte_stream.h"
#include "core/document/edit_codec.h"

#include <array>
#include <optional>
#include <xxhash.h>
#include <zstd.h>

namespace limber::history {

namespace {

constexpr std::array<char, 8> kMagic{'L', 'I', 'M', 'B', 'E', 'R', 'J', '1'};
constexpr std::uint32_t kVersion = 1000 + document::kEditCodecVersion;
constexpr std::size_t kMaxRecord = std::size_t(1) << 30;
constexpr int kCompression = 1; // the fastest: a stroke must be on its way before the next begins

std::uint64_t sum(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct RecordHead {
    std::uint32_t kind = 0, number = 0, stored = 0, length = 0;
    std::uint64_t checksum = 0;
    static constexpr std::size_t kBytes = 4 * 4 + 8;

    // What the payload's checksum begins with, so that the head is covered too.
    [[nodiscard]] std::uint64_t seed() const {
        const std::array<std::uint32_t, 4> numbers{kind, number, stored, length};
        ByteWriter to;
        to.numbers(std::span<const std::uint32_t>(numbers));
        return sum(to.take());
    }
};

bool hasEdit(JournalEntry::Kind kind) {
    return kind == JournalEntry::Kind::Edit || kind == JournalEntry::Kind::UndoOlder;
}

Result<std::vector<std::byte>> compress(std::span<const std::byte> bytes) {
    std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kCompression);
    if (ZSTD_isError(size))
        return Error{ErrorCode::Failed, "The change could not be compressed.", {}};
    out.resize(size);
    return out;
}

// `length` is what the record says; it grows as there is data for it, so that a lie costs nothing.
std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> stored, std::size_t length) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    if (!context || length > kMaxRecord)
        return std::nullopt;
    std::vector<std::byte> out;
    ZSTD_inBuffer in{stored.data(), stored.size(), 0};
    for (std::size_t left = 1; left != 0;) {
        const std::size_t filled = out.size(), read = in.pos;
        out.resize(std::min(length, std::max<std::size_t>(filled * 2, std::size_t(1) << 16)));
        ZSTD_outBuffer to{out.data(), out.size(), filled};
        left = ZSTD_decompressStream(context.get(), &to, &in);
        if (ZSTD_isError(left) || (left != 0 && to.pos == filled && in.pos == read))
            return std::nullopt;
        out.resize(to.pos);
    }
    if (in.pos != in.size || out.size() != length)
        return std::nullopt;
    return out;
}

std::vector<std::byte> headerPayload(const JournalHeader& header) {
    ByteWriter to;
    to.text(header.path);
    to.number(header.fileHash);
    to.number(header.fileSize);
    to.number(header.process);
    to.number(header.began);
    to.number(static_cast<std::uint32_t>(header.shapes.size()));
    for (const MeshShapes& mesh : header.shapes) {
        to.number(static_cast<std::uint32_t>(mesh.ids.size()));
        for (const ShapeId id : mesh.ids)
            to.number(id.value);
        to.number(mesh.next);
    }
    return to.take();
}

std::optional<JournalHeader> readPayload(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    JournalHeader header;
    header.path = from.text();
    header.fileHash = from.number<std::uint64_t>();
    header.fileSize = from.number<std::uint64_t>();
    header.process = from.number<std::uint64_t>();
    header.began = from.number<std::int64_t>();
    header.shapes.resize(from.count(8));
    for (MeshShapes& mesh : header.shapes) {
        mesh.ids.resize(from.count(4));
        for (ShapeId& id : mesh.ids)
            id.value = from.number<std::uint32_t>();
        mesh.next = from.number<std::uint32_t>();
    }
    if (from.failed() || from.remaining() > 0)
        return std::nullopt;
    return header;
}

Error refused(const char* text) {
    return {ErrorCode::InputRefused, text, {}};
}

// The header, and what follows it.
struct Opened {
    JournalHeader header;
    std::span<const std::byte> records;
};

Result<Opened> openJournal(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    std::array<char, 8> magic{};
    from.numbers(std::span<char>(magic));
    const auto version = from.number<std::uint32_t>();
    const auto length = from.number<std::uint32_t>();
    const auto checksum = from.number<std::uint64_t>();
    if (from.failed() || magic != kMagic)
        return refused("This is no journal of changes.");
    if (version != kVersion)
        return refused("The journal of changes was written by another version of Limber.");
    const std::span<const std::byte> rest = bytes.last(from.remaining());
    if (length > rest.size() || sum(rest.first(length)) != checksum)
        return refused("The start of the journal of changes is damaged.");
    auto header = readPayload(rest.first(length));
    if (!header)
        return refused("The start of the journal of changes is damaged.");
    return Opened{std::move(*header), rest.subspan(length)};
}

// Takes whole records off the front, until one is not.
class RecordReader {
public:
    explicit RecordReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    struct Record {
        JournalEntry::Kind kind;
        std::uint32_t length;
        std::span<const std::byte> payload;
    };
    std::optional<Record> next() {
        if (rest_.size() < RecordHead::kBytes)
            return std::nullopt;
        ByteReader from(rest_);
        RecordHead head;
        head.kind = from.number<std::uint32_t>();
        head.number = from.number<std::uint32_t>();
        head.stored = from.number<std::uint32_t>();
        head.length = from.number<std::uint32_t>();
        head.checksum = from.number<std::uint64_t>();
        const auto kind = static_cast<JournalEntry::Kind>(head.kind);
        if (kind < JournalEntry::Kind::Edit || kind > JournalEntry::Kind::UndoOlder || head.number != number_ ||
            head.stored > from.remaining())
            return std::nullopt;
        const auto payload = rest_.subspan(RecordHead::kBytes, head.stored);
        if (sum(payload, head.seed()) != head.checksum || hasEdit(kind) == payload.empty())
            return std::nullopt;
        rest_ = rest_.subspan(RecordHead::kBytes + head.stored);
        ++number_;
        return Record{kind, head.length, payload};
    }
    [[nodiscard]] bool atEnd() const { return rest_.empty(); }

private:
    std::span<const std::byte> rest_;
    std::uint32_t number_ = 0;
};

} // namespace

std::vector<std::byte> encodeHeader(const JournalHeader& header) {
    const std::vector<std::byte> payload = headerPayload(header);
    ByteWriter to;
    to.numbers(std::span<const char>(kMagic));
    to.number(kVersion);
    to.number(static_cast<std::uint32_t>(payload.size()));
    to.number(sum(payload));
    to.numbers(std::span(reinterpret_cast<const unsigned char*>(payload.data()), payload.size()));
    return to.take();
}

Result<std::vector<std::byte>> encodeEntry(const JournalEntry& entry, std::uint32_t number) {
    RecordHead head;
    head.kind = static_cast<std::uint32_t>(entry.kind);
    head.number = number;
    std::vector<std::byte> payload;
    if (hasEdit(entry.kind)) {
        const std::vector<std::byte> plain = document::encodeEdit(*entry.edit);
        if (plain.size() > kMaxRecord)
            return Error{ErrorCode::Failed, "The change is too large for the journal.", {}};
        auto compressed = compress(plain);
        if (!compressed)
            return compressed.error();
        payload = std::move(compressed).value();
        head.length = static_cast<std::uint32_t>(plain.size());
    }
    head.stored = static_cast<std::uint32_t>(payload.size());
    head.checksum = sum(payload, head.seed());

    ByteWriter to;
    to.number(head.kind);
    to.number(head.number);
    to.number(head.stored);
    to.number(head.length);
    to.number(head.checksum);
    to.numbers(std::span(reinterpret_cast<const unsigned char*>(payload.data()), payload.size()));
    return to.take();
}

Result<JournalContents> readJournal(std::span<const std::byte> bytes) {
    auto opened = openJournal(bytes);
    if (!opened)
        return opened.error();
    JournalContents contents;
    contents.header = std::move(opened->header);
    RecordReader records(opened->records);
    while (const auto record = records.next()) {
        JournalEntry entry{record->kind, nullptr};
        if (hasEdit(record->kind)) {
            const auto plain = decompress(record->payload, record->length);
            auto edit = plain ? document::decodeEdit(*plain) : Result<document::Edit>(refused("damaged"));
            if (!edit) {
                contents.damaged = true;
                return contents;
            }
            entry.edit = std::make_shared<const document::Edit>(std::move(edit).value());
        }
        contents.entries.push_back(std::move(entry));
    }
    contents.damaged = !records.atEnd();
    return contents;
}

Result<JournalHeader> readJournalHeader(std::span<const std::byte> start) {
    auto opened = openJournal(start);
    if (!opened)
        return opened.error();
    return std::move(opened->header);
}

Result<JournalSummary> summarizeJournal(std::span<const std::byte> bytes) {
    auto opened = openJournal(bytes);
    if (!opened)
        return opened.error();
    JournalSummary summary;
    summary.header = std::move(opened->header);
    RecordReader records(opened->records);
    // As History counts them; what was undone for good before a new edit stays a difference.
    std::size_t cursor = 0, clean = 0, lost = 0;
    while (const auto record = records.next()) {
        ++summary.steps;
        switch (record->kind) {
        case JournalEntry::Kind::Edit:
            lost += clean > cursor ? clean - cursor : 0;
            clean = std::min(clean, cursor);
            ++cursor;
            break;
        case JournalEntry::Kind::Undo:
            cursor -= cursor > 0;
            break;
        case JournalEntry::Kind::Redo:
            ++cursor;
            break;
        case JournalEntry::Kind::UndoOlder:
            ++clean;
            break;
        }
    }
    summary.changes = lost + (cursor > clean ? cursor - clean : clean - cursor);
    summary.damaged = !records.atEnd();
    return summary;
}

} // namespace limber::history
