#include "core/document/change_set.h"

#include <algorithm>

namespace limber::document {

namespace {

template <class T> void unite(std::vector<T>& into, const std::vector<T>& other) {
    if (into.empty()) {
        into = other;
        return;
    }
    into.insert(into.end(), other.begin(), other.end());
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
}

} // namespace

MeshChange& ChangeSet::of(MeshId mesh) {
    for (MeshChange& m : meshes)
        if (m.mesh == mesh)
            return m;
    MeshChange& made = meshes.emplace_back();
    made.mesh = mesh;
    return made;
}

void MeshChange::clear(MeshId of) {
    mesh = of;
    weightVertices.clear();
    shapeVertices.clear();
    mapVertices.clear();
    skinning = shapeList = repairs = false;
}

void ChangeSet::clear() {
    everything = locks = names = false;
    joints.clear();
    meshes.clear();
    shapeWeights.clear();
    skins.clear();
}

void ChangeSet::merge(const ChangeSet& other) {
    everything |= other.everything;
    locks |= other.locks;
    names |= other.names;
    unite(joints, other.joints);
    unite(shapeWeights, other.shapeWeights);
    unite(skins, other.skins);
    for (const MeshChange& m : other.meshes) {
        MeshChange& mine = of(m.mesh);
        unite(mine.weightVertices, m.weightVertices);
        unite(mine.shapeVertices, m.shapeVertices);
        unite(mine.mapVertices, m.mapVertices);
        mine.skinning |= m.skinning;
        mine.shapeList |= m.shapeList;
        mine.repairs |= m.repairs;
    }
}

} // namespace limber::document
