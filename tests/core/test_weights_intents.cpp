// Edits of whole meshes' weights, and how far they move the surface.
#include "core/document/evaluator.h"
#include "core/document/surface_drift.h"
#include "core/document/weights_intents.h"
#include "tests/support/random.h"
#include "tests/support/row_sum.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using document::Document;
using document::Edit;
using test::sumOf;
using test::Tube;

namespace {

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// A tube whose rows are random and not normalised.
document::DocumentState untidyTube() {
    document::DocumentState state = test::tubeDocument();
    test::Random random(5);
    skin::SkinWeights& weights = state.meshes[0].weights;
    for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
        skin::Row row;
        for (std::uint32_t s = 0; s < 3; ++s)
            row.push_back({s, static_cast<float>(random.uniform(0.01, 1))});
        weights.setRow(v, row);
    }
    return state;
}

const std::vector<MeshId> kTube{Tube::mesh};

} // namespace

class TestWeightsIntents : public QObject {
    Q_OBJECT

private slots:
    void everyIntentNormalisesAndUndoes_data();
    void everyIntentNormalisesAndUndoes();
    void lockedJointsKeepTheirWeights();
    void aLockHoldsInEverySkinOfTheMesh();
    void pruningKeepsTheStrongest();
    void limitingKeepsTheStrongest();
    void smoothingKeepsSeamsClosedAndBareVerticesBare();
    void everyIntentAsksForRepairedRows();
    void smoothingAddsNoInfluencesBeyondThoseOfTheMesh();
    void driftIsWhatTheEvaluatorsSay();
};

void TestWeightsIntents::everyIntentNormalisesAndUndoes_data() {
    QTest::addColumn<int>("intent");
    QTest::newRow("normalise") << 0;
    QTest::newRow("prune") << 1;
    QTest::newRow("limit") << 2;
    QTest::newRow("smooth") << 3;
}

void TestWeightsIntents::everyIntentNormalisesAndUndoes() {
    QFETCH(int, intent);
    Document doc(untidyTube());
    const std::uint64_t before = doc.hash();
    const Edit edit = intent == 0   ? document::normalizeWeights(doc, kTube)
                      : intent == 1 ? document::pruneWeights(doc, kTube, 0.3)
                      : intent == 2 ? document::limitInfluences(doc, kTube, 2, document::Locks::Ignore)
                                    : document::smoothWeights(doc, kTube, 0.5, 2);
    QVERIFY(!edit.label.empty());
    doc.apply(edit);
    for (const document::Patch& patch : edit.patches)
        for (const std::uint32_t v : std::get<document::WeightsPatch>(patch).vertices)
            QVERIFY(std::abs(sumOf(doc.mesh(Tube::mesh).weights.row(v)) - 1) < 1e-6);
    const Edit again = intent == 0   ? document::normalizeWeights(doc, kTube)
                       : intent == 2 ? document::limitInfluences(doc, kTube, 2, document::Locks::Ignore)
                                     : Edit{};
    QVERIFY(again.empty());
    doc.revert(edit);
    QCOMPARE(doc.hash(), before);
}

void TestWeightsIntents::lockedJointsKeepTheirWeights() {
    document::DocumentState state = test::tubeDocument();
    state.locked[Tube::kUpper] = 1;
    for (std::size_t v = 0; v < state.meshes[0].weights.vertexCount(); ++v)
        state.meshes[0].weights.setRow(v, skin::Row{{0, 0.7f}, {1, 0.05f}, {2, 0.25f}});
    const Document doc(state);
    for (const Edit& edit :
         {document::pruneWeights(doc, kTube, 0.1), document::limitInfluences(doc, kTube, 2, document::Locks::Keep),
          document::smoothWeights(doc, kTube, 1, 1)}) {
        Document changed(state);
        changed.apply(edit);
        QCOMPARE(changed.mesh(Tube::mesh).weights.weight(0, 1), 0.05f);
    }
    Document cut(state);
    cut.apply(document::limitInfluences(doc, kTube, 2, document::Locks::Ignore));
    QCOMPARE(cut.mesh(Tube::mesh).weights.weight(0, 1), 0.0f);
}

void TestWeightsIntents::aLockHoldsInEverySkinOfTheMesh() {
    document::DocumentState state = untidyTube();
    document::Skin other = state.skins[0];
    other.joints[1] = JointId(Tube::kHelper);
    state.skins.push_back(other);
    state.instances.push_back(state.instances[0]);
    state.instances.back().skin = SkinId(1);
    state.locked[Tube::kHelper] = 1; // slot 1 in the second skin alone
    Document doc(std::move(state));
    const skin::SkinWeights before = doc.mesh(Tube::mesh).weights;
    const Edit edit = document::pruneWeights(doc, kTube, 0.99);
    QVERIFY(!edit.empty());
    doc.apply(edit);
    for (std::size_t v = 0; v < before.vertexCount(); ++v)
        QCOMPARE(doc.mesh(Tube::mesh).weights.weight(v, 1), before.weight(v, 1));
}

void TestWeightsIntents::pruningKeepsTheStrongest() {
    document::DocumentState state = test::tubeDocument();
    state.meshes[0].weights.setRow(0, skin::Row{{0, 0.05f}, {1, 0.6f}, {2, 0.35f}});
    Document doc(state);
    doc.apply(document::pruneWeights(doc, kTube, 0.1));
    QCOMPARE(doc.mesh(Tube::mesh).weights.row(0).size(), std::size_t(2));
    QVERIFY(std::abs(doc.mesh(Tube::mesh).weights.weight(0, 1) - 0.6f / 0.95f) < 1e-6f);
    doc.apply(document::pruneWeights(doc, kTube, 1));
    QCOMPARE(doc.mesh(Tube::mesh).weights.weight(0, 1), 1.0f);
}

void TestWeightsIntents::limitingKeepsTheStrongest() {
    document::DocumentState state = test::tubeDocument();
    state.meshes[0].weights.setRow(0, skin::Row{{0, 0.2f}, {1, 0.3f}, {2, 0.5f}});
    Document doc(state);
    doc.apply(document::limitInfluences(doc, kTube, 2, document::Locks::Ignore));
    QVERIFY(sameRow(doc.mesh(Tube::mesh).weights.row(0), skin::Row{{1, 0.375f}, {2, 0.625f}}));
}

void TestWeightsIntents::smoothingKeepsSeamsClosedAndBareVerticesBare() {
    document::DocumentState state = test::tubeDocument();
    state.meshes[0].weights.setRow(500, skin::Row{});
    Document doc(state);
    doc.apply(document::smoothWeights(doc, kTube, 0.5, 3));
    const document::MeshData& mesh = doc.mesh(Tube::mesh);
    QVERIFY(mesh.weights.row(500).empty());
    QVERIFY(!sameRow(mesh.weights.row(510), state.meshes[0].weights.row(510)));
    for (std::uint32_t p = 0; p < mesh.weld().pointCount(); ++p)
        for (const std::uint32_t v : mesh.weld().verticesOfPoint[p])
            QVERIFY(sameRow(mesh.weights.row(v), mesh.weights.row(mesh.weld().firstVertex(p))));
}

void TestWeightsIntents::everyIntentAsksForRepairedRows() {
    document::DocumentState state = test::tubeDocument();
    state.meshes[0].repairedRows = {3};
    Document doc(state);
    doc.apply(document::normalizeWeights(doc, kTube));
    QVERIFY(doc.mesh(Tube::mesh).writesRepairs);
    QVERIFY(document::normalizeWeights(doc, kTube).empty());
    for (const Edit& edit : {document::pruneWeights(Document(state), kTube, 0),
                             document::limitInfluences(Document(state), kTube, 100, document::Locks::Keep),
                             document::smoothWeights(Document(state), kTube, 0, 1),
                             document::replaceWeights(Document(state), Tube::mesh, state.meshes[0].weights, "Same")}) {
        Document other(state);
        other.apply(edit);
        QVERIFY(other.mesh(Tube::mesh).writesRepairs);
    }
}

void TestWeightsIntents::smoothingAddsNoInfluencesBeyondThoseOfTheMesh() {
    document::DocumentState state = test::tubeDocument();
    skin::SkinWeights& weights = state.meshes[0].weights;
    // Neighbours follow other joints: the mean of a few has more of them than one row.
    for (std::uint32_t v = 0; v < weights.vertexCount(); ++v)
        weights.setRow(v, skin::Row{{v % 3, 1.0f}});
    Document usual(state), two(state);
    usual.apply(document::smoothWeights(usual, kTube, 0.5, 4));
    two.apply(document::smoothWeights(two, kTube, 0.5, 4, 2));
    QCOMPARE(document::longestRow(usual.mesh(Tube::mesh).weights), std::size_t(3)); // less than the four of one set
    QCOMPARE(document::longestRow(two.mesh(Tube::mesh).weights), std::size_t(2));
    for (std::uint32_t v = 0; v < weights.vertexCount(); ++v)
        QVERIFY(std::abs(sumOf(two.mesh(Tube::mesh).weights.row(v)) - 1) < 1e-6);
}

void TestWeightsIntents::driftIsWhatTheEvaluatorsSay() {
    const document::DocumentState bent = test::tubeDocument(40, 24, 60);
    Document after(bent);
    after.apply(document::limitInfluences(after, kTube, 1, document::Locks::Ignore));
    const document::SurfaceDrift drift = document::measureDrift(bent, after.state());
    const Document before(bent);
    const document::Preview nothing;
    document::Evaluator a(before, nothing), b(after, nothing);
    double most = 0, sum = 0;
    const auto pa = a.positions(Tube::instance), pb = b.positions(Tube::instance);
    for (std::size_t v = 0; v < pa.size(); ++v) {
        most = std::max(most, (pa[v] - pb[v]).cast<double>().norm());
        sum += (pa[v] - pb[v]).cast<double>().norm();
    }
    QVERIFY(most > 0.05);
    QVERIFY(std::abs(drift.maximum - most) < 1e-9);
    QVERIFY(std::abs(drift.mean - sum / double(pa.size())) < 1e-9);
    QVERIFY(std::abs((pa[drift.vertex] - pb[drift.vertex]).cast<double>().norm() - most) < 1e-9);
    QCOMPARE(drift.clips, std::size_t(0));

    // A clip that stays at bind until it bends at its end.
    document::DocumentState clipped = test::tubeDocument();
    rig::Channel channel;
    channel.joint = JointId(Tube::kLower);
    channel.times = {0, 1};
    channel.values = {0, 0, 0, 1, 0, 0, float(std::sin(M_PI / 6)), float(std::cos(M_PI / 6))};
    clipped.clips.push_back({"bend", 1, {channel}});
    Document cut(clipped);
    cut.apply(document::limitInfluences(cut, kTube, 1, document::Locks::Ignore));
    const document::SurfaceDrift inClip = document::measureDrift(clipped, cut.state());
    QCOMPARE(inClip.times, std::size_t(2));
    QCOMPARE(inClip.time, 1.0);
    QVERIFY(std::abs(inClip.maximum - most) < 1e-5);
    QVERIFY(std::abs(inClip.mean - drift.mean / 2) < 1e-5);
}

QTEST_APPLESS_MAIN(TestWeightsIntents)
#include "test_weights_intents.moc"
