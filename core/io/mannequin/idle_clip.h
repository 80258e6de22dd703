// A four-second loop of standing and breathing.
#pragma once

#include "core/io/scene_build.h"

namespace limber::io::mannequin {

// Node i is joint i of the skeleton plan.
[[nodiscard]] BuildClip makeIdleClip();

} // namespace limber::io::mannequin
