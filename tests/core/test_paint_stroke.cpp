#include "core/document/brush_points.h"
#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/warm_up.h"
#include "core/stroke/stroke.h"
#include "tests/support/editing.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Tube;

namespace {

using Mode = PaintSettings::Mode;

// On the side of the tube that looks along +z, seen from there.
BrushDab dabAt(double x, double strength = 0.5, double radius = 0.4) {
    BrushDab dab;
    dab.center = {x, 0, Tube::kRadius};
    dab.strength = strength;
    dab.radius = radius;
    return dab;
}

PaintSettings paint(Mode mode, std::size_t joint, double value = 1) {
    PaintSettings s;
    s.mode = mode;
    s.joint = JointId(joint);
    s.value = value;
    return s;
}

// One whole stroke, as the tool does it.
PaintOutcome paintWith(Editing& e, const PaintSettings& settings, const std::vector<BrushDab>& dabs,
                       std::vector<InstanceId> hidden = {}) {
    PaintStroke s(e.doc, e.evaluator, e.preview, settings, std::move(hidden));
    for (const BrushDab& dab : dabs)
        e.follow(s.dab(dab));
    const PaintOutcome outcome = s.outcome();
    e.commit("Paint");
    return outcome;
}

std::uint32_t vertexAt(const Editing& e, double x) {
    const auto& positions = e.doc.mesh(Tube::mesh).geometry.positions;
    std::uint32_t best = 0;
    const Eigen::Vector3f wanted(static_cast<float>(x), 0, static_cast<float>(Tube::kRadius));
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        if ((positions[v] - wanted).norm() < (positions[best] - wanted).norm())
            best = v;
    return best;
}

bool rowsAreValid(const MeshData& mesh) {
    for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
        double sum = 0;
        const auto row = mesh.weights.row(v);
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (!(row[k].weight >= 0) || !std::isfinite(row[k].weight) || (k && row[k - 1].slot >= row[k].slot))
                return false;
            sum += row[k].weight;
        }
        if (std::abs(sum - 1) > 1e-6)
            return false;
    }
    return true;
}

bool seamsAreClosed(const MeshData& mesh) {
    for (std::uint32_t p = 0; p < mesh.weld().pointCount(); ++p) {
        const auto first = mesh.weights.row(mesh.weld().firstVertex(p));
        for (const std::uint32_t v : mesh.weld().verticesOfPoint[p]) {
            const auto row = mesh.weights.row(v);
            if (!std::equal(row.begin(), row.end(), first.begin(), first.end()))
                return false;
        }
    }
    return true;
}

std::vector<BrushDab> dabsAlong(const std::vector<Eigen::Vector2d>& events) {
    stroke::DabSpacer spacer(0.04);
    std::vector<BrushDab> dabs;
    for (const Eigen::Vector2d& e : events)
        for (const stroke::Dab& d : spacer.moveTo(e))
            dabs.push_back(dabAt(d.pixel.x(), 0.5 * d.pressure));
    return dabs;
}

} // namespace

class TestPaintStroke : public QObject {
    Q_OBJECT

private slots:
    void addingRaisesTheWeightUnderTheBrushAndTakesItFromTheOthers() {
        Editing e(test::tubeDocument());
        const std::uint32_t v = vertexAt(e, 1);
        paintWith(e, paint(Mode::Add, Tube::kLower), {dabAt(1, 0.3)});
        QVERIFY(std::abs(e.doc.mesh(Tube::mesh).weights.weight(v, 2) - 0.3) < 1e-3);
        QVERIFY(std::abs(e.doc.mesh(Tube::mesh).weights.weight(v, 1) - 0.7) < 1e-3);
        QVERIFY(rowsAreValid(e.doc.mesh(Tube::mesh)));
    }

    void brushesReachTheirTarget_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("expected");
        QTest::newRow("subtract") << int(Mode::Subtract) << 1.0 << 0.0;
        QTest::newRow("replace") << int(Mode::Replace) << 0.25 << 0.25;
        QTest::newRow("add") << int(Mode::Add) << 1.0 << 1.0;
    }
    void brushesReachTheirTarget() {
        QFETCH(int, mode);
        QFETCH(double, value);
        QFETCH(double, expected);
        Editing e(test::tubeDocument());
        BrushDab dab = dabAt(2, 1);
        dab.falloff = stroke::Falloff::Constant;
        const auto outcome = paintWith(e, paint(static_cast<Mode>(mode), Tube::kLower, value), {dab});
        QVERIFY(outcome.touched > 10);
        QVERIFY(std::abs(e.doc.mesh(Tube::mesh).weights.weight(vertexAt(e, 2), 2) - expected) < 1e-6);
        QVERIFY(rowsAreValid(e.doc.mesh(Tube::mesh)));
    }

    void dabsOfOneStrokeDoNotAccumulate() {
        Editing once(test::tubeDocument()), often(test::tubeDocument());
        paintWith(once, paint(Mode::Add, Tube::kLower), {dabAt(1, 0.2)});
        paintWith(often, paint(Mode::Add, Tube::kLower), std::vector<BrushDab>(7, dabAt(1, 0.2)));
        QCOMPARE(once.doc.hash(), often.doc.hash());
        paintWith(often, paint(Mode::Add, Tube::kLower), {dabAt(1, 0.2)});
        QVERIFY(once.doc.hash() != often.doc.hash());
    }

    void coarseAndFineEventStreamsPaintTheSame() {
        Editing coarse(test::tubeDocument()), fine(test::tubeDocument());
        std::vector<Eigen::Vector2d> many;
        for (int k = 0; k <= 100; ++k)
            many.emplace_back(0.5 + 0.03 * k, 0);
        paintWith(coarse, paint(Mode::Add, Tube::kLower), dabsAlong({many.front(), many.back()}));
        paintWith(fine, paint(Mode::Add, Tube::kLower), dabsAlong(many));
        const MeshData &a = coarse.doc.mesh(Tube::mesh), &b = fine.doc.mesh(Tube::mesh);
        for (std::size_t v = 0; v < a.weights.vertexCount(); ++v)
            QVERIFY(std::abs(a.weights.weight(v, 2) - b.weights.weight(v, 2)) < 1e-6);
    }

    void randomPaintingKeepsRowsValidSeamsClosedAndLockedWeightsBitForBit() {
        test::Random random(5);
        Editing e(test::tubeDocument(30, 16, 60));
        for (int n = 0; n < 60; ++n) {
            for (std::size_t j = 0; j < 4; ++j) {
                const JointId id(j);
                e.perform(setLocked(e.doc, {&id, 1}, random.index(4) == 0));
            }
            const skin::SkinWeights before = e.doc.mesh(Tube::mesh).weights;
            PaintSettings s = paint(static_cast<Mode>(random.index(4)), random.index(4), random.uniform(0, 1));
            s.maxInfluences = random.index(2) ? 4 : 0;
            std::vector<BrushDab> dabs;
            for (int k = 0; k < 5; ++k) {
                dabs.push_back(dabAt(random.uniform(0, 4), random.uniform(0, 1), random.uniform(0.2, 1)));
                dabs.back().frontFacesOnly = false;
            }
            paintWith(e, s, dabs);
            QVERIFY(rowsAreValid(e.doc.mesh(Tube::mesh)));
            QVERIFY(seamsAreClosed(e.doc.mesh(Tube::mesh)));
            const Skin& skin = e.doc.skin(Tube::skin);
            for (std::uint32_t slot = 0; slot < skin.joints.size(); ++slot)
                if (e.doc.state().locked[skin.joints[slot].index()])
                    for (std::size_t v = 0; v < before.vertexCount(); ++v)
                        QCOMPARE(e.doc.mesh(Tube::mesh).weights.weight(v, slot), before.weight(v, slot));
        }
        while (e.history.canUndo())
            e.undo();
        QCOMPARE(e.doc.hash(), Document(test::tubeDocument(30, 16, 60)).hash());
    }

    void paintingALockedJointIsRejectedAndSaidSo() {
        Editing e(test::tubeDocument());
        const JointId lower(Tube::kLower);
        e.perform(setLocked(e.doc, {&lower, 1}, true));
        const std::uint64_t hash = e.doc.hash();
        const auto outcome = paintWith(e, paint(Mode::Add, Tube::kLower), {dabAt(2)});
        QVERIFY(outcome.rejected > 0);
        QCOMPARE(outcome.touched, std::size_t(0));
        QCOMPARE(e.doc.hash(), hash);
    }

    void aJointThatTheSkinLacksIsAddedByItsFirstPainting() {
        Editing e(test::tubeDocument());
        const std::uint64_t hash = e.doc.hash();
        const auto bind = e.positions(Tube::instance);
        paintWith(e, paint(Mode::Add, Tube::kHelper), {dabAt(1), dabAt(1.2)});
        const Skin& skin = e.doc.skin(Tube::skin);
        QCOMPARE(skin.joints.size(), std::size_t(4));
        QCOMPARE(skin.joints.back(), JointId(Tube::kHelper));
        QVERIFY(e.doc.mesh(Tube::mesh).weights.weight(vertexAt(e, 1), 3) > 0.4f);
        QVERIFY(e.doc.skeleton()[JointId(Tube::kHelper)].deforms);
        QVERIFY(test::largestDistance(e.positions(Tube::instance), bind) < 1e-5f); // at bind nothing moves
        e.undo();
        QCOMPARE(e.doc.hash(), hash);
        QVERIFY(!e.doc.skeleton()[JointId(Tube::kHelper)].deforms);
    }

    void aLockedJointThatTheSkinLacksIsNotAdded() {
        Editing e(test::tubeDocument());
        const JointId helper(Tube::kHelper);
        e.perform(setLocked(e.doc, {&helper, 1}, true));
        const auto outcome = paintWith(e, paint(Mode::Add, Tube::kHelper), {dabAt(1)});
        QVERIFY(outcome.rejected > 0);
        QCOMPARE(e.doc.skin(Tube::skin).joints.size(), std::size_t(3));
    }

    void withoutAJointOnlySmoothPaints() {
        Editing e(test::tubeDocument());
        PaintSettings s;
        QCOMPARE(paintWith(e, s, {dabAt(2)}).touched, std::size_t(0));
        s.mode = Mode::Smooth;
        QVERIFY(paintWith(e, s, {dabAt(2)}).touched > 0);
    }

    void subtractingAJointThatTheSkinLacksDoesNothing() {
        Editing e(test::tubeDocument());
        paintWith(e, paint(Mode::Subtract, Tube::kHelper), {dabAt(1)});
        QVERIFY(!e.history.canUndo());
        QCOMPARE(e.doc.skin(Tube::skin).joints.size(), std::size_t(3));
    }

    void weightThatAJointGivesUpGoesToItsParent() {
        Editing e(test::tubeDocument());
        BrushDab dab = dabAt(3.5, 1);
        dab.falloff = stroke::Falloff::Constant;
        paintWith(e, paint(Mode::Subtract, Tube::kLower), {dab});
        QCOMPARE(e.doc.mesh(Tube::mesh).weights.weight(vertexAt(e, 3.5), 1), 1.0f);
    }

    void smoothingBringsNeighboursNearerAndAccumulates() {
        Editing e(test::tubeDocument(40, 24));
        BrushDab dab = dabAt(1, 1, 0.15);
        dab.falloff = stroke::Falloff::Constant;
        paintWith(e, paint(Mode::Replace, Tube::kLower), {dab});
        const auto jump = [&] {
            return std::abs(e.doc.mesh(Tube::mesh).weights.weight(vertexAt(e, 1.1), 2) -
                            e.doc.mesh(Tube::mesh).weights.weight(vertexAt(e, 1.2), 2));
        };
        const float sharp = jump();
        paintWith(e, paint(Mode::Smooth, Tube::kLower), {dabAt(1.1, 1)});
        const float once = jump();
        paintWith(e, paint(Mode::Smooth, Tube::kLower), std::vector<BrushDab>(5, dabAt(1.1, 1)));
        QVERIFY(once < 0.9f * sharp);
        QVERIFY(jump() < 0.9f * once);
        QVERIFY(rowsAreValid(e.doc.mesh(Tube::mesh)));
        QVERIFY(seamsAreClosed(e.doc.mesh(Tube::mesh)));
    }

    void theFarSideIsLeftAloneUnlessAskedFor() {
        for (const bool frontOnly : {true, false}) {
            Editing e(test::tubeDocument());
            BrushDab dab = dabAt(1, 1, 3);
            dab.falloff = stroke::Falloff::Constant;
            dab.frontFacesOnly = frontOnly;
            paintWith(e, paint(Mode::Replace, Tube::kLower), {dab});
            bool farSideTouched = false;
            const MeshData& mesh = e.doc.mesh(Tube::mesh);
            for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v)
                if (mesh.geometry.positions[v].z() < -0.2f && mesh.geometry.positions[v].x() < 1)
                    farSideTouched |= mesh.weights.weight(v, 2) > 0;
            QCOMPARE(farSideTouched, !frontOnly);
        }
    }

    // Some exporters turn the points and forget the normals.
    void theFacesTellTheFarSideWhereNormalsAreWrong_data() {
        QTest::addColumn<bool>("insideOut");
        QTest::newRow("as wound") << false;
        QTest::newRow("wound the other way") << true;
    }
    void theFacesTellTheFarSideWhereNormalsAreWrong() {
        QFETCH(bool, insideOut);
        DocumentState state = test::tubeDocument();
        mesh::Mesh& g = state.meshes[Tube::mesh.index()].geometry;
        for (Eigen::Vector3f& n : g.normals)
            n = {n.x(), -n.z(), n.y()};
        for (std::size_t k = 0; insideOut && k < g.triangles.size(); k += 3)
            std::swap(g.triangles[k], g.triangles[k + 1]);
        Editing e(std::move(state));
        BrushDab dab = dabAt(1, 1, 3);
        dab.falloff = stroke::Falloff::Constant;
        dab.seesBack = insideOut;
        paintWith(e, paint(Mode::Replace, Tube::kLower), {dab, dab});
        const MeshData& mesh = e.doc.mesh(Tube::mesh);
        for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
            const Eigen::Vector3f& p = mesh.geometry.positions[v];
            if (p.x() < 1 && std::abs(p.z()) > 0.2f)
                QCOMPARE(mesh.weights.weight(v, 2) > 0.9f, p.z() > 0);
        }
    }

    void hiddenInstancesAndRigidMeshesAreLeftAlone() {
        Editing e(test::tubeDocument());
        paintWith(e, paint(Mode::Add, Tube::kLower), {dabAt(1)}, {Tube::instance});
        BrushDab onThePlate = dabAt(2.7);
        onThePlate.center = {2.7, 0.2, 1};
        onThePlate.radius = 0.2;
        onThePlate.frontFacesOnly = false;
        paintWith(e, paint(Mode::Add, Tube::kLower), {onThePlate});
        QVERIFY(!e.history.canUndo());
    }

    void theMeshFollowsTheBrushAndTheCommittedStrokeIsWhatWasSeen() {
        Editing e(test::tubeDocument(40, 24, 90));
        const auto before = e.positions(Tube::instance);
        PaintStroke s(e.doc, e.evaluator, e.preview, paint(Mode::Add, Tube::kLower));
        for (const double x : {1.0, 1.2, 1.4})
            e.follow(s.dab(dabAt(x)));
        const auto seen = e.positions(Tube::instance);
        QVERIFY(test::largestDistance(seen, before) > 0.1f);
        QVERIFY(test::largestDistance(seen, e.freshPositions(Tube::instance)) < 1e-6f);
        e.commit("Paint");
        QVERIFY(test::largestDistance(seen, e.positions(Tube::instance)) < 1e-6f);
        e.undo();
        QVERIFY(test::largestDistance(before, e.positions(Tube::instance)) < 1e-6f);
    }

    void aCancelledStrokeLeavesTheDocumentAsItWas() {
        Editing e(test::tubeDocument());
        const std::uint64_t hash = e.doc.hash();
        const auto before = e.positions(Tube::instance);
        PaintStroke s(e.doc, e.evaluator, e.preview, paint(Mode::Add, Tube::kHelper));
        e.follow(s.dab(dabAt(1)));
        e.follow(e.preview.clear());
        QCOMPARE(e.doc.hash(), hash);
        QVERIFY(test::largestDistance(before, e.positions(Tube::instance)) < 1e-7f);
    }

    // The grid against a look at every point, on a bent tube whose points move far from where the grid found them.
    void aLargeMeshIsSearchedAsASmallOne() {
        test::Random random(11);
        Editing e(test::tubeDocument(300, 100, 80));
        QVERIFY(e.positions(Tube::instance).size() > BrushPoints::kGridVertices);
        BrushPoints brush(e.doc, e.evaluator, e.preview);
        PaintStroke painter(e.doc, e.evaluator, e.preview, paint(Mode::Replace, Tube::kRoot));
        std::vector<BrushPoint> expected;
        std::size_t reached = 0;
        for (int n = 0; n < 60; ++n) {
            const auto positions = e.positions(Tube::instance);
            BrushDab dab;
            dab.center = positions[random.index(positions.size())].cast<double>() + 0.1 * random.vector();
            dab.radius = random.uniform(0.01, n % 10 == 0 ? 4 : 0.6);
            dab.strength = random.uniform(0, 1);
            dab.frontFacesOnly = random.index(2) == 0;
            const auto found = brush.under(Tube::instance, dab);
            pointsUnder(dab, e.doc.mesh(Tube::mesh), e.evaluator.positions(Tube::instance),
                        e.evaluator.normals(Tube::instance), expected);
            reached += expected.size();
            QVERIFY(std::equal(
                found.begin(), found.end(), expected.begin(), expected.end(),
                [](const BrushPoint& a, const BrushPoint& b) { return a.point == b.point && a.falloff == b.falloff; }));
            if (n % 7 == 6) { // the pose is another one now
                rig::Affine turned = rig::Affine::Identity();
                turned.rotate(Eigen::AngleAxisd(random.uniform(-1, 1), Eigen::Vector3d::UnitZ()));
                e.follow(e.preview.setJoint(JointId(Tube::kLower), turned));
                continue;
            }
            const ChangeSet& changes = painter.dab(dab);
            e.follow(changes);
            if (!changes.meshes.empty())
                brush.changed(Tube::mesh, changes.meshes[0].weightVertices);
        }
        QVERIFY(reached > 10'000);
    }

    void theWeldMadeBesideIsTheOneTheBrushFinds() {
        Editing e(test::tubeDocument(300, 100));
        WarmUp warmUp(e.doc);
        paintWith(e, paint(Mode::Add, Tube::kLower), {dabAt(1)}); // edits while the thread may be at work
        warmUp.wait();
        const mesh::Mesh& geometry = e.doc.mesh(Tube::mesh).geometry;
        const mesh::Weld expected = mesh::weld(geometry.positions, geometry.triangles);
        QVERIFY(e.doc.mesh(Tube::mesh).weld().pointOfVertex == expected.pointOfVertex);
        QVERIFY(e.doc.mesh(Tube::mesh).weld().neighbours.items == expected.neighbours.items);
    }

    void influencesStayWithinTheLimit() {
        Editing e(test::tubeDocument());
        PaintSettings s = paint(Mode::Add, Tube::kRoot);
        s.maxInfluences = 2;
        std::vector<BrushDab> dabs;
        for (double x = 0.5; x < 3.5; x += 0.1)
            dabs.push_back(dabAt(x, 0.2));
        paintWith(e, s, dabs);
        QCOMPARE(e.doc.mesh(Tube::mesh).weights.maxInfluences(), std::size_t(2));
        QVERIFY(rowsAreValid(e.doc.mesh(Tube::mesh)));
    }
};

QTEST_APPLESS_MAIN(TestPaintStroke)
#include "test_paint_stroke.moc"
