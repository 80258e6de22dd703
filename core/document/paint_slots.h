// Which slots of a skin a paint stroke may change.
#pragma once

#include "core/document/preview.h"

#include <optional>
#include <vector>

namespace limber::document {

struct PaintSlots {
    std::vector<std::uint8_t> locked;      // [slots], appended joints last
    std::optional<std::uint32_t> edited;   // of the painted joint
    std::optional<std::uint32_t> fallback; // takes the weight that the painted joint gives up and nobody else has
};

// Of the skin of an instance, for painting `joint` (not valid: all joints). A joint that the skin lacks is appended to
// the preview where `mayAppend`, and named in `changes`; without that, or where instances of the mesh have skins of
// different length, nothing is returned: there is nothing to paint.
[[nodiscard]] std::optional<PaintSlots> paintSlots(const Document& doc, Preview& preview, InstanceId instance,
                                                   JointId joint, bool mayAppend, ChangeSet& changes);

} // namespace limber::document
