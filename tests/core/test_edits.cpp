#include "core/document/edit.h"
#include "core/document/intents.h"
#include "core/history/history.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <array>

using namespace limber;
using namespace limber::document;
using test::Tube;

namespace {

constexpr std::size_t kKinds = std::variant_size_v<Patch>;

// Makes edits of one patch that fit the present state and change it.
class EditMaker {
public:
    EditMaker(const Document& doc, test::Random& random) : doc_(doc), random_(random) {}

    Edit make(std::size_t kind) {
        switch (kind) {
        case 0:
            return wrap(pose());
        case 1:
            return wrap(weights());
        case 2:
            return wrap(SkinJointPatch{Tube::skin, anyJoint(), random_.affine()});
        case 3:
            return wrap(deltas());
        case 4:
            return random_.index(2) ? wrap(insertion()) : removal();
        case 5:
            return wrap(properties());
        case 6:
            return wrap(drivers());
        case 7:
            return shapeWeight();
        default:
            return lock();
        }
    }

private:
    static Edit wrap(Patch patch) { return {"edit", {std::move(patch)}}; }

    JointId anyJoint() { return JointId(random_.index(doc_.skeleton().size())); }
    MeshId anyMesh() { return MeshId(random_.index(doc_.state().meshes.size())); }
    const MeshData& mesh(MeshId id) { return doc_.mesh(id); }

    std::vector<std::uint32_t> someVertices(MeshId id) {
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t v = 0; v < mesh(id).geometry.vertexCount(); ++v)
            if (random_.index(4) == 0)
                vertices.push_back(v);
        return vertices;
    }

    PosePatch pose() {
        PosePatch p;
        p.joints = {anyJoint()};
        p.before = {doc_.state().pose[p.joints[0].index()]};
        p.after = {random_.affine()};
        return p;
    }

    WeightsPatch weights() {
        WeightsPatch p;
        p.mesh = Tube::mesh;
        p.vertices = someVertices(Tube::mesh);
        const std::size_t slotCount = doc_.skin(Tube::skin).joints.size();
        for (std::size_t k = 0; k < p.vertices.size(); ++k) {
            p.before.appendRow();
            p.before.setRow(k, mesh(Tube::mesh).weights.row(p.vertices[k]));
            skin::Row row;
            for (std::uint32_t s = 0; s < slotCount; ++s)
                if (random_.index(2))
                    row.push_back({s, static_cast<float>(random_.uniform(0.1, 1))});
            p.after.appendRow();
            p.after.setRow(k, row);
        }
        return p;
    }

    ShapeDeltasPatch deltas() {
        const MeshId id = anyMeshWithShapes();
        const auto& shapes = mesh(id).shapes;
        std::vector<std::uint32_t> vertices = someVertices(id);
        std::vector<Eigen::Vector3f> after;
        for (std::size_t k = 0; k < vertices.size(); ++k)
            after.push_back(random_.index(3) ? random_.vector().cast<float>() : Eigen::Vector3f::Zero().eval());
        return shapeDeltasPatch(doc_, id, shapes[random_.index(shapes.size())].id, std::move(vertices),
                                std::move(after));
    }

    ShapePatch insertion() {
        ShapePatch p;
        p.mesh = anyMesh();
        const MeshData& data = mesh(p.mesh);
        p.index = random_.index(data.shapes.size() + 1);
        p.shape.id = ShapeId(data.nextShapeId);
        p.shape.name = "shape";
        for (const std::uint32_t v : someVertices(p.mesh)) {
            p.shape.vertices.push_back(v);
            p.shape.deltas.push_back(random_.index(4) ? random_.vector().cast<float>()
                                                      : Eigen::Vector3f::Zero().eval()); // as files hold them
        }
        if (random_.index(2))
            p.shape.normalDeltas.assign(p.shape.vertices.size(), random_.vector().cast<float>());
        p.instanceWeights = {random_.uniform()};
        return p;
    }

    Edit removal() {
        const MeshId id = anyMeshWithShapes();
        if (mesh(id).shapes.size() < 2)
            return wrap(insertion());
        return removeShape(doc_, id, mesh(id).shapes[random_.index(mesh(id).shapes.size())].id);
    }

    ShapePropertiesPatch properties() {
        const MeshId id = anyMeshWithShapes();
        const shape::Shape& s = mesh(id).shapes[random_.index(mesh(id).shapes.size())];
        return {id, s.id, s.name, s.name + 'x', s.muted, !s.muted};
    }

    DriversPatch drivers() {
        const MeshId id = anyMeshWithShapes();
        DriversPatch p{id, mesh(id).drivers, {}};
        shape::PoseDriver driver;
        driver.joints = {anyJoint()};
        driver.widthScale = random_.uniform(0.5, 2);
        for (const shape::Shape& s : mesh(id).shapes)
            driver.samples.push_back({s.id, {random_.rotation()}});
        p.after.push_back(std::move(driver));
        return p;
    }

    Edit shapeWeight() {
        const InstanceId id(random_.index(doc_.instanceCount()));
        const auto& shapes = mesh(doc_.instance(id).mesh).shapes;
        if (shapes.empty())
            return lock();
        return setShapeWeight(doc_, id, shapes[random_.index(shapes.size())].id, random_.uniform());
    }

    Edit lock() {
        const JointId j = anyJoint();
        return setLocked(doc_, {&j, 1}, !doc_.state().locked[j.index()]);
    }

    // The tube always has a shape: the tests put one there.
    MeshId anyMeshWithShapes() {
        const MeshId id = anyMesh();
        return mesh(id).shapes.empty() ? Tube::mesh : id;
    }

    const Document& doc_;
    test::Random& random_;
};

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
        const char* names[kKinds] = {"pose",       "weights", "skin joint",   "shape deltas", "shape",
                                     "properties", "drivers", "shape weight", "lock"};
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
