// The map of a vertex where joints are blended linearly, normals and tangents, and the rows of weights.
#include "core/skin/pose_map.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::skin;

namespace {

Row toRow(const Eigen::VectorXd& w) {
    Row row;
    for (int k = 0; k < w.size(); ++k)
        row.push_back({static_cast<std::uint32_t>(k), static_cast<float>(w[k])});
    return row;
}

std::vector<SlotPose> slotsOf(const test::Chain& chain, const math::Affine& placement = math::Affine::Identity()) {
    rig::Transforms world;
    rig::forwardKinematics(chain.skeleton, chain.pose, world);
    std::vector<SlotPose> joints;
    for (std::size_t j = 0; j < world.size(); ++j) {
        const rig::Joint& joint = chain.skeleton[JointId(j)];
        joints.push_back(slotPose(world[j], joint.bindWorld, joint.inverseBind, joint.inverseBind * placement));
    }
    return joints;
}

std::vector<SlotPose> slotsOf(const std::vector<math::Affine>& matrices) {
    std::vector<SlotPose> joints;
    for (const math::Affine& m : matrices)
        joints.push_back(slotPose(m, math::Affine::Identity(), math::Affine::Identity(), math::Affine::Identity()));
    return joints;
}

// Weights of the file cases are doubles; as floats they differ in the last digits.
constexpr double kFloatWeights = 2e-7;

bool near(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double tolerance) {
    return (a - b).cwiseAbs().maxCoeff() < tolerance;
}

} // namespace

class TestSkin : public QObject {
    Q_OBJECT
private slots:
    void linearBlendMatchesTheReference();
    void normalsMatchTheReference();
    void halfTwistCollapsesToRankOne();
    void bindShapeMatchesTheReference();
    void normalsAndTangentsStayOnTheSurface();
    void flattenedSurfacesHaveNormals();
    void unweightedVertexStays();
    void rowsGrowWithoutLosingOthers();
};

void TestSkin::linearBlendMatchesTheReference() {
    LIMBER_CASE(c, "C04");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const std::vector<SlotPose> joints = slotsOf(test::toChain(input["chain"].toObject()));
    const Row row = toRow(test::toVector(input["w"]));
    const Eigen::Vector3d n = test::toVector(input["n"]);
    const PosedVertex posed = posedReference(test::toVector(input["v"]), n.normalized(), row, joints, Method::Linear);
    QVERIFY(near(posed.position, test::toVector(expected["v"]), kFloatWeights));
    QVERIFY(near(posed.normal, test::toVector(expected["n"]), kFloatWeights));
    QVERIFY(std::abs(poseMap(row, joints, Method::Linear).a.determinant() - expected["det"].toDouble()) < 1e-6);
}

void TestSkin::normalsMatchTheReference() {
    LIMBER_CASE(c, "C05");
    const QJsonObject input = c["input"].toObject();
    const Eigen::Vector3d n = test::toVector(input["n"]).normalized();
    const Eigen::VectorXd rot = test::toVector(input["rot"]);
    const Eigen::Matrix3d r =
        Eigen::AngleAxisd(rot[3] * M_PI / 180, Eigen::Vector3d(rot[0], rot[1], rot[2])).toRotationMatrix();
    const QJsonArray cases = c["expected"].toObject()["cases"].toArray();
    QVERIFY(!cases.isEmpty());
    for (int k = 0; k < cases.size(); ++k) {
        const Eigen::Matrix3d a = r * test::toVector(input["scales"].toArray()[k]).asDiagonal();
        const Eigen::Vector3d turned = transformNormal(a, a.determinant() < 0 ? -1 : 1, n, n);
        QVERIFY(near(turned, test::toVector(cases[k]["n"]), 1e-9));
    }
}

void TestSkin::halfTwistCollapsesToRankOne() {
    LIMBER_CASE(c, "C06");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    std::vector<math::Affine> t;
    for (const char* key : {"qa", "qb"}) {
        const Eigen::VectorXd q = test::toVector(input[key]);
        t.emplace_back(Eigen::Quaterniond(q[3], q[0], q[1], q[2]));
    }
    const VertexMap map = poseMap(toRow(test::toVector(input["w"])), slotsOf(t), Method::Linear);
    QVERIFY(near(map(test::toVector(input["v"])), test::toVector(expected["v"]), 1e-9));
    QVERIFY((map.a - test::toMatrix(expected["A"])).cwiseAbs().maxCoeff() < 1e-9);
}

void TestSkin::bindShapeMatchesTheReference() {
    LIMBER_CASE(c, "C28");
    const QJsonObject input = c["input"].toObject();
    const std::vector<SlotPose> joints =
        slotsOf(test::toChain(input["chain"].toObject()), test::toTransform(input["M"]));
    const VertexMap map = poseMap(toRow(test::toVector(input["w"])), joints, Method::Linear);
    QVERIFY(near(map(test::toVector(input["v"])), test::toVector(c["expected"].toObject()["v"]), kFloatWeights * 10));
}

// Against the surface's own tangents u and v, carried point by point; half of the maps mirror.
void TestSkin::normalsAndTangentsStayOnTheSurface() {
    test::Random random(5);
    int tested = 0;
    for (int k = 0; k < 400; ++k) {
        Eigen::Matrix3d a = random.affine().linear();
        if (k % 2)
            a.col(k % 3) *= -random.uniform(0.2, 3);
        const Eigen::Vector3d u = random.vector().normalized(), v = random.vector();
        const double handedness = k % 4 < 2 ? 1 : -1;
        const Eigen::Vector3d n = handedness * u.cross(v).normalized();
        if (!(u.cross(v).norm() > 0.1))
            continue;
        const double sign = a.determinant() < 0 ? -1 : 1;
        const Eigen::Vector3d posed = transformNormal(a, sign, n, Eigen::Vector3d::Zero());
        Eigen::Vector4d tangent;
        tangent << u, handedness;
        const Eigen::Vector4d turned = transformTangent(a, posed, tangent);
        QVERIFY(std::abs(posed.norm() - 1) < 1e-12 && std::abs(turned.head<3>().norm() - 1) < 1e-12);
        QVERIFY(std::abs(posed.dot(a * u)) < 1e-12 && std::abs(posed.dot(a * v)) < 1e-12);
        QVERIFY(posed.dot(a * n) > 0); // outwards still
        QVERIFY(std::abs(turned.head<3>().dot(posed)) < 1e-12);
        QVERIFY((turned.head<3>() - (a * u).normalized()).norm() < 1e-11);
        QVERIFY(turned.w() * posed.cross(turned.head<3>()).dot(a * v) > 0);
        ++tested;
    }
    QVERIFY(tested > 300);
}

void TestSkin::flattenedSurfacesHaveNormals() {
    test::Random random(6);
    for (int k = 0; k < 200; ++k) {
        const Eigen::Vector3d u = random.vector(), v = random.vector(), n = random.vector().normalized();
        const Eigen::Matrix3d maps[] = {Eigen::Matrix3d::Zero(), u * v.transpose(),
                                        Eigen::Matrix3d(u * v.transpose() + v * u.transpose())};
        for (const Eigen::Matrix3d& a : maps) {
            const Eigen::Vector3d posed = transformNormal(a, 1, n, Eigen::Vector3d::UnitY());
            Eigen::Vector4d tangent;
            tangent << n.unitOrthogonal(), 1;
            const Eigen::Vector4d turned = transformTangent(a, posed, tangent);
            QVERIFY(std::abs(posed.norm() - 1) < 1e-9);
            QVERIFY(std::abs(turned.head<3>().norm() - 1) < 1e-9 && std::abs(turned.head<3>().dot(posed)) < 1e-6);
        }
    }
}

void TestSkin::unweightedVertexStays() {
    const std::vector<SlotPose> joints = slotsOf({math::Affine(Eigen::Scaling(5.0))});
    const Row nothing, tiny{{0, 1e-7f}};
    for (const Row& row : {nothing, tiny})
        for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
            const PosedVertex posed = posedReference({1, 2, 3}, {0, 0, 1}, row, joints, method);
            QVERIFY(posed.position == Eigen::Vector3d(1, 2, 3) && posed.normal == Eigen::Vector3d(0, 0, 1));
        }
}

void TestSkin::rowsGrowWithoutLosingOthers() {
    SkinWeights weights(3, 1);
    const Row one{{4, 1.0f}}, three{{0, 0.5f}, {2, 0.25f}, {9, 0.25f}};
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
