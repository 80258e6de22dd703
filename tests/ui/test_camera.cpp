#include "ui/viewport/camera.h"
#include "ui/viewport/grid_step.h"

#include <QtTest>

using Eigen::Vector2d;
using Eigen::Vector3d;
using limber::ui::Camera;

namespace {

Camera cameraFor(double height, bool orthographic = false) {
    Camera camera;
    camera.setViewport(1000, 700);
    camera.setOrthographic(orthographic);
    const Eigen::AlignedBox3d box(Vector3d(-0.4, 0, -0.2) * height, Vector3d(0.4, 1, 0.2) * height);
    camera.setSceneBounds(box);
    camera.frame(box);
    return camera;
}

void addProjections() {
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("perspective") << false;
    QTest::newRow("orthographic") << true;
}

} // namespace

class TestCamera : public QObject {
    Q_OBJECT
private slots:
    void rayThroughAPixelMeetsThePointThere_data() { addProjections(); }
    void rayThroughAPixelMeetsThePointThere() {
        QFETCH(bool, orthographic);
        const Camera camera = cameraFor(1.8, orthographic);
        const Vector3d point(0.3, 0.7, -0.1), at = camera.project(point);
        const auto ray = camera.ray(at.head<2>());
        QVERIFY((point - ray.origin).cross(ray.direction).norm() < 1e-9);
        QVERIFY(std::abs(ray.direction.norm() - 1) < 1e-12);
    }

    void projectAgreesWithTheMatrices_data() { addProjections(); }
    void projectAgreesWithTheMatrices() {
        QFETCH(bool, orthographic);
        const Camera camera = cameraFor(1.8, orthographic);
        const Vector3d point(-0.2, 1.1, 0.15);
        const Eigen::Vector4d clip = camera.clipFromView() * camera.viewFromWorld() * point.homogeneous();
        const Vector3d ndc = clip.head<3>() / clip.w();
        const Vector3d px = camera.project(point);
        QVERIFY(std::abs((ndc.x() + 1) * 500 - px.x()) < 1e-8);
        QVERIFY(std::abs((1 - ndc.y()) * 350 - px.y()) < 1e-8);
        QVERIFY(std::abs(ndc.z()) < 1);
    }

    void zoomKeepsWhatIsUnderThePointer_data() { addProjections(); }
    void zoomKeepsWhatIsUnderThePointer() {
        QFETCH(bool, orthographic);
        Camera camera = cameraFor(1.8, orthographic);
        const Vector2d pixel(310, 220);
        // The point in the plane of the target.
        const auto ray = camera.ray(pixel);
        const double t = (camera.target() - ray.origin).dot(camera.forward()) / ray.direction.dot(camera.forward());
        const Vector3d point = ray.origin + t * ray.direction;
        camera.zoom(4, pixel);
        QVERIFY((camera.project(point).head<2>() - pixel).norm() < 1e-7);
    }

    void framedBoxIsInViewAndFillsIt_data() {
        QTest::addColumn<double>("height");
        QTest::addColumn<bool>("orthographic");
        for (const double height : {0.3, 1.8, 160.0})
            for (const bool orthographic : {false, true})
                QTest::addRow("%g high, %s", height, orthographic ? "orthographic" : "perspective")
                    << height << orthographic;
    }
    void framedBoxIsInViewAndFillsIt() {
        QFETCH(double, height);
        QFETCH(bool, orthographic);
        const Camera camera = cameraFor(height, orthographic);
        double top = 1e9, bottom = -1e9;
        for (int k = 0; k < 8; ++k) {
            const Vector3d corner(k & 1 ? 0.4 * height : -0.4 * height, k & 2 ? height : 0,
                                  k & 4 ? 0.2 * height : -0.2 * height);
            const Vector3d px = camera.project(corner);
            QVERIFY(px.x() > 0 && px.x() < 1000 && px.y() > 0 && px.y() < 700);
            QVERIFY(px.z() > camera.nearPlane() && px.z() < camera.farPlane());
            top = std::min(top, px.y());
            bottom = std::max(bottom, px.y());
        }
        QVERIFY2(bottom - top > 500, qPrintable(QString::number(bottom - top)));
    }

    void standardViewsLookAlongTheAxes_data() {
        QTest::addColumn<int>("view");
        QTest::addColumn<int>("axis");
        QTest::addColumn<int>("sign");
        QTest::newRow("front") << int(Camera::View::Front) << 2 << -1;
        QTest::newRow("back") << int(Camera::View::Back) << 2 << 1;
        QTest::newRow("left") << int(Camera::View::Left) << 0 << 1;
        QTest::newRow("right") << int(Camera::View::Right) << 0 << -1;
        QTest::newRow("top") << int(Camera::View::Top) << 1 << -1;
        QTest::newRow("bottom") << int(Camera::View::Bottom) << 1 << 1;
    }
    void standardViewsLookAlongTheAxes() {
        QFETCH(int, view);
        QFETCH(int, axis);
        QFETCH(int, sign);
        Camera camera = cameraFor(1.8);
        camera.setView(static_cast<Camera::View>(view));
        QVERIFY((camera.forward() - Vector3d::Unit(axis) * sign).norm() < 1e-12);
        QVERIFY(std::abs(camera.up().dot(camera.forward())) < 1e-12);
        QVERIFY((camera.right().cross(camera.up()) + camera.forward()).norm() < 1e-12); // right-handed
    }

    void orbitKeepsTheDistanceAndPanThePlane() {
        Camera camera = cameraFor(1.8);
        const double distance = camera.distance();
        camera.orbit(120, -45);
        QVERIFY(std::abs((camera.eye() - camera.target()).norm() - distance) < 1e-9);
        const Vector3d target = camera.target(), before = camera.project(target);
        camera.pan(30, 20);
        const Vector3d after = camera.project(target);
        QVERIFY(std::abs(after.x() - before.x() - 30) < 1e-6 && std::abs(after.y() - before.y() - 20) < 1e-6);
    }

    void gridCellsFollowTheScene() {
        QCOMPARE(limber::ui::gridCell(2.5), 0.1);
        QCOMPARE(limber::ui::gridCell(0.4), 0.01);
        QCOMPARE(limber::ui::gridCell(200.0), 10.0);
    }
};

QTEST_GUILESS_MAIN(TestCamera)

#include "test_camera.moc"
