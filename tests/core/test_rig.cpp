#include "core/rig/bind_pose.h"
#include "core/rig/clip.h"
#include "core/rig/world_increment.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"
#include "tests/support/time_limit.h"

#include <QElapsedTimer>
#include <QTest>

using namespace limber;
using namespace limber::rig;

namespace {

double worst(const Affine& m, const QJsonValue& rows) {
    return (m.matrix() - test::toMatrix(rows)).cwiseAbs().maxCoeff();
}

} // namespace

class TestRig : public QObject {
    Q_OBJECT
private slots:
    void forwardKinematicsMatchesTheReference();
    void worldIncrementMatchesTheReference();
    void worldIncrementReachesTheWantedWorldTransform();
    void worldIncrementBelowSingularParentIsRefused();
    void keepTrsRemovesTheShearOfTheReference();
    void keepTrsChangesNothingWithoutParentScale();
    void inverseBindsWithBindShapeMatchTheReference();
    void nodesAtBindGiveIdentityPose();
    void rotatedArmatureStandsAtBind();
    void nodeOutsideEverySkinKeepsItsTransform();
    void singularInverseBindIsReported();
    void aSkinOfADeepChainIsDerivedQuickly();
    void clipsAreSampledAsTheFormatSays();
    void clipKeepsWhatItDoesNotMove();
};

void TestRig::forwardKinematicsMatchesTheReference() {
    LIMBER_CASE(c, "C01");
    const test::Chain chain = test::toChain(c["input"].toObject());
    const QJsonObject expected = c["expected"].toObject();
    Transforms world;
    forwardKinematics(chain.skeleton, chain.pose, world);
    for (int j = 0; j < 3; ++j) {
        const Joint& joint = chain.skeleton[JointId(j)];
        QVERIFY(worst(world[j], expected["W"].toArray()[j]) < 1e-9);
        QVERIFY(worst(joint.bindWorld, expected["B"].toArray()[j]) < 1e-9);
        QVERIFY(worst(world[j] * joint.inverseBind, expected["T"].toArray()[j]) < 1e-9);
    }
}

void TestRig::worldIncrementMatchesTheReference() {
    LIMBER_CASE(c, "C02");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    test::Chain chain = test::toChain(input["chain"].toObject());
    Transforms world;
    forwardKinematics(chain.skeleton, chain.pose, world);
    const Affine u = math::rotationAbout(world[1].translation(), test::toVector(input["axis"]).normalized(),
                                         input["deg"].toDouble() * M_PI / 180);
    const auto ul = applyWorldIncrement(world[0], chain.skeleton[JointId(1)].bindLocal, chain.pose[1], u);
    QVERIFY(ul.has_value());
    QVERIFY(worst(*ul, expected["Ul"]) < 1e-9);
    chain.pose[1] = *ul;
    forwardKinematics(chain.skeleton, chain.pose, world);
    QVERIFY(worst(world[1], expected["W1"]) < 1e-9);
    QVERIFY(worst(world[2], expected["W2"]) < 1e-9);
}

void TestRig::worldIncrementReachesTheWantedWorldTransform() {
    test::Random random;
    for (int k = 0; k < 200; ++k) {
        const Affine parent = random.affine(), bind = random.affine(), ul = random.affine(), u = random.affine();
        const auto changed = applyWorldIncrement(parent, bind, ul, u);
        QVERIFY(changed.has_value());
        QVERIFY(math::distance(parent * bind * *changed, u * (parent * bind * ul)) < 1e-9);
        const auto direct = userLocalFromWorld(parent, bind, u * (parent * bind * ul));
        QVERIFY(math::distance(*direct, *changed) < 1e-9);
    }
}

void TestRig::worldIncrementBelowSingularParentIsRefused() {
    const Affine flat(Eigen::Scaling(1.0, 0.0, 1.0));
    QVERIFY(!applyWorldIncrement(flat, Affine::Identity(), Affine::Identity(), Affine::Identity()));
    // A small scene is not a singular one.
    const Affine tiny(Eigen::Scaling(1e-7));
    QVERIFY(applyWorldIncrement(tiny, Affine::Identity(), Affine::Identity(), Affine::Identity()).has_value());
}

void TestRig::keepTrsRemovesTheShearOfTheReference() {
    LIMBER_CASE(c, "C03");
    const QJsonObject input = c["input"].toObject(), expected = c["expected"].toObject();
    const test::Chain chain = test::toChain(input["chain"].toObject());
    Transforms world;
    forwardKinematics(chain.skeleton, chain.pose, world);
    const Affine u = math::rotationAbout(world[1].translation(), test::toVector(input["axis"]),
                                         input["deg"].toDouble() * M_PI / 180);
    const Affine before = chain.pose[1];
    const auto after = applyWorldIncrement(world[0], chain.skeleton[JointId(1)].bindLocal, before, u);
    QVERIFY(worst(*after, expected["Ul"]) < 1e-9);
    const Affine kept = keepTrs(before, *after);
    QVERIFY((kept.linear() - test::toMatrix(expected["R_nearest"])).cwiseAbs().maxCoeff() < 1e-9);
}

void TestRig::keepTrsChangesNothingWithoutParentScale() {
    test::Random random(7);
    for (int k = 0; k < 100; ++k) {
        const Affine before = random.affine(), turn = random.rigid();
        const Affine after = turn * before;
        QVERIFY(math::distance(keepTrs(before, after), after) < 1e-9);
    }
}

void TestRig::inverseBindsWithBindShapeMatchTheReference() {
    LIMBER_CASE(c, "C28");
    const QJsonObject input = c["input"].toObject();
    const test::Chain chain = test::toChain(input["chain"].toObject());
    const Affine m = test::toTransform(input["M"]);
    const Affine g = chain.skeleton[JointId(1)].inverseBind * m;
    QVERIFY(worst(g, c["expected"].toObject()["ibm1"]) < 1e-9);
}

namespace {

// A chain as a file holds it: an armature node above two joints and a mesh node beside them.
struct FileRig {
    Transforms local{4, Affine::Identity()};
    std::vector<JointId> parents{JointId(), JointId(0), JointId(1), JointId(0)};
    SkinBind skin{{JointId(1), JointId(2)}, {}, JointId(3)};

    explicit FileRig(const Affine& armature) {
        local[0] = armature;
        local[1] = math::composeTrs({0, 1, 0}, Eigen::Quaterniond::Identity(), Eigen::Vector3d::Ones());
        local[2] = math::composeTrs({0, 2, 0}, Eigen::Quaterniond::Identity(), Eigen::Vector3d::Ones());
        // Bound in the armature's space: mesh space is the armature's.
        skin.inverseBinds = {local[1].inverse(), (local[1] * local[2]).inverse()};
    }
    [[nodiscard]] BindPose derive() const { return deriveBindPose(local, parents, std::span(&skin, 1)); }
};

} // namespace

void TestRig::nodesAtBindGiveIdentityPose() {
    const FileRig rig(math::composeTrs({1, 2, 3}, Eigen::Quaterniond(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitX())),
                                       Eigen::Vector3d::Constant(0.01)));
    const BindPose bind = rig.derive();
    for (const Affine& ul : bind.userLocal)
        QVERIFY(math::distance(ul, Affine::Identity()) < 1e-9);
    QVERIFY(math::distance(bind.bindShape[0], rig.local[0]) < 1e-9);
    QVERIFY(bind.sameBind[0]);
}

void TestRig::rotatedArmatureStandsAtBind() {
    const Eigen::Quaterniond up(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()));
    FileRig rig(math::composeTrs(Eigen::Vector3d::Zero(), up, Eigen::Vector3d::Ones()));
    rig.local[2].rotate(Eigen::AngleAxisd(0.8, Eigen::Vector3d::UnitZ())); // posed: no matrix fits all joints
    const BindPose bind = rig.derive();
    QVERIFY(math::distance(bind.userLocal[1], Affine::Identity()) < 1e-9); // the armature stays turned
    QVERIFY(math::distance(bind.bindShape[0], rig.local[0]) < 1e-9);
    const double angle = Eigen::AngleAxisd(math::nearestRotation(bind.userLocal[2].linear())).angle();
    QVERIFY(std::abs(angle - 0.8) < 1e-9);
}

void TestRig::nodeOutsideEverySkinKeepsItsTransform() {
    const FileRig rig(Affine::Identity());
    const BindPose bind = rig.derive();
    QVERIFY(math::identical(bind.bindLocal[3], rig.local[3]));
    QVERIFY(math::identical(bind.userLocal[3], Affine::Identity()));
}

void TestRig::singularInverseBindIsReported() {
    FileRig rig(Affine::Identity());
    rig.skin.inverseBinds[1] = Affine(Eigen::Scaling(0.0));
    const BindPose bind = rig.derive();
    QCOMPARE(bind.singular, std::vector<std::size_t>{2});
    QVERIFY(math::allFinite(bind.userLocal[2]));
}

void TestRig::clipsAreSampledAsTheFormatSays() {
    Channel c;
    c.path = Channel::Path::Translation;
    c.width = 3;
    c.times = {1, 3};
    c.values = {0, 0, 0, 2, 4, 6};
    QCOMPARE(sampleChannel(c, 0.0)[2], 0.0); // held before the first key
    QCOMPARE(sampleChannel(c, 2.0)[2], 3.0);
    QCOMPARE(sampleChannel(c, 9.0)[2], 6.0);
    c.interpolation = Interpolation::Step;
    QCOMPARE(sampleChannel(c, 2.9)[1], 0.0);

    c.interpolation = Interpolation::CubicSpline;
    c.values = {0, 0, 0, 0, 0, 0, 1, 0, 0, /**/ 1, 0, 0, 2, 0, 0, 0, 0, 0};
    // Hermite with both tangents 1 over 2 seconds from 0 to 2 is the straight line.
    QVERIFY(std::abs(sampleChannel(c, 1.5)[0] - 0.5) < 1e-12);

    Channel r;
    r.times = {0, 1};
    const float h = std::sqrt(0.5f);
    r.values = {0, 0, 0, 1, 0, 0, -h, -h}; // the long way round: slerp must take the short one
    const std::vector<double> q = sampleChannel(r, 0.5);
    QVERIFY(std::abs(std::abs(q[2]) - std::sin(M_PI / 8)) < 1e-6);
}

void TestRig::clipKeepsWhatItDoesNotMove() {
    std::vector<Joint> joints(1);
    joints[0].bindLocal = math::composeTrs({0, 3, 0}, Eigen::Quaterniond::Identity(), {1, 2, 1});
    const Skeleton skeleton(joints);
    Channel r;
    r.joint = JointId(0);
    r.times = {0};
    r.values = {0, 0, 1, 0};
    const Clip clip{"turn", 0, {r}};
    const Pose base(1, Affine::Identity());
    Pose pose;
    sampleClip(clip, 0, skeleton, base, pose);
    const math::TransformParts n = math::decompose(skeleton[JointId(0)].bindLocal * pose[0]);
    QVERIFY((n.translation - Eigen::Vector3d(0, 3, 0)).norm() < 1e-12);
    QVERIFY((n.scale - Eigen::Vector3d(1, 2, 1)).norm() < 1e-12);
    QVERIFY(std::abs(std::abs(n.rotation.z()) - 1) < 1e-12);
}

// Every joint is bound elsewhere than it stands, so that the topmost one has to be found among all of them.
void TestRig::aSkinOfADeepChainIsDerivedQuickly() {
    constexpr std::size_t kCount = 100000;
    std::vector<JointId> parents(kCount);
    SkinBind skin;
    for (std::size_t n = kCount; n-- > 0;) {
        if (n > 0)
            parents[n] = JointId(n - 1);
        skin.joints.emplace_back(n);
        skin.inverseBinds.push_back(Affine(Eigen::Translation3d(static_cast<double>(n % 3), 0, 0)));
    }
    const Transforms local(kCount, Affine::Identity());
    QElapsedTimer timer;
    timer.start();
    const BindPose bind = deriveBindPose(local, parents, std::vector<SkinBind>{skin});
    QVERIFY2(timer.elapsed() < test::timeLimit(2000), "slower than two seconds");
    QCOMPARE(bind.bindLocal.size(), kCount);
}

QTEST_APPLESS_MAIN(TestRig)
#include "test_rig.moc"
