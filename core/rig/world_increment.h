// From what a gizmo does in the world to what the joint stores.
#pragma once

#include "core/rig/skeleton.h"

#include <optional>

namespace limber::rig {

// Ul' = (W_p L)^-1 U W for a world increment U (W' = U W). Empty where W_p L cannot be inverted.
// deformation-math.md section 1.
[[nodiscard]] std::optional<Affine> applyWorldIncrement(const Affine& parentWorld, const Affine& bindLocal,
                                                        const Affine& userLocal, const Affine& increment);

// The same change without new shear or scale: keeps the shear and scale of `before` and takes the rotation nearest to
// A(after) (K diag(s))^-1 and the translation of `after` (decision D2).
[[nodiscard]] Affine keepTrs(const Affine& before, const Affine& after);

// The user-local transform that gives the joint this world transform: Ul = (W_p L)^-1 W.
[[nodiscard]] std::optional<Affine> userLocalFromWorld(const Affine& parentWorld, const Affine& bindLocal,
                                                       const Affine& world);

} // namespace limber::rig
