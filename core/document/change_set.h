// What an edit or a preview touched: views and the evaluator redo only that.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <vector>

namespace limber::document {

struct MeshChange {
    MeshId mesh;
    std::vector<std::uint32_t> weightVertices; // rows that changed, ascending
    std::vector<std::uint32_t> shapeVertices;  // offsets that changed, ascending
    bool shapeList = false;                    // shapes added, removed, renamed, muted, driven otherwise
};

struct ChangeSet {
    bool everything = false;              // another document: forget all
    std::vector<JointId> joints;          // user-local transforms
    std::vector<MeshChange> meshes;       // one entry a mesh at most
    std::vector<InstanceId> shapeWeights; // sliders
    std::vector<SkinId> skins;            // joint lists
    bool locks = false;

    [[nodiscard]] bool empty() const {
        return !everything && joints.empty() && meshes.empty() && shapeWeights.empty() && skins.empty() && !locks;
    }
    // The entry of a mesh, made where there is none.
    MeshChange& of(MeshId mesh);
    void merge(const ChangeSet& other);
};

} // namespace limber::document
