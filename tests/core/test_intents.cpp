#include "core/document/intents.h"
#include "core/document/refit_correctives.h"
#include "core/document/skinning_intents.h"
#include "core/shape/corrective.h"
#include "tests/support/editing.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <numeric>

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Tube;

namespace {

const JointId kLowerJoint(Tube::kLower);

void bend(Editing& e, double degrees) {
    rig::Affine m = rig::Affine::Identity();
    m.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
    e.perform(setUserLocal(e.doc, kLowerJoint, m, "Bend"));
}

ShapeId add(Editing& e, const std::vector<JointId>& joints, const char* name = "elbow") {
    NewCorrective made = newCorrective(e.doc, Tube::mesh, name, joints).value();
    e.perform(std::move(made.edit));
    return made.shape;
}

double weightOf(Editing& e, ShapeId shape) {
    return e.evaluator.shapeWeights(Tube::instance)[e.doc.mesh(Tube::mesh).shapeIndex(shape)];
}

std::vector<std::uint32_t> ring(std::uint32_t r) {
    std::vector<std::uint32_t> vertices(25);
    std::iota(vertices.begin(), vertices.end(), r * 25);
    return vertices;
}

std::vector<Eigen::Vector3d> sculptedBy(Editing& e, const Eigen::Vector3d& offset) {
    std::vector<Eigen::Vector3d> y;
    for (const Eigen::Vector3f& p : e.evaluator.positions(Tube::instance))
        y.push_back(p.cast<double>());
    for (const std::uint32_t v : ring(20))
        y[v] += offset;
    return y;
}

} // namespace

class TestIntents : public QObject {
    Q_OBJECT

private slots:
    void resettingLeavesOutJointsThatAreThereAlready() {
        Editing e(test::tubeDocument(8, 6));
        const std::vector<JointId> all{JointId(0), JointId(1), JointId(2), JointId(3)};
        QVERIFY(resetPose(e.doc, all, PoseTarget::Bind).empty());
        bend(e, 50);
        const Edit edit = resetPose(e.doc, all, PoseTarget::Bind);
        QCOMPARE(edit.label, std::string("Reset lower to bind"));
        const std::uint64_t bent = e.doc.hash();
        e.perform(edit);
        QCOMPARE(e.doc.hash(), Document(test::tubeDocument(8, 6)).hash());
        e.undo();
        QCOMPARE(e.doc.hash(), bent);
    }

    void theFilePoseCanBeReturnedTo() {
        DocumentState state = test::tubeDocument(8, 6, 40);
        state.filePose = state.pose;
        Editing e(state);
        const std::uint64_t start = e.doc.hash();
        e.perform(resetPose(e.doc, {&kLowerJoint, 1}, PoseTarget::Bind));
        QVERIFY(e.doc.hash() != start);
        e.perform(resetPose(e.doc, {&kLowerJoint, 1}, PoseTarget::File));
        QCOMPARE(e.doc.hash(), start);
    }

    void lockingNamesOnlyWhatChanges() {
        Editing e(test::tubeDocument(8, 6));
        const std::vector<JointId> two{JointId(1), kLowerJoint};
        e.perform(setLocked(e.doc, two, true));
        QVERIFY(setLocked(e.doc, two, true).empty());
        QCOMPARE(setLocked(e.doc, {&kLowerJoint, 1}, false).label, std::string("Unlock lower"));
    }

    void namesOfShapesAreUnique() {
        Editing e(test::tubeDocument(8, 6));
        add(e, {});
        add(e, {});
        add(e, {});
        const MeshData& mesh = e.doc.mesh(Tube::mesh);
        QCOMPARE(mesh.shapes[1].name, std::string("elbow.001"));
        QCOMPARE(mesh.shapes[2].name, std::string("elbow.002"));
        QCOMPARE(uniqueShapeName(mesh, "knee"), std::string("knee"));
    }

    void shapesAreRenamedMutedAndWeighted() {
        Editing e(test::tubeDocument(8, 6));
        const ShapeId shape = add(e, {});
        const std::uint64_t start = e.doc.hash();
        e.perform(renameShape(e.doc, Tube::mesh, shape, "knee"));
        e.perform(setShapeWeight(e.doc, Tube::instance, shape, 0.3));
        QCOMPARE(weightOf(e, shape), 0.3);
        e.perform(muteShape(e.doc, Tube::mesh, shape, true));
        QCOMPARE(weightOf(e, shape), 0.0);
        QCOMPARE(e.doc.mesh(Tube::mesh).findShape(shape)->name, std::string("knee"));
        QVERIFY(renameShape(e.doc, Tube::mesh, shape, "knee").empty());
        QVERIFY(muteShape(e.doc, Tube::mesh, shape, true).empty());
        QVERIFY(setShapeWeight(e.doc, Tube::instance, shape, 0.3).empty());
        QVERIFY(renameShape(e.doc, Tube::mesh, ShapeId(77), "x").empty());
        for (int k = 0; k < 3; ++k)
            e.undo();
        QCOMPARE(e.doc.hash(), start);
    }

    void driverJointsAreThoseOutOfBindThatInfluenceTheVertices() {
        Editing e(test::tubeDocument());
        const auto elbow = ring(20), shoulder = ring(2);
        QVERIFY(proposeDriverJoints(e.doc, Tube::mesh, elbow).empty());
        bend(e, 0.5);
        QVERIFY(proposeDriverJoints(e.doc, Tube::mesh, elbow).empty());
        bend(e, 70);
        QCOMPARE(proposeDriverJoints(e.doc, Tube::mesh, elbow), std::vector<JointId>{kLowerJoint});
        QVERIFY(proposeDriverJoints(e.doc, Tube::mesh, shoulder).empty());
        const std::vector<std::uint32_t> plateCorner{0};
        QCOMPARE(proposeDriverJoints(e.doc, Tube::plate, plateCorner), std::vector<JointId>{kLowerJoint});
    }

    void aNewCorrectiveHasWeightOneHereAndNoneAtBind() {
        Editing e(test::tubeDocument());
        bend(e, 70);
        const std::uint64_t start = e.doc.hash();
        const ShapeId shape = add(e, {kLowerJoint});
        QCOMPARE(e.history.undoLabel(), std::string("New corrective elbow"));
        QVERIFY(std::abs(weightOf(e, shape) - 1) < 1e-9);
        bend(e, 35);
        QVERIFY(weightOf(e, shape) > 0.1 && weightOf(e, shape) < 0.9);
        bend(e, 0);
        QVERIFY(std::abs(weightOf(e, shape)) < 1e-9);
        for (int k = 0; k < 3; ++k)
            e.undo();
        QCOMPARE(e.doc.hash(), start);
    }

    void correctivesOfTheSameJointsShareADriver() {
        Editing e(test::tubeDocument());
        bend(e, 50);
        const ShapeId half = add(e, {kLowerJoint});
        QVERIFY(!newCorrective(e.doc, Tube::mesh, "again", std::vector{kLowerJoint}).ok());
        bend(e, 110);
        const ShapeId full = add(e, {kLowerJoint});
        QCOMPARE(e.doc.mesh(Tube::mesh).drivers.size(), std::size_t(1));
        QVERIFY(std::abs(weightOf(e, full) - 1) < 1e-9 && std::abs(weightOf(e, half)) < 1e-9);
        e.perform(goToShapePose(e.doc, Tube::mesh, half));
        QVERIFY(std::abs(weightOf(e, half) - 1) < 1e-9 && std::abs(weightOf(e, full)) < 1e-9);
        QVERIFY(goToShapePose(e.doc, Tube::mesh, half).empty());
    }

    void aNewCorrectiveBesideAnotherLeavesTheSurface_data() {
        QTest::addColumn<double>("degrees");
        for (const double degrees : {20.0, 45.0, 68.0, 75.0, 110.0})
            QTest::addRow("%g", degrees) << degrees;
    }
    void aNewCorrectiveBesideAnotherLeavesTheSurface() {
        QFETCH(double, degrees);
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId first = add(e, {kLowerJoint});
        e.perform(
            extractCorrective(e.doc, e.evaluator, Tube::instance, first, sculptedBy(e, {0.1, 0.1, -0.2})).value());
        bend(e, degrees);
        const auto before = e.positions(Tube::instance);
        const double had = weightOf(e, first);
        const ShapeId second = add(e, {kLowerJoint});
        QVERIFY(std::abs(weightOf(e, second) - 1) < 1e-9 && std::abs(weightOf(e, first)) < 1e-9 && had > 0.1);
        const double tolerance = 1e-6 * e.evaluator.bindDiagonal();
        QVERIFY(test::largestDistance(e.positions(Tube::instance), before) < tolerance);
        QVERIFY(test::largestDistance(e.freshPositions(Tube::instance), before) < tolerance);
        // A sculpt goes on from there.
        const auto y = sculptedBy(e, {-0.05, 0.1, 0.1});
        e.perform(extractCorrective(e.doc, e.evaluator, Tube::instance, second, y).value());
        const auto x = e.positions(Tube::instance);
        for (std::size_t v = 0; v < y.size(); ++v)
            QVERIFY((x[v].cast<double>() - y[v]).norm() < tolerance);
        e.undo();
        e.undo();
        QCOMPARE(weightOf(e, first), had);
        // What is muted is not seen, so nothing of it is taken over.
        e.perform(muteShape(e.doc, Tube::mesh, first, true));
        const ShapeId third = add(e, {kLowerJoint});
        QVERIFY(e.doc.mesh(Tube::mesh).findShape(third)->vertices.empty());
    }

    void aPoseBelongsToTheCorrectiveThatIsNearlyOn() {
        Editing e(test::tubeDocument(40, 24, 70));
        const std::vector<JointId> lower{kLowerJoint};
        const ShapeId shape = add(e, lower);
        for (const auto& [degrees, holds] : {std::pair(70.0, true), {74.0, true}, {62.0, true}, {35.0, false}}) {
            bend(e, degrees);
            QCOMPARE(weightOf(e, shape) >= 0.85, holds);
            QCOMPARE(correctiveHoldingPose(e.doc, e.evaluator, Tube::instance, lower).has_value(), holds);
            QCOMPARE(correctiveOfPose(e.doc, e.evaluator, Tube::instance, {}, lower).has_value(), holds);
        }
        bend(e, 70);
        QVERIFY(!correctiveHoldingPose(e.doc, e.evaluator, Tube::instance, std::vector{JointId(0), kLowerJoint}));
    }

    void aDrivenCorrectiveAtBindIsRefusedWithAReason() {
        Editing e(test::tubeDocument());
        const auto made = newCorrective(e.doc, Tube::mesh, "none", std::vector{kLowerJoint});
        QVERIFY(!made.ok());
        QVERIFY(made.error().text.find("bind pose") != std::string::npos);
    }

    void goingToAPoseKeepsScaleAndTranslation() {
        Editing e(test::tubeDocument());
        bend(e, 60);
        const ShapeId shape = add(e, {kLowerJoint});
        const rig::Affine scaled = math::composeTrs({0.1, 0.2, 0.3}, Eigen::Quaterniond::Identity(), {1, 1.5, 0.7});
        e.perform(setUserLocal(e.doc, kLowerJoint, scaled, "Scale"));
        e.perform(goToShapePose(e.doc, Tube::mesh, shape));
        const math::TransformParts parts = math::decompose(e.doc.state().pose[Tube::kLower]);
        QVERIFY((parts.scale - Eigen::Vector3d(1, 1.5, 0.7)).norm() < 1e-12);
        QVERIFY((parts.translation - Eigen::Vector3d(0.1, 0.2, 0.3)).norm() < 1e-12);
        QVERIFY(std::abs(weightOf(e, shape) - 1) < 1e-9);
    }

    void removingAShapeTakesItsSampleAndUndoBringsBothBack() {
        Editing e(test::tubeDocument());
        bend(e, 50);
        const ShapeId half = add(e, {kLowerJoint});
        bend(e, 110);
        const ShapeId full = add(e, {kLowerJoint});
        const std::uint64_t start = e.doc.hash();
        e.perform(removeShape(e.doc, Tube::mesh, half));
        QCOMPARE(e.doc.mesh(Tube::mesh).drivers[0].samples.size(), std::size_t(1));
        QVERIFY(std::abs(weightOf(e, full) - 1) < 1e-9);
        e.perform(removeShape(e.doc, Tube::mesh, full));
        QVERIFY(e.doc.mesh(Tube::mesh).drivers.empty() && e.doc.mesh(Tube::mesh).shapes.empty());
        e.undo();
        e.undo();
        QCOMPARE(e.doc.hash(), start);
    }

    void extractingASculptedSurfaceReproducesIt() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = add(e, {kLowerJoint});
        const auto y = sculptedBy(e, {0.05, 0.1, -0.1});
        const std::uint64_t start = e.doc.hash();
        ExtractionReport report;
        auto edit = extractCorrective(e.doc, e.evaluator, Tube::instance, shape, y, &report);
        QVERIFY(edit.ok());
        QCOMPARE(report.changed, std::size_t(25));
        QCOMPARE(report.unreachable, std::size_t(0));
        e.perform(std::move(edit).value());
        QCOMPARE(e.doc.mesh(Tube::mesh).findShape(shape)->vertices, ring(20));
        const auto x = e.positions(Tube::instance);
        for (std::size_t v = 0; v < y.size(); ++v)
            QVERIFY((x[v].cast<double>() - y[v]).norm() < 2e-6);
        QVERIFY(extractCorrective(e.doc, e.evaluator, Tube::instance, shape, y)->empty());
        e.undo();
        QCOMPARE(e.doc.hash(), start);
    }

    void extractionIsRefusedWithAReason() {
        Editing e(test::tubeDocument(40, 24, 70));
        const ShapeId shape = add(e, {kLowerJoint});
        auto y = sculptedBy(e, {0, 0, 0.1});
        const auto extract = [&] { return extractCorrective(e.doc, e.evaluator, Tube::instance, shape, y); };
        y[3].x() = std::nan("");
        QCOMPARE(extract().error().code, ErrorCode::InputRefused);
        y.pop_back();
        QCOMPARE(extract().error().code, ErrorCode::Usage);
        y = sculptedBy(e, {0, 0, 0.1});
        bend(e, 0);
        const auto refused = extract();
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().text.find("go to the shape's pose") != std::string::npos);
        QVERIFY(!extractCorrective(e.doc, e.evaluator, Tube::instance, ShapeId(9), y).ok());
    }

    void correctivesFitAnotherMethodAgain_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("mush");
        QTest::newRow("dual quaternion") << int(skin::Method::DualQuaternion) << false;
        QTest::newRow("spherical") << int(skin::Method::Spherical) << false;
        QTest::newRow("delta mush") << int(skin::Method::Linear) << true;
    }
    void correctivesFitAnotherMethodAgain() {
        QFETCH(int, method);
        QFETCH(bool, mush);
        Editing e(test::tubeDocument(40, 24));
        rig::Affine bent(Eigen::AngleAxisd(1.4, Eigen::Vector3d(0.8, 0, 0.6)));
        e.perform(setUserLocal(e.doc, kLowerJoint, bent, "Bend"));
        const ShapeId shape = add(e, {kLowerJoint});
        e.perform(extractCorrective(e.doc, e.evaluator, Tube::instance, shape, sculptedBy(e, {0, 0.1, 0.2})).value());
        QCOMPARE(correctivesOf(e.doc.mesh(Tube::mesh)), std::vector{shape});
        const auto effect = [&] {
            const auto with = e.positions(Tube::instance);
            e.perform(muteShape(e.doc, Tube::mesh, shape, true));
            const auto without = e.positions(Tube::instance);
            e.undo();
            std::vector<Eigen::Vector3f> moved;
            for (std::size_t v = 0; v < with.size(); ++v)
                moved.emplace_back(with[v] - without[v]);
            return moved;
        };
        const auto before = effect();
        const skin::Skinning former = e.doc.mesh(Tube::mesh).skinning;
        e.perform(setSkinning(e.doc, Tube::mesh, {skin::Method(method), {mush, 5, 0.5}}));
        QVERIFY(test::largestDistance(effect(), before) > 1e-3f);
        RefitCorrectives refit = refitCorrectives(e.doc, Tube::mesh, former);
        QCOMPARE(refit.shapes, std::size_t(1));
        QCOMPARE(refit.unreachable, std::size_t(0));
        const std::uint64_t hash = e.doc.hash();
        e.perform(std::move(refit.edit));
        QVERIFY(test::largestDistance(effect(), before) < 1e-5f);
        e.undo();
        QCOMPARE(e.doc.hash(), hash);
    }

    void nothingIsFittedWhereNoPoseDrives() {
        Editing e(test::tubeDocument());
        const skin::Skinning former = e.doc.mesh(Tube::mesh).skinning;
        e.perform(setSkinning(e.doc, Tube::mesh, {skin::Method::Spherical, {}}));
        QVERIFY(refitCorrectives(e.doc, Tube::mesh, former).edit.empty());
        add(e, {});
        QVERIFY(refitCorrectives(e.doc, Tube::mesh, former).edit.empty());
        QVERIFY(correctivesOf(e.doc.mesh(Tube::mesh)).empty());
    }
};

QTEST_APPLESS_MAIN(TestIntents)
#include "test_intents.moc"
