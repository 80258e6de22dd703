#include "core/document/intents.h"
#include "core/document/weights_intents.h"
#include "tests/support/tube_document.h"
#include "ui/gizmos/gizmo.h"
#include "ui/main_window.h"
#include "ui/panels/clips_panel.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/joints_panel.h"
#include "ui/panels/meshes_panel.h"
#include "ui/panels/number_field.h"
#include "ui/panels/pose_panel.h"
#include "ui/panels/scrub_slider.h"
#include "ui/panels/shapes_panel.h"
#include "ui/panels/value_slider.h"
#include "ui/panels/weights_panel.h"
#include "ui/tools/tool_manager.h"
#include "ui/viewport/camera.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSlider>
#include <QToolBar>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QtTest>

#include <numeric>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

rig::Affine turned(double degrees) {
    return rig::Affine(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
}

QTreeWidgetItem* rowNamed(QTreeWidget* tree, const QString& name, int column = 0) {
    const auto found = tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive, column);
    return found.isEmpty() ? nullptr : found.front();
}

document::DocumentState chain(std::size_t length) {
    document::DocumentState state;
    std::vector<rig::Joint> joints;
    for (std::size_t i = 0; i < length; ++i)
        joints.push_back(test::tubeJoint("link", i ? JointId(i - 1) : JointId{}, {1, 0, 0}, true));
    state.skeleton = rig::Skeleton(std::move(joints));
    state.pose.assign(length, rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.assign(length, 0);
    return state;
}

document::DocumentState withClip() {
    document::DocumentState state = test::tubeDocument();
    rig::Channel channel;
    channel.joint = JointId(Tube::kLower);
    channel.times = {0, 1};
    const Eigen::Quaternionf end(Eigen::AngleAxisf(1.0f, Eigen::Vector3f::UnitZ()));
    channel.values = {0, 0, 0, 1, end.x(), end.y(), end.z(), end.w()};
    state.clips.push_back({"bend", 1, {channel}});
    return state;
}

} // namespace

class TestPanels : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        view_ = new QWidget;
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, view_);
        editor_->replaceDocument(test::tubeDocument(), {});
    }
    void cleanup() {
        window_.reset();
        actions_.reset();
        editor_.reset();
    }

    void treeAndSelectionFollowEachOther() {
        QTreeWidget* tree = window_->joints().tree();
        QTreeWidgetItem* lower = rowNamed(tree, name(Tube::kLower));
        QVERIFY(lower);
        lower->setSelected(true);
        tree->setCurrentItem(lower);
        QCOMPARE(editor_->activeJoint(), JointId(Tube::kLower));
        select({Tube::kUpper});
        QVERIFY(!lower->isSelected());
        QVERIFY(rowNamed(tree, name(Tube::kUpper))->isSelected());
    }

    void treeLeavesOutJointsThatMoveNothing() {
        QVERIFY(rowNamed(window_->joints().tree(), name(Tube::kRoot)));
        QVERIFY(!rowNamed(window_->joints().tree(), name(Tube::kHelper)));
    }

    void filterKeepsTheWayToAMatch() {
        auto* filter = window_->joints().findChild<QLineEdit*>();
        filter->setText(name(Tube::kUpper));
        QTreeWidget* tree = window_->joints().tree();
        QVERIFY(!rowNamed(tree, name(Tube::kRoot))->isHidden());
        QVERIFY(!rowNamed(tree, name(Tube::kUpper))->isHidden());
        QVERIFY(rowNamed(tree, name(Tube::kLower))->isHidden());
    }

    void escapeClearsTheFilterAndThenLeavesIt() {
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        view_->setFocusPolicy(Qt::StrongFocus);
        auto* filter = window_->joints().findChild<QLineEdit*>();
        window_->joints().focusFilter();
        QTest::keyClicks(filter, "low");
        QTest::keyClick(filter, Qt::Key_Escape);
        QVERIFY(filter->text().isEmpty() && filter->hasFocus());
        QTest::keyClick(filter, Qt::Key_Escape);
        QVERIFY(view_->hasFocus());
    }

    void anotherDocumentShowsItsTreeFromTheTop() {
        window_->show();
        QTreeWidget* tree = window_->joints().tree();
        editor_->replaceDocument(chain(200), {});
        tree->scrollToBottom();
        QVERIFY(tree->verticalScrollBar()->value() > 0);
        editor_->replaceDocument(chain(190), {});
        QCOMPARE(tree->verticalScrollBar()->value(), 0);
    }

    void weightRowsAreOfTheOpenDocument() {
        // As many joints, each under another id, and fewer of them in all.
        document::DocumentState before = test::tubeDocument();
        before.skeleton =
            rig::Skeleton({test::tubeJoint("spare", {}, {0, 0, 0}, false), test::tubeJoint("a", {}, {0, 0, 0}, true),
                           test::tubeJoint("b", JointId(std::size_t(1)), {0, 0, 0}, true),
                           test::tubeJoint("c", JointId(std::size_t(2)), {Tube::kElbow, 0, 0}, true)});
        before.skins[0].joints = {JointId(std::size_t(1)), JointId(std::size_t(2)), JointId(std::size_t(3))};
        editor_->replaceDocument(std::move(before), {});
        QTreeWidget* list = window_->weights().list();
        QVERIFY(rowNamed(list, "c", 1));
        editor_->replaceDocument(test::tubeDocument(), {});
        QVERIFY(!rowNamed(list, "c", 1));
        QTreeWidgetItem* row = rowNamed(list, name(Tube::kLower), 1);
        QVERIFY(row);
        emit list->itemClicked(row, 0);
        QVERIFY(editor_->document().state().locked[Tube::kLower]);
    }

    void enterInTheFilterSelectsTheFirstMatch() {
        auto* filter = window_->joints().findChild<QLineEdit*>();
        filter->setText("low");
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(editor_->activeJoint(), JointId(Tube::kLower));
    }

    void letterInANumberIsAShortcut() {
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        select({Tube::kLower});
        std::optional<ToolId> chosen;
        stage_.setTool = [&](ToolId tool) { chosen = tool; };
        NumberField* field = window_->pose().field(PosePanel::Rotation, 0);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_W);
        QCOMPARE(chosen, std::optional(ToolId::Move));
        field->selectAll();
        QTest::keyClicks(field, "25");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->value(), 25.0);
        QVERIFY(!field->hasFocus());
    }

    void typedNumbersOutsideTheRangeBecomeItsEnds_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value");
        QTest::newRow("below") << "1" << 2.0;
        QTest::newRow("negative") << "-3" << 2.0;
        QTest::newRow("above") << "99999" << 500.0;
        QTest::newRow("inside") << "37" << 37.0;
        QTest::newRow("too fine") << "37.26" << 37.3;
        QTest::newRow("comma") << "37,5" << 37.5;
        QTest::newRow("nothing") << "-" << 40.0;
    }
    void typedNumbersOutsideTheRangeBecomeItsEnds() {
        QFETCH(QString, typed);
        NumberField field("Radius", 2, 500, 1, 2);
        field.setValue(40);
        field.selectAll();
        QTest::keyClicks(&field, typed);
        QTest::keyClick(&field, Qt::Key_Return);
        QTEST(field.value(), "value");
    }

    void meshCheckHidesIt() {
        window_->meshes().list()->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
        QCOMPARE(editor_->view().hidden, std::set<InstanceId>{Tube::plateInstance});
    }

    void poseFieldsEditOneStep() {
        select({Tube::kLower});
        window_->pose().field(PosePanel::Rotation, 2)->setValue(38.5);
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], turned(38.5)) < 1e-9);
        window_->pose().field(PosePanel::Translation, 0)->setValue(0.25);
        window_->pose().field(PosePanel::Scale, 1)->setValue(2);
        const auto parts = math::decompose(editor_->document().state().pose[Tube::kLower]);
        QVERIFY(std::abs(parts.translation.x() - 0.25) < 1e-12 && std::abs(parts.scale.y() - 2) < 1e-9);
        QCOMPARE(window_->pose().field(PosePanel::Rotation, 2)->value(), 38.5);
    }

    void scaleOfZeroKeepsTheRotation() {
        select({Tube::kLower});
        window_->pose().field(PosePanel::Rotation, 2)->setValue(38.5);
        window_->pose().field(PosePanel::Scale, 1)->setValue(-1);
        QSignalSpy messages(editor_.get(), &Editor::message);
        const auto parts = [&] { return math::decompose(editor_->document().state().pose[Tube::kLower]); };
        const Eigen::Matrix3d mirrored = editor_->document().state().pose[Tube::kLower].linear();
        window_->pose().field(PosePanel::Scale, 1)->setValue(0);
        QVERIFY(!parts().singular && std::abs(std::abs(parts().scale.prod()) - 1e-6) < 1e-12);
        QCOMPARE(messages.size(), 1);
        window_->pose().field(PosePanel::Scale, 1)->setValue(1);
        QCOMPARE(messages.size(), 1);
        QVERIFY(std::abs(std::abs(editor_->document().state().pose[Tube::kLower].linear().determinant()) - 1) < 1e-9);
        for (int k = 0; k < 3; ++k)
            QVERIFY(
                std::abs(std::abs(mirrored.col(k).dot(editor_->document().state().pose[Tube::kLower].linear().col(k))) -
                         1) < 1e-9);
    }

    void scalingShowsTheSpaceThatItUses() {
        auto* space = window_->findChild<QToolBar*>("toolOptions")->findChild<QComboBox*>();
        QVERIFY(space && space->accessibleName() == "Space");
        const auto use = [&](ToolId tool, bool keepTrs) {
            stage_.tool = [tool] { return tool; };
            GizmoSettings gizmo = editor_->gizmo();
            gizmo.space = GizmoSettings::Space::World;
            gizmo.keepTrs = !keepTrs;
            editor_->setGizmo(gizmo);
            gizmo.keepTrs = keepTrs;
            editor_->setGizmo(gizmo);
            actions_->refresh();
        };
        use(ToolId::Rotate, true);
        QVERIFY(space->isEnabled() && space->currentText() == "World");
        use(ToolId::Scale, true);
        QVERIFY(!space->isEnabled() && space->currentText() == "Local" && space->toolTip().contains("Keep TRS"));
        QVERIFY(!actions_->action("gizmo.world")->isEnabled() && actions_->action("gizmo.local")->isChecked());
        use(ToolId::Scale, false);
        QVERIFY(space->isEnabled() && space->currentText() == "World");
        QCOMPARE(editor_->gizmo().space, GizmoSettings::Space::World);
    }

    void editingOneAxisKeepsTheOthersExact() {
        const Eigen::Vector3d exact(0.12345678, 0.23456789, 0.3456789);
        rig::Affine start = rig::Affine::Identity();
        start.translation() = exact;
        editor_->perform(document::setUserLocal(editor_->document(), JointId(Tube::kLower), start, "Move"));
        select({Tube::kLower});
        window_->pose().field(PosePanel::Translation, 0)->setValue(2);
        const auto parts = math::decompose(editor_->document().state().pose[Tube::kLower]);
        QVERIFY((parts.translation - Eigen::Vector3d(2, exact.y(), exact.z())).norm() < 1e-12);
    }

    void typedAnglesStayAsTyped() {
        select({Tube::kLower});
        window_->pose().field(PosePanel::Rotation, 1)->setValue(120);
        QCOMPARE(window_->pose().field(PosePanel::Rotation, 1)->value(), 120.0);
        QCOMPARE(window_->pose().field(PosePanel::Rotation, 0)->value(), 0.0);
    }

    void poseFieldsFollowADrag() {
        select({Tube::kLower});
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turned(20)));
        QCOMPARE(window_->pose().field(PosePanel::Rotation, 2)->value(), 20.0);
        editor_->cancelPreview();
        QCOMPARE(window_->pose().field(PosePanel::Rotation, 2)->value(), 0.0);
    }

    void anglesRunOnThroughHalfATurn() {
        select({Tube::kLower});
        for (int degrees = 0; degrees <= 270; degrees += 30) {
            const rig::Affine turn(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitY()));
            editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), turn));
            QCOMPARE(window_->pose().field(PosePanel::Rotation, 1)->value(), double(degrees));
            QCOMPARE(window_->pose().field(PosePanel::Rotation, 0)->value(), 0.0);
        }
    }

    void sharesAddUpToTheMesh() {
        WeightSums sums;
        const std::vector<double> shares = jointShares(*editor_, {}, sums);
        QVERIFY(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-5);
    }

    void sharesFollowAStrokeByWhatItPaints() {
        WeightSums sums;
        const std::vector<double> before = jointShares(*editor_, {}, sums);
        document::PaintSettings settings;
        settings.joint = JointId(Tube::kRoot);
        document::PaintStroke stroke(editor_->document(), editor_->evaluator(), editor_->preview(), settings);
        document::BrushDab dab;
        dab.center = {1, 0, Tube::kRadius};
        dab.radius = 1;
        dab.strength = 0.7;
        editor_->previewChanged(stroke.dab(dab));
        const auto isFresh = [&](const std::vector<double>& shares) {
            WeightSums none;
            const std::vector<double> fresh = jointShares(*editor_, {}, none);
            for (std::size_t j = 0; j < fresh.size(); ++j)
                if (std::abs(fresh[j] - shares[j]) > 1e-9)
                    return false;
            return true;
        };
        const std::vector<double> painted = jointShares(*editor_, {}, sums);
        QVERIFY(painted[Tube::kRoot] > before[Tube::kRoot] + 0.01);
        QVERIFY(isFresh(painted));
        editor_->commitPreview("Paint");
        QVERIFY(isFresh(jointShares(*editor_, {}, sums)));
        QVERIFY(std::abs(jointShares(*editor_, {}, sums)[Tube::kRoot] - painted[Tube::kRoot]) < 1e-6);
        editor_->undo();
        QVERIFY(isFresh(jointShares(*editor_, {}, sums)));
    }

    void aPanelThatNobodySeesIsRightOnceItIsSeen() {
        window_->show();
        QTreeWidget* list = window_->weights().list();
        QTRY_VERIFY(window_->weights().visibleRegion().isEmpty()); // behind the pose
        const auto shown = [&] { return rowNamed(list, name(Tube::kRoot), 1)->text(2); };
        const QString before = shown();
        skin::SkinWeights rows(editor_->document().mesh(Tube::mesh).weights.vertexCount(), 4);
        const skin::Influence root{0, 1};
        for (std::size_t v = 0; v < rows.vertexCount(); ++v)
            rows.setRow(v, {&root, 1});
        editor_->perform(document::replaceWeights(editor_->document(), Tube::mesh, rows, "All to the root"));
        QTest::qWait(500);
        QCOMPARE(shown(), before);
        actions_->action("window.weights")->trigger();
        actions_->action("window.weights")->trigger();
        QTRY_COMPARE(shown(), QString("100.0 %"));
    }

    void namesOfALongChainKeepTheirRoom() {
        editor_->replaceDocument(chain(200), {});
        window_->show();
        QTreeWidget* tree = window_->joints().tree();
        int rows = 0;
        for (const QTreeWidgetItem* row = tree->topLevelItem(0); row; row = tree->itemBelow(row), ++rows)
            QTRY_VERIFY(tree->visualItemRect(row).width() > 100);
        QCOMPARE(rows, 200);
    }

    void lockColumnLocks() {
        QTreeWidget* list = window_->weights().list();
        QTreeWidgetItem* row = rowNamed(list, name(Tube::kLower), 1);
        QVERIFY(row);
        emit list->itemClicked(row, 0);
        QVERIFY(editor_->document().state().locked[Tube::kLower]);
        editor_->undo();
        QVERIFY(!editor_->document().state().locked[Tube::kLower]);
    }

    void sliderDragIsOneStep() {
        const Editor::ActiveShape shape = addShape();
        ValueSlider* slider = window_->shapes().slider(shape);
        QVERIFY(slider);
        const auto steps = editor_->history().size();
        for (double value : {0.9, 0.7, 0.4})
            emit slider->moved(value);
        QCOMPARE(editor_->history().size(), steps);
        QCOMPARE(editor_->evaluator().shapeWeights(Tube::instance)[0], 0.4);
        emit slider->settled(0.4);
        QCOMPARE(editor_->history().size(), steps + 1);
        QCOMPARE(editor_->document().instance(Tube::instance).shapeWeights[0], 0.4);
    }

    void drivenShapeShowsItsWeight() {
        editor_->replaceDocument(test::tubeDocument(10, 8, 60), {});
        select({Tube::kLower});
        actions_->refresh();
        actions_->action("shape.new")->trigger();
        QCoreApplication::processEvents();
        ValueSlider* slider = window_->shapes().slider(editor_->activeShapes().front());
        QVERIFY(slider && !slider->isEnabled());
        QVERIFY(slider->toolTip().contains("mute"));
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(4, slider->height() / 2));
        QVERIFY(slider->share() > 0.99);
        editor_->perform(document::setUserLocal(editor_->document(), JointId(Tube::kLower), turned(0), "Rotate"));
        QVERIFY(slider->share() < 0.01);
    }

    void renamesAShape() {
        const Editor::ActiveShape shape = addShape();
        QVERIFY(window_->shapes().currentShape() == shape);
        rowNamed(window_->shapes().list(), "fix")->setText(0, "elbow");
        QCoreApplication::processEvents();
        QCOMPARE(editor_->document().mesh(shape.mesh).findShape(shape.shape)->name, std::string("elbow"));
    }

    void namesOfShapesAreGivenOnce() {
        addShape();
        const Editor::ActiveShape second = addShape();
        QSignalSpy messages(editor_.get(), &Editor::message);
        const auto named = [&] {
            return QString::fromStdString(editor_->document().mesh(second.mesh).findShape(second.shape)->name);
        };
        const QString before = named();
        QVERIFY(before != "fix");
        rowNamed(window_->shapes().list(), before)->setText(0, "fix");
        QCoreApplication::processEvents();
        QVERIFY(named() != "fix");
        QVERIFY(named().startsWith("fix"));
        QVERIFY(!messages.isEmpty() && messages.last().front().toString().contains(named()));
        QVERIFY(rowNamed(window_->shapes().list(), named()));
    }

    void historyJumps() {
        select({Tube::kLower});
        for (double degrees : {10.0, 20.0, 30.0})
            window_->pose().field(PosePanel::Rotation, 2)->setValue(degrees);
        QListView* list = window_->history().list();
        QCOMPARE(list->model()->rowCount(), 4);
        list->setCurrentIndex(list->model()->index(1, 0));
        QCoreApplication::processEvents();
        QCOMPARE(editor_->history().cursor(), std::size_t(1));
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], turned(10)) < 1e-9);
    }

    void scrubbingAClipLeavesThePoseUntilKept() {
        editor_->replaceDocument(withClip(), {});
        const auto before = editor_->document().hash();
        auto* scrub = window_->clips().findChild<QSlider*>();
        scrub->setValue(scrub->maximum() / 2);
        QVERIFY(window_->clips().showing());
        QVERIFY(editor_->hasPreview());
        window_->clips().stop();
        QVERIFY(!editor_->hasPreview());
        QCOMPARE(editor_->document().hash(), before);
        scrub->setValue(scrub->maximum());
        window_->clips().keep();
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(!window_->clips().showing());
        QVERIFY(editor_->document().hash() != before);
    }

    void aClipShowsItsShapesToo() {
        document::DocumentState state = withClip();
        editor_->replaceDocument(state, {});
        auto made = document::newCorrective(editor_->document(), Tube::mesh, "smile", {});
        editor_->perform(std::move(made->edit));
        state = editor_->document().state();
        rig::Channel channel;
        channel.joint = state.instances[Tube::instance.index()].node;
        channel.path = rig::Channel::Path::Weights;
        channel.times = {0, 1};
        channel.values = {0, 0.8f};
        channel.width = 1;
        state.clips[0].channels = {channel};
        state.instances[Tube::instance.index()].shapeWeights = {0.1};
        editor_->replaceDocument(std::move(state), {});
        const auto shown = [&] { return editor_->evaluator().shapeWeights(Tube::instance)[0]; };
        auto* scrub = window_->clips().findChild<QSlider*>();
        scrub->setValue(scrub->maximum() / 2);
        QVERIFY(window_->clips().showing());
        QVERIFY2(std::abs(shown() - 0.4) < 1e-3, qPrintable(QString::number(shown())));
        window_->clips().stop();
        QCOMPARE(shown(), 0.1);
        scrub->setValue(scrub->maximum());
        window_->clips().keep();
        QVERIFY(std::abs(editor_->document().instance(Tube::instance).shapeWeights[0] - 0.8) < 1e-6);
        editor_->undo();
        QCOMPARE(shown(), 0.1);
    }

    void aClickOnTheTimeLineGoesThereAndKeysStepAFrame() {
        editor_->replaceDocument(withClip(), {});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        auto* scrub = window_->clips().findChild<ScrubSlider*>();
        QTest::mouseClick(scrub, Qt::LeftButton, {}, QPoint(scrub->width() / 2, scrub->height() / 2));
        QVERIFY(window_->clips().showing());
        QVERIFY2(std::abs(window_->clips().seconds() - 0.5) < 0.02,
                 qPrintable(QString::number(window_->clips().seconds())));
        const double before = window_->clips().seconds();
        QTest::keyClick(scrub, Qt::Key_Right);
        QVERIFY(std::abs(window_->clips().seconds() - before - 1.0 / 30) < 1e-3);
        QTest::keyClick(scrub, Qt::Key_PageDown);
        QVERIFY(std::abs(window_->clips().seconds() - before + 9.0 / 30) < 2e-3);
        QTest::keyClick(scrub, Qt::Key_Home);
        QCOMPARE(window_->clips().seconds(), 0.0);
        window_->clips().stop();
        QTest::keyClick(scrub, Qt::Key_Left);
        QVERIFY(!window_->clips().showing());
    }

    void aDragStartsFromTheShownFrameAndOtherPressesLeaveIt() {
        editor_->replaceDocument(withClip(), {});
        select({Tube::kLower});
        Camera camera;
        camera.setViewport(800, 600);
        camera.setSceneBounds(editor_->evaluator().bounds());
        camera.frame(editor_->evaluator().bounds());
        ToolManager tools(*editor_, camera);
        tools.setTool(ToolId::Rotate);
        auto* scrub = window_->clips().findChild<ScrubSlider*>();
        scrub->setValue(scrub->maximum() / 2);
        const rig::Affine shown = editor_->evaluator().world(JointId(Tube::kLower));
        const auto sampleAt = [&](const Eigen::Vector2d& pixel) {
            PointerSample sample;
            sample.pixel = pixel;
            sample.ray = camera.ray(pixel);
            return sample;
        };
        QVERIFY(!tools.press(sampleAt({3, 3}), Qt::LeftButton)); // the camera's
        QVERIFY(window_->clips().showing());

        const Eigen::Matrix3d axes = math::nearestRotation(shown.linear());
        const Eigen::Vector3d towards = axes.transpose() * (camera.eye() - shown.translation());
        int axis = 0;
        (void)towards.cwiseAbs().maxCoeff(&axis);
        const GizmoPlace place = gizmoPlace(camera, shown.translation(), axes);
        const auto onRing = [&](double angle) {
            const Eigen::Vector3d at = ringPoint(camera, place, axisHandle(axis), angle);
            return sampleAt(camera.project(at).head<2>());
        };
        QVERIFY(tools.press(onRing(M_PI / 4), Qt::LeftButton));
        QVERIFY(!window_->clips().showing());
        QVERIFY(math::distance(editor_->evaluator().world(JointId(Tube::kLower)), shown) < 1e-9);
        tools.drag(onRing(M_PI / 4 + 0.3));
        tools.release(onRing(M_PI / 4 + 0.3));
        QCOMPARE(editor_->history().size(), std::size_t(2));
        QVERIFY(editor_->history().label(0).starts_with("Pose from bend"));
        editor_->undo();
        QVERIFY(math::distance(editor_->evaluator().world(JointId(Tube::kLower)), shown) < 1e-9);
    }

    void anEditStartsFromTheShownFrame() {
        editor_->replaceDocument(withClip(), {});
        select({Tube::kUpper});
        auto* scrub = window_->clips().findChild<ScrubSlider*>();
        scrub->setValue(scrub->maximum());
        const rig::Affine shown = editor_->evaluator().world(JointId(Tube::kLower));
        // Other things than the pose leave the frame on.
        editor_->perform(document::setLocked(editor_->document(), std::array{JointId(Tube::kLower)}, true));
        QVERIFY(window_->clips().showing());
        window_->pose().field(PosePanel::Rotation, 2)->setValue(0.0);
        window_->pose().field(PosePanel::Rotation, 2)->setValue(10.0);
        QVERIFY(!window_->clips().showing());
        QCOMPARE(editor_->history().size(), std::size_t(3)); // the lock, the frame, the turn
        editor_->undo();
        QVERIFY(math::distance(editor_->evaluator().world(JointId(Tube::kLower)), shown) < 1e-9);
        editor_->undo();
        QVERIFY(math::distance(editor_->evaluator().world(JointId(Tube::kLower)), shown) > 0.1);
    }

private:
    QString name(std::size_t joint) const {
        return QString::fromStdString(editor_->document().skeleton()[JointId(joint)].name);
    }
    void select(std::vector<std::size_t> joints) {
        std::vector<JointId> ids;
        for (std::size_t j : joints)
            ids.push_back(JointId(j));
        document::Selection selection;
        selection.set(std::move(ids));
        editor_->setSelection(selection);
    }
    Editor::ActiveShape addShape() {
        auto made = document::newCorrective(editor_->document(), Tube::mesh, "fix", {});
        const ShapeId id = made->shape;
        editor_->perform(std::move(made->edit));
        QCoreApplication::processEvents();
        return {Tube::mesh, id};
    }

    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<MainWindow> window_;
    QWidget* view_ = nullptr; // the window's
};

QTEST_MAIN(TestPanels)
#include "test_panels.moc"
