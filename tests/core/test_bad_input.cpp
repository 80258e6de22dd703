// What no rig should have and some files do: everything that is shown or saved stays finite.

#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::document;

namespace {

const InstanceId kInstance(0);
const MeshId kMesh(0);

mesh::Mesh points(std::size_t count) {
    mesh::Mesh m;
    for (std::size_t v = 0; v < count; ++v)
        m.positions.emplace_back(0.25f * static_cast<float>(v), 0.0f, 0.0f);
    return m;
}

// Corners that repeat, corners in one place, corners on one line, and one face that is well.
mesh::Mesh degenerateTriangles() {
    mesh::Mesh m = points(6);
    m.positions[5] = m.positions[0];
    m.positions.emplace_back(0.5f, 1.0f, 0.0f);
    m.triangles = {0, 0, 0, 1, 1, 2, 0, 1, 2, 2, 3, 4, 0, 5, 0, 5, 5, 0, 1, 3, 6};
    return m;
}

struct Make {
    mesh::Mesh geometry;
    std::size_t joints = 3, influences = 4;
};

// A chain along x with `influences` joints in every row, those next to the vertex the heaviest.
DocumentState chain(Make make) {
    DocumentState state;
    const double step = test::Tube::kLength / static_cast<double>(make.joints);
    std::vector<rig::Joint> joints(make.joints);
    document::Skin skin;
    for (std::size_t j = 0; j < make.joints; ++j) {
        joints[j].name = "joint";
        joints[j].deforms = true;
        joints[j].bindLocal.translation().x() = j ? step : 0;
        if (j)
            joints[j].parent = JointId(j - 1);
    }
    state.skeleton = rig::Skeleton(std::move(joints));
    state.pose.assign(make.joints, rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.assign(make.joints, 0);
    for (std::size_t j = 0; j < make.joints; ++j) {
        skin.joints.emplace_back(j);
        skin.inverseBinds.push_back(state.skeleton[JointId(j)].inverseBind);
    }
    state.skins.push_back(std::move(skin));

    state.meshes.push_back(test::toMeshData(std::move(make.geometry)));
    MeshData& data = state.meshes.back();
    const std::size_t count = std::min(make.influences, make.joints);
    data.weights = skin::SkinWeights(data.geometry.vertexCount(), count);
    for (std::size_t v = 0; v < data.geometry.vertexCount(); ++v) {
        const auto at = static_cast<double>(data.geometry.positions[v].x()) / step;
        const auto first = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(make.joints - count)));
        skin::Row row;
        float sum = 0;
        for (std::size_t k = first; k < first + count; ++k) {
            row.push_back(
                {static_cast<std::uint32_t>(k), static_cast<float>(1 / (1 + std::abs(at - static_cast<double>(k))))});
            sum += row.back().weight;
        }
        for (skin::Influence& i : row)
            i.weight /= sum;
        data.weights.setRow(v, row);
    }
    document::Instance instance;
    instance.name = "chain";
    instance.node = JointId(0);
    instance.mesh = kMesh;
    instance.skin = SkinId(0);
    state.instances.push_back(instance);
    return state;
}

bool finite(std::span<const Eigen::Vector3f> values) {
    return std::all_of(values.begin(), values.end(), [](const Eigen::Vector3f& v) { return v.allFinite(); });
}

bool finite(const Document& doc) {
    const auto& entries = doc.mesh(kMesh).weights.entries();
    for (const shape::Shape& s : doc.mesh(kMesh).shapes)
        if (!finite(s.deltas))
            return false;
    return std::all_of(entries.begin(), entries.end(),
                       [](const skin::Influence& i) { return std::isfinite(i.weight); });
}

// Posed points and normals, and what picking asks; normals of unit length.
QByteArray wrongIn(Evaluator& evaluator) {
    if (!finite(evaluator.positions(kInstance)))
        return "a posed point is not finite";
    for (const Eigen::Vector3f& n : evaluator.normals(kInstance))
        if (!n.allFinite() || std::abs(n.norm() - 1) > 1e-3f)
            return "a posed normal is not of unit length";
    static_cast<void>(evaluator.rayCaster(kInstance));
    const Eigen::AlignedBox3d box = evaluator.bounds();
    if (!box.isEmpty() && (!box.min().allFinite() || !box.max().allFinite()))
        return "the bounds are not finite";
    return std::isfinite(evaluator.bindDiagonal()) ? "" : "the size is not finite";
}

rig::Affine scaled(double x, double y, double z) {
    rig::Affine m = rig::Affine::Identity();
    m.rotate(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()));
    m.scale(Eigen::Vector3d(x, y, z));
    return m;
}

// User-local transforms that files have and hands make.
std::vector<rig::Affine> poses() {
    rig::Affine half = rig::Affine::Identity();
    half.rotate(Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitZ())); // opposite joints: blends that lose their rank
    return {rig::Affine::Identity(), half,
            scaled(0, 0, 0),         scaled(1, 0, 1),
            scaled(0, 0, 1),         scaled(-1, 1, 1),
            scaled(1e-12, 1e6, 1),   scaled(-1, -1, -1)};
}

BrushDab dabAt(Evaluator& evaluator) {
    BrushDab dab;
    if (const auto positions = evaluator.positions(kInstance); !positions.empty())
        dab.center = positions[positions.size() / 2].cast<double>();
    dab.radius = 1;
    dab.strength = 0.7;
    dab.frontFacesOnly = false;
    return dab;
}

void paint(Document& doc, Evaluator& evaluator, Preview& preview, PaintSettings::Mode mode) {
    {
        PaintStroke stroke(doc, evaluator, preview,
                           {.mode = mode, .joint = JointId(doc.skeleton().size() / 2), .value = 0.5});
        for (int k = 0; k < 3; ++k)
            evaluator.invalidate(stroke.dab(dabAt(evaluator)));
    }
    const Edit edit = preview.toEdit(doc, "Paint");
    evaluator.invalidate(preview.clear());
    evaluator.invalidate(doc.apply(edit));
}

void sculpt(Document& doc, Evaluator& evaluator, Preview& preview, SculptSettings::Mode mode) {
    const auto corrective = newCorrective(doc, kMesh, "fix", {});
    if (!corrective)
        return; // refused with a reason
    evaluator.invalidate(doc.apply(corrective->edit));
    {
        SculptStroke stroke(doc, evaluator, preview, {mode}, {{kMesh, corrective->shape}});
        BrushDab dab = dabAt(evaluator);
        for (int k = 0; k < 3; ++k) {
            dab.motion.y() += 0.1;
            evaluator.invalidate(stroke.dab(dab));
        }
    }
    const Edit edit = preview.toEdit(doc, "Sculpt");
    evaluator.invalidate(preview.clear());
    evaluator.invalidate(doc.apply(edit));
}

// Poses, paints, sculpts and undoes; the first thing that is wrong.
QByteArray wrongWith(DocumentState state, const skin::Skinning& skinning, bool painted) {
    MeshData& data = state.meshes[0];
    data.skinning = skinning;
    if (painted)
        for (std::vector<float>& map : data.paintedMaps)
            for (std::size_t v = 0; v < data.geometry.vertexCount(); ++v)
                map.push_back(static_cast<float>(v % 5) / 4);
    Document doc(std::move(state));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const std::vector<rig::Affine> all = poses();
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (std::size_t j = 0; j < std::min<std::size_t>(doc.skeleton().size(), 3); ++j)
            evaluator.invalidate(preview.setJoint(JointId(j), j % 2 == k % 2 ? all[k] : all[(k + j) % all.size()]));
        if (const QByteArray wrong = wrongIn(evaluator); !wrong.isEmpty())
            return wrong + " in pose " + QByteArray::number(static_cast<int>(k));
    }
    const Edit posed = preview.toEdit(doc, "Pose"); // the last pose but one of the joints is singular
    evaluator.invalidate(preview.clear());
    evaluator.invalidate(doc.apply(posed));
    for (const auto mode : {PaintSettings::Mode::Add, PaintSettings::Mode::Replace, PaintSettings::Mode::Smooth})
        paint(doc, evaluator, preview, mode);
    for (const auto mode : {SculptSettings::Mode::Grab, SculptSettings::Mode::Smooth, SculptSettings::Mode::Inflate})
        sculpt(doc, evaluator, preview, mode);
    if (!finite(doc))
        return "what would be saved is not finite";
    const QByteArray wrong = wrongIn(evaluator);
    return wrong.isEmpty() ? wrong : wrong + " after strokes";
}

} // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private slots:
    void staysFinite_data() {
        QTest::addColumn<int>("joints");
        QTest::addColumn<int>("influences");
        QTest::addColumn<int>("shape");
        QTest::newRow("an ordinary tube") << 3 << 2 << 0;
        QTest::newRow("rows of 64 influences") << 80 << 64 << 0;
        QTest::newRow("5,000 joints") << 5000 << 4 << 0;
        QTest::newRow("one joint") << 1 << 1 << 0;
        QTest::newRow("no vertices") << 3 << 4 << 1;
        QTest::newRow("one vertex") << 3 << 4 << 2;
        QTest::newRow("points without faces") << 3 << 4 << 3;
        QTest::newRow("degenerate triangles") << 3 << 3 << 4;
    }
    void staysFinite() {
        QFETCH(int, joints);
        QFETCH(int, influences);
        QFETCH(int, shape);
        const mesh::Mesh shapes[] = {test::tubeMesh(10, 8), points(0), points(1), points(17), degenerateTriangles()};
        const Make make{shapes[shape], static_cast<std::size_t>(joints), static_cast<std::size_t>(influences)};
        for (const auto method : {skin::Method::Linear, skin::Method::DualQuaternion, skin::Method::Spherical})
            for (const bool mush : {false, true})
                for (const bool painted : {false, true}) {
                    const QByteArray wrong = wrongWith(chain(make), {method, {mush, 3, 0.5}}, painted);
                    QVERIFY2(wrong.isEmpty(), (wrong + ", method " + QByteArray::number(static_cast<int>(method)) +
                                               (mush ? ", mushed" : "") + (painted ? ", painted" : ""))
                                                  .constData());
                }
    }

    void rowsWithoutWeightAreLeftWhereTheyAre() {
        DocumentState state = chain({test::tubeMesh(4, 6)});
        for (std::size_t v = 0; v < state.meshes[0].geometry.vertexCount(); ++v)
            state.meshes[0].weights.setRow(v, {});
        QCOMPARE(wrongWith(std::move(state), {}, false), QByteArray());
    }
};

QTEST_APPLESS_MAIN(TestBadInput)
#include "test_bad_input.moc"
