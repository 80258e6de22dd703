// The viewport as a whole, by the pixels it shows. Needs a display (a virtual one will do).
#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "core/document/weights_intents.h"
#include "tests/support/tube_document.h"
#include "ui/editor/editor.h"
#include "ui/theme.h"
#include "ui/viewport/bone_shape.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/picking.h"
#include "ui/viewport/pointer_handler.h"
#include "ui/viewport/render_scene.h"
#include "ui/viewport/scene_view.h"
#include "ui/viewport/viewport.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QtTest>

#include <random>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

class Recorder : public PointerHandler {
public:
    bool takes = true;
    QStringList calls;

    void hover(const PointerSample&) override {}
    void leave() override {}
    bool press(const PointerSample& s, Qt::MouseButton) override {
        calls << "press";
        held_ = takes;
        last = s;
        return takes;
    }
    void drag(const PointerSample& s) override {
        calls << "drag";
        last = s;
    }
    void release(const PointerSample&) override {
        calls << "release";
        held_ = false;
    }
    void click(const PointerSample&) override { calls << "click"; }
    bool key(int, const QString& text) override {
        calls << "key " + text;
        return true;
    }
    void cancel() override {
        calls << "cancel";
        held_ = false;
    }
    [[nodiscard]] bool busy() const override { return held_; }
    void draw(Overlay&) const override {}

    PointerSample last;

private:
    bool held_ = false;
};

// Share of the pixels that differ by more than a trace.
double difference(const QImage& a, const QImage& b) {
    if (a.size() != b.size())
        return 1;
    qint64 differing = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
            differing +=
                std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) + std::abs(p.blue() - q.blue()) > 12;
        }
    return double(differing) / (double(a.width()) * a.height());
}

long residentPages() {
    QFile statm(QStringLiteral("/proc/self/statm"));
    return statm.open(QIODevice::ReadOnly) ? statm.readAll().split(' ').value(1).toLong() : 0;
}

} // namespace

class TestViewport : public QObject {
    Q_OBJECT
private slots:
    void init() {
        editor_ = std::make_unique<Editor>();
        view_ = std::make_unique<Viewport>(*editor_);
        view_->resize(480, 360);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        editor_->replaceDocument(test::tubeDocument(), {});
        set([](ViewState& v) { v.skeleton = v.grid = false; });
        QTRY_VERIFY(view_->frameCount() > 0);
    }
    void cleanup() {
        view_.reset();
        editor_.reset();
    }

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

    void theBackgroundIsTheThemes() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, kind);
            const QImage picture = view_->picture();
            const QColor low = picture.pixelColor(picture.width() / 2, picture.height() - 3);
            const QColor high = picture.pixelColor(picture.width() / 2, 3);
            QVERIFY2(std::abs(low.green() - themeColors().viewBottom.green()) < 16, qPrintable(low.name()));
            QVERIFY2(std::abs(high.green() - themeColors().viewTop.green()) < 16, qPrintable(high.name()));
        }
    }

    void framingASmallJointShowsWhatIsAroundIt() {
        document::Selection selection;
        selection.set(JointId(Tube::kLower));
        editor_->setSelection(selection);
        view_->frameSelected();
        const rig::Skeleton& skeleton = editor_->document().skeleton();
        std::vector<JointId> around{JointId(Tube::kLower), skeleton[JointId(Tube::kLower)].parent};
        for (const JointId j : around) {
            const Eigen::Vector3d at = view_->camera().project(editor_->evaluator().world(j).translation());
            QVERIFY(at.x() > 0 && at.x() < view_->width() && at.y() > 0 && at.y() < view_->height());
        }
        const Eigen::Vector3d joint = editor_->evaluator().world(JointId(Tube::kLower)).translation();
        const double shown = view_->camera().worldPerPixel(joint) * view_->height();
        QVERIFY2(shown > 0.08 * view_->camera().sceneSize(), qPrintable(QString::number(shown)));
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

    void nothingIsRenderedWhenNothingChanges() {
        QTest::qWait(100);
        const int frames = view_->frameCount();
        QTest::qWait(300);
        QCOMPARE(view_->frameCount(), frames);
    }

    void manyChangesMakeOneFrame() {
        QTest::qWait(100);
        const int frames = view_->frameCount();
        for (int k = 0; k < 50; ++k)
            bend(k);
        QTRY_VERIFY(view_->frameCount() > frames);
        QTest::qWait(100);
        QCOMPARE(view_->frameCount(), frames + 1);
    }

    void resizingShowsTheWholeSceneAgain() {
        view_->resize(300, 500);
        QTest::qWait(50);
        const QImage picture = view_->picture();
        QCOMPARE(picture.size(), QSize(300, 500) * view_->devicePixelRatioF());
        QVERIFY(difference(picture, empty()) > 0.02);
    }

    void takenPressReachesTheHandlerAndNotTheCamera() {
        Recorder recorder;
        view_->setPointerHandler(&recorder);
        const Eigen::Vector3d eye = view_->camera().eye();
        drag(Qt::LeftButton, Qt::NoModifier);
        QCOMPARE(recorder.calls.first(), QStringLiteral("press"));
        QCOMPARE(recorder.calls.last(), QStringLiteral("release"));
        QVERIFY(recorder.calls.contains("drag"));
        QCOMPARE(view_->camera().eye(), eye);
        QVERIFY((recorder.last.pixel - Eigen::Vector2d(260, 190)).norm() < 1.5);
        view_->setPointerHandler(nullptr);
    }

    void refusedDragOrbitsAndRefusedClickIsAClick() {
        Recorder recorder;
        recorder.takes = false;
        view_->setPointerHandler(&recorder);
        const Eigen::Vector3d eye = view_->camera().eye();
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, QPoint(20, 20));
        QCOMPARE(recorder.calls, QStringList({"press", "click"}));
        QCOMPARE(view_->camera().eye(), eye);
        drag(Qt::LeftButton, Qt::NoModifier);
        QVERIFY((view_->camera().eye() - eye).norm() > 0.01);
        view_->setPointerHandler(nullptr);
    }

    void middleButtonIsTheCamerasEvenWhenATakerWaits() {
        Recorder recorder;
        view_->setPointerHandler(&recorder);
        const Eigen::Vector3d target = view_->camera().target(), eye = view_->camera().eye();
        drag(Qt::MiddleButton, Qt::NoModifier);
        QCOMPARE(view_->camera().target(), target);
        QVERIFY((view_->camera().eye() - eye).norm() > 0.01);
        drag(Qt::MiddleButton, Qt::ShiftModifier);
        QVERIFY((view_->camera().target() - target).norm() > 0.01);
        QVERIFY(recorder.calls.isEmpty());
        view_->setPointerHandler(nullptr);
    }

    void clickOnAnAxisLooksAlongIt() {
        view_->setStandardView(Camera::View::Front);
        const QPoint x(view_->width() - 12 - 32 + 22, 12 + 32); // the right end of the axes
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, x);
        QVERIFY((view_->camera().forward() + Eigen::Vector3d::UnitX()).norm() < 1e-9);
        // Now the axis points at the eye: once more looks from its other end.
        QTest::mouseClick(view_.get(), Qt::LeftButton, {}, QPoint(view_->width() - 12 - 32, 12 + 32));
        QVERIFY((view_->camera().forward() - Eigen::Vector3d::UnitX()).norm() < 1e-9);
    }

    void shortcutsInADragAreNoLettersAndUndoGivesItUp() {
        Recorder recorder;
        view_->setPointerHandler(&recorder);
        QTest::mousePress(view_.get(), Qt::LeftButton, {}, QPoint(100, 100));
        for (const auto modifier : {Qt::ControlModifier, Qt::AltModifier, Qt::MetaModifier})
            QTest::keyClick(view_.get(), Qt::Key_X, modifier);
        QTest::keyClick(view_.get(), Qt::Key_Y);
        QTest::keyClick(view_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(recorder.calls, QStringList({"press", "key y", "cancel"}));
        QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(100, 100));
        view_->setPointerHandler(nullptr);
    }

    void escapeAndLostFocusCancel() {
        Recorder recorder;
        view_->setPointerHandler(&recorder);
        QTest::mousePress(view_.get(), Qt::LeftButton, {}, QPoint(100, 100));
        QTest::keyClick(view_.get(), Qt::Key_X);
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QCOMPARE(recorder.calls, QStringList({"press", "key x", "cancel"}));
        QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(100, 100));
        QTest::mousePress(view_.get(), Qt::LeftButton, {}, QPoint(100, 100));
        QFocusEvent out(QEvent::FocusOut);
        QCoreApplication::sendEvent(view_.get(), &out);
        QCOMPARE(recorder.calls.last(), QStringLiteral("cancel"));
        view_->setPointerHandler(nullptr);
    }

    void jointsAreFoundWhereTheyAreDrawn() {
        set([](ViewState& v) { v.skeleton = true; });
        bend(50);
        const Eigen::Vector3d lower = editor_->evaluator().world(JointId(Tube::kLower)).translation();
        const Eigen::Vector2d at = view_->camera().project(lower).head<2>();
        QCOMPARE(pickJoint(*editor_, view_->camera(), at), JointId(Tube::kLower));
        QVERIFY(!pickJoint(*editor_, view_->camera(), Eigen::Vector2d(3, 3)).valid());
        set([](ViewState& v) { v.skeleton = false; });
        QVERIFY(!pickJoint(*editor_, view_->camera(), at).valid());
        set([](ViewState& v) { v.skeleton = true; });
        // Without weights and without the plate the joint moves nothing: it is drawn and found no more, until undo.
        document::DocumentState bare = test::tubeDocument();
        bare.instances.pop_back();
        editor_->replaceDocument(bare, {});
        const auto found = [&] {
            const Eigen::Vector3d where = editor_->evaluator().world(JointId(Tube::kLower)).translation();
            return pickJoint(*editor_, view_->camera(), view_->camera().project(where).head<2>());
        };
        QCOMPARE(found(), JointId(Tube::kLower));
        skin::SkinWeights rootOnly(bare.meshes[0].geometry.vertexCount(), 1);
        for (std::size_t v = 0; v < rootOnly.vertexCount(); ++v)
            rootOnly.setRow(v, skin::Row{{0, 1.0f}});
        editor_->perform(document::replaceWeights(editor_->document(), Tube::mesh, rootOnly, "Weights"));
        QVERIFY(found() != JointId(Tube::kLower));
        editor_->undo();
        QCOMPARE(found(), JointId(Tube::kLower));
        QCOMPARE(drawnJoints(editor_->document().state())[Tube::kHelper], std::uint8_t(0));
    }

    void surfaceUnderThePointerIsThePosedOne() {
        bend(80);
        const Eigen::Vector3d elbow = editor_->evaluator().world(JointId(Tube::kLower)).translation();
        const Eigen::Vector3d along = editor_->evaluator().world(JointId(Tube::kLower)).linear().col(0);
        const Eigen::Vector3d inside = elbow + 1.5 * along;
        const auto hit = pickSurface(*editor_, view_->camera().ray(view_->camera().project(inside).head<2>()));
        QVERIFY(hit);
        QVERIFY(hit->instance == Tube::instance || hit->instance == Tube::plateInstance);
        QCOMPARE(strongestJoint(*editor_, *hit), JointId(Tube::kLower));
        set([](ViewState& v) { v.hidden = {Tube::instance, Tube::plateInstance}; });
        QVERIFY(!pickSurface(*editor_, view_->camera().ray(view_->camera().project(inside).head<2>())));
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

    void openingManyDocumentsLeavesMemoryFlat() {
#ifdef LIMBER_SANITIZED
        QSKIP("A sanitizer keeps freed memory for a while.");
#endif
        const auto open = [&](int times) {
            for (int k = 0; k < times; ++k) {
                editor_->replaceDocument(test::tubeDocument(100, 100), {});
                (void)view_->picture();
            }
            return residentPages();
        };
        const long warm = open(8);
        const long after = open(20);
        const double grownMiB = double(after - warm) * 4096 / 1048576;
        QVERIFY2(grownMiB < 12, qPrintable(QStringLiteral("%1 MiB").arg(grownMiB)));
    }

private:
    void set(const std::function<void(ViewState&)>& change) {
        ViewState v = editor_->view();
        change(v);
        editor_->setView(v);
    }
    void select(std::size_t joint) {
        document::Selection s;
        s.set(JointId(joint));
        editor_->setSelection(s);
    }
    void bend(double degrees) {
        rig::Affine u = rig::Affine::Identity();
        u.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), u));
    }
    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
        QTest::mousePress(view_.get(), button, modifiers, QPoint(200, 150));
        for (int k = 1; k <= 4; ++k) {
            const QPointF at(200 + 15 * k, 150 + 10 * k);
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(view_.get(), &move);
        }
        QTest::mouseRelease(view_.get(), button, modifiers, QPoint(260, 190));
    }
    QImage empty() {
        const ViewState old = editor_->view();
        set([](ViewState& v) { v.hidden = {Tube::instance, Tube::plateInstance}; });
        QImage picture = view_->picture();
        editor_->setView(old);
        return picture;
    }

    std::unique_ptr<Editor> editor_;
    std::unique_ptr<Viewport> view_;
};

int main(int argc, char** argv) {
    prepareGraphics();
    QApplication app(argc, argv);
    TestViewport test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_viewport.moc"
