// What happens to a drag or stroke when somebody else takes its ground away between press and release.
#include "core/document/intents.h"
#include "tests/support/tool_stage.h"

#include <QTest>

using namespace limber;
using namespace limber::test;

namespace {

const MeshId kArm{std::size_t(0)};

// Hears of a new document before the tools do, and cancels the pointer then, as the view does it.
struct EarlyView {
    explicit EarlyView(ToolStage& stage) {
        QObject::connect(&stage.editor, &ui::Editor::documentReplaced, &context, [this] { fresh->cancel(); });
        fresh = std::make_unique<ui::ToolManager>(stage.editor, stage.camera);
    }
    QObject context;
    std::unique_ptr<ui::ToolManager> fresh;
};

document::Edit bend(const ui::Editor& editor, double rad) {
    return document::setUserLocal(editor.document(), kLower, rig::Affine(Eigen::AngleAxisd(rad, Vector3d::UnitZ())),
                                  "Bend");
}

enum class By { Perform, EmptyPerform, Undo, SameStep, Cancel, Replace };

} // namespace

class TestInterruptedTools : public QObject {
    Q_OBJECT
private slots:
    void anInterruptedGestureIsDroppedWhole_data() {
        QTest::addColumn<int>("by");
        QTest::addColumn<int>("tool");
        const std::pair<const char*, By> ways[] = {{"edit", By::Perform},
                                                   {"edit of nothing", By::EmptyPerform},
                                                   {"undo", By::Undo},
                                                   {"jump to where it is", By::SameStep},
                                                   {"cancelled preview", By::Cancel},
                                                   {"another document", By::Replace}};
        const std::pair<const char*, ToolId> tools[] = {
            {"sculpt", ToolId::Sculpt}, {"paint", ToolId::Paint}, {"rotate", ToolId::Rotate}};
        for (const auto& [way, by] : ways)
            for (const auto& [tool, id] : tools)
                QTest::addRow("%s in a %s", way, tool) << int(by) << int(id);
    }
    void anInterruptedGestureIsDroppedWhole() {
        QFETCH(int, by);
        QFETCH(int, tool);
        ToolStage stage;
        EarlyView view(stage);
        ui::Editor& editor = stage.editor;
        ui::ToolManager& tools = *view.fresh;
        // A shape that stays, so that the ids of the stroke's own are not the first of another document.
        auto slider = document::newCorrective(editor.document(), kArm, "slider", {});
        editor.perform(std::move(slider->edit));
        editor.perform(bend(editor, 1));
        const std::uint64_t before = stage.hash();
        const std::size_t steps = stage.steps();
        stage.select(kLower);

        tools.setTool(ToolId(tool));
        Vector2d from = stage.pixelOf({0, 1, kTubeRadius});
        if (ToolId(tool) == ToolId::Rotate)
            from = stage.pixelOf(ui::ringPoint(stage.camera, stage.ringPlace(), GizmoHandle::View, 0.4));
        tools.hover(stage.at(from));
        QVERIFY(tools.press(stage.at(from), Qt::LeftButton));
        for (int k = 1; k <= 4; ++k)
            tools.drag(stage.at(from + Vector2d(5 * k, 3 * k)));
        QVERIFY(tools.busy() && editor.hasPreview());

        switch (By(by)) {
        case By::Perform:
            editor.perform(bend(editor, 0.5));
            break;
        case By::EmptyPerform:
            editor.perform({});
            break;
        case By::Undo:
            editor.undo();
            break;
        case By::SameStep:
            editor.goToStep(editor.history().cursor());
            break;
        case By::Cancel:
            editor.cancelPreview();
            break;
        case By::Replace:
            stage.open({});
            break;
        }
        QVERIFY(!tools.busy() && !editor.hasPreview() && editor.activeShapes().empty());
        const std::uint64_t after = stage.hash();
        tools.drag(stage.at(from + Vector2d(40, 10)));
        tools.release(stage.at(from + Vector2d(40, 10)));
        QCOMPARE(stage.hash(), after);
        QVERIFY(!editor.hasPreview());
        if (By(by) == By::Replace) {
            QCOMPARE(after, document::Document(makeTube()).hash());
            QCOMPARE(stage.steps(), std::size_t(0));
            return;
        }
        editor.goToStep(steps);
        QCOMPARE(stage.hash(), before);
    }

    void activeShapesOfAnotherDocumentAreNotBroughtBack() {
        ToolStage stage;
        EarlyView view(stage);
        auto slider = document::newCorrective(stage.editor.document(), kArm, "slider", {});
        const ShapeId shape = slider->shape;
        stage.editor.perform(std::move(slider->edit));
        stage.editor.setActiveShapes({{kArm, shape}});
        view.fresh->setTool(ToolId::Sculpt);
        const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
        view.fresh->hover(stage.at(pixel));
        QVERIFY(view.fresh->press(stage.at(pixel), Qt::LeftButton));
        // The other one has a shape of the same id.
        document::DocumentState other = makeTube();
        other.meshes[kArm.index()].shapes.push_back({shape, "its own", false, {}, {}, {}, {}});
        for (document::Instance& instance : other.instances)
            if (instance.mesh == kArm)
                instance.shapeWeights.push_back(0);
        stage.editor.replaceDocument(std::move(other), {});
        QVERIFY(!view.fresh->busy() && stage.editor.activeShapes().empty());
    }

    void aCancelledStrokeGivesTheActiveShapeBack() {
        ToolStage stage;
        auto slider = document::newCorrective(stage.editor.document(), kArm, "slider", {});
        const std::vector<ui::Editor::ActiveShape> active{{kArm, slider->shape}};
        stage.editor.perform(std::move(slider->edit));
        stage.editor.setActiveShapes(active);
        stage.tools.setTool(ToolId::Sculpt);
        const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
        QVERIFY(stage.pull(pixel, pixel + Vector2d(20, 0)));
        stage.editor.cancelPreview();
        QVERIFY(!stage.tools.busy());
        QCOMPARE(stage.editor.activeShapes(), active);
    }
};

QTEST_MAIN(TestInterruptedTools)
#include "test_interrupted_tools.moc"
