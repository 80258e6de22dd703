// Dual quaternion and spherical skinning: the reference cases, versions written point by point in another way, and what
// has to hold for every method.
#include "core/shape/corrective.h"
#include "core/skin/pose_map.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <QTest>

#include <algorithm>

using namespace limber;
using namespace limber::skin;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr double kFloatWeights = 5e-7; // the files' weights are doubles, ours floats

struct Way {
    Method method;
    double share;
    SphericalCentre centre;
};
constexpr Way kWays[] = {
    {Method::Linear, 1, SphericalCentre::PerVertex},           {Method::DualQuaternion, 1, SphericalCentre::PerVertex},
    {Method::Spherical, 1, SphericalCentre::PerVertex},        {Method::Spherical, 1, SphericalCentre::PerSet},
    {Method::DualQuaternion, 0.3, SphericalCentre::PerVertex}, {Method::Spherical, 0.7, SphericalCentre::PerVertex}};

VertexMap mapOf(const Row& row, const std::vector<SlotPose>& joints, const Way& way) {
    return poseMap(row, joints, way.method, way.share, way.centre);
}

bool near(const Vector3d& a, const Vector3d& b, double tolerance) {
    return (a - b).cwiseAbs().maxCoeff() < tolerance;
}

double distance(const VertexMap& a, const VertexMap& b) {
    return std::max((a.a - b.a).cwiseAbs().maxCoeff(), (a.b - b.b).cwiseAbs().maxCoeff());
}

SlotPose slotAt(const math::Affine& world, const math::Affine& bind,
                const math::Affine& placement = math::Affine::Identity()) {
    return slotPose(world, bind, bind.inverse(), bind.inverse() * placement);
}

math::Affine moveTo(const Vector3d& p) {
    return math::Affine(Eigen::Translation3d(p));
}

Row rowOf(const Eigen::VectorXd& weights) {
    Row row;
    for (int k = 0; k < weights.size(); ++k)
        row.push_back({static_cast<std::uint32_t>(k), static_cast<float>(weights[k])});
    return row;
}

// Rigid joints of a case, given by quaternions and translations; all with one bind origin.
std::vector<SlotPose> rigidSlots(const QJsonObject& input, const Vector3d& origin) {
    std::vector<SlotPose> joints;
    const QJsonArray qs = input["q"].toArray(), ts = input["t"].toArray();
    for (int k = 0; k < qs.size(); ++k) {
        const Eigen::VectorXd q = test::toVector(qs[k]);
        const math::Affine m =
            math::composeTrs(test::toVector(ts[k]), Quaterniond(q[3], q[0], q[1], q[2]), Vector3d::Ones());
        joints.push_back(slotAt(m * moveTo(origin), moveTo(origin)));
    }
    return joints;
}

// One joint at rest and one turned about a centre, both bound at `origin`.
std::vector<SlotPose> bentSlots(const QJsonObject& input, const char* centre, const Vector3d& origin) {
    const Vector3d axis = test::toVector(input["axis"]);
    const math::Affine turn =
        math::rotationAbout(test::toVector(input[centre]), axis, input["deg"].toDouble() * M_PI / 180);
    return {slotAt(moveTo(origin), moveTo(origin)), slotAt(turn * moveTo(origin), moveTo(origin))};
}

// Weights in 64ths: they add up to one exactly.
Row randomRow(test::Random& random, std::size_t joints) {
    std::vector<int> parts(joints, 0);
    const std::size_t used = 1 + random.index(4);
    for (int k = 0; k < 64; ++k)
        ++parts[(random.index(used) * 3 + used) % joints];
    Row row;
    for (std::size_t j = 0; j < joints; ++j)
        if (parts[j])
            row.push_back({static_cast<std::uint32_t>(j), static_cast<float>(parts[j]) / 64});
    return row;
}

// Joints bound and posed at random, and a mesh that lies in the model scaled and turned, as some files have it.
struct Scene {
    std::vector<math::Affine> bind, world;
    math::Affine placement;

    explicit Scene(test::Random& random, bool stretched = true) {
        placement = random.rigid() * Eigen::Scaling(random.uniform(0.01, 0.02));
        for (int j = 0; j < 7; ++j) {
            bind.push_back(random.rigid());
            const math::Affine local = stretched ? random.affine() : random.rigid();
            world.push_back(bind.back() * local);
        }
    }
    std::vector<SlotPose> slotPoses(const math::Affine& ofWorld = math::Affine::Identity(),
                                    const math::Affine& ofBind = math::Affine::Identity()) const {
        std::vector<SlotPose> joints;
        for (std::size_t j = 0; j < bind.size(); ++j)
            joints.push_back(slotAt(ofWorld * world[j], ofBind * bind[j], ofBind * placement));
        return joints;
    }
};

// The stretch of T = W B^-1 by the root of A^T A, and the rest of it as a quaternion and a translation.
struct Split {
    Matrix3d stretch;
    Quaterniond rotation;
    Vector3d origin, translation;

    Split(const math::Affine& t, const Vector3d& o) : origin(o) {
        const Eigen::SelfAdjointEigenSolver<Matrix3d> root(t.linear().transpose() * t.linear());
        stretch = root.operatorSqrt();
        if (t.linear().determinant() < 0)
            stretch = -stretch;
        rotation = Quaterniond(Matrix3d(t.linear() * stretch.inverse()));
        translation = t * o - rotation * o;
    }
    Vector3d stretched(const Vector3d& p) const { return stretch * (p - origin) + origin; }
    Vector3d moved(const Vector3d& p) const { return rotation * p + translation; }
};

std::vector<Split> splitsOf(const Scene& scene) {
    std::vector<Split> splits;
    for (std::size_t j = 0; j < scene.bind.size(); ++j)
        splits.emplace_back(scene.world[j] * scene.bind[j].inverse(), scene.bind[j].translation());
    return splits;
}

const Influence& pivotOf(const Row& row) {
    return *std::max_element(row.begin(), row.end(),
                             [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
}

// The weighted quaternion with the pivot's signs, each stored with any sign.
struct Blend {
    Quaterniond real{0, 0, 0, 0}, dual{0, 0, 0, 0};
};
Blend blendOf(const Row& row, const std::vector<Split>& splits, test::Random& random) {
    Blend blend;
    const Quaterniond& pivot = splits[pivotOf(row).slot].rotation;
    for (const Influence& i : row) {
        Quaterniond q = splits[i.slot].rotation;
        const Vector3d t = splits[i.slot].translation;
        if (random.index(2))
            q.coeffs() *= -1;
        Quaterniond d = Quaterniond(0, t.x(), t.y(), t.z()) * q;
        const double w = q.dot(pivot) < 0 ? -double(i.weight) : double(i.weight);
        blend.real.coeffs() += w * q.coeffs();
        blend.dual.coeffs() += w * 0.5 * d.coeffs();
    }
    return blend;
}

// q (1 + e x1) q* of the blended dual quaternion, as a product of quaternions.
Vector3d dualQuaternionPoint(const Row& row, const std::vector<Split>& splits, const Vector3d& p,
                             test::Random& random) {
    Vector3d x1 = Vector3d::Zero();
    for (const Influence& i : row)
        x1 += i.weight * splits[i.slot].stretched(p);
    Blend b = blendOf(row, splits, random);
    const double length = b.real.norm();
    b.real.coeffs() /= length;
    b.dual.coeffs() /= length;
    return b.real * x1 + 2 * (b.dual * b.real.conjugate()).vec();
}

// The centre from all pairs of joints, weighted by both, by singular values.
Vector3d sphericalPoint(const Row& row, const std::vector<Split>& splits, const Vector3d& p, test::Random& random) {
    Vector3d anchor = Vector3d::Zero(), x1 = Vector3d::Zero(), x = Vector3d::Zero();
    for (const Influence& i : row) {
        anchor += i.weight * splits[i.slot].origin;
        x1 += i.weight * splits[i.slot].stretched(p);
    }
    Matrix3d n = 1e-6 * Matrix3d::Identity();
    Vector3d right = Vector3d::Zero();
    for (const Influence& a : row)
        for (const Influence& b : row) {
            const Matrix3d e = splits[a.slot].rotation.toRotationMatrix() - splits[b.slot].rotation.toRotationMatrix();
            n += 0.5 * double(a.weight) * b.weight * e.transpose() * e;
            right += 0.5 * double(a.weight) * b.weight * e.transpose() *
                     (splits[b.slot].moved(anchor) - splits[a.slot].moved(anchor));
        }
    const Vector3d r = anchor + n.inverse() * right;
    for (const Influence& i : row)
        x += i.weight * splits[i.slot].moved(r);
    return blendOf(row, splits, random).real.normalized() * (x1 - r) + x;
}

} // namespace

class TestSkinMethods : public QObject {
    Q_OBJECT
private slots:
    void dualQuaternionsMatchTheReferences();
    void elbowMatchesTheReferences();
    void twoPhasesMatchTheReference();
    void sphericalBlendOfThreeMatchesTheReference();
    void correctiveThroughDualQuaternionsMatchesTheReference();
    void blendOfMethodsMatchesTheReference();
    void mapsAgreeWithPointsMovedOneByOne();
    void atBindThePointStaysWhereItIs();
    void motionAndSizeOfTheSceneCommute();
    void pureScaleIsTheSameForAllMethods();
    void oneJointIsFollowedExactly();
    void orderOfTheSlotsDoesNotMatter();
    void scaledWeightsScaleTheMap();
    void fadingInfluenceIsContinuousPerVertexOnly();
    void extractionThroughEachMethodReachesTheTarget();
    void lostDirectionsStayFinite();
};

void TestSkinMethods::dualQuaternionsMatchTheReferences() {
    LIMBER_CASE(c07, "C07");
    LIMBER_CASE(c08, "C08");
    for (const QJsonObject& c : {c07, c08}) {
        const QJsonObject input = c["input"].toObject();
        const VertexMap map =
            poseMap(rowOf(test::toVector(input["w"])), rigidSlots(input, Vector3d::Zero()), Method::DualQuaternion);
        QVERIFY(near(map(test::toVector(input["v"])), test::toVector(c["expected"].toObject()["v"]), kFloatWeights));
    }
}

void TestSkinMethods::elbowMatchesTheReferences() {
    LIMBER_CASE(c09, "C09");
    LIMBER_CASE(c11, "C11");
    const QJsonObject bend = c09["input"].toObject(), expected = c09["expected"].toObject();
    const Row row = rowOf(test::toVector(bend["w"]));
    const Vector3d v = test::toVector(bend["v"]);
    const std::vector<SlotPose> joints = bentSlots(bend, "elbow", test::toVector(c11["input"].toObject()["anchor"]));
    QVERIFY(near(poseMap(row, joints, Method::Linear)(v), test::toVector(expected["lbs"]), 1e-9));
    QVERIFY(near(poseMap(row, joints, Method::DualQuaternion)(v), test::toVector(expected["dqs"]), 1e-9));
    const QJsonObject spherical = c11["expected"].toObject();
    const Vector3d centre = test::toVector(spherical["rc"]);
    const VertexMap set = poseMap(row, joints, Method::Spherical, 1, SphericalCentre::PerSet);
    QVERIFY(near(set(v), test::toVector(spherical["v"]), 1e-9));
    QVERIFY(near(set(centre), centre, 1e-9)); // on the elbow's axis, which stays
    // The smooth form leaves a millionth of the way to the elbow.
    QVERIFY(near(poseMap(row, joints, Method::Spherical)(v), test::toVector(spherical["v"]), 3e-6));
}

void TestSkinMethods::twoPhasesMatchTheReference() {
    LIMBER_CASE(c, "C10");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const math::Affine a = moveTo(test::toVector(input["b"].toArray()[0])),
                       b = moveTo(test::toVector(input["b"].toArray()[1]));
    const std::vector<SlotPose> joints{slotAt(a, a), slotAt(test::toTransform(input["Tb"]) * b, b)};
    const Row row = rowOf(test::toVector(input["w"]));
    const Vector3d v = test::toVector(input["v"]);
    Vector3d first = Vector3d::Zero();
    for (const Influence& i : row)
        first += i.weight * (joints[i.slot].stretch * v);
    QVERIFY(near(first, test::toVector(expected["phase1"]), kFloatWeights));
    QVERIFY(near(poseMap(row, joints, Method::DualQuaternion)(v), test::toVector(expected["v"]), kFloatWeights));
}

void TestSkinMethods::sphericalBlendOfThreeMatchesTheReference() {
    LIMBER_CASE(c, "C12");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const std::vector<SlotPose> joints = rigidSlots(input, test::toVector(input["anchor"]));
    const Row row = rowOf(test::toVector(input["w"]));
    const VertexMap map = poseMap(row, joints, Method::Spherical, 1, SphericalCentre::PerSet);
    QVERIFY(near(map(test::toVector(input["v"])), test::toVector(expected["v"]), kFloatWeights));
    // The centre itself goes to the mean of its places, and only it does.
    const Vector3d centre = test::toVector(expected["rc"]);
    Vector3d mean = Vector3d::Zero();
    for (const Influence& i : row)
        mean += i.weight * (joints[i.slot].rotation * centre + joints[i.slot].translation);
    QVERIFY(near(map(centre), mean, kFloatWeights));
}

void TestSkinMethods::correctiveThroughDualQuaternionsMatchesTheReference() {
    LIMBER_CASE(c, "C15");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const VertexMap map = poseMap(rowOf(test::toVector(input["w"])), bentSlots(input, "centre", Vector3d::Zero()),
                                  Method::DualQuaternion);
    const Vector3d posed = map(test::toVector(input["rest"]));
    QVERIFY(near(posed, test::toVector(expected["current"]), kFloatWeights));
    const shape::InverseResult inverse =
        shape::correctiveIncrement(map, posed, test::toVector(input["target"]), input["c"].toDouble());
    QVERIFY(near(inverse.delta, test::toVector(expected["d"]), 2 * kFloatWeights));
}

void TestSkinMethods::blendOfMethodsMatchesTheReference() {
    LIMBER_CASE(c, "C29");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const VertexMap map = poseMap(rowOf(test::toVector(input["w"])), bentSlots(input, "elbow", Vector3d::Zero()),
                                  Method::DualQuaternion, input["beta"].toDouble());
    const Vector3d v = map(test::toVector(input["v"]));
    QVERIFY(near(v, test::toVector(expected["v"]), 1e-9));
    QVERIFY((map.a - test::toMatrix(expected["A"])).cwiseAbs().maxCoeff() < 1e-9);
    const shape::InverseResult inverse = shape::correctiveIncrement(map, v, v + test::toVector(input["offset"]), 1);
    QVERIFY(near(inverse.delta, test::toVector(expected["delta"]), 1e-9));
}

void TestSkinMethods::mapsAgreeWithPointsMovedOneByOne() {
    test::Random random(11);
    for (int k = 0; k < 500; ++k) {
        Scene scene(random);
        if (k % 3 == 0) // one joint mirrors
            scene.world[3] = scene.world[3] * Eigen::Scaling(-1.0, 1.0, 1.5);
        const std::vector<SlotPose> joints = scene.slotPoses();
        const std::vector<Split> splits = splitsOf(scene);
        const Row row = randomRow(random, joints.size());
        const VertexMap dual = poseMap(row, joints, Method::DualQuaternion),
                        spherical = poseMap(row, joints, Method::Spherical);
        const Vector3d p = random.vector(50);
        Vector3d atP[2];
        for (int e = -1; e < 3; ++e) {
            const Vector3d model = scene.placement * (e < 0 ? p : p + Vector3d::Unit(e));
            const Vector3d x[2] = {dualQuaternionPoint(row, splits, model, random),
                                   sphericalPoint(row, splits, model, random)};
            if (e < 0) {
                atP[0] = x[0], atP[1] = x[1];
                QVERIFY(near(dual(p), x[0], 1e-9) && near(spherical(p), x[1], 1e-9));
            } else {
                QVERIFY(near(dual.a.col(e), x[0] - atP[0], 1e-9));
                QVERIFY(near(spherical.a.col(e), x[1] - atP[1], 1e-9));
            }
        }
    }
}

void TestSkinMethods::atBindThePointStaysWhereItIs() {
    test::Random random(12);
    for (int k = 0; k < 100; ++k) {
        Scene scene(random);
        scene.world = scene.bind;
        const std::vector<SlotPose> joints = scene.slotPoses();
        const Row row = randomRow(random, joints.size());
        const Vector3d p = random.vector(100);
        for (const Way& way : kWays)
            QVERIFY(near(mapOf(row, joints, way)(p), scene.placement * p, 1e-11));
    }
}

void TestSkinMethods::motionAndSizeOfTheSceneCommute() {
    test::Random random(13);
    for (int k = 0; k < 200; ++k) {
        const Scene scene(random);
        const Row row = randomRow(random, scene.bind.size());
        const math::Affine motion = random.rigid();
        const math::Affine sized = motion * Eigen::Scaling(k % 2 ? 0.01 : 30.0);
        const math::Affine mirrored = motion * Eigen::Scaling(-1.0, 1.0, 1.0);
        for (const Way& way : kWays) {
            const VertexMap map = mapOf(row, scene.slotPoses(), way);
            const auto after = [&](const math::Affine& m) {
                VertexMap both = map;
                both.a = m.linear() * map.a;
                both.b = m * map.b;
                return both;
            };
            QVERIFY(distance(mapOf(row, scene.slotPoses(motion), way), after(motion)) < 1e-10);
            QVERIFY(distance(mapOf(row, scene.slotPoses(motion, motion), way), after(motion)) < 1e-10);
            QVERIFY(distance(mapOf(row, scene.slotPoses(sized, sized), way), after(sized)) < 1e-9);
            QVERIFY(distance(mapOf(row, scene.slotPoses(mirrored, mirrored), way), after(mirrored)) < 1e-10);
        }
    }
}

void TestSkinMethods::pureScaleIsTheSameForAllMethods() {
    test::Random random(14);
    for (int k = 0; k < 100; ++k) {
        Scene scene(random);
        for (std::size_t j = 0; j < scene.bind.size(); ++j) {
            const Vector3d o = scene.bind[j].translation();
            const Vector3d s(random.uniform(0.3, 3), random.uniform(0.3, 3), random.uniform(0.3, 3));
            scene.world[j] = moveTo(o) * Eigen::Scaling(s) * moveTo(-o) * scene.bind[j];
        }
        const std::vector<SlotPose> joints = scene.slotPoses();
        const Row row = randomRow(random, joints.size());
        const VertexMap linear = poseMap(row, joints, Method::Linear);
        for (const Way& way : kWays)
            QVERIFY(distance(mapOf(row, joints, way), linear) < 1e-10);
    }
}

void TestSkinMethods::oneJointIsFollowedExactly() {
    test::Random random(15);
    for (int k = 0; k < 100; ++k) {
        Scene scene(random);
        if (k % 2)
            scene.world[2] = scene.world[2] * Eigen::Scaling(1.0, -0.5, 1.0);
        const std::vector<SlotPose> joints = scene.slotPoses();
        const math::Affine& t = joints[2].skin;
        for (const Way& way : kWays) {
            const VertexMap map = mapOf({{2, 1.0f}}, joints, way);
            QVERIFY((map.a - t.linear()).norm() < 1e-11 && (map.b - t.translation()).norm() < 1e-10);
        }
    }
}

void TestSkinMethods::orderOfTheSlotsDoesNotMatter() {
    test::Random random(16);
    for (int k = 0; k < 200; ++k) {
        const Scene scene(random);
        std::vector<SlotPose> joints = scene.slotPoses();
        const Row row{{0, 20 / 64.0f}, {2, 25 / 64.0f}, {5, 19 / 64.0f}};
        Row turned; // the same joints, listed backwards
        for (std::size_t i = row.size(); i-- > 0;)
            turned.push_back({static_cast<std::uint32_t>(joints.size() - 1 - row[i].slot), row[i].weight});
        std::vector<SlotPose> backwards(joints.rbegin(), joints.rend());
        for (const Way& way : kWays)
            QVERIFY(distance(mapOf(row, joints, way), mapOf(turned, backwards, way)) < 1e-10);
    }
}

// Rows whose weights do not add up to one: the rigid methods do what linear blending does.
void TestSkinMethods::scaledWeightsScaleTheMap() {
    test::Random random(17);
    for (int k = 0; k < 50; ++k) {
        const Scene scene(random);
        const Row row = randomRow(random, scene.bind.size());
        Row half = row;
        for (Influence& i : half)
            i.weight *= 0.5f;
        for (const Way& way : kWays) {
            VertexMap map = mapOf(row, scene.slotPoses(), way);
            map.a *= 0.5;
            map.b *= 0.5;
            QVERIFY(distance(mapOf(half, scene.slotPoses(), way), map) < 1e-10);
        }
    }
}

void TestSkinMethods::fadingInfluenceIsContinuousPerVertexOnly() {
    // A shoulder and an elbow bend, and a third bone is far from both centres.
    const math::Affine elbow = math::rotationAbout({1, 0, 0}, Vector3d::UnitZ(), 1.2);
    const math::Affine far = math::rotationAbout({0, 2, 0}, Vector3d(1, 1, 0).normalized(), 1.0);
    const std::vector<SlotPose> joints{slotAt(moveTo({0, 0, 0}), moveTo({0, 0, 0})),
                                       slotAt(elbow * moveTo({1, 0, 0}), moveTo({1, 0, 0})),
                                       slotAt(far * moveTo({0, 1, 0}), moveTo({0, 1, 0}))};
    const Row two{{0, 0.5f}, {1, 0.5f}}, three{{0, 0.5f}, {1, 0.499998f}, {2, 2e-6f}};
    const Vector3d p(1, 0.1, 0);
    const auto jump = [&](SphericalCentre centre) {
        return (poseMap(two, joints, Method::Spherical, 1, centre)(p) -
                poseMap(three, joints, Method::Spherical, 1, centre)(p))
            .norm();
    };
    QVERIFY(jump(SphericalCentre::PerVertex) < 1e-4);
    QVERIFY(jump(SphericalCentre::PerSet) > 1e-2);
}

void TestSkinMethods::extractionThroughEachMethodReachesTheTarget() {
    test::Random random(18);
    int tested = 0;
    for (int k = 0; k < 300; ++k) {
        const Scene scene(random);
        const std::vector<SlotPose> joints = scene.slotPoses();
        const Row row = randomRow(random, joints.size());
        const Vector3d p = random.vector(50);
        for (const Way& way : kWays) {
            const VertexMap map = mapOf(row, joints, way);
            const Vector3d x = map(p), y = x + random.vector(0.3);
            const double weight = random.uniform(0.1, 1);
            QVERIFY(shape::correctiveIncrement(map, x, x, weight).delta.isZero());
            const shape::InverseResult inverse = shape::correctiveIncrement(map, x, y, weight);
            if (inverse.condition > 9.9)
                continue;
            QVERIFY((map(p + weight * inverse.delta) - y).norm() < 1e-11);
            ++tested;
        }
    }
    QVERIFY(tested > 1000);
}

void TestSkinMethods::lostDirectionsStayFinite() {
    test::Random random(19);
    const Vector3d scales[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 1, 1}, {-1, -1, -1}, {0, -1, 1}, {1e-200, 1, 1}};
    for (int k = 0; k < 300; ++k) {
        Scene scene(random);
        for (std::size_t j = 0; j < scene.world.size(); ++j)
            scene.world[j] = (k % 2 ? scene.world[j] : scene.bind[j]) * Eigen::Scaling(scales[(j + k) % 7]);
        const std::vector<SlotPose> joints = scene.slotPoses();
        const Row row = randomRow(random, joints.size());
        for (const Way& way : kWays) {
            const Vector3d p = random.vector(100), n = random.vector().normalized();
            const PosedVertex posed = posedReference(p, n, row, joints, way.method, way.share, way.centre);
            QVERIFY(posed.position.allFinite());
            QVERIFY(std::abs(posed.normal.norm() - 1) < 1e-9);
            const Eigen::Vector4d tangent =
                transformTangent(mapOf(row, joints, way).a, posed.normal, {n.z(), n.x(), n.y(), -1});
            QVERIFY(std::abs(tangent.head<3>().norm() - 1) < 1e-9);
        }
    }
}

QTEST_APPLESS_MAIN(TestSkinMethods)
#include "test_skin_methods.moc"
