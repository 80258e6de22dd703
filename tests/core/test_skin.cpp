#include "core/skin/linear_blend.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::skin;

namespace {

std::vector<Influence> toRow(const Eigen::VectorXd& w) {
    std::vector<Influence> row;
    for (int k = 0; k < w.size(); ++k)
        row.push_back({static_cast<std::uint32_t>(k), static_cast<float>(w[k])});
    return row;
}

rig::Transforms skinMatricesOf(const test::Chain& chain) {
    rig::Transforms world, t;
    rig::forwardKinematics(chain.skeleton, chain.pose, world);
    for (std::size_t j = 0; j < world.size(); ++j)
        t.push_back(world[j] * chain.skeleton[JointId(j)].inverseBind);
    return t;
}

// Weights of the file cases are doubles; as floats they differ in the last digits.
constexpr double kFloatWeights = 2e-7;

struct RandomMesh {
    std::vector<Eigen::Vector3f> positions, normals;
    SkinWeights weights;
    rig::Transforms matrices;
    std::vector<Matrix34f> matricesFloat;

    RandomMesh(std::size_t vertices, std::size_t joints, test::Random& random) : weights(vertices, 4) {
        for (std::size_t s = 0; s < joints; ++s) {
            matrices.push_back(random.affine());
            matricesFloat.push_back(toMatrix34f(matrices.back()));
        }
        for (std::size_t v = 0; v < vertices; ++v) {
            positions.push_back(random.vector().cast<float>());
            normals.push_back(random.vector().normalized().cast<float>());
            const std::size_t n = 1 + random.index(6);
            std::vector<Influence> row;
            float sum = 0;
            for (std::size_t k = 0; k < n && k < joints; ++k) {
                row.push_back({static_cast<std::uint32_t>(k * joints / n), static_cast<float>(random.uniform(0.1, 1))});
                sum += row.back().weight;
            }
            for (Influence& i : row)
                i.weight /= sum;
            weights.setRow(v, row);
        }
    }
};

} // namespace

class TestSkin : public QObject {
    Q_OBJECT
private slots:
    void linearBlendMatchesTheReference();
    void normalsMatchTheReference();
    void halfTwistCollapsesToRankOne();
    void bindShapeMatchesTheReference();
    void kernelAgreesWithTheSlowVersion();
    void someVerticesGetTheSameAsAll();
    void atBindNothingMoves();
    void rigidMotionOfTheWorldCommutes();
    void unweightedVertexStays();
    void rowsGrowWithoutLosingOthers();
};

void TestSkin::linearBlendMatchesTheReference() {
    LIMBER_CASE(c, "C04");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const rig::Transforms t = skinMatricesOf(test::toChain(input["chain"].toObject()));
    const Eigen::Vector3d n = test::toVector(input["n"]);
    const PosedVertex posed =
        linearBlendReference(test::toVector(input["v"]), n.normalized(), toRow(test::toVector(input["w"])), t);
    QVERIFY((posed.position - test::toVector(expected["v"])).cwiseAbs().maxCoeff() < kFloatWeights);
    QVERIFY((posed.normal - test::toVector(expected["n"])).cwiseAbs().maxCoeff() < kFloatWeights);
    QVERIFY(std::abs(blendMap(toRow(test::toVector(input["w"])), t).a.determinant() - expected["det"].toDouble()) <
            1e-6);
}

void TestSkin::normalsMatchTheReference() {
    LIMBER_CASE(c, "C05");
    const QJsonObject input = c["input"].toObject();
    const Eigen::Vector3d n = test::toVector(input["n"]).normalized();
    const QJsonArray rot = input["rot"].toArray();
    const Eigen::Matrix3d r =
        Eigen::AngleAxisd(rot[3].toDouble() * M_PI / 180,
                          Eigen::Vector3d(rot[0].toDouble(), rot[1].toDouble(), rot[2].toDouble()))
            .toRotationMatrix();
    const QJsonArray cases = c["expected"].toObject()["cases"].toArray();
    for (int k = 0; k < cases.size(); ++k) {
        const Eigen::Matrix3d a = r * test::toVector(input["scales"].toArray()[k]).asDiagonal();
        const Eigen::Vector3d turned = transformNormal(a, a.determinant() < 0 ? -1 : 1, n, n);
        QVERIFY((turned - test::toVector(cases[k]["n"])).cwiseAbs().maxCoeff() < 1e-9);
    }
}

void TestSkin::halfTwistCollapsesToRankOne() {
    LIMBER_CASE(c, "C06");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    rig::Transforms t;
    for (const char* key : {"qa", "qb"}) {
        const Eigen::VectorXd q = test::toVector(input[key]);
        t.push_back(math::Affine(Eigen::Quaterniond(q[3], q[0], q[1], q[2])));
    }
    const VertexMap map = blendMap(toRow(test::toVector(input["w"])), t);
    QVERIFY((map(test::toVector(input["v"])) - test::toVector(expected["v"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY((map.a - test::toMatrix(expected["A"])).cwiseAbs().maxCoeff() < 1e-9);
}

void TestSkin::bindShapeMatchesTheReference() {
    LIMBER_CASE(c, "C28");
    const QJsonObject input = c["input"].toObject();
    const test::Chain chain = test::toChain(input["chain"].toObject());
    rig::Transforms world, t;
    rig::forwardKinematics(chain.skeleton, chain.pose, world);
    for (std::size_t j = 0; j < world.size(); ++j)
        t.push_back(world[j] * (chain.skeleton[JointId(j)].inverseBind * test::toTransform(input["M"])));
    const Eigen::Vector3d x = blendMap(toRow(test::toVector(input["w"])), t)(test::toVector(input["v"]));
    QVERIFY((x - test::toVector(c["expected"].toObject()["v"])).cwiseAbs().maxCoeff() < kFloatWeights * 10);
}

void TestSkin::kernelAgreesWithTheSlowVersion() {
    test::Random random;
    const RandomMesh mesh(20000, 12, random); // enough to run in parallel
    std::vector<Eigen::Vector3f> p(20000), n(20000);
    linearBlend({mesh.positions, mesh.normals, &mesh.weights, mesh.matricesFloat}, p, n);
    for (std::size_t v = 0; v < p.size(); ++v) {
        const PosedVertex oracle = linearBlendReference(
            mesh.positions[v].cast<double>(), mesh.normals[v].cast<double>(), mesh.weights.row(v), mesh.matrices);
        QVERIFY((p[v].cast<double>() - oracle.position).norm() < 1e-5);
        const Eigen::Matrix3d a = blendMap(mesh.weights.row(v), mesh.matrices).a;
        // Where the blend is nearly flat, float cannot tell the normal.
        if (std::abs(a.determinant()) > 0.05)
            QVERIFY((n[v].cast<double>() - oracle.normal).norm() < 1e-3);
    }
}

void TestSkin::someVerticesGetTheSameAsAll() {
    test::Random random(2);
    const RandomMesh mesh(500, 5, random);
    std::vector<Eigen::Vector3f> p(500), n(500), p2(500, Eigen::Vector3f::Zero()), n2(500);
    const LinearBlendInput in{mesh.positions, mesh.normals, &mesh.weights, mesh.matricesFloat};
    linearBlend(in, p, n);
    const std::vector<std::uint32_t> some{0, 7, 499};
    linearBlend(in, some, p2, n2);
    for (const std::uint32_t v : some)
        QVERIFY(p[v] == p2[v] && n[v] == n2[v]);
    QVERIFY(p2[1].isZero());
}

void TestSkin::atBindNothingMoves() {
    test::Random random(3);
    RandomMesh mesh(300, 6, random);
    for (Matrix34f& m : mesh.matricesFloat)
        m = toMatrix34f(math::Affine::Identity());
    std::vector<Eigen::Vector3f> p(300), n(300);
    linearBlend({mesh.positions, mesh.normals, &mesh.weights, mesh.matricesFloat}, p, n);
    for (std::size_t v = 0; v < 300; ++v)
        QVERIFY((p[v] - mesh.positions[v]).norm() < 1e-6f && (n[v] - mesh.normals[v]).norm() < 1e-6f);
}

void TestSkin::rigidMotionOfTheWorldCommutes() {
    test::Random random(4);
    const RandomMesh mesh(200, 6, random);
    const math::Affine motion = random.rigid();
    rig::Transforms moved;
    for (const math::Affine& t : mesh.matrices)
        moved.push_back(motion * t);
    for (std::size_t v = 0; v < 200; ++v) {
        const Eigen::Vector3d p = mesh.positions[v].cast<double>();
        const Eigen::Vector3d a = motion * blendMap(mesh.weights.row(v), mesh.matrices)(p);
        QVERIFY((a - blendMap(mesh.weights.row(v), moved)(p)).norm() < 1e-6); // float weights sum to one within 1e-7
    }
}

void TestSkin::unweightedVertexStays() {
    const SkinWeights weights(1, 4);
    const std::vector<Eigen::Vector3f> p{{1, 2, 3}}, n{{0, 0, 1}};
    const std::vector<Matrix34f> t{toMatrix34f(math::Affine(Eigen::Scaling(5.0)))};
    std::vector<Eigen::Vector3f> outP(1), outN(1);
    linearBlend({p, n, &weights, t}, outP, outN);
    QVERIFY(outP[0] == p[0] && outN[0] == n[0]);
}

void TestSkin::rowsGrowWithoutLosingOthers() {
    SkinWeights weights(3, 1);
    const std::vector<Influence> one{{4, 1.0f}}, three{{0, 0.5f}, {2, 0.25f}, {9, 0.25f}};
    weights.setRow(0, one);
    weights.setRow(2, one);
    weights.setRow(1, three);
    QCOMPARE(weights.capacity(), std::size_t(3));
    QCOMPARE(weights.weight(0, 4), 1.0f);
    QCOMPARE(weights.weight(2, 4), 1.0f);
    QCOMPARE(weights.weight(1, 9), 0.25f);
    weights.setRow(1, one);
    QCOMPARE(weights.weight(1, 9), 0.0f);
    QCOMPARE(weights.maxInfluences(), std::size_t(1));
}

QTEST_APPLESS_MAIN(TestSkin)
#include "test_skin.moc"
