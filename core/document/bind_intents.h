// Intents that give whole meshes new weights from where their joints are at bind.
#pragma once

#include "core/document/edit.h"
#include "core/weights/heat_bind.h"

namespace limber::document {

// The bones of the skin's joints in mesh space, as the skin binds them: from each joint to those joints of the skin
// that are next below it. The last of a chain goes on as the one before it led, as far again; a joint alone is a point.
// Joints whose slot is non-zero in `excluded` [slots] and joints whose inverse bind matrix is singular have none.
[[nodiscard]] std::vector<weights::Bone> bonesOf(const rig::Skeleton& skeleton, const Skin& skin,
                                                 std::span<const std::uint8_t> excluded);

struct HeatBinding {
    Edit edit;
    struct Unseen {
        MeshId mesh;
        std::size_t vertices;
    };
    std::vector<Unseen> unseen;       // of which meshes how many vertices see no bone: HeatWeights::unseen
    std::vector<MeshId> withoutBones; // that stay as they are: no joint may take weights, or the skin places none
};

// Which joints of a skin may take weights. Skins list roots, controls and ends of chains that are not meant to hold
// anything: those that hold nothing of the mesh so far.
enum class Takers { WhatHolds, All };

// Every vertex of the meshes that have weights: what locked joints leave of it goes to the others by heat. Of several
// skins of a mesh the first instance's counts, and only slots that all of them have. One edit; where nothing holds
// anything all joints take. options.mostInfluences 0: as many as the mesh's longest row has, at least the four of one
// set. Cost: weights::bindByHeat for each mesh.
[[nodiscard]] HeatBinding bindByHeat(const Document& doc, std::span<const MeshId> meshes, Takers takers,
                                     const weights::HeatOptions& options = {});

} // namespace limber::document
