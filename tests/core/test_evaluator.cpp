#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/mesh/normals.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using test::Tube;

namespace {

// A document with its evaluator, and a second evaluator made afresh to compare with.
struct Scene {
    Document doc;
    Preview preview;
    Evaluator evaluator{doc, preview};

    explicit Scene(double bendDegrees = 0) : doc(test::tubeDocument(40, 24, bendDegrees)) {}

    void apply(const Edit& edit) { evaluator.invalidate(doc.apply(edit)); }

    // Largest difference from an evaluator that starts from nothing.
    [[nodiscard]] float staleness(InstanceId i = Tube::instance) {
        Evaluator fresh(doc, preview);
        float worst = 0;
        const auto p = evaluator.positions(i), q = fresh.positions(i);
        const auto n = evaluator.normals(i), m = fresh.normals(i);
        for (std::size_t v = 0; v < p.size(); ++v)
            worst = std::max({worst, (p[v] - q[v]).norm(), (n[v] - m[v]).norm()});
        return worst;
    }

    ShapeId addShape(const std::vector<std::uint32_t>& vertices, const Eigen::Vector3f& delta, double weight) {
        shape::Shape s;
        s.id = ShapeId(doc.mesh(Tube::mesh).nextShapeId);
        s.name = "bump";
        s.vertices = vertices;
        s.deltas.assign(vertices.size(), delta);
        Edit edit;
        edit.patches.emplace_back(ShapePatch{Tube::mesh, doc.mesh(Tube::mesh).shapes.size(), s, false, {weight}});
        apply(edit);
        return s.id;
    }
};

rig::Affine bend(double degrees) {
    rig::Affine m = rig::Affine::Identity();
    m.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
    return m;
}

std::vector<std::uint32_t> someVertices() {
    std::vector<std::uint32_t> v;
    for (std::uint32_t k = 300; k < 400; ++k)
        v.push_back(k);
    return v;
}

} // namespace

class TestEvaluator : public QObject {
    Q_OBJECT
private slots:
    void atBindTheMeshIsTheFiles();
    void poseEditMovesTheSurface();
    void rigidMeshFollowsItsJoint();
    void vertexMapAgreesWithThePosedPoint();
    void previewOfAJointIsShownAndDropped();
    void previewOfRowsReskinsThoseVertices();
    void paintedJointOutsideTheSkinIsShown();
    void previewOfOffsetsIsTheSameAsTheCommittedShape();
    void mutedAndRemovedShapesMoveNothing();
    void normalsFollowAShape();
    void normalsOfALargeMeshFollowAShapeAsOneByOne();
    void randomEditsNeverLeaveAnythingStale();
    void raysFollowThePose();
};

void TestEvaluator::atBindTheMeshIsTheFiles() {
    Scene s;
    const auto& geometry = s.doc.mesh(Tube::mesh).geometry;
    const auto p = s.evaluator.positions(Tube::instance);
    for (std::size_t v = 0; v < p.size(); ++v)
        QVERIFY((p[v] - geometry.positions[v]).norm() < 1e-6f);
    QVERIFY(std::abs(s.evaluator.bindDiagonal() - Eigen::Vector3d(4, 1, 1.5).norm()) < 1e-5);
}

void TestEvaluator::poseEditMovesTheSurface() {
    Scene s;
    const std::size_t end = s.evaluator.positions(Tube::instance).size() - 1;
    s.apply(setUserLocal(s.doc, JointId(Tube::kLower), bend(90), "bend"));
    // The far end stood at (4, .5, 0): two units beyond the elbow at (2, 0, 0).
    const Eigen::Vector3f p = s.evaluator.positions(Tube::instance)[end];
    QVERIFY((p - Eigen::Vector3f(1.5f, 2, 0)).norm() < 1e-5f);
    QCOMPARE(s.staleness(), 0.0f);
}

void TestEvaluator::rigidMeshFollowsItsJoint() {
    Scene s;
    (void)s.evaluator.positions(Tube::plateInstance);
    s.apply(setUserLocal(s.doc, JointId(Tube::kLower), bend(90), "bend"));
    const Eigen::Vector3d rest = s.doc.mesh(Tube::plate).geometry.positions[3].cast<double>();
    const Eigen::Vector3d expected = s.evaluator.world(JointId(Tube::kLower)) * rest;
    QVERIFY((s.evaluator.positions(Tube::plateInstance)[3].cast<double>() - expected).norm() < 1e-5);
}

void TestEvaluator::vertexMapAgreesWithThePosedPoint() {
    Scene s(70);
    const auto p = s.evaluator.positions(Tube::instance);
    const auto rest = s.evaluator.preSkinPositions(Tube::instance);
    for (std::uint32_t v = 0; v < p.size(); v += 7)
        QVERIFY((s.evaluator.vertexMap(Tube::instance, v)(rest[v].cast<double>()) - p[v].cast<double>()).norm() < 1e-5);
    QVERIFY(std::abs(s.evaluator.vertexMap(Tube::instance, 0).jointScale - 1) < 1e-12);
}

void TestEvaluator::previewOfAJointIsShownAndDropped() {
    Scene s;
    const std::uint64_t hash = s.doc.hash();
    const Eigen::Vector3f before = s.evaluator.positions(Tube::instance).back();
    s.evaluator.invalidate(s.preview.setJoint(JointId(Tube::kLower), bend(30)));
    QVERIFY((s.evaluator.positions(Tube::instance).back() - before).norm() > 0.5f);
    QCOMPARE(s.staleness(), 0.0f);
    s.evaluator.invalidate(s.preview.clear());
    QVERIFY(s.evaluator.positions(Tube::instance).back() == before);
    QCOMPARE(s.doc.hash(), hash);
}

void TestEvaluator::previewOfRowsReskinsThoseVertices() {
    Scene s(60);
    (void)s.evaluator.positions(Tube::instance);
    const std::vector<skin::Influence> row{{0, 0.25f}, {1, 0.25f}, {2, 0.5f}};
    ChangeSet changes;
    for (const std::uint32_t v : someVertices()) {
        s.preview.setRow(Tube::mesh, v, row);
        changes.of(Tube::mesh).weightVertices.push_back(v);
    }
    s.evaluator.invalidate(changes);
    QCOMPARE(s.staleness(), 0.0f);
    const Edit edit = s.preview.toEdit(s.doc, "paint");
    const Eigen::Vector3f painted = s.evaluator.positions(Tube::instance)[350];
    s.evaluator.invalidate(s.preview.clear());
    s.apply(edit);
    QVERIFY((s.evaluator.positions(Tube::instance)[350] - painted).norm() < 1e-6f);
    QCOMPARE(s.staleness(), 0.0f);
    s.evaluator.invalidate(s.doc.revert(edit));
    QCOMPARE(s.staleness(), 0.0f);
}

void TestEvaluator::paintedJointOutsideTheSkinIsShown() {
    Scene s;
    const JointId helper(Tube::kHelper);
    const Skin& skin = s.doc.skin(Tube::skin);
    const auto slot = static_cast<std::uint32_t>(skin.joints.size());
    s.evaluator.invalidate(s.preview.setJoint(helper, rig::Affine(Eigen::Translation3d(0, 0, 3))));
    s.preview.appendJoint({Tube::skin, helper, s.doc.skeleton()[helper].inverseBind * skin.bindShape});
    const std::vector<skin::Influence> row{{slot, 1.0f}};
    s.preview.setRow(Tube::mesh, 5, row);
    ChangeSet changes;
    changes.of(Tube::mesh).weightVertices = {5};
    changes.skins = {Tube::skin};
    s.evaluator.invalidate(changes);
    const Eigen::Vector3f rest = s.doc.mesh(Tube::mesh).geometry.positions[5];
    QVERIFY((s.evaluator.positions(Tube::instance)[5] - rest - Eigen::Vector3f(0, 0, 3)).norm() < 1e-5f);

    const std::uint64_t hash = s.doc.hash();
    const Edit edit = s.preview.toEdit(s.doc, "paint");
    s.evaluator.invalidate(s.preview.clear());
    s.apply(edit);
    QVERIFY(s.doc.skin(Tube::skin).slotOf(helper) == slot);
    QVERIFY(s.doc.skeleton()[helper].deforms);
    QCOMPARE(s.staleness(), 0.0f);
    s.evaluator.invalidate(s.doc.revert(edit));
    QCOMPARE(s.doc.hash(), hash);
    QVERIFY(!s.doc.skeleton()[helper].deforms);
    QCOMPARE(s.staleness(), 0.0f);
}

void TestEvaluator::previewOfOffsetsIsTheSameAsTheCommittedShape() {
    Scene s(50);
    const ShapeId shape = s.addShape({}, Eigen::Vector3f::Zero(), 0.5);
    (void)s.evaluator.positions(Tube::instance);
    s.preview.deltasOf(Tube::mesh, shape);
    ChangeSet changes;
    for (const std::uint32_t v : someVertices()) {
        s.preview.setDelta(Tube::mesh, v, {0, 0.3, 0.1});
        changes.of(Tube::mesh).shapeVertices.push_back(v);
    }
    s.evaluator.invalidate(changes);
    QVERIFY(s.staleness() < 1e-6f);
    const Eigen::Vector3f pre = s.evaluator.preSkinPositions(Tube::instance)[310];
    QVERIFY((pre - s.doc.mesh(Tube::mesh).geometry.positions[310] - Eigen::Vector3f(0, 0.15f, 0.05f)).norm() < 1e-6f);
    const Edit edit = s.preview.toEdit(s.doc, "sculpt");
    s.evaluator.invalidate(s.preview.clear());
    QVERIFY(s.staleness() < 1e-6f);
    s.apply(edit);
    QVERIFY((s.evaluator.preSkinPositions(Tube::instance)[310] - pre).norm() < 1e-6f);
    QVERIFY(s.staleness() < 1e-6f);
}

void TestEvaluator::mutedAndRemovedShapesMoveNothing() {
    Scene s;
    const auto rest = s.doc.mesh(Tube::mesh).geometry.positions[350];
    const ShapeId shape = s.addShape(someVertices(), {0, 0, 1}, 1);
    QVERIFY((s.evaluator.positions(Tube::instance)[350] - rest - Eigen::Vector3f(0, 0, 1)).norm() < 1e-6f);
    s.apply(muteShape(s.doc, Tube::mesh, shape, true));
    QVERIFY((s.evaluator.positions(Tube::instance)[350] - rest).norm() < 1e-6f);
    s.apply(muteShape(s.doc, Tube::mesh, shape, false));
    s.apply(setShapeWeight(s.doc, Tube::instance, shape, 0.25));
    QVERIFY((s.evaluator.positions(Tube::instance)[350] - rest - Eigen::Vector3f(0, 0, 0.25f)).norm() < 1e-6f);
    s.apply(removeShape(s.doc, Tube::mesh, shape));
    QVERIFY((s.evaluator.positions(Tube::instance)[350] - rest).norm() < 1e-6f);
    QCOMPARE(s.staleness(), 0.0f);
}

void TestEvaluator::normalsFollowAShape() {
    Scene s;
    const std::uint32_t vertex = 20 * 25; // a ring in the middle, normal along y
    const Eigen::Vector3f before = s.evaluator.normals(Tube::instance)[vertex];
    s.addShape({vertex}, {0, 0.5f, 0}, 1);
    const auto n = s.evaluator.normals(Tube::instance);
    QVERIFY(std::abs(n[vertex].norm() - 1) < 1e-5f);
    // A spike: its neighbour along the tube leans away from it.
    QVERIFY(n[vertex - 25].x() < before.x() - 0.1f);
    QVERIFY(n[vertex + 25].x() > before.x() + 0.1f);
}

void TestEvaluator::normalsOfALargeMeshFollowAShapeAsOneByOne() {
    Document doc(test::tubeDocument(200, 120));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const MeshData& mesh = doc.mesh(Tube::mesh);
    QVERIFY(mesh.weld().pointCount() >= 20'000);
    shape::Shape waves;
    waves.id = ShapeId(mesh.nextShapeId);
    waves.name = "waves";
    for (std::uint32_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        const Eigen::Vector3f& p = mesh.geometry.positions[v];
        waves.vertices.push_back(v);
        if (p.x() < 0.1f) // one end becomes a line, whose faces have no area
            waves.deltas.emplace_back(0, -p.y(), -p.z());
        else
            waves.deltas.emplace_back(0, 0.1f * std::sin(7 * p.x()), 0);
    }
    Edit edit;
    edit.patches.emplace_back(ShapePatch{Tube::mesh, 0, waves, false, {0.0}});
    evaluator.invalidate(doc.apply(edit));
    const auto& rest = mesh.geometry;
    for (const double weight : {0.5, 1.0}) {
        evaluator.invalidate(doc.apply(setShapeWeight(doc, Tube::instance, waves.id, weight)));
        const auto moved = evaluator.preSkinPositions(Tube::instance);
        const auto normals = evaluator.preSkinNormals(Tube::instance);
        for (std::uint32_t v = 0; v < rest.vertexCount(); ++v) {
            const std::uint32_t point = mesh.weld().pointOfVertex[v];
            const Eigen::Vector3f change = mesh::pointNormal(mesh.weld(), rest.triangles, moved, point) -
                                           mesh::pointNormal(mesh.weld(), rest.triangles, rest.positions, point);
            const Eigen::Vector3f expected = rest.normals[v] + change;
            if (expected.norm() > 1e-3f)
                QVERIFY2((normals[v] - expected.normalized()).norm() < 1e-4f, qPrintable(QString::number(v)));
        }
    }
}

void TestEvaluator::randomEditsNeverLeaveAnythingStale() {
    Scene s;
    test::Random random(5);
    const ShapeId shape = s.addShape(someVertices(), {0, 0.1f, 0}, 0.3);
    std::vector<Edit> done;
    for (int k = 0; k < 60; ++k) {
        Edit edit;
        switch (random.index(4)) {
        case 0:
            edit = setUserLocal(s.doc, JointId(random.index(4)), random.rigid(), "pose");
            break;
        case 1:
            edit = setShapeWeight(s.doc, Tube::instance, shape, random.uniform(0, 1));
            break;
        case 2: {
            WeightsPatch p{Tube::mesh,
                           {static_cast<std::uint32_t>(random.index(900))},
                           skin::SkinWeights(1, 2),
                           skin::SkinWeights(1, 2)};
            const std::vector<skin::Influence> row{{1, 0.5f}, {2, 0.5f}};
            p.before.setRow(0, s.doc.mesh(Tube::mesh).weights.row(p.vertices[0]));
            p.after.setRow(0, row);
            edit.patches.emplace_back(p);
            break;
        }
        default:
            edit = muteShape(s.doc, Tube::mesh, shape, random.index(2) == 0);
        }
        s.apply(edit);
        done.push_back(edit);
        if (random.index(3) == 0 && !done.empty()) {
            s.evaluator.invalidate(s.doc.revert(done.back()));
            done.pop_back();
        }
        if (k % 3 == 0) // reading at times only, so that several changes pile up
            QVERIFY(s.staleness() < 1e-5f);
        QVERIFY(s.staleness(Tube::plateInstance) < 1e-5f);
    }
}

void TestEvaluator::raysFollowThePose() {
    Scene s;
    const mesh::Ray down{{3, 0, 9}, {0, 0, -1}};
    QVERIFY(s.evaluator.rayCaster(Tube::instance).cast(down).has_value());
    s.apply(setUserLocal(s.doc, JointId(Tube::kLower), bend(90), "bend"));
    QVERIFY(!s.evaluator.rayCaster(Tube::instance).cast(down).has_value());
    const mesh::Ray moved{{2, 1, 9}, {0, 0, -1}};
    QVERIFY(s.evaluator.rayCaster(Tube::instance).cast(moved).has_value());
}

QTEST_APPLESS_MAIN(TestEvaluator)
#include "test_evaluator.moc"
