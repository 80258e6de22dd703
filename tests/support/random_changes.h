// Changes of a tube's document and preview, of every kind that its surface depends on.
#pragma once

#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "tests/support/editing.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

namespace limber::test::changes {

using namespace limber::document;

inline rig::Affine turned(double degrees) {
    return rig::Affine(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d(0.2, 0.3, 1).normalized()));
}

inline void useMethod(Editing& e, skin::Method method, bool mush = false) {
    e.perform(setSkinning(e.doc, Tube::mesh, {method, {mush, 6, 0.5}}));
}

// A shape that the lower joint turns on.
inline void addDriven(Editing& e) {
    e.perform(setUserLocal(e.doc, JointId(Tube::kLower), turned(80), "bend"));
    const JointId lower(Tube::kLower);
    auto made = newCorrective(e.doc, Tube::mesh, "elbow", {&lower, 1});
    if (!made)
        return;
    const ShapeId shape = made->shape;
    e.perform(std::move(made->edit));
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 450; v < 550; ++v)
        vertices.push_back(v);
    Edit edit;
    edit.patches.emplace_back(shapeDeltasPatch(e.doc, Tube::mesh, shape, vertices,
                                               std::vector<Eigen::Vector3f>(vertices.size(), {0, 0.1f, 0.05f})));
    e.perform(std::move(edit));
    e.perform(setUserLocal(e.doc, lower, rig::Affine::Identity(), "bind"));
}

inline void preview(Editing& e, std::size_t joint, const rig::Affine& local) {
    e.follow(e.preview.setJoint(JointId(joint), local));
}

inline void previewRows(Editing& e, Random& random) {
    ChangeSet changes;
    const auto first = static_cast<std::uint32_t>(random.index(900));
    for (std::uint32_t v = first; v < first + 50; ++v) {
        const auto w = static_cast<float>(random.uniform(0, 1));
        const std::vector<skin::Influence> row{{random.index(2) == 0 ? 0u : 1u, w}, {2, 1 - w}};
        e.preview.setRow(Tube::mesh, v, row);
        changes.of(Tube::mesh).weightVertices.push_back(v);
    }
    e.follow(changes);
}

inline void previewMap(Editing& e, Random& random, skin::PaintedMap map) {
    if (const Preview::PreviewMap* present = e.preview.map(Tube::mesh); present && present->map != map)
        return;
    ChangeSet changes;
    const auto first = static_cast<std::uint32_t>(random.index(900));
    for (std::uint32_t v = first; v < first + 50; ++v) {
        e.preview.setMapValue(Tube::mesh, map, v, static_cast<float>(random.uniform(0, 1)));
        changes.of(Tube::mesh).mapVertices.push_back(v);
    }
    e.follow(changes);
}

inline void previewOffsets(Editing& e, Random& random) {
    if (e.doc.mesh(Tube::mesh).shapes.empty()) // undone
        return;
    const ShapeId shape = e.doc.mesh(Tube::mesh).shapes[0].id;
    e.preview.deltasOf(Tube::mesh, shape);
    ChangeSet changes;
    const auto first = static_cast<std::uint32_t>(random.index(900));
    for (std::uint32_t v = first; v < first + 30; ++v) {
        e.preview.setDelta(Tube::mesh, v, random.vector(0.1));
        changes.of(Tube::mesh).shapeVertices.push_back(v);
    }
    e.follow(changes);
}

inline void changeAnything(Editing& e, Random& random) {
    switch (random.index(9)) {
    case 0:
        return preview(e, random.index(4), turned(random.uniform(-120, 120)));
    case 1:
        return preview(e, random.index(4), random.affine());
    case 2:
        return previewRows(e, random);
    case 3:
        return previewMap(e, random, skin::PaintedMap::MethodShare);
    case 4:
        return previewMap(e, random, skin::PaintedMap::MushShare);
    case 5:
        return previewOffsets(e, random);
    case 6:
        e.commit("commit");
        return useMethod(e, static_cast<skin::Method>(random.index(3)), random.index(3) == 0);
    case 7:
        return e.commit("commit");
    default:
        e.follow(e.preview.clear());
        e.undo();
    }
}

} // namespace limber::test::changes
