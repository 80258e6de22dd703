// Gizmos against the formulas they stand for, in pixels and in the scene.
#include "core/rig/skeleton.h"
#include "core/rig/world_increment.h"
#include "tests/support/cases.h"
#include "ui/gizmos/gizmo.h"
#include "ui/gizmos/gizmo_draw.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace limber;
using namespace limber::ui;
using Eigen::Vector2d;

namespace {

constexpr double kDeg = std::numbers::pi / 180;

Camera makeCamera(int which) {
    Camera camera;
    camera.setViewport(1000, 800);
    camera.setSceneBounds({Vector3d(-1, 0, -1), Vector3d(1, 3, 1)});
    camera.frame({Vector3d(-1, 0, -1), Vector3d(1, 3, 1)});
    camera.setOrthographic(which % 2 == 1);
    if (which >= 2)
        camera.orbit(260, -170);
    return camera;
}

PointerSample at(const Camera& camera, const Vector2d& pixel) {
    PointerSample sample;
    sample.pixel = pixel;
    sample.ray = camera.ray(pixel);
    return sample;
}

PointerSample at(const Camera& camera, const Vector3d& world) {
    return at(camera, Vector2d(camera.project(world).head<2>()));
}

// No ring is seen from its edge by any of the cameras.
Matrix3d someFrame() {
    return (Eigen::AngleAxisd(0.5, Vector3d::UnitX()) * Eigen::AngleAxisd(-0.1, Vector3d::UnitY()) *
            Eigen::AngleAxisd(-1.5, Vector3d::UnitZ()))
        .toRotationMatrix();
}

JointSnapshot snapshotOf(const test::Chain& chain, JointId joint, GizmoSettings::Space space) {
    rig::Transforms world;
    rig::forwardKinematics(chain.skeleton, chain.pose, world);
    JointSnapshot s;
    s.parentWorld = rig::parentWorld(chain.skeleton, world, joint);
    s.bindLocal = chain.skeleton[joint].bindLocal;
    s.userLocal = chain.pose[joint.index()];
    s.pivot = world[joint.index()].translation();
    s.frame = gizmoFrame(space, s.parentWorld, world[joint.index()]);
    return s;
}

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

GizmoAmount rotation(const Vector3d& axis, double angleRad) {
    GizmoAmount amount;
    amount.kind = GizmoAmount::Kind::Rotate;
    amount.axis = axis.normalized();
    amount.angleRad = angleRad;
    return amount;
}

} // namespace

class TestGizmos : public QObject {
    Q_OBJECT
private slots:
    void framesFollowTheSpace();
    void pointerMeetsAxisAndPlane();
    void anglesUnwrapAndSnap();
    void worldRotationGivesReferenceUserLocal();
    void rotationUnderScaledParentShearsOrKeepsTrs();
    void localAndParentFramesAreSpecialCases();
    void localScaleAddsNoShear();
    void translationIsTheSameInTheWorldWhateverTheJoint();
    void ringDragGivesTheExactAngle_data();
    void ringDragGivesTheExactAngle();
    void turnsBeyondHalfAreCounted();
    void ringSeenEdgeOnTurnsAlongItsTangent();
    void ringSeenEdgeOnTurnsNoFasterAtItsEnds();
    void scalingStopsBeforeTheRotationIsLost();
    void wayThereAndBackLeavesNothing();
    void arrowDragGivesTheExactLength_data();
    void arrowDragGivesTheExactLength();
    void squareAndCentreMoveInTheirPlane();
    void scaleHandlesGiveTheRatio();
    void snappingRoundsTheTotal();
    void typedAmountReplacesTheDragged();
    void handlesHaveOneSizeOnTheScreen();
    void handlesAreHitWithinTheTolerance();
    void nothingIsHitOrDrawnBehindTheEye();
};

void TestGizmos::framesFollowTheSpace() {
    const math::Affine parent = math::composeTrs({1, 2, 3}, Eigen::Quaterniond(someFrame()), {2, 3, 4});
    const math::Affine world = parent * math::composeTrs({0, 1, 0}, Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), {1, 1, 1});
    QCOMPARE(gizmoFrame(GizmoSettings::Space::World, parent, world), Matrix3d(Matrix3d::Identity()));
    QVERIFY(difference(gizmoFrame(GizmoSettings::Space::Parent, parent, world), someFrame()) < 1e-12);
    const Matrix3d local = gizmoFrame(GizmoSettings::Space::Local, parent, world);
    QVERIFY(difference(local, math::nearestRotation(world.linear())) < 1e-12);
    QVERIFY(difference(local * local.transpose(), Matrix3d::Identity()) < 1e-12);
}

void TestGizmos::pointerMeetsAxisAndPlane() {
    const mesh::Ray ray{{2, 5, 3}, {0, -1, 0}};
    QCOMPARE(*alongAxis(ray, {0, 0, 0}, Vector3d::UnitX()), 2.0);
    QVERIFY(!alongAxis(ray, {0, 0, 0}, Vector3d::UnitY()));                    // parallel
    QVERIFY(!alongAxis({{2, 5, 3}, {0, 1, 0}}, {0, 0, 0}, Vector3d::UnitX())); // behind
    QCOMPARE(*onPlane(ray, {0, 1, 0}, Vector3d::UnitY()), Vector3d(2, 1, 3));
    QVERIFY(!onPlane(ray, {0, 1, 0}, Vector3d::UnitX()));
    QVERIFY(!onPlane(ray, {0, 9, 0}, Vector3d::UnitY()));
    QCOMPARE(angleAbout({1, 1, 0}, {0, 0, 0}, Vector3d::UnitZ(), Vector3d::UnitX()), 45 * kDeg);
    QCOMPARE(angleAbout({0, -2, 0}, {0, 0, 0}, Vector3d::UnitZ(), Vector3d::UnitX()), -90 * kDeg);
}

void TestGizmos::anglesUnwrapAndSnap() {
    QVERIFY(std::abs(unwrapped(-170 * kDeg, 175 * kDeg) - 190 * kDeg) < 1e-12);
    QVERIFY(std::abs(unwrapped(10 * kDeg, -700 * kDeg) + 710 * kDeg) < 1e-12);
    QCOMPARE(snapped(38, 15), 45.0);
    QCOMPARE(snapped(-38, 15), -45.0);
    QCOMPARE(snapped(38.5, 0), 38.5);
}

void TestGizmos::worldRotationGivesReferenceUserLocal() {
    LIMBER_CASE(c, "C02");
    test::Chain chain = test::toChain(c["input"]["chain"].toObject());
    const JointId joint{std::size_t(c["input"]["joint"].toInt())};
    const JointSnapshot s = snapshotOf(chain, joint, GizmoSettings::Space::World);
    const GizmoAmount amount = rotation(test::toVector(c["input"]["axis"]), c["input"]["deg"].toDouble() * kDeg);
    for (const bool keep : {false, true}) {
        const auto userLocal = applyAmount(s, amount, keep, false);
        QVERIFY(userLocal);
        QVERIFY(difference(userLocal->matrix(), test::toMatrix(c["expected"]["Ul"])) < 1e-9);
    }
    chain.pose[joint.index()] = *applyAmount(s, amount, true, false);
    rig::Transforms world;
    rig::forwardKinematics(chain.skeleton, chain.pose, world);
    QVERIFY(difference(world[1].matrix(), test::toMatrix(c["expected"]["W1"])) < 1e-9);
    QVERIFY(difference(world[2].matrix(), test::toMatrix(c["expected"]["W2"])) < 1e-9);
}

void TestGizmos::rotationUnderScaledParentShearsOrKeepsTrs() {
    LIMBER_CASE(c, "C03");
    const test::Chain chain = test::toChain(c["input"]["chain"].toObject());
    const JointSnapshot s =
        snapshotOf(chain, JointId(std::size_t(c["input"]["joint"].toInt())), GizmoSettings::Space::World);
    const GizmoAmount amount = rotation(test::toVector(c["input"]["axis"]), c["input"]["deg"].toDouble() * kDeg);
    const auto exact = applyAmount(s, amount, false, false);
    QVERIFY(difference(exact->matrix(), test::toMatrix(c["expected"]["Ul"])) < 1e-9);
    const math::TransformParts parts = math::decompose(*exact);
    QVERIFY(difference(parts.scale, test::toVector(c["expected"]["s"])) < 1e-9);
    QVERIFY(difference(parts.shear, test::toVector(c["expected"]["k"])) < 1e-9);
    const auto kept = applyAmount(s, amount, true, false);
    QVERIFY(difference(kept->linear(), test::toMatrix(c["expected"]["R_nearest"])) < 1e-9);
}

void TestGizmos::localAndParentFramesAreSpecialCases() {
    LIMBER_CASE(c, "C02");
    const test::Chain chain = test::toChain(c["input"]["chain"].toObject());
    const JointId joint{std::size_t(1)};
    const math::Affine x = math::rotationAbout(Vector3d::Zero(), Vector3d::UnitY(), 0.3);
    // Local: Ul X. The joint's own origin is the pivot, so its translation stays.
    const JointSnapshot local = snapshotOf(chain, joint, GizmoSettings::Space::Local);
    QVERIFY(math::distance(*applyAmount(local, rotation(Vector3d::UnitY(), 0.3), true, true), local.userLocal * x) <
            1e-12);
    // Parent: the world turns by F X F^T about the origin of the joint.
    const JointSnapshot parent = snapshotOf(chain, joint, GizmoSettings::Space::Parent);
    const math::Affine turned = math::rotationAbout(parent.pivot, parent.frame.col(1), 0.3) * parent.world();
    const auto userLocal = applyAmount(parent, rotation(Vector3d::UnitY(), 0.3), false, false);
    QVERIFY(math::distance(parent.parentWorld * parent.bindLocal * *userLocal, turned) < 1e-12);
}

void TestGizmos::localScaleAddsNoShear() {
    JointSnapshot s;
    s.parentWorld = math::composeTrs({0, 1, 0}, Eigen::Quaterniond(someFrame()), {1, 1, 1});
    s.userLocal = math::composeTrs({0.1, 0, 0}, Eigen::Quaterniond(0.5, -0.5, 0.5, 0.5), {1, 2, 1});
    s.frame = Matrix3d::Identity();
    s.pivot = s.world().translation();
    GizmoAmount amount;
    amount.kind = GizmoAmount::Kind::Scale;
    amount.scale = {1.5, 1, 0.5};
    const math::TransformParts kept = math::decompose(*applyAmount(s, amount, true, false));
    QVERIFY(!kept.hasShear());
    QVERIFY(difference(kept.scale, Vector3d(1.5, 2, 0.5)) < 1e-12);
    QVERIFY(difference(kept.translation, Vector3d(0.1, 0, 0)) == 0);
    // In the world's axes, asked for without keeping TRS, the same scale does shear.
    s.userLocal = math::composeTrs(
        {0, 0, 0}, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Vector3d(1, 1, 0).normalized())), {1, 2, 1});
    QVERIFY(math::decompose(*applyAmount(s, amount, false, false)).hasShear());
}

void TestGizmos::translationIsTheSameInTheWorldWhateverTheJoint() {
    JointSnapshot s;
    s.parentWorld = math::composeTrs({0, 1, 0}, Eigen::Quaterniond(someFrame()), {2, 1, 3});
    s.userLocal = math::composeTrs({0.1, 0, 0}, Eigen::Quaterniond(0.5, -0.5, 0.5, 0.5), {1, 2, 1});
    s.frame = someFrame();
    GizmoAmount amount;
    amount.translation = {0.3, -0.2, 0.7};
    const auto moved = applyAmount(s, amount, true, true);
    const Vector3d way = (s.parentWorld * s.bindLocal * *moved).translation() - s.world().translation();
    QVERIFY(difference(way, someFrame() * amount.translation) < 1e-12);
    QCOMPARE(Matrix3d(moved->linear()), Matrix3d(s.userLocal.linear()));
}

void TestGizmos::ringDragGivesTheExactAngle_data() {
    QTest::addColumn<int>("view");
    QTest::addColumn<int>("ring");
    QTest::addColumn<double>("degrees");
    for (int view = 0; view < 4; ++view)
        for (const GizmoHandle ring : {GizmoHandle::AxisX, GizmoHandle::AxisY, GizmoHandle::AxisZ, GizmoHandle::View})
            for (const double degrees : {38.5, -70.0, 170.0})
                QTest::addRow("view %d, ring %d, %g degrees", view, int(ring), degrees) << view << int(ring) << degrees;
}

void TestGizmos::ringDragGivesTheExactAngle() {
    QFETCH(int, view);
    QFETCH(int, ring);
    QFETCH(double, degrees);
    const Camera camera = makeCamera(view);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto gizmo = makeRotateGizmo();
    const auto handle = GizmoHandle(ring);
    gizmo->begin(handle, camera, place, at(camera, ringPoint(camera, place, handle, 0.4)));
    const GizmoAmount& amount =
        gizmo->update(camera, at(camera, ringPoint(camera, place, handle, 0.4 + degrees * kDeg)), {});
    QVERIFY2(std::abs(amount.angleRad - degrees * kDeg) < 1e-9,
             qPrintable(QString::number(amount.angleRad / kDeg, 'g', 15)));
    QCOMPARE(amount.axis, Vector3d(Vector3d::Unit(handle == GizmoHandle::View ? 2 : axisOf(handle))));
    QCOMPARE(gizmo->inViewFrame(handle), handle == GizmoHandle::View);
}

void TestGizmos::turnsBeyondHalfAreCounted() {
    const Camera camera = makeCamera(2);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto gizmo = makeRotateGizmo();
    gizmo->begin(GizmoHandle::View, camera, place, at(camera, ringPoint(camera, place, GizmoHandle::View, 0)));
    for (int k = 1; k <= 5; ++k)
        (void)gizmo->update(camera, at(camera, ringPoint(camera, place, GizmoHandle::View, k * 100 * kDeg)), {});
    QVERIFY(std::abs(gizmo->amount().angleRad - 500 * kDeg) < 1e-9);
}

void TestGizmos::ringSeenEdgeOnTurnsAlongItsTangent() {
    Camera camera = makeCamera(1);
    camera.setView(Camera::View::Front);
    const GizmoPlace place = gizmoPlace(camera, {0, 1, 0}, Matrix3d::Identity());
    const auto gizmo = makeRotateGizmo();
    // The Y ring is a level line on the screen; its near half runs from -X to +X as Y turns positive.
    const Vector2d center = camera.project(place.origin).head<2>();
    gizmo->begin(GizmoHandle::AxisY, camera, place, at(camera, center));
    const double quarter =
        gizmo->update(camera, at(camera, Vector2d(center + Vector2d(kGizmoRadiusPx, 0))), {}).angleRad;
    QVERIFY2(std::abs(quarter - 1) < 0.02, qPrintable(QString::number(quarter))); // an arc of one radius
    QVERIFY(gizmo->update(camera, at(camera, Vector2d(center - Vector2d(50, 0))), {}).angleRad < 0);
}

void TestGizmos::ringSeenEdgeOnTurnsNoFasterAtItsEnds() {
    for (const double tilt : {0.0, 0.05, 0.16}) {
        Camera camera = makeCamera(1);
        camera.setView(Camera::View::Front);
        const Matrix3d frame = Eigen::AngleAxisd(tilt, Vector3d::UnitX()).toRotationMatrix();
        const GizmoPlace place = gizmoPlace(camera, {0, 1, 0}, frame);
        const auto gizmo = makeRotateGizmo();
        const Vector2d center = camera.project(place.origin).head<2>();
        for (double x = -kGizmoRadiusPx - 4; x <= kGizmoRadiusPx + 4; x += 0.5) {
            const Vector2d press = center + Vector2d(x, 0);
            gizmo->begin(GizmoHandle::AxisY, camera, place, at(camera, press));
            for (const Vector2d& way : {Vector2d(100, 0), Vector2d(0, 100), Vector2d(-60, 80)}) {
                const double turned = gizmo->update(camera, at(camera, Vector2d(press + way)), {}).angleRad;
                QVERIFY2(std::abs(turned) <= 100 * kDeg, qPrintable(QString::number(x)));
            }
        }
    }
}

void TestGizmos::scalingStopsBeforeTheRotationIsLost() {
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
    for (const bool local : {true, false}) {
        JointSnapshot s;
        s.frame = Matrix3d::Identity();
        s.userLocal = math::composeTrs({0, 0, 0}, turned, {1, 1, 1});
        GizmoAmount amount;
        amount.kind = GizmoAmount::Kind::Scale;
        amount.scale = {0.01, 0.01, 0.01};
        for (int drag = 0; drag < 8; ++drag)
            s.userLocal = *applyAmount(s, amount, local, local);
        const math::TransformParts parts = math::decompose(s.userLocal);
        QVERIFY(!parts.singular && parts.rotation.angularDistance(turned) < 1e-6);
        QVERIFY(std::abs(parts.scale.x() / kSmallestScale - 1) < 1e-6);
    }
}

void TestGizmos::wayThereAndBackLeavesNothing() {
    const Camera camera = makeCamera(0);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> pixel(-60, 60);
    for (const auto& make : {makeTranslateGizmo, makeRotateGizmo, makeScaleGizmo}) {
        const auto gizmo = make();
        const PointerSample press = at(camera, handlePoint(camera, place, GizmoHandle::AxisX));
        gizmo->begin(GizmoHandle::AxisX, camera, place, press);
        for (int k = 0; k < 1000; ++k)
            (void)gizmo->update(camera, at(camera, Vector2d(press.pixel + Vector2d(pixel(random), pixel(random)))), {});
        const double turns = std::round(gizmo->update(camera, press, {}).angleRad / (2 * std::numbers::pi));
        GizmoAmount amount = gizmo->amount();
        amount.angleRad -= turns * 2 * std::numbers::pi;
        QVERIFY(std::abs(amount.angleRad) < 1e-12);
        QVERIFY(amount.translation.norm() < 1e-12 && (amount.scale - Vector3d::Ones()).norm() < 1e-12);
    }
}

void TestGizmos::arrowDragGivesTheExactLength_data() {
    QTest::addColumn<int>("view");
    QTest::addColumn<int>("axis");
    for (int view = 0; view < 4; ++view)
        for (int axis = 0; axis < 3; ++axis)
            QTest::addRow("view %d, axis %d", view, axis) << view << axis;
}

void TestGizmos::arrowDragGivesTheExactLength() {
    QFETCH(int, view);
    QFETCH(int, axis);
    const Camera camera = makeCamera(view);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto gizmo = makeTranslateGizmo();
    const Vector3d grip = handlePoint(camera, place, axisHandle(axis));
    gizmo->begin(axisHandle(axis), camera, place, at(camera, grip));
    const GizmoAmount& amount = gizmo->update(camera, at(camera, Vector3d(grip - 0.37 * place.axes.col(axis))), {});
    QVERIFY(difference(amount.translation, -0.37 * Vector3d::Unit(axis)) < 1e-9);
}

void TestGizmos::squareAndCentreMoveInTheirPlane() {
    const Camera camera = makeCamera(0);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto gizmo = makeTranslateGizmo();
    const Vector3d grip = handlePoint(camera, place, GizmoHandle::PlaneY);
    gizmo->begin(GizmoHandle::PlaneY, camera, place, at(camera, grip));
    const Vector3d way(0.2, 0, -0.1);
    QVERIFY(difference(gizmo->update(camera, at(camera, Vector3d(grip + place.axes * way)), {}).translation, way) <
            1e-9);
    gizmo->begin(GizmoHandle::Center, camera, place, at(camera, place.origin));
    QVERIFY(gizmo->inViewFrame(GizmoHandle::Center));
    const Vector3d sideways(0.2, 0.3, 0);
    QVERIFY(
        difference(gizmo->update(camera, at(camera, Vector3d(place.origin + place.view * sideways)), {}).translation,
                   sideways) < 1e-9);
}

void TestGizmos::scaleHandlesGiveTheRatio() {
    const Camera camera = makeCamera(2);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto gizmo = makeScaleGizmo();
    const Vector3d grip = handlePoint(camera, place, GizmoHandle::AxisZ);
    gizmo->begin(GizmoHandle::AxisZ, camera, place, at(camera, grip));
    QVERIFY(
        difference(gizmo->update(camera, at(camera, Vector3d(place.origin + 1.6 * (grip - place.origin))), {}).scale,
                   Vector3d(1, 1, 1.6)) < 1e-9);
    const PointerSample press = at(camera, place.origin);
    gizmo->begin(GizmoHandle::Center, camera, place, press);
    const Vector2d doubled = press.pixel + Vector2d(kGizmoRadiusPx, 0);
    QVERIFY(difference(gizmo->update(camera, at(camera, doubled), {}).scale, Vector3d(2, 2, 2)) < 1e-9);
    QVERIFY(gizmo->update(camera, at(camera, Vector2d(press.pixel - Vector2d(5000, 0))), {}).scale.minCoeff() > 0);
}

void TestGizmos::snappingRoundsTheTotal() {
    const Camera camera = makeCamera(0);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, Matrix3d::Identity());
    const GizmoSnap snap{15 * kDeg, 0.1, 0.25};
    const auto rotate = makeRotateGizmo();
    rotate->begin(GizmoHandle::AxisZ, camera, place, at(camera, ringPoint(camera, place, GizmoHandle::AxisZ, 0.1)));
    for (const double degrees : {7.0, 20.0, 38.0}) // each from the press, not from the last step
        (void)rotate->update(camera, at(camera, ringPoint(camera, place, GizmoHandle::AxisZ, 0.1 + degrees * kDeg)),
                             snap);
    QVERIFY(std::abs(rotate->amount().angleRad - 45 * kDeg) < 1e-12);
    const auto move = makeTranslateGizmo();
    const Vector3d tip = handlePoint(camera, place, GizmoHandle::AxisX);
    move->begin(GizmoHandle::AxisX, camera, place, at(camera, tip));
    QCOMPARE(move->update(camera, at(camera, Vector3d(tip + Vector3d(0.7, 0, 0))), snap).translation.x(), 0.75);
}

void TestGizmos::typedAmountReplacesTheDragged() {
    const Camera camera = makeCamera(0);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, Matrix3d::Identity());
    const auto rotate = makeRotateGizmo();
    rotate->begin(GizmoHandle::AxisX, camera, place, at(camera, ringPoint(camera, place, GizmoHandle::AxisX, 0.1)));
    QCOMPARE(rotate->type(-30).angleRad, -30 * kDeg);
    const auto scale = makeScaleGizmo();
    scale->begin(GizmoHandle::Center, camera, place, at(camera, place.origin));
    QCOMPARE(scale->type(1.2).scale, Vector3d(1.2, 1.2, 1.2));
}

void TestGizmos::handlesHaveOneSizeOnTheScreen() {
    for (int view = 0; view < 4; ++view) {
        const Camera camera = makeCamera(view);
        for (const Vector3d& origin : {Vector3d(0, 0, 0), Vector3d(0.8, 2.5, -0.9)}) {
            GizmoPlace place = gizmoPlace(camera, origin, Matrix3d::Identity());
            place.axes = place.view;
            const Vector2d center = camera.project(origin).head<2>();
            const Vector3d rim = handlePoint(camera, place, GizmoHandle::AxisX);
            QVERIFY(std::abs((camera.project(rim).head<2>() - center).norm() - kGizmoRadiusPx) < 1e-6);
        }
    }
}

void TestGizmos::handlesAreHitWithinTheTolerance() {
    const Camera camera = makeCamera(2);
    const GizmoPlace place = gizmoPlace(camera, {0.1, 1.2, 0.2}, someFrame());
    const auto rotate = makeRotateGizmo();
    const Vector2d center = camera.project(place.origin).head<2>();
    const Vector2d rim = camera.project(ringPoint(camera, place, GizmoHandle::View, 0.3)).head<2>();
    const Vector2d outwards = (rim - center).normalized();
    QCOMPARE(rotate->hit(camera, place, rim + 7 * outwards), GizmoHandle::View);
    QCOMPARE(rotate->hit(camera, place, rim + 10 * outwards), GizmoHandle::None);
    QCOMPARE(rotate->hit(camera, place, center + Vector2d(3, 2)), GizmoHandle::None);
    for (const auto& make : {makeTranslateGizmo, makeScaleGizmo})
        for (const GizmoHandle handle :
             {GizmoHandle::AxisX, GizmoHandle::AxisY, GizmoHandle::AxisZ, GizmoHandle::Center}) {
            const Vector2d grip = camera.project(handlePoint(camera, place, handle)).head<2>();
            QCOMPARE(make()->hit(camera, place, grip), handle);
        }
    const auto move = makeTranslateGizmo();
    QCOMPARE(move->hit(camera, place, camera.project(handlePoint(camera, place, GizmoHandle::PlaneZ)).head<2>()),
             GizmoHandle::PlaneZ);
    QCOMPARE(move->hit(camera, place, center + Vector2d(0, 300)), GizmoHandle::None);
}

void TestGizmos::nothingIsHitOrDrawnBehindTheEye() {
    const Camera camera = makeCamera(0);
    const Vector3d behind = camera.eye() - camera.forward();
    const GizmoPlace place = gizmoPlace(camera, behind, Matrix3d::Identity());
    for (const auto& make : {makeTranslateGizmo, makeRotateGizmo, makeScaleGizmo}) {
        Overlay overlay;
        make()->draw(camera, place, GizmoHandle::None, {}, overlay);
        QCOMPARE(overlay.paths.size(), std::size_t(0));
        QCOMPARE(make()->hit(camera, place, {500, 400}), GizmoHandle::None);
    }
}

QTEST_APPLESS_MAIN(TestGizmos)
#include "test_gizmos.moc"
