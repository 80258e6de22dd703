// The journal's bytes: a header that says which file was open, then one record an edit, undo and redo. Every part has
// a checksum (XXH3, 64 bit); edits are compressed (zstd). Reading is a pure function of the bytes and trusts none.
//
//     header: "LIMBERJ1", version u32, length u32, checksum u64 of the payload, payload
//     record: kind u32, number u32 (0, 1, 2 ...), stored length u32, length u32, checksum u64 of these and the payload
#pragma once

#include "core/base/result.h"
#include "core/document/file_order.h"
#include "core/history/history.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber::history {

// Shape ids are given in the order of the file when it is read; those of a document that was saved may be others.
struct MeshShapes {
    std::vector<ShapeId> ids; // in the order of the mesh's list
    std::uint32_t next = 0;
};

struct JournalHeader {
    std::string path = {};      // as the user knows it; empty: the mannequin
    std::uint64_t fileHash = 0; // XXH3 of the file's bytes when the journal began
    std::uint64_t fileSize = 0;
    std::uint64_t process = 0;
    std::int64_t began = 0;              // seconds since 1970
    std::vector<MeshShapes> shapes = {}; // per mesh, when the journal began
    // Of the open document. Not written: in the journal, edits name vertices as the file does.
    document::VertexOrders orders = {};
};

// Undo and Redo stand for a step of the journal itself. A step from before the journal that is taken back brings its
// edit along: UndoOlder.
// Edits name vertices as the file does.
struct JournalEntry {
    enum class Kind : std::uint32_t { Edit = 1, Undo, Redo, UndoOlder };
    Kind kind = Kind::Edit;
    document::SharedEdit edit; // of Edit and UndoOlder
};

[[nodiscard]] std::vector<std::byte> encodeHeader(const JournalHeader& header);
// Failed where the edit has more than a record holds (1 GiB).
[[nodiscard]] Result<std::vector<std::byte>> encodeEntry(const JournalEntry& entry, std::uint32_t number);

struct JournalContents {
    JournalHeader header;
    std::vector<JournalEntry> entries; // up to the first record that is not whole
    bool damaged = false;              // something follows that is none
};
// InputRefused where even the header is not whole, or is of another version.
[[nodiscard]] Result<JournalContents> readJournal(std::span<const std::byte> bytes);

// The same without the edits: as fast as the bytes can be summed.
struct JournalSummary {
    JournalHeader header;
    std::size_t steps = 0;   // edits, undos and redos
    std::size_t changes = 0; // edits that lie between the file and what is on screen
    bool damaged = false;
};
[[nodiscard]] Result<JournalSummary> summarizeJournal(std::span<const std::byte> bytes);

// The header alone; `start` may end anywhere behind it.
[[nodiscard]] Result<JournalHeader> readJournalHeader(std::span<const std::byte> start);

} // namespace limber::history
