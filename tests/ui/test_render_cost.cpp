// What a frame computes and sends to the graphics card: only what changed. Needs a display (a virtual one will do).
#include "core/document/skinning_intents.h"
#include "tests/support/tube_document.h"
#include "ui/editor/editor.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/scene_view.h"
#include "ui/viewport/viewport.h"

#include <QApplication>
#include <QtTest>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

constexpr std::uint32_t kRings = 400, kSides = 99; // 100 vertices to a ring
constexpr std::uint64_t kLine = kTexelsPerLine * sizeof(skin::Influence);

} // namespace

class TestRenderCost : public QObject {
    Q_OBJECT
private slots:
    void init() {
        editor_ = std::make_unique<Editor>();
        view_ = std::make_unique<Viewport>(*editor_);
        view_->resize(200, 150);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        editor_->replaceDocument(test::tubeDocument(kRings, kSides), {});
        vertices_ = editor_->document().mesh(Tube::mesh).geometry.vertexCount();
        bend(10);
        render();
    }
    void cleanup() {
        view_.reset();
        editor_.reset();
    }

    void aJointDragSendsThePaletteAndPosesNothingHere_data() {
        QTest::addColumn<int>("method");
        QTest::newRow("linear") << 0;
        QTest::newRow("dual quaternion") << 1;
        QTest::newRow("spherical") << 2;
    }
    void aJointDragSendsThePaletteAndPosesNothingHere() {
        QFETCH(int, method);
        setSkinning([method](skin::Skinning& s) { s.method = static_cast<skin::Method>(method); });
        const std::uint64_t posings = editor_->evaluator().posings(Tube::instance);
        const std::uint64_t sent = sentBy([&] { bend(40); });
        // The tube's slots and the plate's one; a texture of them is no wider than 64 texels.
        const std::size_t count = editor_->evaluator().palette(Tube::instance).size();
        const std::uint64_t palette =
            (count + 1) * sizeof(skin::Matrix34f) + (method ? count : 0) * sizeof(skin::RigidSlot);
        if (hasStorageBuffers())
            QCOMPARE(sent, palette + (method ? 16u : 32u)); // arrays without data hold a little
        else
            QVERIFY2(sent <= 4 * 64 * 16, qPrintable(QString::number(sent)));
        QCOMPARE(editor_->evaluator().posings(Tube::instance), posings);
    }

    void aViewMoveSendsNothing() {
        QCOMPARE(sentBy([&] { view_->setStandardView(Camera::View::Left); }), 0u);
    }

    void aDabSendsTheRowsItTouches_data() {
        QTest::addColumn<int>("dabs");
        QTest::newRow("one patch") << 1;
        QTest::newRow("patches far apart") << 30;
    }
    void aDabSendsTheRowsItTouches() {
        QFETCH(int, dabs);
        paintRow(0); // the first may make the rows longer
        render();
        constexpr std::uint32_t kPatch = 40;
        const std::uint64_t sent = sentBy([&] {
            document::ChangeSet changes;
            for (std::uint32_t d = 0; d < std::uint32_t(dabs); ++d)
                for (std::uint32_t k = 0; k < kPatch; ++k)
                    paintRow(1000 + 1200 * d + k, changes);
            editor_->previewChanged(changes);
        });
        const std::uint64_t row = editor_->evaluator().weights(Tube::mesh).capacity() * sizeof(skin::Influence) + 4;
        const std::uint64_t touched = row * kPatch * std::uint64_t(dabs);
        // Textures go by whole lines: two of the rows and two of their lengths at most.
        const std::uint64_t most =
            hasStorageBuffers() ? touched : std::min(kLine * 3 * std::uint64_t(dabs), 2 * row * vertices_);
        QVERIFY2(sent >= touched, qPrintable(QString::number(sent)));
        QVERIFY2(sent <= most, qPrintable(QString::number(sent)));
    }

    void aStrokeOnAMapSendsTheValuesItTouches() {
        setSkinning([](skin::Skinning& s) { s.method = skin::Method::DualQuaternion; });
        editor_->perform(
            document::fillPaintedMap(editor_->document(), Tube::mesh, skin::PaintedMap::MethodShare, 0.5f));
        render();
        const std::uint64_t sent = sentBy([&] {
            document::ChangeSet changes;
            for (std::uint32_t v = 5000; v < 5200; ++v) {
                editor_->preview().setMapValue(Tube::mesh, skin::PaintedMap::MethodShare, v, 1);
                changes.of(Tube::mesh).mapVertices.push_back(v);
            }
            editor_->previewChanged(changes);
        });
        QVERIFY2(sent >= 800 && sent <= (hasStorageBuffers() ? 800 : 2 * kTexelsPerLine * 4),
                 qPrintable(QString::number(sent)));
    }

    // Posed by the processor: a joint that carries a small part sends that part.
    void whatTheProcessorPosesIsSentWhereItMoved() {
        ViewState view = editor_->view();
        view.gpuSkinning = false;
        editor_->setView(view);
        render();
        const std::uint64_t whole = vertices_ * 24;
        const std::uint64_t sent = sentBy([&] { bend(40); });
        QVERIFY2(sent > whole / 4 && sent < whole * 3 / 4, qPrintable(QString::number(sent)));
    }

private:
    void render() { (void)view_->picture(); }
    template <class Change> std::uint64_t sentBy(Change change) {
        const std::uint64_t before = view_->counts().sentBytes;
        change();
        render();
        return view_->counts().sentBytes - before;
    }
    template <class Change> void setSkinning(Change change) {
        skin::Skinning skinning = editor_->document().mesh(Tube::mesh).skinning;
        change(skinning);
        editor_->perform(document::setSkinning(editor_->document(), Tube::mesh, skinning));
        bend(10);
        render();
    }
    void bend(double degrees) {
        rig::Affine u = rig::Affine::Identity();
        u.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), u));
    }
    void paintRow(std::uint32_t v, document::ChangeSet& changes) {
        editor_->preview().setRow(Tube::mesh, v, skin::Row{{0, 0.2f}, {1, 0.3f}, {2, 0.5f}});
        changes.of(Tube::mesh).weightVertices.push_back(v);
    }
    void paintRow(std::uint32_t v) {
        document::ChangeSet changes;
        paintRow(v, changes);
        editor_->previewChanged(changes);
    }

    std::unique_ptr<Editor> editor_;
    std::unique_ptr<Viewport> view_;
    std::size_t vertices_ = 0;
};

int main(int argc, char** argv) {
    prepareGraphics();
    QApplication app(argc, argv);
    TestRenderCost test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_render_cost.moc"
