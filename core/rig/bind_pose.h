// Bind matrices from what a file holds: node transforms and inverse bind matrices.
#pragma once

#include "core/rig/skeleton.h"

#include <optional>

namespace limber::rig {

struct SkinBind {
    std::vector<JointId> joints;
    Transforms inverseBinds;                        // G, as the file has them
    JointId carrier;                                // node that carries a mesh with this skin; may be invalid
    std::optional<Affine> bindShape = std::nullopt; // M_s where it is known already
};

struct BindPose {
    Transforms bindLocal;               // L, per node
    Transforms userLocal;               // Ul of the file's pose, per node
    Transforms bindShape;               // M_s, per skin
    std::vector<std::uint8_t> sameBind; // per skin: B_j G_j is the same for all its joints (relative 1e-5)
    std::vector<std::size_t> singular;  // joints whose inverse bind cannot be inverted; they use their node transform
};

// `nodeLocal` N and `parents` per node (invalid parent: root); parents form a forest. Chooses each skin's bind-shape
// matrix M_s and from it B_j = M_s G_j^-1, L and Ul (deformation-math.md section 1, "Formats", glTF).
[[nodiscard]] BindPose deriveBindPose(std::span<const Affine> nodeLocal, std::span<const JointId> parents,
                                      std::span<const SkinBind> skins);

} // namespace limber::rig
