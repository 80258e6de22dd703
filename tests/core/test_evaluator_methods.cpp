// All methods through documents and previews: each vertex as its map says, only what a change reaches is redone, and
// nothing is ever stale.

#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "tests/support/editing.h"
#include "tests/support/random_changes.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <numeric>

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Random;
using test::Tube;
using namespace test::changes;

namespace {

// Largest differences from an evaluator that starts from nothing.
float staleness(Editing& e) {
    Evaluator fresh(e.doc, e.preview);
    float worst = 0;
    for (const InstanceId i : {Tube::instance, Tube::plateInstance}) {
        const auto p = e.evaluator.positions(i), q = fresh.positions(i);
        const auto n = e.evaluator.normals(i), m = fresh.normals(i);
        for (std::size_t v = 0; v < p.size(); ++v)
            worst = std::max({worst, (p[v] - q[v]).norm(), (n[v] - m[v]).norm()});
    }
    return worst;
}

// Largest difference of the posed points from the maps of their vertices.
double distanceFromMaps(Editing& e) {
    const auto posed = e.evaluator.positions(Tube::instance), pre = e.evaluator.preSkinPositions(Tube::instance);
    double worst = 0;
    for (std::uint32_t v = 0; v < posed.size(); ++v)
        worst = std::max(
            worst, (e.evaluator.vertexMap(Tube::instance, v)(pre[v].cast<double>()) - posed[v].cast<double>()).norm());
    return worst;
}

std::size_t changedVertices(Editing& e) {
    std::size_t count = 0;
    for (const VertexRange& r : e.evaluator.takePosedChanges(Tube::instance))
        count += r.end - r.first;
    return count;
}

// A chain of joints along x, each the parent of the next, over one tube.
DocumentState chain(std::size_t count, std::size_t rings) {
    DocumentState state = test::tubeDocument(rings, 24);
    std::vector<rig::Joint> joints;
    for (std::size_t j = 0; j < count; ++j)
        joints.push_back(test::tubeJoint("j", j == 0 ? JointId() : JointId(j - 1),
                                         {j == 0 ? 0 : Tube::kLength / static_cast<double>(count), 0, 0}, true));
    state.skeleton = rig::Skeleton(std::move(joints));
    state.pose.assign(count, rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.assign(count, 0);
    Skin& skin = state.skins[0];
    skin.joints.clear();
    skin.inverseBinds.clear();
    for (std::size_t j = 0; j < count; ++j) {
        skin.joints.emplace_back(j);
        skin.inverseBinds.push_back(state.skeleton[JointId(j)].inverseBind);
    }
    MeshData& mesh = state.meshes[0];
    for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        const double x = mesh.geometry.positions[v].x() / Tube::kLength * static_cast<double>(count);
        const skin::Influence whole{static_cast<std::uint32_t>(std::clamp(x, 0.0, static_cast<double>(count - 1))), 1};
        mesh.weights.setRow(v, {&whole, 1});
    }
    return state;
}

bool allFinite(std::span<const Eigen::Vector3f> points) {
    return std::all_of(points.begin(), points.end(), [](const Eigen::Vector3f& p) { return p.allFinite(); });
}

} // namespace

class TestEvaluatorMethods : public QObject {
    Q_OBJECT

private slots:
    void posedPointsAreWhatTheirMapsSay_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("mush");
        for (int m = 0; m < skin::kMethodCount; ++m)
            for (const bool mush : {false, true})
                QTest::addRow("method %d%s", m, mush ? " with delta mush" : "") << m << mush;
    }
    void posedPointsAreWhatTheirMapsSay() {
        QFETCH(int, method);
        QFETCH(bool, mush);
        Editing e(test::tubeDocument(40, 24));
        addDriven(e);
        useMethod(e, static_cast<skin::Method>(method), mush);
        Random random(3);
        preview(e, Tube::kLower, turned(95));
        QVERIFY(distanceFromMaps(e) < 2e-5);
        preview(e, Tube::kUpper, random.affine());
        previewMap(e, random, skin::PaintedMap::MethodShare);
        previewOffsets(e, random);
        QVERIFY(distanceFromMaps(e) < 5e-5);
        QVERIFY(staleness(e) < 1e-5f);
    }

    void methodsDiffer() {
        Editing e(test::tubeDocument(40, 24, 120));
        const auto linear = e.positions(Tube::instance);
        useMethod(e, skin::Method::DualQuaternion);
        const auto dual = e.positions(Tube::instance);
        QVERIFY(test::largestDistance(linear, dual) > 0.01f);
        useMethod(e, skin::Method::DualQuaternion, true);
        QVERIFY(test::largestDistance(dual, e.positions(Tube::instance)) > 0.001f);
        e.undo();
        QCOMPARE(test::largestDistance(dual, e.positions(Tube::instance)), 0.0f);
        e.perform(fillPaintedMap(e.doc, Tube::mesh, skin::PaintedMap::MethodShare, 0));
        QVERIFY(test::largestDistance(linear, e.positions(Tube::instance)) < 1e-5f);
    }

    void randomChangesNeverLeaveAnythingStale_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<bool>("isLong");
        for (const bool isLong : {false, true})
            for (unsigned seed = 1; seed <= 6; ++seed)
                QTest::addRow("%s %u", isLong ? "long" : "short", seed) << seed << isLong;
    }
    // On the long tube most changes are far from most of it, and what delta mush redoes is a part.
    void randomChangesNeverLeaveAnythingStale() {
        QFETCH(unsigned, seed);
        QFETCH(bool, isLong);
        Editing e(isLong ? test::tubeDocument(200, 12) : test::tubeDocument(40, 24));
        addDriven(e);
        if (isLong)
            useMethod(e, skin::Method::DualQuaternion, true);
        Random random(seed);
        std::vector<Eigen::Vector3f> uploaded(e.doc.mesh(Tube::mesh).geometry.vertexCount());
        for (int k = 0; k < 80; ++k) {
            changeAnything(e, random);
            if (random.index(3) == 0) // several changes pile up
                continue;
            QVERIFY(staleness(e) < 2e-5f);
            for (const VertexRange& r : e.evaluator.takePosedChanges(Tube::instance))
                std::copy_n(e.evaluator.positions(Tube::instance).begin() + r.first, r.end - r.first,
                            uploaded.begin() + r.first);
            QCOMPARE(test::largestDistance(uploaded, e.positions(Tube::instance)), 0.0f);
        }
    }

    void onlyWhatAJointReachesIsRedone() {
        Editing e(chain(64, 600));
        const std::size_t all = changedVertices(e);
        QCOMPARE(all, e.doc.mesh(Tube::mesh).geometry.vertexCount());
        QCOMPARE(changedVertices(e), std::size_t(0));
        const std::uint64_t palette = e.evaluator.paletteRevision(Tube::instance);
        preview(e, 63, turned(20));
        const auto changes = e.evaluator.takePosedChanges(Tube::instance);
        QCOMPARE(changes.size(), std::size_t(1));
        QVERIFY(changes[0].first > all * 9 / 10);
        QCOMPARE(e.evaluator.paletteRevision(Tube::instance), palette + 1);
        QVERIFY(staleness(e) == 0);
        preview(e, 63, turned(20)); // where it is
        QCOMPARE(e.evaluator.paletteRevision(Tube::instance), palette + 1);
        QCOMPARE(changedVertices(e), std::size_t(0));
        preview(e, 0, turned(10));
        QCOMPARE(changedVertices(e), all);
    }

    void aCommittedPreviewMovesNothing() {
        Editing e(chain(64, 600));
        (void)changedVertices(e);
        preview(e, 40, turned(20));
        QVERIFY(changedVertices(e) > 0);
        const Edit edit = e.preview.toEdit(e.doc, "bend");
        ChangeSet both = e.preview.clear();
        both.merge(e.doc.apply(edit));
        e.follow(both);
        QCOMPARE(changedVertices(e), std::size_t(0));
        QVERIFY(staleness(e) == 0);
    }

    void anInstanceWithoutTheJointIsNotTouched() {
        Editing e(test::tubeDocument(40, 24));
        const std::uint64_t tube = e.evaluator.paletteRevision(Tube::instance);
        const std::uint64_t plate = e.evaluator.paletteRevision(Tube::plateInstance);
        preview(e, Tube::kHelper, turned(20));
        QCOMPARE(e.evaluator.paletteRevision(Tube::instance), tube);
        preview(e, Tube::kLower, turned(20));
        QCOMPARE(e.evaluator.paletteRevision(Tube::instance), tube + 1);
        QCOMPARE(e.evaluator.paletteRevision(Tube::plateInstance), plate + 1);
    }

    void aDriverIsNotSolvedForOtherJoints() {
        Editing e(test::tubeDocument(40, 24));
        addDriven(e);
        const std::uint64_t before = e.evaluator.preSkinRevision(Tube::instance);
        preview(e, Tube::kUpper, turned(40));
        QCOMPARE(e.evaluator.preSkinRevision(Tube::instance), before);
        preview(e, Tube::kLower, turned(40));
        QVERIFY(e.evaluator.preSkinRevision(Tube::instance) != before);
        QVERIFY(e.evaluator.shapeWeights(Tube::instance)[0] > 0.1);
    }

    void aLeafOfFiveThousandJointsIsCheap() {
        Editing e(chain(5000, 400));
        for (int k = 0; k < skin::kMethodCount; ++k) {
            useMethod(e, static_cast<skin::Method>(k));
            preview(e, 4999, turned(10 + k));
            QVERIFY(staleness(e) < 1e-5f);
        }
        // Changes of all, from the leaf to the root: each below others.
        ChangeSet changes;
        for (std::size_t j = 5000; j-- > 0;) {
            (void)e.preview.setJoint(JointId(j), turned(0.001 * static_cast<double>(j % 7)));
            changes.joints.emplace_back(j);
        }
        e.follow(changes);
        QVERIFY(staleness(e) == 0);
    }

    // By rows, shapes, shares and joints: the same bits as from nothing, for a part of the vertices.
    void mushIsRedoneNearToWhatChanged() {
        Editing e(chain(20, 400));
        e.perform(setSkinning(e.doc, Tube::mesh, {skin::Method::Linear, {true, 4, 0.5}}));
        const std::size_t all = e.evaluator.positions(Tube::instance).size();
        QCOMPARE(changedVertices(e), all);
        const auto isPart = [&](const char* what) {
            const std::size_t changed = changedVertices(e);
            if (changed == 0 || changed > all / 3 || staleness(e) != 0)
                qWarning("%s: %zu of %zu", what, changed, all);
            return changed > 0 && changed <= all / 3 && staleness(e) == 0;
        };
        preview(e, 19, turned(60));
        QVERIFY(isPart("a joint at the end"));
        ChangeSet rows, shares;
        for (std::uint32_t v = 5000; v < 5050; ++v) {
            e.preview.setRow(Tube::mesh, v, skin::Row{{10, 0.5f}, {19, 0.5f}});
            rows.of(Tube::mesh).weightVertices.push_back(v);
        }
        e.follow(rows);
        QVERIFY(isPart("rows"));
        for (std::uint32_t v = 4980; v < 5100; ++v) {
            e.preview.setMapValue(Tube::mesh, skin::PaintedMap::MushShare, v, 0.4f);
            shares.of(Tube::mesh).mapVertices.push_back(v);
        }
        e.follow(shares);
        QVERIFY(isPart("shares"));
        e.follow(rows);
        e.follow(shares);
        preview(e, 19, turned(-30));
        QVERIFY(isPart("all at once"));
        e.commit("painted");
        (void)changedVertices(e);
        const JointId end(19);
        auto corrective = newCorrective(e.doc, Tube::mesh, "end", {&end, 1});
        QVERIFY(corrective);
        e.perform(std::move(corrective->edit));
        Edit sculpt;
        std::vector<std::uint32_t> vertices(60);
        std::iota(vertices.begin(), vertices.end(), 5000u);
        sculpt.patches.emplace_back(shapeDeltasPatch(e.doc, Tube::mesh, corrective->shape, vertices,
                                                     std::vector<Eigen::Vector3f>(60, {0, 0.1f, 0.05f})));
        (void)changedVertices(e);
        e.perform(std::move(sculpt));
        QVERIFY(isPart("a shape"));
        preview(e, 1, turned(10)); // nearly all follow it
        QVERIFY(staleness(e) == 0);
        QVERIFY(changedVertices(e) > all / 2);
    }

    void mushIsNotStaleWhereAllChanges() {
        Editing e(test::tubeDocument(200, 12));
        useMethod(e, skin::Method::Linear, true);
        preview(e, Tube::kLower, turned(30));
        QVERIFY(staleness(e) == 0);
        // All of the shares, so often that no list of them is kept, and then some rows.
        ChangeSet shares, rows;
        const std::size_t all = e.evaluator.positions(Tube::instance).size();
        for (std::uint32_t v = 0; v < all; ++v) {
            e.preview.setMapValue(Tube::mesh, skin::PaintedMap::MushShare, v, 0.7f);
            shares.of(Tube::mesh).mapVertices.push_back(v);
        }
        for (int k = 0; k < 3; ++k)
            e.follow(shares);
        for (std::uint32_t v = 800; v < 850; ++v) {
            e.preview.setRow(Tube::mesh, v, skin::Row{{2, 1.0f}});
            rows.of(Tube::mesh).weightVertices.push_back(v);
        }
        e.follow(rows);
        QVERIFY(staleness(e) == 0);
        // A shape of all of it.
        e.follow(e.preview.clear());
        const auto corrective = newCorrective(e.doc, Tube::mesh, "whole", {});
        e.perform(corrective->edit);
        std::vector<std::uint32_t> vertices(all);
        std::iota(vertices.begin(), vertices.end(), 0u);
        e.perform({"Sculpt",
                   {shapeDeltasPatch(e.doc, Tube::mesh, corrective->shape, vertices,
                                     std::vector<Eigen::Vector3f>(all, {0, 0.1f, 0.05f}))}});
        for (const double weight : {1.0, 0.25}) {
            e.perform(setShapeWeight(e.doc, Tube::instance, corrective->shape, weight));
            QVERIFY(staleness(e) < 2e-5f);
        }
        // A joint comes to the skin while another turns.
        preview(e, Tube::kLower, turned(40));
        e.perform({"Join", {SkinJointPatch{Tube::skin, JointId(Tube::kHelper), rig::Affine::Identity()}}});
        QVERIFY(staleness(e) == 0);
    }

    void singularJointsStayFinite() {
        for (int k = 0; k < skin::kMethodCount; ++k)
            for (const bool mush : {false, true}) {
                Editing e(test::tubeDocument(40, 24));
                useMethod(e, static_cast<skin::Method>(k), mush);
                for (const Eigen::Vector3d& scale :
                     {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, 0, 1), Eigen::Vector3d(-1, 1, 1)}) {
                    preview(e, Tube::kLower, rig::Affine(Eigen::Scaling(scale)));
                    QVERIFY(allFinite(e.evaluator.positions(Tube::instance)));
                    QVERIFY(allFinite(e.evaluator.normals(Tube::instance)));
                    QVERIFY(e.evaluator.vertexMap(Tube::instance, 900).a.allFinite());
                    QVERIFY(staleness(e) < 1e-5f);
                }
            }
    }

    void meshesOfAlmostNothingArePosed() {
        for (const std::size_t count : {0, 1, 30})
            for (int k = 0; k < skin::kMethodCount; ++k) {
                DocumentState state = test::tubeDocument(40, 24);
                MeshData& mesh = state.meshes[0];
                mesh = MeshData();
                mesh.skinning = {static_cast<skin::Method>(k), {true, 3, 0.5}};
                mesh.geometry.positions.assign(count, {3, 0, 0});
                mesh.geometry.normals.assign(count, {0, 1, 0});
                mesh.weights = test::tubeWeights(mesh.geometry);
                Editing e(std::move(state));
                preview(e, Tube::kLower, turned(30));
                QCOMPARE(e.evaluator.positions(Tube::instance).size(), count);
                QVERIFY(allFinite(e.evaluator.positions(Tube::instance)));
                QVERIFY(allFinite(e.evaluator.normals(Tube::instance)));
                QCOMPARE(changedVertices(e), count);
            }
    }

    void aSkinWithoutJointsLeavesItsMeshInPlace() {
        DocumentState state = test::tubeDocument(40, 24);
        state.skins[0].joints.clear();
        state.skins[0].inverseBinds.clear();
        MeshData& mesh = state.meshes[0];
        mesh.weights = skin::SkinWeights(mesh.geometry.vertexCount(), 1);
        Editing e(std::move(state));
        for (int k = 0; k < skin::kMethodCount; ++k) {
            useMethod(e, static_cast<skin::Method>(k));
            preview(e, Tube::kLower, turned(30 + k));
            QCOMPARE(e.evaluator.palette(Tube::instance).size(), std::size_t(0));
            QVERIFY(e.evaluator.positions(Tube::instance)[500] == e.doc.mesh(Tube::mesh).geometry.positions[500]);
        }
    }
};

QTEST_APPLESS_MAIN(TestEvaluatorMethods)
#include "test_evaluator_methods.moc"
