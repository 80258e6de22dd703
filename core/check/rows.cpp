#include "core/check/rows.h"

#include "core/check/wording.h"
#include "core/document/weights_intents.h"
#include "core/weights/normalize.h"

#include <algorithm>
#include <cmath>

namespace limber::check {

Slots slotsOf(const document::Document& doc, MeshId mesh) {
    Slots slots;
    for (const document::Instance& instance : doc.state().instances) {
        if (instance.mesh != mesh || !instance.skin.valid() ||
            std::find(slots.skins.begin(), slots.skins.end(), instance.skin) != slots.skins.end())
            continue;
        slots.skins.push_back(instance.skin);
    }
    slots.locked = document::lockedSlots(doc, mesh);
    // A mesh that no instance shows keeps the slots that its rows name.
    std::uint32_t most = 0;
    for (const skin::Influence& i : doc.mesh(mesh).weights.entries())
        most = std::max(most, i.slot);
    slots.locked.resize(std::max<std::size_t>(slots.locked.size(), most + 1), 0);
    return slots;
}

bool isUsable(std::span<const skin::Influence> row) {
    return std::all_of(row.begin(), row.end(),
                       [](const skin::Influence& i) { return std::isfinite(i.weight) && i.weight >= 0; });
}

bool sumsToOne(std::span<const skin::Influence> row) {
    double sum = 0;
    for (const skin::Influence& i : row)
        sum += static_cast<double>(i.weight);
    return std::abs(sum - 1) <= weights::sumTolerance(row.size());
}

RowEdit::RowEdit(const document::Document& doc, MeshId mesh)
    : present_(doc.mesh(mesh).weights), mesh_(mesh), slots_(slotsOf(doc, mesh)) {
    patch_.mesh = mesh;
    patch_.before = patch_.after = skin::SkinWeights(0, present_.capacity());
}

bool RowEdit::set(std::uint32_t vertex, skin::Row row, std::size_t maxInfluences) {
    const bool anyFree = std::any_of(row.begin(), row.end(),
                                     [&](const skin::Influence& i) { return !slots_.locked[i.slot] && i.weight > 0; });
    if (!row.empty() && !anyFree)
        return false;
    if (!row.empty()) {
        weights::NormalizeRequest request;
        request.locked = slots_.locked;
        request.maxInfluences = maxInfluences;
        const weights::NormalizeOutcome outcome = weights::normalizeRow(row, request);
        if (outcome.overlocked || outcome.tooManyLocked)
            return false;
    }
    setExact(vertex, row);
    return true;
}

void RowEdit::setExact(std::uint32_t vertex, std::span<const skin::Influence> row) {
    const auto now = present_.row(vertex);
    if (std::equal(now.begin(), now.end(), row.begin(), row.end()))
        return;
    patch_.vertices.push_back(vertex);
    patch_.before.appendRow();
    patch_.before.setRow(patch_.vertices.size() - 1, now);
    patch_.after.appendRow();
    patch_.after.setRow(patch_.vertices.size() - 1, row);
}

void RowEdit::finish(document::Edit& edit) {
    if (!patch_.vertices.empty())
        edit.patches.emplace_back(std::move(patch_));
}

void noteLocked(const document::Document& doc, MeshId mesh, std::size_t vertices, Notes& notes) {
    if (vertices)
        notes.push_back(placeOf(doc, mesh) + ": locked joints keep " + counted(vertices, "vertex", "vertices") +
                        " as they are; unlock them and fix again.");
}

} // namespace limber::check
