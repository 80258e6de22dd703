// The main job, through the real window with real events: open, bend, paint, sculpt, save, look at it in a fresh
// process, undo to the start.

#include "app/application.h"
#include "app/freed_memory.h"
#include "app/import_worker.h"
#include "core/document/file_order.h"
#include "core/document/intents.h"
#include "core/io/gltf_file.h"
#include "tests/support/process_memory.h"
#include "ui/gizmos/gizmo.h"
#include "ui/panels/joints_panel.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/picking.h"

#include <QApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPixmap>
#include <QProcess>
#include <QScreen>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <cmath>
#include <ctime>

using namespace limber;

namespace {

QString dataFile(const QString& relative) {
    const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
    return folder + '/' + relative;
}

// The program itself, as another process.
struct Ran {
    int exitCode = -1;
    QByteArray out, err;
};
Ran runLimber(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(LIMBER_EXECUTABLE), arguments);
    if (!process.waitForFinished(60000))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

// `v` lines of an OBJ, in order.
std::vector<Eigen::Vector3d> objVertices(const QString& path) {
    std::vector<Eigen::Vector3d> vertices;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return vertices;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        if (!line.startsWith("v "))
            continue;
        const QList<QByteArray> parts = line.simplified().split(' ');
        vertices.emplace_back(parts[1].toDouble(), parts[2].toDouble(), parts[3].toDouble());
    }
    return vertices;
}

// One window and a person's hands.
class Journey {
public:
    app::Application app;

    Journey() {
        app.session().askUnsaved = [] { return app::Session::Answer::Discard; };
        QObject::connect(&app.editor(), &ui::Editor::message,
                         [](const QString& text) { qInfo("%s", qPrintable(text)); });
        app.window().resize(1500, 950);
        app.window().show();
        app.window().activateWindow(); // shortcuts go to the active window
    }

    bool open(const QString& file) {
        QSignalSpy opened(&app.session(), &app::Session::opened), failed(&app.session(), &app::Session::failed);
        if (file.isEmpty())
            app.session().openMannequin();
        else
            app.session().open(file.toStdString());
        while (opened.isEmpty() && failed.isEmpty() && (opened.wait(50) || waited_++ < 1200))
            QCoreApplication::processEvents();
        if (!QTest::qWaitForWindowActive(&app.window()))
            return false;
        settle();
        return failed.isEmpty() && !opened.isEmpty();
    }

    [[nodiscard]] ui::Editor& editor() { return app.editor(); }
    [[nodiscard]] const document::Document& doc() { return app.editor().document(); }

    bool pickInTree(const QString& name) {
        QTreeWidget* tree = app.window().joints().tree();
        const auto found = tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        if (found.isEmpty())
            return false;
        tree->scrollToItem(found.first());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(found.first()).center());
        settle();
        return editor().activeJoint().valid();
    }

    void key(Qt::Key key) {
        QTest::keyClick(&app.viewport(), key);
        settle();
    }

    // Drags the ring that is seen best; returns the axis.
    int turnByRing(double degrees) {
        const JointId joint = editor().activeJoint();
        const ui::Camera& camera = app.viewport().camera();
        const math::Affine world = editor().evaluator().world(joint);
        const Eigen::Matrix3d axes = math::nearestRotation(world.linear());
        const Eigen::Vector3d towards = (camera.eye() - world.translation()).normalized();
        int axis = 0;
        (axes.transpose() * towards).cwiseAbs().maxCoeff(&axis);
        const ui::GizmoPlace place = ui::gizmoPlace(camera, world.translation(), axes);
        // Grabbed where no other ring passes: between the two other axes.
        const double from = M_PI / 4;
        std::vector<QPoint> path;
        for (int k = 0; k <= 14; ++k)
            path.push_back(
                pixel(ui::ringPoint(camera, place, ui::axisHandle(axis), from + degrees * M_PI / 180 * k / 14)));
        stroke(path);
        return axis;
    }

    void stroke(const std::vector<QPoint>& path, Qt::KeyboardModifiers modifiers = {}) {
        QWidget* view = &app.viewport();
        QTest::mouseMove(view, path.front());
        settle();
        QTest::mousePress(view, Qt::LeftButton, modifiers, path.front());
        for (const QPoint& p : path) {
            QTest::mouseMove(view, p);
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(view, Qt::LeftButton, modifiers, path.back());
        settle();
    }

    [[nodiscard]] QPoint pixel(const Eigen::Vector3d& world) {
        const Eigen::Vector3d p = app.viewport().camera().project(world);
        return {qRound(p.x()), qRound(p.y())};
    }

    // A pixel near the joint where the surface is under the pointer and a skin moves it.
    std::optional<QPoint> surfaceNear(JointId joint) {
        const QPoint center = pixel(editor().evaluator().world(joint).translation());
        for (int radius = 0; radius < 120; radius += 3)
            for (int step = 0; step < 24; ++step) {
                const double a = step * M_PI / 12;
                const QPoint p = center + QPoint(qRound(radius * std::cos(a)), qRound(radius * std::sin(a)));
                const auto hit = ui::pickSurface(editor(), app.viewport().camera().ray({double(p.x()), double(p.y())}));
                if (!hit)
                    continue;
                const document::Instance& instance = doc().instance(hit->instance);
                if (instance.skin.valid() && doc().skin(instance.skin).slotOf(joint) && influences(*hit, joint))
                    return p;
            }
        return std::nullopt;
    }

    void settle() {
        for (int k = 0; k < 3; ++k) {
            QTest::qWait(20);
            QCoreApplication::processEvents();
        }
    }

    // For looking at: a picture of the screen in the folder that LIMBER_TEST_PICTURES names.
    void picture(const QString& step) {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_PICTURES");
        if (!folder.isEmpty())
            QGuiApplication::primaryScreen()->grabWindow(0).save(folder + '/' + QTest::currentDataTag() + '_' + step +
                                                                 ".png");
    }

    void resetAllToBind() {
        std::vector<JointId> all;
        for (std::size_t k = 0; k < doc().skeleton().size(); ++k)
            all.emplace_back(k);
        editor().perform(document::resetPose(doc(), all, document::PoseTarget::Bind));
        settle();
    }

    InstanceId instanceOf(MeshId mesh) {
        for (std::size_t i = 0; i < doc().instanceCount(); ++i)
            if (doc().instance(InstanceId(i)).mesh == mesh)
                return InstanceId(i);
        return {};
    }

    // All instances' posed vertices, one after the other, as the file has them.
    std::vector<Eigen::Vector3d> posed() {
        std::vector<Eigen::Vector3d> all;
        for (std::size_t i = 0; i < doc().instanceCount(); ++i) {
            const mesh::Mesh& mesh = doc().mesh(doc().instance(InstanceId(i)).mesh).geometry;
            const auto positions = editor().evaluator().positions(InstanceId(i));
            for (std::uint32_t v = 0; v < positions.size(); ++v)
                all.push_back(positions[mesh.placeOfFile(v)].cast<double>());
        }
        return all;
    }

private:
    bool influences(const ui::SurfaceHit& hit, JointId joint) {
        const document::Instance& instance = doc().instance(hit.instance);
        const document::MeshData& mesh = doc().mesh(instance.mesh);
        const std::uint32_t slot = *doc().skin(instance.skin).slotOf(joint);
        for (int corner = 0; corner < 3; ++corner)
            if (mesh.weights.weight(mesh.geometry.triangles[3 * hit.hit.triangle + corner], slot) > 0.05f)
                return true;
        return false;
    }

    int waited_ = 0;
};

double largestDifference(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
    if (a.size() != b.size() || a.empty())
        return 1e9;
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        worst = std::max(worst, (a[k] - b[k]).norm());
    return worst;
}

// What was painted and sculpted has come back from the file.
void compareMeshes(const document::MeshData& read, const document::MeshData& saved) {
    QCOMPARE(read.weights.vertexCount(), saved.weights.vertexCount());
    for (std::size_t v = 0; v < saved.weights.vertexCount(); ++v)
        for (const skin::Influence& i : saved.weights.row(v))
            QVERIFY(std::abs(read.weights.weight(v, i.slot) - i.weight) < 1e-5f);
    QCOMPARE(read.shapes.size(), saved.shapes.size());
    for (std::size_t s = 0; s < saved.shapes.size(); ++s) {
        QCOMPARE(read.shapes[s].name, saved.shapes[s].name);
        for (std::size_t e = 0; e < saved.shapes[s].vertices.size(); ++e)
            QVERIFY((read.shapes[s].delta(saved.shapes[s].vertices[e]) - saved.shapes[s].deltas[e]).norm() < 1e-6f);
    }
    QCOMPARE(read.drivers.size(), saved.drivers.size());
    for (std::size_t d = 0; d < saved.drivers.size(); ++d) {
        QCOMPARE(read.drivers[d].joints, saved.drivers[d].joints);
        QCOMPARE(read.drivers[d].samples.size(), saved.drivers[d].samples.size());
        for (std::size_t k = 0; k < saved.drivers[d].samples.size(); ++k)
            QVERIFY(shape::chordDistance(read.drivers[d].samples[k].rotations, saved.drivers[d].samples[k].rotations) <
                    1e-9);
    }
}

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
}

} // namespace

class TestJourney : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void openingManyFilesLeavesMemoryFlat(); // first: what other tests leave in the allocator would blur it
    void openBendPaintSculptSaveReopenUndo_data();
    void openBendPaintSculptSaveReopenUndo();
    void clickingABoneInTheViewSelectsItsJoint();
    void refusedFileLeavesTheOpenDocument();
    void idleWindowDrawsNothing();

private:
    QTemporaryDir folder_;
};

void TestJourney::initTestCase() {
    QVERIFY(folder_.isValid());
    QVERIFY2(QFileInfo::exists(QStringLiteral(LIMBER_EXECUTABLE)), LIMBER_EXECUTABLE);
}

void TestJourney::openBendPaintSculptSaveReopenUndo_data() {
    QTest::addColumn<QString>("file"); // empty: the mannequin
    QTest::addColumn<QString>("elbow");
    QTest::newRow("mannequin") << QString() << "lowerarm_l";
    QTest::newRow("knight") << dataFile("demo/Knight_demo.glb") << "lowerarm.l";
    QTest::newRow("mannequiny") << dataFile("demo/mannequiny.glb") << "lowerarm.l";
    QTest::newRow("CesiumMan") << dataFile("gltf/CesiumMan/CesiumMan.gltf") << "Skeleton_arm_joint_L__2_";
    QTest::newRow("Animated_Human") << dataFile("fbx/Animated_Human.fbx") << "LeftForeArm";
}

void TestJourney::openBendPaintSculptSaveReopenUndo() {
    QFETCH(QString, file);
    QFETCH(QString, elbow);
    if (!file.isEmpty() && !QFileInfo::exists(file))
        QSKIP(qPrintable("not on this machine: " + file));

    Journey j;
    QVERIFY(j.open(file));
    j.picture("1_open");
    const std::uint64_t atStart = j.doc().hash();
    QVERIFY2(j.pickInTree(elbow), qPrintable(elbow));
    const JointId joint = j.editor().activeJoint();
    QCOMPARE(QString::fromStdString(j.doc().skeleton()[joint].name), elbow);

    // Bend.
    j.key(Qt::Key_E);
    const math::Affine before = j.doc().state().pose[joint.index()];
    j.turnByRing(70);
    j.picture("2_bent");
    QCOMPARE(j.editor().history().size(), std::size_t(1));
    const math::Affine after = j.doc().state().pose[joint.index()];
    const double turned =
        Eigen::AngleAxisd(math::nearestRotation((before.inverse() * after).linear())).angle() * 180 / M_PI;
    QVERIFY2(std::abs(turned - 70) < 1.5, qPrintable(QString::number(turned)));

    // Paint.
    j.key(Qt::Key_B);
    const auto spot = j.surfaceNear(joint);
    QVERIFY(spot.has_value());
    j.stroke({*spot, *spot + QPoint(4, 3), *spot + QPoint(8, 6), *spot + QPoint(14, 9)});
    j.picture("3_painted");
    QCOMPARE(j.editor().history().size(), std::size_t(2));
    QVERIFY(j.editor().history().label(1).find("Paint") != std::string::npos);

    // Sculpt: the first stroke starts a corrective.
    j.key(Qt::Key_S);
    const auto spot2 = j.surfaceNear(joint);
    QVERIFY(spot2.has_value());
    j.stroke({*spot2, *spot2 + QPoint(3, -4), *spot2 + QPoint(6, -8), *spot2 + QPoint(10, -14)});
    j.picture("4_sculpted");
    QCOMPARE(j.editor().history().size(), std::size_t(3));
    QVERIFY(!j.editor().activeShapes().empty());
    const MeshId sculpted = j.editor().activeShapes().back().mesh;
    const ShapeId shape = j.editor().activeShapes().back().shape;
    const document::MeshData& mesh = j.doc().mesh(sculpted);
    QVERIFY(mesh.findShape(shape) && !mesh.findShape(shape)->vertices.empty());
    QVERIFY(mesh.isDriven(shape));
    const std::string shapeName = mesh.findShape(shape)->name;

    // Save, and look with fresh eyes.
    const QString saved = folder_.filePath(QString::fromLatin1(QTest::currentDataTag()) + ".glb");
    QVERIFY(j.app.session().saveTo(saved.toStdString()));
    QVERIFY(!j.editor().isModified());
    const Ran info = runLimber({"info", saved, "--json"});
    QVERIFY2(info.exitCode == 0 || info.exitCode == 4, info.err);
    bool listed = false;
    for (const QJsonValue& m : QJsonDocument::fromJson(info.out).object()["meshes"].toArray())
        for (const QJsonValue& s : m["shapes"].toArray())
            listed |= s.toString().toStdString() == shapeName;
    QVERIFY2(listed, info.out);

    const QString obj = folder_.filePath("posed.obj");
    const Ran deform = runLimber({"deform", saved, "-o", obj});
    QVERIFY2(deform.exitCode == 0 || deform.exitCode == 4, deform.err);
    const double apart = largestDifference(objVertices(obj), j.posed());
    QVERIFY2(apart < 2e-5 * j.editor().evaluator().bindDiagonal(), qPrintable(QString::number(apart)));

    auto reread = io::loadGltf(saved.toStdString());
    QVERIFY(reread.ok());
    compareMeshes(reread->state.meshes[sculpted.index()],
                  document::inFileOrder(j.doc().state()).meshes[sculpted.index()]);
    if (QTest::currentTestFailed())
        return;

    // At bind the corrective has faded out, here and there.
    const QString bindPose = folder_.filePath("bind.json");
    writeFile(bindPose, R"({"limber":"pose","version":1,"joints":{}})");
    QVERIFY(runLimber({"deform", saved, "--pose", bindPose, "-o", obj}).exitCode % 4 == 0);
    j.resetAllToBind();
    const auto weights = j.editor().evaluator().shapeWeights(j.instanceOf(sculpted));
    QVERIFY(weights[mesh.shapeIndex(shape)] < 0.2);
    const double apartAtBind = largestDifference(objVertices(obj), j.posed());
    QVERIFY2(apartAtBind < 2e-5 * j.editor().evaluator().bindDiagonal(), qPrintable(QString::number(apartAtBind)));

    // Back to the start.
    for (std::size_t k = j.editor().history().cursor(); k > 0; --k)
        QTest::keyClick(&j.app.window(), Qt::Key_Z, Qt::ControlModifier);
    j.settle();
    QCOMPARE(j.editor().history().cursor(), std::size_t(0));
    QCOMPARE(j.doc().hash(), atStart);
}

void TestJourney::clickingABoneInTheViewSelectsItsJoint() {
    Journey j;
    QVERIFY(j.open({}));
    j.key(Qt::Key_Q);
    for (const char* name : {"lowerarm_l", "calf_r", "head"}) {
        JointId wanted;
        for (std::size_t k = 0; k < j.doc().skeleton().size(); ++k)
            if (j.doc().skeleton()[JointId(k)].name == name)
                wanted = JointId(k);
        QVERIFY2(wanted.valid(), name);
        QTest::mouseClick(&j.app.viewport(), Qt::LeftButton, {},
                          j.pixel(j.editor().evaluator().world(wanted).translation()));
        j.settle();
        QCOMPARE(j.doc().skeleton()[j.editor().activeJoint()].name, std::string(name));
    }
}

void TestJourney::openingManyFilesLeavesMemoryFlat() {
    const QStringList files{"demo/Knight_demo.glb", "demo/RobotExpressive.glb", "gltf/Fox.glb",
                            "gltf/InfiniteSkinnedTentacle.glb", "gltf/kenney_character_noskin.glb"};
    if (!QFileInfo::exists(dataFile(files.first())))
        QSKIP("the test data is not on this machine");
    Journey j;
    const test::Growth grown = test::leastGrowth([&] {
        for (int k = 0; k < 2; ++k)
            for (const QString& file : files) {
                QVERIFY2(j.open(dataFile(file)), qPrintable(file));
                QVERIFY(!j.app.viewport().picture().isNull());
            }
        app::returnFreedMemory();
    });
    QVERIFY2(grown.resident < 4 && grown.allocated < 0.5, qPrintable(grown.text()));
}

void TestJourney::refusedFileLeavesTheOpenDocument() {
    if (!QFileInfo::exists(dataFile("invalid/glb_truncated_chunk_data.glb")))
        QSKIP("the test data is not on this machine");
    Journey j;
    QVERIFY(j.open({}));
    const std::uint64_t hash = j.doc().hash();
    QVERIFY(!j.open(dataFile("invalid/glb_truncated_chunk_data.glb")));
    QCOMPARE(j.doc().hash(), hash);
    QVERIFY(j.app.session().path().empty());
}

void TestJourney::idleWindowDrawsNothing() {
    Journey j;
    QVERIFY(j.open({}));
    QTest::qWait(500);
    const int frames = j.app.viewport().frameCount();
    const std::clock_t before = std::clock();
    QTest::qWait(3000);
    const double used = double(std::clock() - before) / CLOCKS_PER_SEC;
    QCOMPARE(j.app.viewport().frameCount(), frames);
    // Coarse, as other tests run beside it: one frame a second alone would exceed it.
    QVERIFY2(used < 0.09, qPrintable(QString::number(used)));
}

int main(int argc, char** argv) {
    // Opening other formats starts this very program again.
    if (argc > 1 && argv[1] == app::kImportWorkerOption)
        return app::runImportWorker(std::span<char* const>(argv + 2, static_cast<std::size_t>(argc - 2)));
    app::shareOneHeap();
    ui::prepareGraphics();
    QApplication qt(argc, argv);
    QApplication::setApplicationName("limber_test_journey");
    QStandardPaths::setTestModeEnabled(true);
    TestJourney test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_journey.moc"
