// The node that an import puts above a scene to make it metres with Y up.
#pragma once

#include "core/rig/skeleton.h"

#include <string_view>

namespace limber::rig {

inline constexpr std::string_view kWorldNodeName = "World";

// A root of this name that no skin names: what it does was told when the file came in.
[[nodiscard]] inline bool isWorldNode(const Skeleton& skeleton, JointId joint) {
    const Joint& facts = skeleton[joint];
    return facts.name == kWorldNodeName && !facts.parent.valid() && !facts.deforms;
}

} // namespace limber::rig
