#include "core/document/map_stroke.h"
#include "core/document/skinning_intents.h"
#include "tests/support/editing.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using skin::Method;
using skin::PaintedMap;
using test::Editing;
using test::Tube;

namespace {

using Mode = PaintSettings::Mode;

BrushDab dabAt(double x, double strength = 0.5, double radius = 0.4) {
    BrushDab dab;
    dab.center = {x, 0, Tube::kRadius};
    dab.strength = strength;
    dab.radius = radius;
    return dab;
}

MapOutcome paintWith(Editing& e, const MapSettings& settings, const std::vector<BrushDab>& dabs,
                     std::vector<InstanceId> leftOut = {}) {
    MapStroke s(e.doc, e.evaluator, e.preview, settings, std::move(leftOut));
    for (const BrushDab& dab : dabs)
        e.follow(s.dab(dab));
    const MapOutcome outcome = s.outcome();
    e.commit("Paint");
    return outcome;
}

const std::vector<float>& shareOf(const Editing& e) {
    return e.doc.mesh(Tube::mesh).map(PaintedMap::MethodShare);
}

float least(const std::vector<float>& map) {
    return map.empty() ? 1.0f : *std::min_element(map.begin(), map.end());
}

} // namespace

class TestMapStroke : public QObject {
    Q_OBJECT
private slots:
    void goingOverAPlaceTwiceIsGoingOverItOnce() {
        Editing once(test::tubeDocument()), twice(test::tubeDocument());
        const MapSettings settings{PaintedMap::MethodShare, Mode::Subtract, 1};
        QVERIFY(paintWith(once, settings, {dabAt(1)}).changed > 0);
        paintWith(twice, settings, {dabAt(1), dabAt(1, 0.3), dabAt(1)});
        QVERIFY(shareOf(once) == shareOf(twice));
        QVERIFY(std::abs(least(shareOf(once)) - 0.5f) < 0.05f);
    }

    void valuesStayBetweenNoneAndAll() {
        Editing e(test::tubeDocument());
        for (int k = 0; k < 5; ++k)
            paintWith(e, {PaintedMap::MethodShare, Mode::Subtract, 1}, {dabAt(1, 0.8)});
        QVERIFY(least(shareOf(e)) >= 0.0f && least(shareOf(e)) < 0.01f);
        for (int k = 0; k < 40; ++k)
            paintWith(e, {PaintedMap::MethodShare, Mode::Add, 1}, {dabAt(1, 1, 2)});
        QVERIFY(std::ranges::all_of(shareOf(e), [](float value) { return value <= 1.0f; }));
    }

    void replaceReachesItsValueAndSmoothEvensOut() {
        Editing e(test::tubeDocument());
        paintWith(e, {PaintedMap::MethodShare, Mode::Replace, 0.25}, {dabAt(1, 1)});
        QVERIFY(std::abs(least(shareOf(e)) - 0.25f) < 0.05f);
        const float before = least(shareOf(e));
        paintWith(e, {PaintedMap::MethodShare, Mode::Smooth, 1}, {dabAt(1), dabAt(1), dabAt(1)});
        QVERIFY(least(shareOf(e)) > before);
    }

    void verticesOfASeamAreOnePoint() {
        Editing e(test::tubeDocument());
        // The seam is where the first and the last column of the tube stand: at y = radius.
        BrushDab dab = dabAt(1, 0.7);
        dab.center = {1, Tube::kRadius, 0};
        dab.viewDirection = -Eigen::Vector3d::UnitY();
        paintWith(e, {PaintedMap::MethodShare, Mode::Subtract, 1}, {dab});
        const mesh::Weld& weld = e.doc.mesh(Tube::mesh).weld();
        std::size_t doubled = 0;
        for (std::uint32_t p = 0; p < weld.pointCount(); ++p)
            for (const std::uint32_t v : weld.verticesOfPoint[p]) {
                QCOMPARE(shareOf(e)[v], shareOf(e)[weld.firstVertex(p)]);
                doubled += v != weld.firstVertex(p) && shareOf(e)[v] < 1;
            }
        QVERIFY(doubled > 0);
    }

    void whatIsLeftOutAndRigidMeshesStay() {
        Editing e(test::tubeDocument());
        const std::uint64_t before = e.doc.hash();
        const MapSettings settings{PaintedMap::MushShare, Mode::Subtract, 1};
        QCOMPARE(paintWith(e, settings, {dabAt(1, 1, 9)}, {Tube::instance}).reached, std::size_t(0));
        QCOMPARE(e.doc.hash(), before);
        paintWith(e, settings, {dabAt(1, 1, 9)});
        QVERIFY(e.doc.mesh(Tube::plate).map(PaintedMap::MushShare).empty());
        e.undo();
        QCOMPARE(e.doc.hash(), before);
    }

    void intentsAreEmptyWhereNothingChanges() {
        Editing e(test::tubeDocument());
        QVERIFY(setSkinning(e.doc, Tube::mesh, {}).empty());
        QVERIFY(fillPaintedMap(e.doc, Tube::mesh, PaintedMap::MethodShare, 1).empty());
        const std::uint64_t before = e.doc.hash();
        e.perform(fillPaintedMap(e.doc, Tube::mesh, PaintedMap::MethodShare, 0.5f));
        QCOMPARE(shareOf(e).size(), e.doc.mesh(Tube::mesh).geometry.vertexCount());
        e.perform(fillPaintedMap(e.doc, Tube::mesh, PaintedMap::MethodShare, 1));
        QCOMPARE(e.doc.hash(), before);
    }

    // A file may have less than what can be chosen.
    void aMethodAloneLeavesDeltaMushAsItWas() {
        DocumentState state = test::tubeDocument();
        state.meshes[Tube::mesh.index()].skinning.mush.lambda = 0.005;
        Editing e(std::move(state));
        e.perform(setSkinning(e.doc, Tube::mesh, {Method::Spherical, {false, 10, 0.005}}));
        QCOMPARE(e.doc.mesh(Tube::mesh).skinning.mush.lambda, 0.005);
    }

    void skinningIsKeptWithinItsRange() {
        Editing e(test::tubeDocument());
        e.perform(setSkinning(e.doc, Tube::mesh, {Method::Spherical, {true, 100000, -3}}));
        const skin::Skinning& now = e.doc.mesh(Tube::mesh).skinning;
        QCOMPARE(now.mush.iterations, skin::kMaxMushIterations);
        QCOMPARE(now.mush.lambda, kLeastMushLambda);
        QVERIFY(!hasEffect(PaintedMap::MethodShare, {}) && !hasEffect(PaintedMap::MushShare, {}));
        QVERIFY(hasEffect(PaintedMap::MethodShare, now) && hasEffect(PaintedMap::MushShare, now));
    }
};

QTEST_APPLESS_MAIN(TestMapStroke)
#include "test_map_stroke.moc"
