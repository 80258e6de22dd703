// Putting one patch into a state, forward or backward.
#pragma once

#include "core/document/edit.h"

namespace limber::document {

enum class Direction { Forward, Backward };

// Precondition: the patch fits the state (its `before` is what the state holds, seen in the direction).
void applyPatch(DocumentState& state, const Patch& patch, Direction direction, ChangeSet& changes);

} // namespace limber::document
