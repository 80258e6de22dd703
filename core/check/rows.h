// Weight rows under repair: which slots may not change, and the patch that holds the new rows.
#pragma once

#include "core/check/doctor.h"
#include "core/skin/skin_weights.h"

namespace limber::check {

// What most programs read of a vertex.
inline constexpr std::size_t kCommonInfluences = 4;

// Slots of the skins that a mesh is shown with. A slot is locked where any of the joints that it means is.
struct Slots {
    std::vector<std::uint8_t> locked; // [slots]
    std::vector<SkinId> skins;        // each once; may be empty
};
[[nodiscard]] Slots slotsOf(const document::Document& doc, MeshId mesh);

[[nodiscard]] bool isUsable(std::span<const skin::Influence> row);  // finite and not negative
[[nodiscard]] bool sumsToOne(std::span<const skin::Influence> row); // as closely as floats of that many can

// New rows of one mesh. Rows are made to sum to one as far as locked joints leave room.
class RowEdit {
public:
    RowEdit(const document::Document& doc, MeshId mesh);

    [[nodiscard]] const Slots& slots() const { return slots_; }
    // Gives the vertex the row, normalised; an empty row stays empty. Returns false, and changes nothing, where the
    // row has no unlocked influence to take up what is missing or too much. Vertices in ascending order.
    bool set(std::uint32_t vertex, skin::Row row, std::size_t maxInfluences = 0);
    // The row as it is.
    void setExact(std::uint32_t vertex, std::span<const skin::Influence> row);
    // Adds the patch to `edit` where anything changes.
    void finish(document::Edit& edit);

private:
    const skin::SkinWeights& present_;
    MeshId mesh_;
    Slots slots_;
    document::WeightsPatch patch_;
};

// The sentence for vertices that locked joints keep as they are.
void noteLocked(const document::Document& doc, MeshId mesh, std::size_t vertices, Notes& notes);

} // namespace limber::check
