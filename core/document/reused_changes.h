// A change set that is filled again and again, for each event of a drag, without asking for memory each time.
#pragma once

#include "core/document/change_set.h"

#include <algorithm>
#include <utility>

namespace limber::document {

class ReusedChanges {
public:
    // Empty; the lists of the meshes are kept for of().
    void clear() {
        for (MeshChange& m : set_.meshes)
            spare_.push_back(std::move(m));
        set_.clear();
    }
    MeshChange& of(MeshId mesh) {
        for (MeshChange& m : set_.meshes)
            if (m.mesh == mesh)
                return m;
        // The lists that the mesh had before have grown to its size.
        auto at = std::find_if(spare_.begin(), spare_.end(), [&](const MeshChange& m) { return m.mesh == mesh; });
        if (at == spare_.end())
            return set_.of(mesh);
        MeshChange& made = set_.meshes.emplace_back(std::move(*at));
        spare_.erase(at);
        made.clear(mesh);
        return made;
    }
    [[nodiscard]] ChangeSet& set() { return set_; }
    [[nodiscard]] const ChangeSet& set() const { return set_; }

private:
    ChangeSet set_;
    std::vector<MeshChange> spare_;
};

} // namespace limber::document
