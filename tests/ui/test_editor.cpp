#include "core/document/intents.h"
#include "tests/support/tube_document.h"
#include "ui/editor/editor.h"
#include "ui/viewport/picking.h"

#include <QSignalSpy>
#include <QtTest>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

rig::Affine turned(double degrees) {
    return rig::Affine(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
}

document::Edit rotateLower(const Editor& editor, double degrees) {
    return document::setUserLocal(editor.document(), JointId(Tube::kLower), turned(degrees), "Rotate lower");
}

// Counts every signal of an editor.
struct Spies {
    explicit Spies(Editor& e)
        : replaced(&e, &Editor::documentReplaced), changed(&e, &Editor::changed),
          selection(&e, &Editor::selectionChanged), history(&e, &Editor::historyChanged),
          view(&e, &Editor::viewChanged), brush(&e, &Editor::brushChanged), gizmo(&e, &Editor::gizmoChanged),
          shapes(&e, &Editor::activeShapesChanged) {}
    QSignalSpy replaced, changed, selection, history, view, brush, gizmo, shapes;
};

} // namespace

class TestEditor : public QObject {
    Q_OBJECT
private slots:
    void init() {
        editor_ = std::make_unique<Editor>();
        editor_->replaceDocument(test::tubeDocument(), {"a note"});
    }

    void oneSignalAChange() {
        Spies spies(*editor_);
        editor_->perform(rotateLower(*editor_, 30));
        QCOMPARE(spies.changed.size(), 1);
        QCOMPARE(spies.history.size(), 1);
        document::Selection selection;
        selection.set(JointId(Tube::kLower));
        for (int twice = 0; twice < 2; ++twice)
            editor_->setSelection(selection);
        QCOMPARE(spies.selection.size(), 1);
        BrushSettings brush;
        brush.radiusPx = 12;
        GizmoSettings gizmo;
        gizmo.snap = true;
        ViewState view;
        view.wireframe = true;
        for (int twice = 0; twice < 2; ++twice) {
            editor_->setBrush(brush);
            editor_->setGizmo(gizmo);
            editor_->setView(view);
        }
        QCOMPARE(spies.brush.size(), 1);
        QCOMPARE(spies.gizmo.size(), 1);
        QCOMPARE(spies.view.size(), 1);
    }

    void emptyEditIsNoStep() {
        Spies spies(*editor_);
        editor_->perform({});
        QCOMPARE(spies.changed.size(), 0);
        QCOMPARE(editor_->history().size(), std::size_t(0));
    }

    void undoAndRedoPublishWhatChanged() {
        const auto before = editor_->document().hash();
        editor_->perform(rotateLower(*editor_, 30));
        const auto after = editor_->document().hash();
        Spies spies(*editor_);
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
        QCOMPARE(spies.changed.size(), 1);
        const auto changes = spies.changed.front().front().value<document::ChangeSet>();
        QCOMPARE(changes.joints, std::vector<JointId>{JointId(Tube::kLower)});
        editor_->redo();
        QCOMPARE(editor_->document().hash(), after);
        QCOMPARE(spies.changed.size(), 2);
        QCOMPARE(spies.history.size(), 2);
    }

    void evaluatorFollowsEveryChange() {
        const JointId lower(Tube::kLower);
        const rig::Affine bind = editor_->evaluator().world(lower);
        editor_->perform(rotateLower(*editor_, 90));
        QVERIFY(math::distance(editor_->evaluator().world(lower), bind) > 0.5);
        editor_->undo();
        QVERIFY(math::distance(editor_->evaluator().world(lower), bind) < 1e-12);
    }

    void previewBecomesOneStep() {
        const auto before = editor_->document().hash();
        for (int degrees = 1; degrees <= 20; ++degrees)
            editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turned(degrees)));
        QCOMPARE(editor_->document().hash(), before);
        QVERIFY(editor_->hasPreview());
        editor_->commitPreview("Rotate lower");
        QVERIFY(!editor_->hasPreview());
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], turned(20)) < 1e-12);
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
    }

    void cancelLeavesTheDocumentAsItWas() {
        const auto before = editor_->document().hash();
        editor_->performProvisional(newShape());
        editor_->performProvisional(rotateLower(*editor_, 5));
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kUpper), turned(9)));
        QVERIFY(editor_->document().hash() != before);
        editor_->cancelPreview();
        QCOMPARE(editor_->document().hash(), before);
        QVERIFY(!editor_->hasPreview());
        QCOMPARE(editor_->history().size(), std::size_t(0));
        QVERIFY(!editor_->isModified());
    }

    void provisionalEditsAndPreviewAreOneStep() {
        const auto before = editor_->document().hash();
        editor_->performProvisional(newShape());
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turned(15)));
        editor_->commitPreview("Sculpt");
        const auto after = editor_->document().hash();
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QCOMPARE(editor_->document().mesh(Tube::mesh).shapes.size(), std::size_t(1));
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
        editor_->redo();
        QCOMPARE(editor_->document().hash(), after);
    }

    void performDropsAPreview() {
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kUpper), turned(40)));
        editor_->perform(rotateLower(*editor_, 10));
        QVERIFY(!editor_->hasPreview());
        QVERIFY(math::identical(editor_->document().state().pose[Tube::kUpper], rig::Affine::Identity()));
    }

    void aHeldPreviewIsKeptWhenAnEditBegins() {
        const auto before = editor_->document().hash();
        editor_->beginEdit(); // nothing held
        QCOMPARE(editor_->history().size(), std::size_t(0));
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turned(30)));
        editor_->holdPreview("Frame");
        editor_->perform(document::setLocked(editor_->document(), std::array{JointId(Tube::kUpper)}, true));
        QVERIFY(editor_->holdsPreview() && editor_->hasPreview());
        editor_->beginEdit();
        QVERIFY(!editor_->holdsPreview() && !editor_->hasPreview());
        QCOMPARE(editor_->history().label(1), std::string("Frame"));
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], turned(30)) < 1e-12);
        editor_->goToStep(0);
        QCOMPARE(editor_->document().hash(), before);
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turned(30)));
        editor_->holdPreview("Frame");
        editor_->cancelPreview();
        QVERIFY(!editor_->holdsPreview());
    }

    void goesToAnyStep() {
        std::vector<std::uint64_t> hashes{editor_->document().hash()};
        for (int step = 1; step <= 4; ++step) {
            editor_->perform(rotateLower(*editor_, 10 * step));
            hashes.push_back(editor_->document().hash());
        }
        Spies spies(*editor_);
        for (std::size_t step : {1u, 4u, 0u, 3u}) {
            editor_->goToStep(step);
            QCOMPARE(editor_->document().hash(), hashes[step]);
        }
        QCOMPARE(spies.history.size(), 4);
    }

    void activeShapeGoesWithItsShape() {
        document::Edit edit = newShape();
        editor_->perform(std::move(edit));
        const ShapeId shape = editor_->document().mesh(Tube::mesh).shapes.front().id;
        editor_->setActiveShapes({{Tube::mesh, shape}});
        Spies spies(*editor_);
        editor_->undo();
        QVERIFY(editor_->activeShapes().empty());
        QCOMPARE(spies.shapes.size(), 1);
    }

    void replacingForgetsEverything() {
        editor_->perform(rotateLower(*editor_, 10));
        document::Selection selection;
        selection.set(JointId(Tube::kUpper));
        editor_->setSelection(selection);
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kUpper), turned(40)));
        const document::Document* address = &editor_->document();
        Spies spies(*editor_);
        editor_->replaceDocument(test::tubeDocument(10, 8), {});
        QCOMPARE(spies.replaced.size(), 1);
        QCOMPARE(&editor_->document(), address);
        QVERIFY(editor_->selection().empty() && !editor_->hasPreview() && !editor_->isModified());
        QVERIFY(!editor_->history().canUndo() && editor_->notes().isEmpty());
        QCOMPARE(editor_->evaluator().positions(Tube::instance).size(),
                 editor_->document().mesh(Tube::mesh).geometry.vertexCount());
    }

    void cleanMarkFollowsTheSavedState() {
        editor_->perform(rotateLower(*editor_, 10));
        QVERIFY(editor_->isModified());
        editor_->markClean();
        QVERIFY(!editor_->isModified());
        editor_->undo();
        QVERIFY(editor_->isModified());
        editor_->redo();
        QVERIFY(!editor_->isModified());
    }

    void whatBrushesNeedIsMadeBesideTheWindow() {
        QSignalSpy warm(editor_.get(), &Editor::warmedUp);
        editor_->replaceDocument(largeTube(), {});
        editor_->perform(rotateLower(*editor_, 40)); // while it is being made
        QVERIFY(QTest::qWaitFor([&] { return !warm.isEmpty(); }, 20000));
        QVERIFY(!editor_->warming());
        document::Evaluator fresh(editor_->document(), editor_->preview());
        std::size_t hits = 0;
        for (double x = 0.1; x < 4; x += 0.1) {
            const mesh::Ray ray{{x, 0.02, 5}, -Eigen::Vector3d::UnitZ()};
            const auto expected = fresh.rayCaster(Tube::instance).cast(ray);
            const auto found = editor_->evaluator().rayCaster(Tube::instance).cast(ray);
            QCOMPARE(found.has_value(), expected.has_value());
            hits += found.has_value();
            if (found)
                QVERIFY((found->position - expected->position).norm() < 1e-5f);
        }
        QVERIFY(hits > 10);
    }

    void aPressDoesNotGoWithoutIt() {
        editor_->replaceDocument(largeTube(), {});
        const auto hit = pickSurface(*editor_, {{1, 0.02, 5}, -Eigen::Vector3d::UnitZ()});
        QVERIFY(hit);
        QCOMPARE(hit->instance, Tube::instance);
        QVERIFY(!editor_->warming());
    }

    void documentsThatGoWhileTheyWarmLeaveNothingBehind() {
        QSignalSpy warm(editor_.get(), &Editor::warmedUp);
        for (int n = 0; n < 20; ++n) {
            editor_->replaceDocument(n % 3 == 2 ? test::tubeDocument() : largeTube(), {});
            if (n % 4 == 1)
                QTest::qWait(n);
            if (n % 5 == 3)
                editor_->cancelPreview();
        }
        editor_->replaceDocument(test::tubeDocument(), {});
        const auto told = warm.size();
        QTest::qWait(50);
        QCOMPARE(warm.size(), told); // nothing of what is gone comes late
        QVERIFY(!editor_->warming());
        editor_->replaceDocument(largeTube(), {});
        editor_.reset(); // while it warms
    }

private:
    document::Edit newShape() {
        auto made = document::newCorrective(editor_->document(), Tube::mesh, "fix", {});
        return made ? std::move(made->edit) : document::Edit{};
    }

    // Large enough to be warmed.
    static document::DocumentState largeTube() { return test::tubeDocument(300, 100); }

    std::unique_ptr<Editor> editor_;
};

QTEST_GUILESS_MAIN(TestEditor)
#include "test_editor.moc"
