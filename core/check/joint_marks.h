// Which nodes of a file a rule about transforms has to look at.
#pragma once

#include "core/document/document.h"

namespace limber::check {

// Per joint: not zero for those that a skin names and all above them.
[[nodiscard]] std::vector<std::uint8_t> skeletal(const document::Document& doc);
// Those, and the nodes that carry a rigid mesh and all above them: whatever moves something that is seen.
[[nodiscard]] std::vector<std::uint8_t> moving(const document::Document& doc);

// N = L Ul of the file's pose.
[[nodiscard]] rig::Affine fileLocal(const document::Document& doc, JointId joint);

} // namespace limber::check
