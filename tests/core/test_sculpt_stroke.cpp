#include "core/document/intents.h"
#include "core/document/sculpt_stroke.h"
#include "tests/support/editing.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Tube;

namespace {

using Mode = SculptSettings::Mode;

BrushDab dabAt(const Eigen::Vector3f& center, double radius = 0.5, double strength = 0.5) {
    BrushDab dab;
    dab.center = center.cast<double>();
    dab.radius = radius;
    dab.strength = strength;
    return dab;
}

// A vertex at the elbow, on the side that looks along +z.
constexpr std::size_t kElbowVertex = 20 * 25 + 6;

ShapeId addShape(Editing& e, MeshId mesh, const std::vector<JointId>& joints, const char* name = "fix") {
    NewCorrective made = newCorrective(e.doc, mesh, name, joints).value();
    e.perform(std::move(made.edit));
    return made.shape;
}

struct Sculpt {
    Editing& e;
    SculptStroke stroke;

    Sculpt(Editing& editing, Mode mode, MeshId mesh, ShapeId shape)
        : e(editing), stroke(e.doc, e.evaluator, e.preview, {mode}, {{mesh, shape}}) {}
    void dab(const BrushDab& d) { e.follow(stroke.dab(d)); }
};

} // namespace

class TestSculptStroke : public QObject {
    Q_OBJECT

private slots:
    void grabMovesWhatItHoldsByTheMotion_data() {
        QTest::addColumn<double>("bend");
        QTest::addColumn<bool>("driven");
        QTest::newRow("at bind, by slider") << 0.0 << false;
        QTest::newRow("bent, by slider") << 70.0 << false;
        QTest::newRow("bent, driven") << 70.0 << true;
        QTest::newRow("bent far, driven") << 110.0 << true;
    }
    void grabMovesWhatItHoldsByTheMotion() {
        QFETCH(double, bend);
        QFETCH(bool, driven);
        Editing e(test::tubeDocument(40, 24, bend));
        const ShapeId shape =
            addShape(e, Tube::mesh, driven ? std::vector{JointId(Tube::kLower)} : std::vector<JointId>{});
        const auto x = e.positions(Tube::instance);
        Sculpt s(e, Mode::Grab, Tube::mesh, shape);
        BrushDab dab = dabAt(x[kElbowVertex]);
        s.dab(dab);
        QVERIFY(test::largestDistance(x, e.positions(Tube::instance)) < 1e-6f);
        for (const double part : {0.3, 0.7, 1.0}) {
            dab.motion = part * Eigen::Vector3d(0.05, 0.1, 0.2);
            s.dab(dab);
        }
        const auto y = e.positions(Tube::instance);
        std::size_t moved = 0;
        for (std::size_t v = 0; v < x.size(); ++v) {
            const double r = (x[v].cast<double>() - dab.center).norm() / dab.radius;
            const double f = e.evaluator.normals(Tube::instance)[v].z() != 0 ? stroke::falloff(dab.falloff, r) : 0;
            if ((y[v] - x[v]).norm() < 1e-6f)
                continue;
            ++moved;
            QVERIFY(((y[v] - x[v]).cast<double>() - f * dab.motion).norm() < 2e-6);
        }
        QVERIFY(moved > 20);
        QVERIFY(((y[kElbowVertex] - x[kElbowVertex]).cast<double>() - dab.motion).norm() < 2e-6);
        QCOMPARE(s.stroke.unreachable(), std::size_t(0));
    }

    void theCommittedStrokeIsWhatWasSeenAndUndoRestoresTheHash() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::mesh, {JointId(Tube::kLower)});
        const std::uint64_t hash = e.doc.hash();
        const auto before = e.positions(Tube::instance);
        for (const Mode mode : {Mode::Grab, Mode::Smooth, Mode::Inflate}) {
            Sculpt s(e, mode, Tube::mesh, shape);
            BrushDab dab = dabAt(e.positions(Tube::instance)[kElbowVertex]);
            for (int k = 0; k < 5; ++k) {
                dab.motion.z() = 0.02 * k;
                s.dab(dab);
            }
            const auto seen = e.positions(Tube::instance);
            QVERIFY(test::largestDistance(seen, e.freshPositions(Tube::instance)) < 1e-6f);
            e.commit("Sculpt");
            QVERIFY(test::largestDistance(seen, e.positions(Tube::instance)) < 2e-6f);
            QVERIFY(test::largestDistance(seen, before) > 1e-3f);
        }
        QCOMPARE(e.history.cursor(), std::size_t(4)); // the new corrective and one step a stroke
        for (int k = 0; k < 3; ++k)
            e.undo();
        QCOMPARE(e.doc.hash(), hash);
        QVERIFY(test::largestDistance(before, e.positions(Tube::instance)) < 1e-6f);
    }

    void aDrivenStrokeIsGoneAtBindAndBackAtItsPose() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::mesh, {JointId(Tube::kLower)});
        Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
        s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex]));
        e.commit("Inflate");
        const auto sculpted = e.positions(Tube::instance);
        const JointId lower(Tube::kLower);
        e.perform(resetPose(e.doc, {&lower, 1}, PoseTarget::Bind));
        const auto& rest = e.doc.mesh(Tube::mesh).geometry.positions;
        QVERIFY(test::largestDistance(e.positions(Tube::instance), rest) < 1e-5f);
        e.perform(goToShapePose(e.doc, Tube::mesh, shape));
        QVERIFY(test::largestDistance(e.positions(Tube::instance), sculpted) < 1e-5f);
    }

    void otherActiveShapesAreSubtracted() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId first = addShape(e, Tube::mesh, {}, "first");
        {
            Sculpt s(e, Mode::Inflate, Tube::mesh, first);
            s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex]));
        }
        e.commit("first");
        e.perform(setShapeWeight(e.doc, Tube::instance, first, 0.5));
        const ShapeId second = addShape(e, Tube::mesh, {JointId(Tube::kLower)}, "second");
        const auto x = e.positions(Tube::instance);
        const shape::Shape kept = *e.doc.mesh(Tube::mesh).findShape(first);
        Sculpt s(e, Mode::Grab, Tube::mesh, second);
        BrushDab dab = dabAt(x[kElbowVertex]);
        s.dab(dab);
        dab.motion = {0, 0, 0.25};
        s.dab(dab);
        e.commit("second");
        QVERIFY(std::abs(e.positions(Tube::instance)[kElbowVertex].z() - x[kElbowVertex].z() - 0.25f) < 2e-6f);
        QVERIFY(e.doc.mesh(Tube::mesh).findShape(first)->deltas == kept.deltas);
    }

    void aShapeAtPartOfItsWeightIsSculptedToTheSamePlace() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::mesh, {});
        e.perform(setShapeWeight(e.doc, Tube::instance, shape, 0.4));
        const auto x = e.positions(Tube::instance);
        Sculpt s(e, Mode::Grab, Tube::mesh, shape);
        BrushDab dab = dabAt(x[kElbowVertex]);
        s.dab(dab);
        dab.motion = {0.1, 0, 0.1};
        s.dab(dab);
        const Eigen::Vector3f moved = e.positions(Tube::instance)[kElbowVertex] - x[kElbowVertex];
        QVERIFY((moved.cast<double>() - dab.motion).norm() < 2e-6);
    }

    void aShapeWithoutWeightIsNotSculpted() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::mesh, {JointId(Tube::kLower)});
        const JointId lower(Tube::kLower);
        e.perform(resetPose(e.doc, {&lower, 1}, PoseTarget::Bind));
        const std::size_t steps = e.history.size();
        Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
        s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex]));
        e.commit("Inflate");
        QCOMPARE(e.history.size(), steps);
    }

    void inflateGoesOutwardsAndAccumulates() {
        Editing e(test::tubeDocument(40, 24, 30));
        const ShapeId shape = addShape(e, Tube::mesh, {});
        const Eigen::Vector3f x = e.positions(Tube::instance)[kElbowVertex];
        Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
        const BrushDab dab = dabAt(x, 0.4, 0.5);
        s.dab(dab);
        const float once = e.positions(Tube::instance)[kElbowVertex].z() - x.z();
        s.dab(dab);
        const float twice = e.positions(Tube::instance)[kElbowVertex].z() - x.z();
        QVERIFY(std::abs(once - 0.1f * 0.4f * 0.5f) < 1e-3f);
        QVERIFY(twice > 1.5f * once);
    }

    void smoothFlattensABump() {
        Editing e(test::tubeDocument(40, 24, 30));
        const ShapeId shape = addShape(e, Tube::mesh, {});
        BrushDab dab = dabAt(e.positions(Tube::instance)[kElbowVertex], 0.12);
        {
            Sculpt s(e, Mode::Grab, Tube::mesh, shape);
            s.dab(dab);
            dab.motion = {0, 0, 0.3};
            s.dab(dab);
        }
        e.commit("bump");
        const float bump = e.positions(Tube::instance)[kElbowVertex].z();
        Sculpt s(e, Mode::Smooth, Tube::mesh, shape);
        s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex], 0.4, 1));
        QVERIFY(e.positions(Tube::instance)[kElbowVertex].z() < bump - 0.05f);
    }

    void inflateFollowsTheFacesWhereNormalsAreWrong() {
        DocumentState state = test::tubeDocument(40, 24, 0);
        for (Eigen::Vector3f& n : state.meshes[Tube::mesh.index()].geometry.normals)
            n = {n.x(), -n.z(), n.y()};
        Editing e(std::move(state));
        const ShapeId shape = addShape(e, Tube::mesh, {});
        const Eigen::Vector3f before = e.positions(Tube::instance)[kElbowVertex];
        Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
        s.dab(dabAt(before, 0.4, 1));
        e.commit("Inflate");
        const Eigen::Vector3f moved = e.positions(Tube::instance)[kElbowVertex] - before;
        QVERIFY(moved.norm() > 0.01f);
        QVERIFY(moved.z() > 0.98f * moved.norm());
    }

    void seamsStayClosed() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::mesh, {JointId(Tube::kLower)});
        Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
        BrushDab dab = dabAt(e.positions(Tube::instance)[20 * 25], 0.6);
        dab.frontFacesOnly = false;
        for (int k = 0; k < 5; ++k)
            s.dab(dab);
        e.commit("Inflate");
        const auto p = e.positions(Tube::instance);
        float moved = 0;
        for (std::size_t r = 0; r <= 40; ++r) {
            QVERIFY((p[r * 25] - p[r * 25 + 24]).norm() < 1e-7f);
            moved = std::max(moved, e.doc.mesh(Tube::mesh).shapes[0].delta(static_cast<std::uint32_t>(r * 25)).norm());
        }
        QVERIFY(moved > 0.01f);
    }

    void rigidMeshesAreSculptedThroughTheirNode() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = addShape(e, Tube::plate, {});
        const auto x = e.positions(Tube::plateInstance);
        Sculpt s(e, Mode::Grab, Tube::plate, shape);
        BrushDab dab = dabAt(x[12], 0.25);
        dab.frontFacesOnly = false;
        s.dab(dab);
        dab.motion = {0.1, 0.2, 0.3};
        s.dab(dab);
        e.commit("Grab");
        const Eigen::Vector3f moved = e.positions(Tube::plateInstance)[12] - x[12];
        QVERIFY((moved.cast<double>() - dab.motion).norm() < 2e-6);
    }

    void whatABlendWithoutRankCannotReachIsCounted() {
        Editing e(test::tubeDocument(40, 24, 0));
        rig::Affine twist = rig::Affine::Identity();
        twist.rotate(Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX()));
        e.perform(setUserLocal(e.doc, JointId(Tube::kLower), twist, "Twist"));
        const ShapeId shape = addShape(e, Tube::mesh, {});
        Sculpt s(e, Mode::Grab, Tube::mesh, shape);
        BrushDab dab = dabAt({2, 0, 0}, 0.2);
        dab.frontFacesOnly = false;
        s.dab(dab);
        dab.motion = {0, 0, 0.1};
        s.dab(dab);
        QVERIFY(s.stroke.unreachable() > 0);
        for (const auto& p : e.positions(Tube::instance))
            QVERIFY(p.allFinite());
        dab.motion = {0, 0, 0};
        s.dab(dab);
        QCOMPARE(s.stroke.unreachable(), std::size_t(0));
    }

    void verticesUnderTheBrushAreFound() {
        Editing e(test::tubeDocument(40, 24, 0));
        BrushDab dab = dabAt({2.7f, 0.2f, 0.8f}, 0.6);
        dab.frontFacesOnly = false;
        QVERIFY(!SculptStroke::verticesUnder(e.doc, e.evaluator, Tube::instance, dab).empty());
        const auto vertices = SculptStroke::verticesUnder(e.doc, e.evaluator, Tube::plateInstance, dab);
        QVERIFY(!vertices.empty());
        QVERIFY(std::is_sorted(vertices.begin(), vertices.end()));
        dab.center = {100, 0, 0};
        QVERIFY(SculptStroke::verticesUnder(e.doc, e.evaluator, Tube::instance, dab).empty());
    }

    void aShapeOfAFileLosesItsOwnNormalsAndUndoBringsAllBack() {
        document::DocumentState state = test::tubeDocument(40, 24, 0);
        shape::Shape fromFile;
        fromFile.id = ShapeId(0);
        fromFile.name = "smile";
        const auto vertex = static_cast<std::uint32_t>(kElbowVertex);
        fromFile.vertices = {0, vertex, vertex + 1, vertex + 300}; // the last two hold nothing
        fromFile.deltas = {{0, 0, 0.1f}, {0, 0, 0.1f}, {0, 0, 0}, {0, 0, 0}};
        fromFile.normalDeltas.assign(4, {0.5f, 0, 0});
        fromFile.tangentDeltas.assign(4, {0, 0.5f, 0});
        state.meshes[0].shapes.push_back(fromFile);
        state.meshes[0].nextShapeId = 1;
        state.instances[0].shapeWeights = {1};
        Editing e(std::move(state));
        const std::uint64_t hash = e.doc.hash();
        const auto normals = [&](Evaluator& evaluator) {
            const auto n = evaluator.normals(Tube::instance);
            return std::vector<Eigen::Vector3f>(n.begin(), n.end());
        };
        const auto before = normals(e.evaluator);
        Sculpt s(e, Mode::Inflate, Tube::mesh, ShapeId(0));
        s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex]));
        const auto seen = normals(e.evaluator);
        e.commit("Inflate");
        const shape::Shape& now = e.doc.mesh(Tube::mesh).shapes[0];
        QVERIFY(now.normalDeltas.empty() && now.tangentDeltas.empty());
        QVERIFY((normals(e.evaluator)[kElbowVertex] - seen[kElbowVertex]).norm() < 1e-5f);
        Evaluator fresh(e.doc, e.preview);
        QVERIFY(test::largestDistance(normals(e.evaluator), normals(fresh)) < 1e-5f);
        e.undo();
        QCOMPARE(e.doc.hash(), hash);
        QVERIFY(e.doc.mesh(Tube::mesh).shapes[0].vertices == fromFile.vertices);
        QVERIFY(e.doc.mesh(Tube::mesh).shapes[0].tangentDeltas == fromFile.tangentDeltas);
        QVERIFY(test::largestDistance(normals(e.evaluator), before) < 1e-6f);
        e.redo();
        QVERIFY(e.doc.mesh(Tube::mesh).shapes[0].normalDeltas.empty());
    }

    void anEmptyShapeMovesNothingAndCostsNoRebuild() {
        Editing e(test::tubeDocument(40, 24, 70));
        const auto x = e.positions(Tube::instance);
        const std::uint64_t revision = e.evaluator.preSkinRevision(Tube::instance);
        const ShapeId shape = addShape(e, Tube::mesh, {JointId(Tube::kLower)});
        QCOMPARE(e.evaluator.shapeWeights(Tube::instance).size(), std::size_t(1));
        QCOMPARE(e.evaluator.preSkinRevision(Tube::instance), revision);
        {
            Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
            s.dab(dabAt(x[kElbowVertex]));
        }
        e.commit("Inflate");
        QVERIFY(test::largestDistance(e.positions(Tube::instance), e.freshPositions(Tube::instance)) < 1e-6f);
        e.undo();
        e.undo();
        QVERIFY(test::largestDistance(e.positions(Tube::instance), x) < 1e-6f);
        e.redo();
        e.redo();
        QVERIFY(test::largestDistance(e.positions(Tube::instance), e.freshPositions(Tube::instance)) < 1e-6f);
    }

    void theCorrectiveOfThePresentPoseIsFound() {
        Editing e(test::tubeDocument(40, 24, 70));
        const std::vector<JointId> lower{JointId(Tube::kLower)};
        const ShapeId shape = addShape(e, Tube::mesh, lower);
        const std::vector<std::uint32_t> vertices{kElbowVertex};
        const auto found = [&](std::span<const JointId> joints) {
            return correctiveOfPose(e.doc, e.evaluator, Tube::instance, vertices, joints);
        };
        QCOMPARE(found(lower), std::optional(shape));
        QVERIFY(!found({})); // it moves none of the vertices so far
        {
            Sculpt s(e, Mode::Inflate, Tube::mesh, shape);
            s.dab(dabAt(e.positions(Tube::instance)[kElbowVertex]));
        }
        e.commit("Inflate");
        QCOMPARE(found({}), std::optional(shape));
        e.perform(resetPose(e.doc, lower, PoseTarget::Bind));
        QVERIFY(!found(lower));
    }
};

QTEST_APPLESS_MAIN(TestSculptStroke)
#include "test_sculpt_stroke.moc"
