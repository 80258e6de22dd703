// New weights for whole meshes: which joints take them, and what locks keep.
#include "core/document/bind_intents.h"
#include "core/document/edit_check.h"
#include "core/document/weights_intents.h"
#include "tests/support/row_sum.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using document::Document;
using document::HeatBinding;
using document::Takers;
using test::sumOf;
using test::Tube;

namespace {

const std::vector<MeshId> kBoth{Tube::mesh, Tube::plate};
constexpr std::uint32_t kRootSlot = 0, kUpperSlot = 1, kLowerSlot = 2;

std::vector<weights::Bone> bonesOfTube(const document::DocumentState& state,
                                       std::vector<std::uint8_t> excluded = {0, 0, 0}) {
    return document::bonesOf(state.skeleton, state.skins[0], excluded);
}

} // namespace

class TestBindIntents : public QObject {
    Q_OBJECT
private slots:
    void bonesLeadToTheNextJointsOfTheSkin() {
        const auto bones = bonesOfTube(test::tubeDocument());
        QCOMPARE(bones.size(), std::size_t(3));
        QCOMPARE(bones[1].slot, kUpperSlot);
        QCOMPARE(bones[1].from, Eigen::Vector3d(0, 0, 0));
        QCOMPARE(bones[1].to, Eigen::Vector3d(Tube::kElbow, 0, 0));
        // The last goes on as the one before it led.
        QCOMPARE(bones[2].slot, kLowerSlot);
        QCOMPARE(bones[2].from, Eigen::Vector3d(Tube::kElbow, 0, 0));
        QCOMPARE(bones[2].to, Eigen::Vector3d(2 * Tube::kElbow, 0, 0));
    }

    void bonesPassJointsThatTheSkinLeavesOut() {
        document::DocumentState state = test::tubeDocument();
        state.skins[0].joints.erase(state.skins[0].joints.begin() + 1);
        state.skins[0].inverseBinds.erase(state.skins[0].inverseBinds.begin() + 1);
        const auto bones = document::bonesOf(state.skeleton, state.skins[0], std::vector<std::uint8_t>{0, 0});
        QCOMPARE(bones.size(), std::size_t(2));
        QCOMPARE(bones[0].slot, 0u);
        QCOMPARE(bones[0].to, Eigen::Vector3d(Tube::kElbow, 0, 0));
    }

    void bonesAreWhereTheSkinBindsThem() {
        // Bound a metre higher than the skeleton is: the mesh's space is another one.
        document::DocumentState state = test::tubeDocument();
        for (rig::Affine& bind : state.skins[0].inverseBinds)
            bind = bind * Eigen::Translation3d(0, -1, 0);
        for (const weights::Bone& bone : bonesOfTube(state))
            QCOMPARE(bone.from.y(), 1.0);
    }

    void jointsThatCannotBePlacedHaveNoBone() {
        document::DocumentState state = test::tubeDocument();
        state.skins[0].inverseBinds[kLowerSlot].linear().setZero();
        const auto bones = bonesOfTube(state);
        for (const weights::Bone& bone : bones) {
            QVERIFY(bone.slot != kLowerSlot);
            QVERIFY(bone.from.allFinite() && bone.to.allFinite());
        }
    }

    void bindingIsOneEditThatUndoes() {
        Document doc(test::tubeDocument());
        const std::uint64_t before = doc.hash();
        const HeatBinding binding = document::bindByHeat(doc, kBoth, Takers::WhatHolds);
        QCOMPARE(binding.edit.patches.size(), std::size_t(1)); // the plate has no skin
        QVERIFY(document::applyChecked(doc, binding.edit).ok());
        QVERIFY(doc.hash() != before);
        const skin::SkinWeights& rows = doc.mesh(Tube::mesh).weights;
        const mesh::Mesh& m = doc.mesh(Tube::mesh).geometry;
        for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
            QVERIFY(std::abs(sumOf(rows.row(v)) - 1) < 1e-6);
            QCOMPARE(rows.weight(v, kRootSlot), 0.0f); // held nothing before
            if (m.positions[v].x() < 1)
                QVERIFY(rows.weight(v, kUpperSlot) > 0.8f);
            if (m.positions[v].x() > 3)
                QVERIFY(rows.weight(v, kLowerSlot) > 0.8f);
        }
        // The seam stays closed.
        for (const auto& twins : {std::pair<std::size_t, std::size_t>{0, 24}, {25, 49}})
            for (std::uint32_t slot = 0; slot < 3; ++slot)
                QCOMPARE(rows.weight(twins.first, slot), rows.weight(twins.second, slot));
        QVERIFY(document::revertChecked(doc, binding.edit).ok());
        QCOMPARE(doc.hash(), before);
    }

    void allJointsTakeWeightsWhereThatIsAskedFor() {
        document::DocumentState state = test::tubeDocument();
        // Along the upper arm, where both are the nearest.
        state.skins[0].inverseBinds[kRootSlot] =
            state.skins[0].inverseBinds[kRootSlot] * Eigen::Translation3d(-1, 0, 0);
        Document doc(state);
        doc.apply(document::bindByHeat(doc, kBoth, Takers::All).edit);
        double held = 0;
        for (std::size_t v = 0; v < doc.mesh(Tube::mesh).weights.vertexCount(); ++v)
            held += double(doc.mesh(Tube::mesh).weights.weight(v, kRootSlot));
        QVERIFY(held > 10);
    }

    void allTakeWeightsWhereNothingHoldsAnything() {
        document::DocumentState state = test::tubeDocument();
        for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v)
            state.meshes[0].weights.setRow(v, {});
        Document doc(state);
        doc.apply(document::bindByHeat(doc, kBoth, Takers::WhatHolds).edit);
        for (std::size_t v = 0; v < doc.mesh(Tube::mesh).weights.vertexCount(); ++v)
            QVERIFY(std::abs(sumOf(doc.mesh(Tube::mesh).weights.row(v)) - 1) < 1e-6);
    }

    void lockedJointsKeepTheirWeightsBitForBit() {
        document::DocumentState state = test::tubeDocument();
        state.locked[Tube::kLower] = 1;
        Document doc(state);
        const skin::SkinWeights before = doc.mesh(Tube::mesh).weights;
        doc.apply(document::bindByHeat(doc, kBoth, Takers::All).edit);
        const skin::SkinWeights& after = doc.mesh(Tube::mesh).weights;
        for (std::size_t v = 0; v < before.vertexCount(); ++v) {
            QCOMPARE(after.weight(v, kLowerSlot), before.weight(v, kLowerSlot));
            QVERIFY(std::abs(sumOf(after.row(v)) - 1) < 1e-6);
        }
    }

    void rowsThatLockedJointsHoldWhollyStayAsTheyAre() {
        document::DocumentState state = test::tubeDocument();
        state.locked[Tube::kLower] = state.locked[Tube::kUpper] = 1;
        // Floats that do not quite sum to one.
        for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v) {
            const float upper = 0.1f + 0.0007f * static_cast<float>(v % 1000);
            state.meshes[0].weights.setRow(v, skin::Row{{kUpperSlot, upper}, {kLowerSlot, 0.9999999f - upper}});
        }
        QVERIFY(document::bindByHeat(Document(state), kBoth, Takers::All).edit.empty());
    }

    // A row means the same slots in every skin of its mesh.
    void weightsFitEverySkinOfTheMesh() {
        document::DocumentState state = test::tubeDocument();
        document::Skin shorter = state.skins[0];
        shorter.joints.pop_back();
        shorter.inverseBinds.pop_back();
        state.skins.push_back(shorter);
        state.instances.push_back(state.instances[0]);
        state.instances.back().skin = SkinId(1);
        for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v)
            state.meshes[0].weights.setRow(v, skin::Row{{kUpperSlot, 1.0f}});
        Document doc(state);
        doc.apply(document::bindByHeat(doc, kBoth, Takers::All).edit);
        for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v)
            for (const skin::Influence& i : doc.mesh(Tube::mesh).weights.row(v))
                QVERIFY(i.slot < shorter.joints.size());
    }

    void lockedWeightsCountAmongThoseThatAreKept() {
        document::DocumentState state = test::tubeDocument();
        state.locked[Tube::kLower] = 1;
        for (const std::size_t most : {1, 2}) {
            Document doc(state);
            doc.apply(document::bindByHeat(doc, kBoth, Takers::All, {.mostInfluences = most}).edit);
            for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v) {
                QVERIFY(doc.mesh(Tube::mesh).weights.row(v).size() <= std::max<std::size_t>(most, 2));
                QCOMPARE(doc.mesh(Tube::mesh).weights.weight(v, kLowerSlot),
                         state.meshes[0].weights.weight(v, kLowerSlot));
            }
        }
        QCOMPARE(document::influencesKept(state.meshes[0].weights, 0), std::size_t(4));
        QCOMPARE(document::influencesKept(state.meshes[0].weights, 3), std::size_t(3));
        state.meshes[0].weights.setRow(0, skin::Row{{0, .2f}, {1, .2f}, {2, .2f}, {3, .2f}, {4, .2f}});
        QCOMPARE(document::influencesKept(state.meshes[0].weights, 0), std::size_t(5));
    }

    void nothingChangesWhereAllIsLocked() {
        document::DocumentState state = test::tubeDocument();
        state.locked.assign(4, 1);
        const HeatBinding binding = document::bindByHeat(Document(state), kBoth, Takers::All);
        QVERIFY(binding.edit.empty());
        QCOMPARE(binding.withoutBones, std::vector<MeshId>{Tube::mesh});
    }

    void piecesThatSeeNoBoneAreToldByMesh() {
        document::DocumentState state = test::tubeDocument();
        mesh::Mesh& m = state.meshes[0].geometry;
        for (Eigen::Vector3f& p : m.positions)
            p.x() += 6; // along its axis: nothing inward leads to a bone
        const HeatBinding binding = document::bindByHeat(Document(state), kBoth, Takers::All);
        QCOMPARE(binding.unseen.size(), std::size_t(1));
        QCOMPARE(binding.unseen[0].mesh, Tube::mesh);
        QCOMPARE(binding.unseen[0].vertices, m.vertexCount());
    }
};

QTEST_APPLESS_MAIN(TestBindIntents)

#include "test_bind_intents.moc"
