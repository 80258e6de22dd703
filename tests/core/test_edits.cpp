#include "core/document/intents.h"
#include "core/history/history.h"
#include "tests/support/edit_maker.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <array>

using namespace limber;
using namespace limber::document;
using test::EditMaker;
using test::kKinds;
using test::Tube;

namespace {

Document documentWithAShape() {
    Document doc(test::tubeDocument(8, 6));
    doc.apply(newCorrective(doc, Tube::mesh, "first", {})->edit);
    return doc;
}

} // namespace

class TestEdits : public QObject {
    Q_OBJECT

private slots:
    void aThousandRandomEditsRevertToTheFirstHashAndRedoTheSameOnes() {
        test::Random random(1000);
        Document doc = documentWithAShape();
        EditMaker maker(doc, random);
        std::vector<std::uint64_t> hashes{doc.hash()};
        std::vector<Edit> edits;
        std::array<int, kKinds> kinds{};
        for (std::size_t n = 0; n < 1000; ++n) {
            edits.push_back(maker.make(n % kKinds));
            for (const Patch& p : edits.back().patches)
                ++kinds[p.index()];
            doc.apply(edits.back());
            hashes.push_back(doc.hash());
            QVERIFY2(hashes[n] != hashes[n + 1], qPrintable(QString("edit of kind %1").arg(n % kKinds)));
        }
        for (const int count : kinds)
            QVERIFY(count > 50);
        for (std::size_t n = edits.size(); n-- > 0;) {
            doc.revert(edits[n]);
            QCOMPARE(doc.hash(), hashes[n]);
        }
        for (std::size_t n = 0; n < edits.size(); ++n) {
            doc.apply(edits[n]);
            QCOMPARE(doc.hash(), hashes[n + 1]);
        }
    }

    void everyPatchRevertsByItself_data() {
        QTest::addColumn<int>("kind");
        const char* names[kKinds] = {"pose",       "weights",       "skin joint",   "shape deltas", "shape",
                                     "properties", "drivers",       "shape weight", "lock",         "joint name",
                                     "normals",    "repaired rows", "skinning",     "painted map"};
        for (std::size_t k = 0; k < kKinds; ++k)
            QTest::newRow(names[k]) << int(k);
    }
    void everyPatchRevertsByItself() {
        QFETCH(int, kind);
        test::Random random(static_cast<unsigned>(kind) + 1);
        Document doc = documentWithAShape();
        EditMaker maker(doc, random);
        const std::uint64_t start = doc.hash();
        for (int n = 0; n < 20; ++n) {
            const Edit edit = maker.make(static_cast<std::size_t>(kind));
            QVERIFY(edit.bytes() > 0);
            QVERIFY(!doc.apply(edit).empty());
            QVERIFY(doc.hash() != start);
            QVERIFY(!doc.revert(edit).empty());
            QCOMPARE(doc.hash(), start);
        }
    }

    void anEditOfSeveralPatchesRevertsInReverseOrder() {
        Document doc = documentWithAShape();
        const std::uint64_t start = doc.hash();
        const ShapeId shape = doc.mesh(Tube::mesh).shapes[0].id;
        Edit edit{"two steps", {}};
        edit.patches.emplace_back(ShapeDeltasPatch{Tube::mesh, shape, {3}, {{0, 0, 0}}, {{1, 0, 0}}, {}});
        edit.patches.emplace_back(ShapeDeltasPatch{Tube::mesh, shape, {3}, {{1, 0, 0}}, {{2, 0, 0}}, {}});
        doc.apply(edit);
        QCOMPARE(doc.mesh(Tube::mesh).shapes[0].delta(3).x(), 2.0f);
        doc.revert(edit);
        QCOMPARE(doc.hash(), start);
    }

    void changeSetsNameWhatWasTouched() {
        Document doc(test::tubeDocument(8, 6));
        const JointId j(Tube::kLower);
        rig::Affine turned = rig::Affine::Identity();
        turned.rotate(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitZ()));
        const ChangeSet changes = doc.apply(setUserLocal(doc, j, turned, "Rotate lower"));
        QCOMPARE(changes.joints, std::vector<JointId>{j});
        QVERIFY(changes.meshes.empty());
    }

    void everyApplyAndRevertCountsAsARevision() {
        Document doc(test::tubeDocument(8, 6));
        const JointId j(Tube::kLower);
        const Edit edit = setLocked(doc, {&j, 1}, true);
        const auto before = doc.revision();
        doc.apply(edit);
        doc.revert(edit);
        QCOMPARE(doc.revision(), before + 2);
    }
};

QTEST_APPLESS_MAIN(TestEdits)
#include "test_edits.moc"
