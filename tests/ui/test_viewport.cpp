// The viewport as a whole, by the pixels it shows. Needs a display (a virtual one will do).
#include "core/document/weights_intents.h"
#include "tests/support/process_memory.h"
#include "tests/support/viewport_stage.h"
#include "ui/theme.h"
#include "ui/viewport/bone_shape.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/picking.h"
#include "ui/viewport/pointer_handler.h"

#include <QApplication>
#include <QElapsedTimer>

using namespace limber;
using namespace limber::ui;
using test::difference;
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

} // namespace

class TestViewport : public QObject, private test::ViewportStage {
    Q_OBJECT
private slots:
    void init() { open(); }
    void cleanup() { close(); }

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

    void openingManyDocumentsLeavesMemoryFlat() {
#ifdef LIMBER_SANITIZED
        QSKIP("A sanitizer keeps freed memory for a while.");
#endif
        const test::Growth grown = test::leastGrowth([&] {
            for (int k = 0; k < 5; ++k) {
                editor_->replaceDocument(test::tubeDocument(100, 100), {});
                (void)view_->picture();
            }
        });
        QVERIFY2(grown.resident < 4 && grown.allocated < 0.5, qPrintable(grown.text()));
    }

private:
    void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
        QTest::mousePress(view_.get(), button, modifiers, QPoint(200, 150));
        for (int k = 1; k <= 4; ++k) {
            const QPointF at(200 + 15 * k, 150 + 10 * k);
            QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(view_.get(), &move);
        }
        QTest::mouseRelease(view_.get(), button, modifiers, QPoint(260, 190));
    }
};

int main(int argc, char** argv) {
    prepareGraphics();
    QApplication app(argc, argv);
    TestViewport test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_viewport.moc"
