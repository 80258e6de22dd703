#include "core/history/replay.h"

#include "core/document/edit_check.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace limber::history {

namespace {

bool isUsable(const MeshShapes& shapes) {
    std::set<ShapeId> seen;
    for (const ShapeId id : shapes.ids)
        if (id.value >= shapes.next || !seen.insert(id).second)
            return false;
    return true;
}

void adopt(document::MeshData& mesh, const MeshShapes& shapes) {
    std::map<ShapeId, ShapeId> renamed;
    for (std::size_t k = 0; k < shapes.ids.size(); ++k) {
        renamed[mesh.shapes[k].id] = shapes.ids[k];
        mesh.shapes[k].id = shapes.ids[k];
    }
    for (shape::PoseDriver& driver : mesh.drivers)
        for (shape::DriverSample& sample : driver.samples)
            if (const auto at = renamed.find(sample.shape); at != renamed.end())
                sample.shape = at->second;
    mesh.nextShapeId = shapes.next;
}

// False where the entry does not belong to the document, which is then as it was.
bool take(document::Document& doc, History& history, const JournalEntry& entry, const document::VertexOrders& orders) {
    using Kind = JournalEntry::Kind;
    switch (entry.kind) {
    case Kind::Undo:
        if (!history.canUndo())
            return false;
        history.undo(doc);
        return true;
    case Kind::Redo:
        if (!history.canRedo())
            return false;
        history.redo(doc);
        return true;
    case Kind::Edit:
    case Kind::UndoOlder:
        break;
    }
    if (!entry.edit || (entry.kind == Kind::UndoOlder && history.canUndo()))
        return false;
    const bool older = entry.kind == Kind::UndoOlder;
    document::SharedEdit edit = document::withPlaces(entry.edit, orders);
    if (!(older ? document::revertChecked(doc, *edit) : document::applyChecked(doc, *edit)))
        return false;
    if (older)
        history.recordUndone(std::move(edit));
    else
        history.record(std::move(edit));
    return true;
}

} // namespace

std::vector<MeshShapes> shapeIdsOf(const document::DocumentState& state) {
    std::vector<MeshShapes> all;
    for (const document::MeshData& mesh : state.meshes) {
        MeshShapes& shapes = all.emplace_back();
        for (const shape::Shape& shape : mesh.shapes)
            shapes.ids.push_back(shape.id);
        shapes.next = mesh.nextShapeId;
    }
    return all;
}

Status adoptShapeIds(document::DocumentState& state, const std::vector<MeshShapes>& shapes) {
    bool same = shapes.size() == state.meshes.size();
    for (std::size_t m = 0; same && m < shapes.size(); ++m)
        same = shapes[m].ids.size() == state.meshes[m].shapes.size() && isUsable(shapes[m]);
    if (!same)
        return Error{ErrorCode::InputRefused, "The file has other shapes than the changes were made to.", {}};
    for (std::size_t m = 0; m < shapes.size(); ++m)
        adopt(state.meshes[m], shapes[m]);
    return {};
}

Replayed replay(document::Document& doc, std::span<const JournalEntry> entries) {
    // Nothing may go while steps are still to come: they count from the oldest.
    Replayed done{History(std::numeric_limits<std::size_t>::max()), 0};
    const document::VertexOrders orders = document::vertexOrders(doc.state());
    for (const JournalEntry& entry : entries) {
        if (!take(doc, done.history, entry, orders))
            break;
        ++done.entries;
    }
    done.history.setBudget(History().budget());
    return done;
}

} // namespace limber::history
