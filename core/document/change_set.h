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
    std::vector<std::uint32_t> mapVertices;    // of painted maps, ascending
    bool skinning = false;                     // method or last step
    bool shapeList = false;                    // shapes added, removed, renamed, muted, driven otherwise
    bool repairs = false;                      // how repaired rows are written

    void clear(MeshId of); // keeps the memory of its lists
};

struct ChangeSet {
    bool everything = false;              // another document, or a surface that is new throughout: forget all
    std::vector<JointId> joints;          // user-local transforms
    std::vector<MeshChange> meshes;       // one entry a mesh at most
    std::vector<InstanceId> shapeWeights; // sliders
    std::vector<SkinId> skins;            // joint lists
    bool locks = false;
    bool names = false; // of joints

    [[nodiscard]] bool empty() const {
        return !everything && joints.empty() && meshes.empty() && shapeWeights.empty() && skins.empty() && !locks &&
               !names;
    }
    // The entry of a mesh, made where there is none.
    MeshChange& of(MeshId mesh);
    void merge(const ChangeSet& other);
    // Empty again, with the memory of its own lists kept; entries of meshes go.
    void clear();
};

} // namespace limber::document
