#include "core/base/byte_stream.h"
#include "core/history/replay.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <xxhash.h>
#include <zstd.h>

namespace limber::fuzz {

namespace {

using FileBytes = std::vector<std::byte>;

void add(FileBytes& out, Bytes bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}

// A record whose checksums are right, whatever it holds.
FileBytes record(std::uint32_t kind, std::uint32_t number, std::uint32_t lie, Bytes plain) {
    FileBytes stored(plain.empty() ? 0 : ZSTD_compressBound(plain.size()));
    if (!plain.empty())
        stored.resize(ZSTD_compress(stored.data(), stored.size(), plain.data(), plain.size(), 1));
    const std::array<std::uint32_t, 4> head{kind, number, static_cast<std::uint32_t>(stored.size()),
                                            static_cast<std::uint32_t>(plain.size()) + lie};
    const std::uint64_t sum =
        XXH3_64bits_withSeed(stored.data(), stored.size(), XXH3_64bits_withSeed(head.data(), sizeof head, 0));
    ByteWriter to;
    to.numbers(std::span<const std::uint32_t>(head));
    to.number(sum);
    FileBytes out = to.take();
    add(out, stored);
    return out;
}

// Records made of (kind, two bytes of length, payload).
FileBytes journalOf(Bytes input) {
    history::JournalHeader header;
    header.path = "strip.glb";
    header.shapes = history::shapeIdsOf(strip().state);
    FileBytes out = history::encodeHeader(header);
    for (std::uint32_t number = 0; input.size() >= 3; ++number) {
        const unsigned kind = std::to_integer<unsigned>(input[0]);
        const std::size_t length =
            std::to_integer<std::size_t>(input[1]) + std::to_integer<std::size_t>(input[2]) * 256;
        input = input.subspan(3);
        const Bytes plain = input.first(std::min(length, input.size()));
        input = input.subspan(plain.size());
        add(out, record(kind % 8, number, kind >= 248 ? kind : 0, plain));
    }
    add(out, input);
    return out;
}

} // namespace

void journal(Bytes input) {
    if (input.empty())
        return;
    const Bytes rest = input.subspan(1);
    const FileBytes bytes = input[0] < std::byte{16} ? FileBytes(rest.begin(), rest.end()) : journalOf(rest);
    const auto summary = history::summarizeJournal(bytes);
    const auto read = history::readJournal(bytes);
    require(summary.ok() == read.ok(), "A journal that can be listed cannot be read.");
    if (!read) {
        require(!read.error().text.empty(), "Refused without a reason.");
        return;
    }
    require(summary->steps >= read->entries.size(), "More steps were read than there are.");
    document::DocumentState state = strip().state;
    if (!history::adoptShapeIds(state, read->header.shapes))
        return;
    document::Document doc(std::move(state));
    const std::uint64_t before = doc.hash();
    history::Replayed replayed = history::replay(doc, read->entries);
    require(replayed.entries <= read->entries.size(), "More steps were put back than there are.");
    require(replayed.entries > 0 || doc.hash() == before, "A step that does not belong here left something behind.");
    look(doc.state());
    const std::string wrong = saveAndRead(*strip().source, doc);
    require(wrong.empty(), wrong);
    while (replayed.history.canUndo())
        replayed.history.undo(doc);
    look(doc.state());
}

} // namespace limber::fuzz
