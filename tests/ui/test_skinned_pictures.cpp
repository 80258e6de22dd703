// What the viewport shows of posed meshes: the same by the vertex shader and by the processor. Needs a display (a
// virtual one will do).
#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "core/mesh/normals.h"
#include "tests/support/viewport_stage.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/render_scene.h"
#include "ui/viewport/scene_view.h"

#include <QApplication>

#include <random>

using namespace limber;
using namespace limber::ui;
using test::difference;
using test::Tube;

class TestSkinnedPictures : public QObject, private test::ViewportStage {
    Q_OBJECT
private slots:
    void init() { open(); }
    void cleanup() { close(); }

    // The environment may ask for the graphics of older machines: then the arrays of the mesh are textures.
    void arraysAreWhereTheGraphicsCanHaveThem() {
        if (qEnvironmentVariable("MESA_GL_VERSION_OVERRIDE") == "3.3")
            QVERIFY(!hasStorageBuffers());
    }

    void shaderAndProcessorGiveOnePicture() {
        bend(60);
        const QImage gpu = view_->picture();
        QCOMPARE(view_->counts().shaderPosed, 2u);
        set([](ViewState& v) { v.gpuSkinning = false; });
        const QImage cpu = view_->picture();
        QCOMPARE(view_->counts().processorPosed, 2u);
        QVERIFY(difference(gpu, empty()) > 0.05);
        QVERIFY2(difference(gpu, cpu) < 0.001, qPrintable(QString::number(difference(gpu, cpu))));
        bend(-60);
        const QImage after = view_->picture();
        set([](ViewState& v) { v.gpuSkinning = true; });
        QVERIFY(difference(after, cpu) > 0.01);
        QVERIFY(difference(view_->picture(), after) < 0.001);
    }

    // Chosen by an edit, with a painted share, and with a last step that only the processor has.
    void everyMethodGivesOnePictureInBothWays_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("painted");
        QTest::addColumn<bool>("mush");
        QTest::newRow("dual quaternion") << 1 << false << false;
        QTest::newRow("dual quaternion, painted") << 1 << true << false;
        QTest::newRow("spherical") << 2 << false << false;
        QTest::newRow("delta mush") << 0 << false << true;
    }
    void everyMethodGivesOnePictureInBothWays() {
        QFETCH(int, method);
        QFETCH(bool, painted);
        QFETCH(bool, mush);
        bend(80);
        const QImage linear = view_->picture();
        skin::Skinning skinning;
        skinning.method = static_cast<skin::Method>(method);
        skinning.mush.on = mush;
        editor_->perform(document::setSkinning(editor_->document(), Tube::mesh, skinning));
        bend(80); // an edit ends a preview
        const QImage whole = view_->picture();
        QVERIFY2(difference(whole, linear) > 0.001, qPrintable(QString::number(difference(whole, linear))));
        if (painted)
            editor_->perform(
                document::fillPaintedMap(editor_->document(), Tube::mesh, skin::PaintedMap::MethodShare, 0));
        bend(80);
        const QImage gpu = view_->picture();
        QVERIFY(difference(gpu, painted ? linear : whole) < 0.001);
        set([](ViewState& v) { v.gpuSkinning = false; });
        QVERIFY2(difference(gpu, view_->picture()) < 0.001,
                 qPrintable(QString::number(difference(gpu, view_->picture()))));
    }

    void theHeatMapShowsAPaintedMap() {
        set([](ViewState& v) {
            v.heatMap = true;
            v.shownMap = skin::PaintedMap::MushShare;
        });
        const QImage ones = view_->picture();
        editor_->perform(document::fillPaintedMap(editor_->document(), Tube::mesh, skin::PaintedMap::MushShare, 0.5f));
        const QImage halves = view_->picture();
        QVERIFY(difference(ones, halves) > 0.05);
        // The plate has no skin: none of a map is shown on it, whatever the tube's holds.
        set([](ViewState& v) { v.hidden = {Tube::instance}; });
        const auto plateColor = [&] {
            const Eigen::Vector3d middle = editor_->evaluator().positions(Tube::plateInstance)[12].cast<double>();
            const Eigen::Vector3d at = view_->camera().project(middle) * view_->devicePixelRatioF();
            return view_->picture().pixelColor(int(at.x()), int(at.y()));
        };
        const QColor none = plateColor();
        set([](ViewState& v) { v.shownMap.reset(); });
        select(Tube::kUpper); // moves the tube alone
        QCOMPARE(plateColor(), none);
        set([](ViewState& v) { v.hidden.clear(); });
        QVERIFY(difference(view_->picture(), halves) > 0.05);
    }

    void paintedWeightsShowAtOnceInBothWays_data() {
        QTest::addColumn<bool>("gpu");
        QTest::newRow("vertex shader") << true;
        QTest::newRow("processor") << false;
    }
    void paintedWeightsShowAtOnceInBothWays() {
        QFETCH(bool, gpu);
        set([gpu](ViewState& v) { v.gpuSkinning = gpu; });
        bend(60);
        const QImage before = view_->picture();
        document::ChangeSet changes;
        const skin::Row row{{1, 1.0f}};
        for (std::uint32_t v = 500; v < 900; ++v) {
            editor_->preview().setRow(Tube::mesh, v, row);
            changes.of(Tube::mesh).weightVertices.push_back(v);
        }
        editor_->previewChanged(changes);
        QVERIFY(difference(view_->picture(), before) > 0.005);
        editor_->cancelPreview();
        bend(60);
        QVERIFY(difference(view_->picture(), before) < 0.0005);
    }

    // Opened like that or mirrored by a scale: the same sides show.
    void whatAJointMirrorsIsNotShownInsideOut_data() {
        QTest::addColumn<uint>("joint");
        QTest::addColumn<bool>("gpu");
        QTest::newRow("skinned") << uint(Tube::kUpper) << true;
        QTest::newRow("rigid") << uint(Tube::kLower) << true;
        QTest::newRow("posed by the processor") << uint(Tube::kUpper) << false;
    }
    void whatAJointMirrorsIsNotShownInsideOut() {
        QFETCH(uint, joint);
        QFETCH(bool, gpu);
        set([gpu](ViewState& v) { v.gpuSkinning = gpu; });
        document::DocumentState state = test::tubeDocument();
        state.materials.emplace_back();
        for (document::MeshData& mesh : state.meshes)
            mesh.geometry.parts[0].material = 0;
        editor_->replaceDocument(state, {});
        (void)view_->picture();
        const rig::Affine mirror(Eigen::Scaling(1.0, 1.0, -1.0));
        editor_->perform(document::setUserLocal(editor_->document(), JointId(joint), mirror, "Scale"));
        const QImage mirrored = view_->picture();
        const Camera camera = view_->camera();
        state.pose[joint] = mirror;
        state.materials[0].doubleSided = true;
        editor_->replaceDocument(std::move(state), {});
        view_->camera() = camera;
        view_->cameraMoved();
        set([](ViewState& v) { v.gpuSkinning = true; });
        const double share = difference(view_->picture(), mirrored);
        QVERIFY2(share < 0.001, qPrintable(QString::number(share)));
    }

    // Joints scaled to nothing or flat, vertices without weights, triangles without area: what is left of the mesh is
    // shown, the same by both ways and by every method.
    void whatIsLostLeavesTheRestInThePicture_data() {
        QTest::addColumn<Eigen::Vector3d>("scale");
        QTest::addColumn<bool>("heat");
        QTest::newRow("scaled to nothing") << Eigen::Vector3d(0, 0, 0) << false;
        QTest::newRow("flat") << Eigen::Vector3d(1, 0, 1) << false;
        QTest::newRow("a line") << Eigen::Vector3d(1, 0, 0) << false;
        QTest::newRow("nearly nothing") << Eigen::Vector3d(1e-30, 1e-30, 1e-30) << false;
        QTest::newRow("beyond what floats hold") << Eigen::Vector3d(1e30, 1e30, 1e30) << false;
        QTest::newRow("flat, weights shown") << Eigen::Vector3d(0, 1, 1) << true;
    }
    void whatIsLostLeavesTheRestInThePicture() {
        QFETCH(Eigen::Vector3d, scale);
        QFETCH(bool, heat);
        document::DocumentState state = test::tubeDocument();
        state.pose[Tube::kLower] = rig::Affine(Eigen::Scaling(scale));
        document::MeshData& tube = state.meshes[0];
        for (std::uint32_t v = 0; v < 60; ++v)
            tube.weights.setRow(v, skin::Row{});
        for (std::size_t k = 0; k < 90; k += 3)
            tube.geometry.triangles[k + 1] = tube.geometry.triangles[k];
        const mesh::Mesh& g = tube.geometry;
        tube.geometry.normals = mesh::smoothNormals(mesh::weld(g.positions, g.triangles), g.triangles, g.positions);
        for (const int method : {0, 1, 2}) {
            tube.skinning.method = static_cast<skin::Method>(method);
            const Camera camera = view_->camera();
            editor_->replaceDocument(state, {});
            view_->camera() = camera;
            view_->cameraMoved();
            set([heat](ViewState& v) {
                v.heatMap = heat;
                v.gpuSkinning = true;
            });
            select(Tube::kLower);
            const QImage gpu = view_->picture();
            QVERIFY(difference(gpu, empty()) > 0.02);
            set([](ViewState& v) { v.gpuSkinning = false; });
            const double share = difference(gpu, view_->picture());
            QVERIFY2(share < 0.001, qPrintable(QStringLiteral("method %1: %2").arg(method).arg(share)));
        }
    }

    // Small changes go to the graphics card by ranges; what is there in the end must be what the processor has.
    void manySmallChangesLeaveTheRightPicture() {
        editor_->replaceDocument(test::tubeDocument(200, 60), {});
        set([](ViewState& v) { v.skeleton = v.grid = false; });
        (void)view_->picture();
        editor_->preview().deltasOf(Tube::mesh, ShapeId(), 1);
        std::mt19937 random(3);
        for (int step = 0; step < 24; ++step) {
            document::ChangeSet changes;
            const auto first = static_cast<std::uint32_t>(random() % 11000);
            for (std::uint32_t v = first; v < first + 60; ++v) {
                if (step % 2 == 0) {
                    const float w = float(random() % 100) / 99.0f;
                    editor_->preview().setRow(Tube::mesh, v, skin::Row{{1, 1 - w}, {2, w}});
                    changes.of(Tube::mesh).weightVertices.push_back(v);
                } else {
                    editor_->preview().setDelta(Tube::mesh, v, Eigen::Vector3d(0, 0.15, 0.1));
                    changes.of(Tube::mesh).shapeVertices.push_back(v);
                }
            }
            editor_->previewChanged(changes);
            if (step % 5 == 4)
                bend(10 * step);
            (void)view_->picture();
        }
        const QImage gpu = view_->picture();
        set([](ViewState& v) { v.gpuSkinning = false; });
        const double share = difference(gpu, view_->picture());
        QVERIFY2(share < 0.001, qPrintable(QString::number(share)));
    }

    void everySwitchChangesThePicture_data() {
        QTest::addColumn<int>("which");
        const char* names[] = {"wireframe", "heat map", "skeleton", "grid", "antialiasing", "hidden instance"};
        for (int k = 0; k < 6; ++k)
            QTest::newRow(names[k]) << k;
    }
    void everySwitchChangesThePicture() {
        QFETCH(int, which);
        select(Tube::kLower);
        const QImage before = view_->picture();
        const ViewState old = editor_->view();
        set([which](ViewState& v) {
            bool* const flags[] = {&v.wireframe, &v.heatMap, &v.skeleton, &v.grid, &v.antialiasing};
            if (which < 5)
                *flags[which] = !*flags[which];
            else
                v.hidden.insert(Tube::instance);
        });
        QVERIFY(difference(view_->picture(), before) > 0.0005);
        editor_->setView(old);
        QVERIFY(difference(view_->picture(), before) < 0.0005);
    }

    void pictureWithoutAWindowShowsTheScene() {
        PictureOptions options;
        options.size = {320, 240};
        const auto picture = renderScene(*editor_, view_->camera(), options);
        QVERIFY2(picture.ok(), picture ? "" : picture.error().text.c_str());
        QCOMPARE(picture->size(), options.size);
        set([](ViewState& v) { v.hidden = {Tube::instance, Tube::plateInstance}; });
        const auto bare = renderScene(*editor_, view_->camera(), options);
        QVERIFY(difference(*picture, *bare) > 0.05);
    }
};

int main(int argc, char** argv) {
    prepareGraphics();
    QApplication app(argc, argv);
    TestSkinnedPictures test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_skinned_pictures.moc"
