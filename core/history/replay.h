// A journal put back into the document that it was begun with.
#pragma once

#include "core/history/journal_format.h"

namespace limber::history {

// Gives the shapes of a file that was just read the ids that the journal knows them by. InputRefused where the file has
// other meshes or shapes than the journal was begun with; `state` is then as it was.
[[nodiscard]] Status adoptShapeIds(document::DocumentState& state, const std::vector<MeshShapes>& shapes);
[[nodiscard]] std::vector<MeshShapes> shapeIdsOf(const document::DocumentState& state);

struct Replayed {
    History history;         // undo and redo work as before; clean where the document is as in the file
    std::size_t entries = 0; // how many were put back; fewer than there are where one does not belong to the document
};
// Each entry is checked before it is applied (edit_check.h). Cost: that of the edits.
[[nodiscard]] Replayed replay(document::Document& doc, std::span<const JournalEntry> entries);

} // namespace limber::history
