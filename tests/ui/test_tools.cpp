// The tools driven by pointer samples: what a hand does, and what the document then holds.
#include "core/document/intents.h"
#include "tests/support/tool_stage.h"
#include "ui/tools/brush_cursor.h"
#include "ui/tools/pose_drag.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace limber;
using namespace limber::test;
using ui::GizmoSettings;

namespace {

constexpr double kDeg = std::numbers::pi / 180;
const MeshId kArm{std::size_t(0)};
const InstanceId kArmInstance{std::size_t(0)};

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

void setSpace(ToolStage& stage, GizmoSettings::Space space) {
    GizmoSettings gizmo = stage.editor.gizmo();
    gizmo.space = space;
    stage.editor.setGizmo(gizmo);
}

void setBrush(ToolStage& stage, double radiusPx, double strength) {
    ui::BrushSettings brush = stage.editor.brush();
    brush.radiusPx = radiusPx;
    brush.strength = strength;
    stage.editor.setBrush(brush);
}

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::ranges::equal(a, b);
}

double largestWeightDifference(const skin::SkinWeights& a, const skin::SkinWeights& b) {
    double largest = 0;
    for (std::size_t v = 0; v < a.vertexCount(); ++v)
        for (std::uint32_t slot = 0; slot < 4; ++slot)
            largest = std::max(largest, std::abs(double(a.weight(v, slot)) - double(b.weight(v, slot))));
    return largest;
}

std::vector<std::uint32_t> changedRows(const skin::SkinWeights& a, const skin::SkinWeights& b) {
    std::vector<std::uint32_t> changed;
    for (std::uint32_t v = 0; v < a.vertexCount(); ++v)
        if (!sameRow(a.row(v), b.row(v)))
            changed.push_back(v);
    return changed;
}

// The elbow bent, the camera in front: the pose that is sculpted.
void bendElbow(ToolStage& stage, double degrees) {
    stage.editor.perform(document::setUserLocal(
        stage.editor.document(), kLower, rig::Affine(Eigen::AngleAxisd(degrees * kDeg, Vector3d::UnitZ())), "Bend"));
}

} // namespace

class TestTools : public QObject {
    Q_OBJECT
private slots:
    void clickSelectsAndShiftTogglesAndNothingClears();
    void theRingLiesOnTheSurfaceWhateverTheNormalsSay();
    void controlClickOnTheMeshPicksTheStrongestJoint();
    void ringDragTurnsTheJointByTheExactAngle_data();
    void ringDragTurnsTheJointByTheExactAngle();
    void oneDragIsOneStepAndUndoGivesTheFormerHash();
    void escapeLeavesTheDocumentAsItWas();
    void ringDragDoesNotDependOnTheEventRate();
    void onlyJointsWithoutSelectedAncestorTurn();
    void eachSelectedJointTurnsAboutItsOwnOrigin();
    void arrowDragMovesTheJoint();
    void scaleDragScalesTheJoint();
    void typedNumberSetsTheAngleAndLetterTheAxis();
    void enterAcceptsATypedAmountBeforeTheRelease();
    void stepsAreNamedAsTheCursorSaysThem();
    void undoInTheMiddleOfADragCancelsIt();
    void anotherDocumentDropsTheDrag();
    void dragOnNothingIsLeftToTheCamera();
    void hoverAndAmountAreDrawn();

    void paintChangesOnlyWhatIsUnderTheRing();
    void paintDoesNotDependOnTheEventRate();
    void paintWithoutAJointSaysSo();
    void paintOfALockedJointChangesNothingAndSaysSo();
    void paintWithAllOthersLockedSaysSoAndIsNoStep();
    void controlSubtractsAndShiftSmooths();
    void paintCancelLeavesTheDocumentAsItWas();
    void paintReachesBothMeshesInOneStep();
    void paintToolShowsTheHeatMapWhileItIsActive();
    void brushRingLiesOnTheSurface();

    void grabMovesTheSurfaceToWhereTheBrushPutIt();
    void grabDoesNotDependOnTheEventRate();
    void firstStrokeStartsACorrectiveThatFadesWithThePose();
    void sculptingNearACorrectiveGoesOnInIt();
    void aSecondCorrectiveDoesNotMoveTheSurface();
    void sculptAwayFromThePoseIsRefused();
    void sculptCancelTakesBackTheNewCorrectiveToo();
    void pressWithoutMoveMakesNoCorrective();
    void inflateReachesBothMeshesInOneStep();
    void meshesBesideThePointerGetNoUndrivenCorrective();
    void whatNoBentJointMovesIsLeftOutBesideADrivenCorrective();
    void sculptingAtBindSaysThatNoPoseDrivesIt();
    void rigidMeshesAreSculptedOnlyAlone();
    void undoAndRedoDoNotPileUpCorrectives();
    void strokesBetweenTheVerticesSaySo();
    void paintOnARigidMeshSaysWhatItFollows();
    void jointIsTurnedBetweenTwoStrokes();
    void anyGesturesAreUndoneToTheFirstHash();
};

void TestTools::clickSelectsAndShiftTogglesAndNothingClears() {
    ToolStage stage;
    const auto jointPixel = [&](double y) { return stage.pixelOf({0, y, 0}); };
    for (const ToolId tool : {ToolId::Select, ToolId::Rotate}) {
        stage.tools.setTool(tool);
        stage.editor.setSelection({});
        QVERIFY(!stage.click(jointPixel(1)));
        QCOMPARE(stage.editor.activeJoint(), kLower);
        stage.click(jointPixel(2), Qt::ShiftModifier);
        QCOMPARE(stage.editor.selection().joints().size(), std::size_t(2));
        QCOMPARE(stage.editor.activeJoint(), kHand);
        stage.click(jointPixel(1), Qt::ShiftModifier);
        QCOMPARE(stage.editor.selection().joints(), std::vector<JointId>{kHand});
        stage.click({5, 5}, Qt::ShiftModifier);
        QCOMPARE(stage.editor.activeJoint(), kHand);
        stage.click({5, 5});
        QVERIFY(stage.editor.selection().empty());
    }
    QCOMPARE(stage.steps(), std::size_t(0));
}

void TestTools::theRingLiesOnTheSurfaceWhateverTheNormalsSay() {
    ToolStage stage;
    document::DocumentState state = stage.editor.document().state();
    for (Eigen::Vector3f& n : state.meshes[kArm.index()].geometry.normals)
        n = {n.z(), n.y(), -n.x()}; // along the surface
    stage.editor.replaceDocument(std::move(state), {});
    const ui::PointerSample sample = stage.at(stage.pixelOf({0, 0.5, kTubeRadius}));
    const auto spot = ui::brushSpot({stage.editor, stage.camera}, sample.ray);
    QVERIFY(spot.has_value());
    QVERIFY(spot->normal.dot(sample.ray.direction) < -0.95);
    QVERIFY(!ui::dabAt({stage.editor, stage.camera}, *spot, 1).seesBack);
}

void TestTools::controlClickOnTheMeshPicksTheStrongestJoint() {
    ToolStage stage;
    const Vector2d onHand = stage.pixelOf({0.2, 2.7, 0});
    stage.tools.hover(stage.at(onHand, Qt::ControlModifier));
    QCOMPARE(stage.editor.hoveredJoint(), kHand);
    stage.click(onHand, Qt::ControlModifier);
    QCOMPARE(stage.editor.activeJoint(), kHand);
    stage.click(stage.pixelOf({0.2, 1.5, 0}), Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(stage.editor.selection().joints(), (std::vector<JointId>{kHand, kLower}));
}

void TestTools::ringDragTurnsTheJointByTheExactAngle_data() {
    QTest::addColumn<int>("space");
    QTest::addColumn<int>("axis");
    for (int space = 0; space < 3; ++space)
        for (int axis = 0; axis < 3; ++axis)
            QTest::addRow("space %d, axis %d", space, axis) << space << axis;
}

void TestTools::ringDragTurnsTheJointByTheExactAngle() {
    QFETCH(int, space);
    QFETCH(int, axis);
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.editor.perform(document::setUserLocal(
        stage.editor.document(), kUpper, rig::Affine(Eigen::AngleAxisd(0.3, Vector3d(2, -1, 1).normalized())), "Pose"));
    stage.editor.perform(document::setUserLocal(stage.editor.document(), kLower,
                                                rig::Affine(Eigen::AngleAxisd(-0.25, Vector3d(0, 1, 2).normalized())),
                                                "Pose"));
    setSpace(stage, GizmoSettings::Space(space));
    stage.select(kLower);
    const rig::Affine before = stage.editor.evaluator().world(kLower);
    const Eigen::Matrix3d frame = stage.ringPlace().axes;
    QVERIFY(stage.turn(ui::axisHandle(axis), 38.5));
    const rig::Affine expected = math::rotationAbout(before.translation(), frame.col(axis), 38.5 * kDeg) * before;
    QVERIFY(math::distance(stage.editor.evaluator().world(kLower), expected) < 1e-9);
    constexpr char kAxes[] = "XYZ";
    QCOMPARE(QString::fromStdString(stage.editor.history().undoLabel()),
             QStringLiteral("Rotate lowerarm_l 38.5° about %1").arg(QLatin1Char(kAxes[axis])));
}

void TestTools::oneDragIsOneStepAndUndoGivesTheFormerHash() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 70, 40));
    const std::uint64_t after = stage.hash();
    QVERIFY(after != before);
    QCOMPARE(stage.steps(), std::size_t(1));
    QVERIFY(!stage.editor.hasPreview());
    stage.editor.undo();
    QCOMPARE(stage.hash(), before);
    stage.editor.redo();
    QCOMPARE(stage.hash(), after);
}

void TestTools::escapeLeavesTheDocumentAsItWas() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 70, 12, false));
    QVERIFY(stage.tools.busy() && stage.editor.hasPreview());
    QVERIFY((stage.editor.evaluator().world(kHand).translation() - Vector3d(0, 2, 0)).norm() > 0.5);
    QVERIFY(stage.tools.key(Qt::Key_Escape, {}));
    QVERIFY(!stage.tools.busy() && !stage.editor.hasPreview());
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.steps(), std::size_t(0));
    QVERIFY((stage.editor.evaluator().world(kHand).translation() - Vector3d(0, 2, 0)).norm() < 1e-12);
    stage.tools.release(stage.at({0, 0})); // the button comes up after the escape
    QCOMPARE(stage.hash(), before);
}

void TestTools::ringDragDoesNotDependOnTheEventRate() {
    rig::Affine results[2];
    for (const int run : {0, 1}) {
        ToolStage stage;
        stage.camera.orbit(150, 90);
        stage.select(kLower);
        QVERIFY(stage.turn(GizmoHandle::AxisX, 100, run ? 200 : 2));
        results[run] = stage.userLocal(kLower);
    }
    QVERIFY(math::distance(results[0], results[1]) < 1e-12);
}

void TestTools::onlyJointsWithoutSelectedAncestorTurn() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    document::Selection selection;
    selection.set({kUpper, kHand, kLower});
    stage.editor.setSelection(selection);
    QCOMPARE(ui::draggedJoints(stage.editor.document(), selection), std::vector<JointId>{kUpper});
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 30));
    QVERIFY(difference(stage.userLocal(kUpper).linear(), Eigen::AngleAxisd(30 * kDeg, Vector3d::UnitZ()).matrix()) <
            1e-9);
    QCOMPARE(stage.userLocal(kLower).matrix(), rig::Affine::Identity().matrix());
    QCOMPARE(stage.userLocal(kHand).matrix(), rig::Affine::Identity().matrix());
}

void TestTools::eachSelectedJointTurnsAboutItsOwnOrigin() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    document::Selection selection;
    selection.set({kNode, kLower});
    stage.editor.setSelection(selection);
    const Vector3d elbow = stage.editor.evaluator().world(kLower).translation();
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 30));
    for (const JointId j : {kNode, kLower})
        QVERIFY(difference(stage.userLocal(j).linear(), Eigen::AngleAxisd(30 * kDeg, Vector3d::UnitZ()).matrix()) <
                1e-9);
    QVERIFY((stage.editor.evaluator().world(kLower).translation() - elbow).norm() < 1e-12);
    QCOMPARE(stage.steps(), std::size_t(1));
    QVERIFY(stage.editor.history().undoLabel().starts_with("Rotate 2 joints"));
}

void TestTools::arrowDragMovesTheJoint() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kHand);
    stage.tools.setTool(ToolId::Move);
    const Vector3d tip = ui::handlePoint(stage.camera, stage.ringPlace(), GizmoHandle::AxisX);
    QVERIFY(stage.drag(stage.pixelOf(tip), stage.pixelOf(tip + Vector3d(0.25, 0, 0))));
    QVERIFY(difference(stage.userLocal(kHand).translation(), Vector3d(0.25, 0, 0)) < 1e-9);
    QCOMPARE(stage.editor.history().undoLabel(), std::string("Move hand_l 0.250 along X"));
}

void TestTools::scaleDragScalesTheJoint() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kHand);
    stage.tools.setTool(ToolId::Scale);
    const Vector2d center = stage.pixelOf(stage.ringPlace().origin);
    QVERIFY(stage.drag(center, center + Vector2d(ui::kGizmoRadiusPx, 0)));
    QVERIFY(difference(stage.userLocal(kHand).linear(), 2 * Eigen::Matrix3d::Identity()) < 1e-9);
}

void TestTools::typedNumberSetsTheAngleAndLetterTheAxis() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 17, 3, false));
    for (const QChar c : QStringLiteral("309"))
        QVERIFY(stage.tools.key(0, c));
    QVERIFY(stage.tools.key(Qt::Key_Backspace, {}));
    QVERIFY(stage.tools.key(Qt::Key_Minus, QStringLiteral("-")));
    QVERIFY(stage.tools.key(Qt::Key_X, QStringLiteral("x")));
    stage.tools.drag(stage.at({300, 300})); // the hand no longer matters
    stage.tools.release(stage.at({310, 300}));
    QVERIFY(difference(stage.userLocal(kLower).linear(), Eigen::AngleAxisd(-30 * kDeg, Vector3d::UnitX()).matrix()) <
            1e-9);
}

void TestTools::enterAcceptsATypedAmountBeforeTheRelease() {
    for (const int key : {int(Qt::Key_Return), int(Qt::Key_Enter)}) {
        ToolStage stage;
        stage.camera.orbit(150, 90);
        stage.select(kLower);
        QVERIFY(stage.turn(GizmoHandle::AxisZ, 17, 3, false));
        for (const QChar c : QStringLiteral("30"))
            QVERIFY(stage.tools.key(0, c));
        QVERIFY(stage.tools.hint().startsWith(QStringLiteral("Release to accept")));
        QVERIFY(stage.tools.key(key, QStringLiteral("\r")));
        QVERIFY(!stage.tools.busy() && !stage.editor.hasPreview());
        const std::uint64_t accepted = stage.hash();
        stage.tools.drag(stage.at({300, 300})); // the button is still down
        stage.tools.release(stage.at({310, 300}));
        QCOMPARE(stage.hash(), accepted);
        QCOMPARE(stage.steps(), std::size_t(1));
        QVERIFY(difference(stage.userLocal(kLower).linear(), Eigen::AngleAxisd(30 * kDeg, Vector3d::UnitZ()).matrix()) <
                1e-9);
    }
}

void TestTools::stepsAreNamedAsTheCursorSaysThem() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    QVERIFY(stage.turn(GizmoHandle::AxisX, -25, 12, false));
    ui::Overlay overlay;
    stage.tools.draw(overlay);
    QCOMPARE(overlay.texts.front().text, QStringLiteral("X local −25.0°"));
    QVERIFY(stage.tools.key(Qt::Key_Return, {}));
    QCOMPARE(QString::fromStdString(stage.editor.history().undoLabel()),
             QStringLiteral("Rotate lowerarm_l −25.0° about X"));
    QVERIFY(stage.turn(GizmoHandle::View, 20));
    QCOMPARE(QString::fromStdString(stage.editor.history().undoLabel()),
             QStringLiteral("Rotate lowerarm_l 20.0° about the view axis"));
}

void TestTools::undoInTheMiddleOfADragCancelsIt() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    const std::uint64_t before = stage.hash();
    stage.select(kLower);
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 20));
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 20, 5, false));
    stage.editor.undo();
    QVERIFY(!stage.tools.busy());
    stage.tools.drag(stage.at({100, 100}));
    stage.tools.release(stage.at({100, 100}));
    QCOMPARE(stage.hash(), before);
}

void TestTools::anotherDocumentDropsTheDrag() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 20, 5, false));
    stage.open({});
    QVERIFY(!stage.tools.busy());
    stage.tools.setTool(ToolId::Sculpt);
    bendElbow(stage, 60);
    const Vector2d onElbow = stage.pixelOf({0, 1, 0.3});
    QVERIFY(stage.pull(onElbow, onElbow + Vector2d(30, 0)));
    stage.open({});
    QVERIFY(!stage.tools.busy() && !stage.editor.hasPreview() && stage.editor.activeShapes().empty());
    QCOMPARE(stage.hash(), document::Document(makeTube()).hash());
}

void TestTools::dragOnNothingIsLeftToTheCamera() {
    ToolStage stage;
    stage.select(kLower);
    for (const ToolId tool : ui::kTools) {
        stage.tools.setTool(tool);
        QVERIFY(!stage.tools.press(stage.at({5, 5}), Qt::LeftButton));
        QVERIFY(!stage.tools.press(stage.at({450, 350}), Qt::MiddleButton));
        QVERIFY(!stage.tools.press(stage.at({450, 350}, Qt::AltModifier), Qt::LeftButton));
        QVERIFY(!stage.tools.busy());
        QVERIFY(!stage.tools.hint().isEmpty());
    }
}

void TestTools::hoverAndAmountAreDrawn() {
    ToolStage stage;
    stage.camera.orbit(150, 90);
    stage.select(kLower);
    QSignalSpy hints(&stage.tools, &ui::ToolManager::hintChanged);
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 38.5, 12, false));
    QVERIFY(hints.count() > 0);
    ui::Overlay overlay;
    stage.tools.draw(overlay);
    QCOMPARE(overlay.texts.size(), std::size_t(1));
    QCOMPARE(overlay.texts.front().text, QStringLiteral("Z local +38.5°"));
    QVERIFY(std::ranges::any_of(overlay.paths, [](const ui::OverlayPath& p) { return p.width == 5; }));
    QVERIFY(std::ranges::any_of(overlay.paths, [](const ui::OverlayPath& p) { return p.fill.isValid(); }));
}

void TestTools::paintChangesOnlyWhatIsUnderTheRing() {
    ToolStage stage;
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    setBrush(stage, 25, 0.8);
    const skin::SkinWeights before = stage.editor.document().mesh(kArm).weights;
    const std::uint64_t hashBefore = stage.hash();
    const Vector3d from(0, 1.4, kTubeRadius), to(0, 1.6, kTubeRadius);
    QVERIFY(stage.drag(stage.pixelOf(from), stage.pixelOf(to)));
    const document::MeshData& mesh = stage.editor.document().mesh(kArm);
    const std::vector<std::uint32_t> changed = changedRows(before, mesh.weights);
    QVERIFY(changed.size() > 4);
    const double radius = 25 * stage.camera.worldPerPixel(from) * 1.02;
    for (const std::uint32_t v : changed) {
        const Vector3d p = mesh.geometry.positions[v].cast<double>();
        const double y = std::clamp(p.y(), from.y(), to.y());
        QVERIFY2((p - Vector3d(0, y, kTubeRadius)).norm() <= radius, qPrintable(QString::number(p.z())));
        QVERIFY(mesh.weights.weight(v, 2) > before.weight(v, 2));
    }
    for (std::uint32_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        double sum = 0;
        for (const skin::Influence& i : mesh.weights.row(v)) {
            QVERIFY(std::isfinite(i.weight) && i.weight >= 0);
            sum += double(i.weight);
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
        const std::uint32_t twin = mesh.weld().firstVertex(mesh.weld().pointOfVertex[v]);
        QVERIFY(sameRow(mesh.weights.row(v), mesh.weights.row(twin)));
    }
    QCOMPARE(stage.steps(), std::size_t(1));
    QCOMPARE(stage.editor.history().undoLabel(), std::string("Paint weights: hand_l"));
    QVERIFY(stage.messages.isEmpty());
    stage.editor.undo();
    QCOMPARE(stage.hash(), hashBefore);
}

void TestTools::paintDoesNotDependOnTheEventRate() {
    skin::SkinWeights results[2];
    for (const int run : {0, 1}) {
        ToolStage stage;
        bendElbow(stage, 40);
        stage.select(kUpper);
        stage.tools.setTool(ToolId::Paint);
        setBrush(stage, 30, 0.6);
        const Vector2d from = stage.pixelOf({-0.1, 0.8, kTubeRadius});
        QVERIFY(stage.drag(from, from + Vector2d(40, -90), run ? 57 : 1));
        results[run] = stage.editor.document().mesh(kArm).weights;
    }
    QVERIFY(!changedRows(results[0], makeTube().meshes[0].weights).empty());
    QVERIFY(largestWeightDifference(results[0], results[1]) < 1e-5);
}

void TestTools::paintWithoutAJointSaysSo() {
    ToolStage stage;
    stage.tools.setTool(ToolId::Paint);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.drag(stage.pixelOf({0.2, 1.5, 0.2}), stage.pixelOf({0.2, 1.8, 0.2})));
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.messages.size(), 1);
    QVERIFY(stage.messages.front().startsWith(QStringLiteral("Select a joint first")));
}

void TestTools::paintOfALockedJointChangesNothingAndSaysSo() {
    ToolStage stage;
    const JointId locked[] = {kHand};
    stage.editor.perform(document::setLocked(stage.editor.document(), locked, true));
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.drag(stage.pixelOf({0, 2, kTubeRadius}), stage.pixelOf({0, 2.2, kTubeRadius})));
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.steps(), std::size_t(1));
    QCOMPARE(stage.messages.size(), 1);
    QVERIFY(stage.messages.front().contains(QStringLiteral("hand_l")));
}

void TestTools::paintWithAllOthersLockedSaysSoAndIsNoStep() {
    ToolStage stage;
    const JointId locked[] = {kUpper, kLower};
    stage.editor.perform(document::setLocked(stage.editor.document(), locked, true));
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.drag(stage.pixelOf({0, 0.8, kTubeRadius}), stage.pixelOf({0, 1.2, kTubeRadius})));
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.steps(), std::size_t(1));
    QCOMPARE(stage.messages.size(), 1);
    QVERIFY2(stage.messages.front().startsWith(QStringLiteral("All other joints are locked there: ")),
             qPrintable(stage.messages.front()));
    // Where it has all the weight already, nothing is locked away from it.
    QVERIFY(stage.drag(stage.pixelOf({0, 2.6, kTubeRadius}), stage.pixelOf({0, 2.7, kTubeRadius})));
    QCOMPARE(stage.steps(), std::size_t(1));
    QVERIFY(!stage.messages.mid(1).join(QChar()).contains(QStringLiteral("All other joints")));
}

void TestTools::controlSubtractsAndShiftSmooths() {
    ToolStage stage;
    stage.select(kLower);
    stage.tools.setTool(ToolId::Paint);
    setBrush(stage, 40, 0.5);
    const auto middle = [&] { // a vertex in front at the height of 1.5
        const document::MeshData& mesh = stage.editor.document().mesh(kArm);
        return mesh.weights.weight(15 * (kTubeSides + 1), 1);
    };
    const float full = middle();
    const Vector2d pixel = stage.pixelOf({0, 1.5, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(4, 0), 2, Qt::ControlModifier));
    const float less = middle();
    QVERIFY(less < full - 0.3f);
    QVERIFY(stage.drag(pixel, pixel + Vector2d(30, 0), 4, Qt::ShiftModifier));
    QVERIFY(middle() > less); // towards its untouched neighbours
    QCOMPARE(stage.editor.history().undoLabel(), std::string("Smooth weights: lowerarm_l"));
}

void TestTools::paintCancelLeavesTheDocumentAsItWas() {
    ToolStage stage;
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    const std::uint64_t before = stage.hash();
    const Vector2d pixel = stage.pixelOf({0, 1.5, kTubeRadius});
    QVERIFY(stage.pull(pixel, pixel + Vector2d(0, 40)));
    QVERIFY(stage.editor.hasPreview());
    stage.tools.setTool(ToolId::Rotate); // another tool cancels as Escape does
    QVERIFY(!stage.editor.hasPreview());
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.steps(), std::size_t(0));
}

void TestTools::paintReachesBothMeshesInOneStep() {
    ToolStage stage({.twoMeshes = true});
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    setBrush(stage, 25, 0.8);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.drag(stage.pixelOf({0, 1.2, kTubeRadius}), stage.pixelOf({0, 1.8, kTubeRadius})));
    const document::DocumentState untouched = makeTube({.twoMeshes = true});
    for (std::size_t m = 0; m < 2; ++m)
        QVERIFY(!changedRows(untouched.meshes[m].weights, stage.editor.document().mesh(MeshId(m)).weights).empty());
    QCOMPARE(stage.steps(), std::size_t(1));
    stage.editor.undo();
    QCOMPARE(stage.hash(), before);
}

void TestTools::paintToolShowsTheHeatMapWhileItIsActive() {
    ToolStage stage;
    for (const bool before : {false, true}) {
        ui::ViewState view = stage.editor.view();
        view.heatMap = before;
        stage.editor.setView(view);
        stage.tools.setTool(ToolId::Paint);
        QVERIFY(stage.editor.view().heatMap);
        stage.tools.setTool(ToolId::Move);
        QCOMPARE(stage.editor.view().heatMap, before);
    }
}

void TestTools::brushRingLiesOnTheSurface() {
    ToolStage stage;
    stage.select(kHand);
    stage.tools.setTool(ToolId::Paint);
    setBrush(stage, 40, 0.5);
    const Vector2d pixel = stage.pixelOf({0.15, 1.5, 0.25});
    stage.tools.hover(stage.at(pixel));
    ui::Overlay overlay;
    stage.tools.draw(overlay);
    QVERIFY(overlay.paths.size() >= 4); // rim, falloff ring, their dark lines
    const QRectF box = overlay.paths[1].points.boundingRect();
    QVERIFY(std::abs(box.center().x() - pixel.x()) < 4 && std::abs(box.center().y() - pixel.y()) < 4);
    QVERIFY(box.width() < 78 && std::abs(box.height() - 80) < 4); // seen at a slant, as the surface is there
    // The radius changed by a key, the camera by the wheel: the ring follows though the pointer rests.
    setBrush(stage, 20, 0.5);
    ui::Overlay smaller;
    stage.tools.draw(smaller);
    QVERIFY(std::abs(smaller.paths[1].points.boundingRect().height() - 40) < 2);
    stage.camera.zoom(3, pixel);
    ui::Overlay zoomed;
    stage.tools.draw(zoomed);
    QVERIFY(std::abs(zoomed.paths[1].points.boundingRect().height() - 40) < 2);
    stage.tools.leave();
    ui::Overlay empty;
    stage.tools.draw(empty);
    QVERIFY(empty.paths.empty());
}

void TestTools::grabMovesTheSurfaceToWhereTheBrushPutIt() {
    ToolStage stage;
    bendElbow(stage, 60);
    stage.tools.setTool(ToolId::Sculpt);
    setBrush(stage, 60, 1);
    const auto span = stage.editor.evaluator().positions(kArmInstance);
    const std::vector<Eigen::Vector3f> before(span.begin(), span.end());
    // Grab the vertex in front of the elbow itself: the falloff is one there.
    const std::uint32_t grabbed = 10 * (kTubeSides + 1);
    const Vector3d from = before[grabbed].cast<double>();
    const Vector2d pixel = stage.pixelOf(from), target = pixel + Vector2d(25, -10);
    const Vector3d way = *ui::onPlane(stage.camera.ray(target), from, stage.camera.forward()) - from;
    QVERIFY(stage.drag(pixel, target));
    const auto after = stage.editor.evaluator().positions(kArmInstance);
    QVERIFY2((after[grabbed].cast<double>() - from - way).norm() < 1e-4,
             qPrintable(QString::number((after[grabbed].cast<double>() - from - way).norm())));
    const double radius = 60 * stage.camera.worldPerPixel(from);
    std::size_t moved = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        const double reach = (before[v].cast<double>() - from).norm();
        const Vector3d step = (after[v] - before[v]).cast<double>();
        const double share =
            reach < radius && step.norm() > 0 ? stroke::falloff(stroke::Falloff::Smooth, reach / radius) : 0;
        QVERIFY((step - share * way).norm() < 1e-3);
        moved += step.norm() > 0;
    }
    QVERIFY(moved > 10);
    for (std::size_t r = 0; r < 31; ++r) { // the seam stays closed
        const std::size_t v = r * (kTubeSides + 1);
        QCOMPARE(after[v], after[v + kTubeSides]);
    }
}

void TestTools::grabDoesNotDependOnTheEventRate() {
    std::vector<Eigen::Vector3f> results[2];
    for (const int run : {0, 1}) {
        ToolStage stage;
        bendElbow(stage, 60);
        stage.tools.setTool(ToolId::Sculpt);
        setBrush(stage, 60, 1);
        const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
        QVERIFY(stage.drag(pixel, pixel + Vector2d(20, -30), run ? 63 : 1));
        const auto span = stage.editor.evaluator().positions(kArmInstance);
        results[run].assign(span.begin(), span.end());
    }
    for (std::size_t v = 0; v < results[0].size(); ++v)
        QVERIFY((results[0][v] - results[1][v]).norm() < 1e-6f);
}

void TestTools::firstStrokeStartsACorrectiveThatFadesWithThePose() {
    ToolStage stage;
    bendElbow(stage, 60);
    const std::uint64_t bent = stage.hash();
    stage.tools.setTool(ToolId::Sculpt);
    const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(stage.steps(), std::size_t(2));
    QCOMPARE(stage.editor.history().undoLabel(), std::string("Sculpt lowerarm_l"));
    const document::MeshData& mesh = stage.editor.document().mesh(kArm);
    QCOMPARE(mesh.shapes.size(), std::size_t(1));
    QCOMPARE(mesh.drivers.size(), std::size_t(1));
    QCOMPARE(mesh.drivers[0].joints, std::vector<JointId>{kLower});
    QCOMPARE(stage.editor.activeShapes().size(), std::size_t(1));
    QVERIFY(std::abs(stage.editor.evaluator().shapeWeights(kArmInstance)[0] - 1) < 1e-6);
    // A second stroke goes into the same shape.
    QVERIFY(stage.drag(pixel, pixel + Vector2d(0, 15)));
    QCOMPARE(stage.editor.document().mesh(kArm).shapes.size(), std::size_t(1));
    // So it does where the shape was not active, as after reopening the file.
    stage.editor.setActiveShapes({});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(0, 15)));
    QCOMPARE(stage.editor.document().mesh(kArm).shapes.size(), std::size_t(1));
    QCOMPARE(stage.editor.activeShapes().size(), std::size_t(1));
    for (int k = 0; k < 3; ++k)
        stage.editor.undo();
    QCOMPARE(stage.hash(), bent);
    stage.editor.redo();
    bendElbow(stage, 0);
    QVERIFY(std::abs(stage.editor.evaluator().shapeWeights(kArmInstance)[0]) < 1e-6);
}

void TestTools::sculptingNearACorrectiveGoesOnInIt() {
    ToolStage stage;
    bendElbow(stage, 60);
    stage.tools.setTool(ToolId::Sculpt);
    const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    stage.editor.setActiveShapes({}); // as after reopening
    bendElbow(stage, 65);
    QVERIFY(stage.drag(pixel, pixel + Vector2d(0, 15)));
    QCOMPARE(stage.editor.document().mesh(kArm).shapes.size(), std::size_t(1));
    QCOMPARE(stage.messages.size(), 1);
    QVERIFY(stage.messages.front().contains(QStringLiteral("goes on in ‘lowerarm_l’")));
}

void TestTools::aSecondCorrectiveDoesNotMoveTheSurface() {
    ToolStage stage;
    bendElbow(stage, 80);
    stage.tools.setTool(ToolId::Sculpt);
    const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(40, 0)));
    stage.editor.setActiveShapes({});
    bendElbow(stage, 50);
    const auto positions = [&] {
        const auto p = stage.editor.evaluator().positions(kArmInstance);
        return std::vector<Eigen::Vector3f>(p.begin(), p.end());
    };
    const auto before = positions();
    QVERIFY(stage.pull(pixel, pixel, 1));
    QCOMPARE(stage.editor.document().mesh(kArm).shapes.size(), std::size_t(2));
    const auto pressed = positions();
    for (std::size_t v = 0; v < before.size(); ++v)
        QVERIFY((pressed[v] - before[v]).norm() < 3e-6f);
    stage.tools.cancel();
    QCOMPARE(stage.editor.document().mesh(kArm).shapes.size(), std::size_t(1));
}

void TestTools::sculptAwayFromThePoseIsRefused() {
    ToolStage stage;
    bendElbow(stage, 60);
    stage.tools.setTool(ToolId::Sculpt);
    const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    bendElbow(stage, 0);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.messages.isEmpty());
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.messages.size(), 1);
    QVERIFY(stage.messages.front().startsWith(QStringLiteral("Go to the pose of ‘lowerarm_l’ first")));
}

void TestTools::sculptCancelTakesBackTheNewCorrectiveToo() {
    ToolStage stage;
    bendElbow(stage, 60);
    stage.tools.setTool(ToolId::Sculpt);
    const std::uint64_t before = stage.hash();
    const Vector2d pixel = stage.pixelOf({0, 1, kTubeRadius});
    QVERIFY(stage.pull(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(stage.editor.activeShapes().size(), std::size_t(1));
    QVERIFY(stage.tools.key(Qt::Key_Escape, {}));
    QCOMPARE(stage.hash(), before);
    QVERIFY(stage.editor.activeShapes().empty());
    QCOMPARE(stage.steps(), std::size_t(1));
}

void TestTools::pressWithoutMoveMakesNoCorrective() {
    ToolStage stage;
    bendElbow(stage, 60);
    stage.tools.setTool(ToolId::Sculpt);
    const std::uint64_t before = stage.hash();
    QVERIFY(stage.click(stage.pixelOf({0, 1, kTubeRadius})));
    QCOMPARE(stage.hash(), before);
    QCOMPARE(stage.steps(), std::size_t(1));
    QVERIFY(stage.editor.activeShapes().empty());
}

void TestTools::inflateReachesBothMeshesInOneStep() {
    ToolStage stage({.twoMeshes = true});
    bendElbow(stage, 30);
    stage.tools.setTool(ToolId::Sculpt);
    ui::BrushSettings brush = stage.editor.brush();
    brush.sculptMode = document::SculptSettings::Mode::Inflate;
    stage.editor.setBrush(brush);
    setBrush(stage, 20, 1);
    const std::uint64_t before = stage.hash();
    const rig::Affine elbow = stage.editor.evaluator().world(kLower);
    const auto onArm = [&](double y) { return stage.pixelOf(elbow * Vector3d(0, y, kTubeRadius)); };
    QVERIFY(stage.drag(onArm(0.25), onArm(0.75))); // the meshes meet at 0.5
    for (std::size_t m = 0; m < 2; ++m) {
        const document::MeshData& mesh = stage.editor.document().mesh(MeshId(m));
        QCOMPARE(mesh.shapes.size(), std::size_t(1));
        QVERIFY(mesh.shapes[0].vertices.size() > 3);
        for (std::size_t k = 0; k < mesh.shapes[0].vertices.size(); ++k) // outwards
            QVERIFY(mesh.shapes[0].deltas[k].dot(mesh.geometry.normals[mesh.shapes[0].vertices[k]]) > 0);
    }
    QCOMPARE(stage.editor.activeShapes().size(), std::size_t(2));
    QCOMPARE(stage.steps(), std::size_t(2));
    stage.editor.undo();
    QCOMPARE(stage.hash(), before);
}

namespace {

// The tube cut in two, a plate without skin before its elbow, following the body.
void openWithPlate(ToolStage& stage) {
    document::DocumentState state = makeTube({.twoMeshes = true});
    document::MeshData plate = tubeMesh("plate", 0.9, 1.1, 5);
    plate.weights = {};
    for (Eigen::Vector3f& p : plate.geometry.positions)
        p = Eigen::Vector3f(0.5f * p.x(), p.y(), 0.05f * p.z() + 0.42f);
    plate.lazyWeld = {};
    state.meshes.push_back(std::move(plate));
    state.instances.push_back({"plate", kNode, MeshId(std::size_t(2)), SkinId{}, {}});
    stage.editor.replaceDocument(std::move(state), {});
}

std::size_t shapeCount(const ToolStage& stage, std::size_t mesh) {
    return stage.editor.document().mesh(MeshId(mesh)).shapes.size();
}

void setSculptMode(ToolStage& stage, document::SculptSettings::Mode mode) {
    ui::BrushSettings brush = stage.editor.brush();
    brush.sculptMode = mode;
    stage.editor.setBrush(brush);
}

} // namespace

void TestTools::meshesBesideThePointerGetNoUndrivenCorrective() {
    ToolStage stage({.twoMeshes = true});
    stage.tools.setTool(ToolId::Sculpt);
    setBrush(stage, 60, 1);
    const Vector2d pixel = stage.pixelOf({0, 1.4, kTubeRadius}); // the meshes meet at 1.5
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(shapeCount(stage, 0), std::size_t(1));
    QCOMPARE(shapeCount(stage, 1), std::size_t(0));
    QCOMPARE(stage.editor.history().undoLabel(), std::string("Sculpt corrective"));
}

void TestTools::whatNoBentJointMovesIsLeftOutBesideADrivenCorrective() {
    ToolStage stage({.twoMeshes = true});
    stage.editor.perform(document::setUserLocal(stage.editor.document(), kHand,
                                                rig::Affine(Eigen::AngleAxisd(40 * kDeg, Vector3d::UnitZ())), "Bend"));
    stage.tools.setTool(ToolId::Sculpt);
    setBrush(stage, 60, 1);
    // Only the glove is moved by the hand; the pointer is on the sleeve.
    const Vector2d pixel = stage.pixelOf({0, 1.45, kTubeRadius});
    setBrush(stage, 0.4 / stage.camera.worldPerPixel({0, 1.45, kTubeRadius}), 1);
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(shapeCount(stage, 0), std::size_t(0));
    QCOMPARE(shapeCount(stage, 1), std::size_t(1));
    QCOMPARE(stage.editor.document().mesh(MeshId(std::size_t(1))).drivers.size(), std::size_t(1));
    QVERIFY(stage.messages.join(u' ').contains(QStringLiteral("‘sleeve’ is left out")));
}

void TestTools::sculptingAtBindSaysThatNoPoseDrivesIt() {
    ToolStage stage;
    stage.tools.setTool(ToolId::Sculpt);
    const Vector2d pixel = stage.pixelOf({0, 1.5, kTubeRadius});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(20, 0)));
    QCOMPARE(stage.messages, QStringList{QStringLiteral("Not driven by a pose: no joint that moves this is out of its "
                                                        "bind pose.")});
    // As after reopening: it goes on in that shape.
    stage.editor.setActiveShapes({});
    QVERIFY(stage.drag(pixel, pixel + Vector2d(0, 15)));
    QCOMPARE(shapeCount(stage, 0), std::size_t(1));
}

void TestTools::rigidMeshesAreSculptedOnlyAlone() {
    ToolStage stage;
    openWithPlate(stage);
    stage.tools.setTool(ToolId::Sculpt);
    bendElbow(stage, 40);
    const Vector2d onPlate = stage.pixelOf({0, 1, 0.43});
    setBrush(stage, 90, 1); // reaches the arm behind the plate
    QVERIFY(stage.drag(onPlate, onPlate + Vector2d(20, 0)));
    QCOMPARE(shapeCount(stage, 0), std::size_t(1));
    QCOMPARE(shapeCount(stage, 2), std::size_t(0));
    setBrush(stage, 12, 1);
    QVERIFY(stage.drag(onPlate, onPlate + Vector2d(20, 0)));
    QCOMPARE(shapeCount(stage, 2), std::size_t(1));
    QVERIFY(stage.editor.document().mesh(MeshId(std::size_t(2))).drivers.empty());
    QCOMPARE(stage.messages.back(), QStringLiteral("Not driven by a pose: ‘plate’ has no skin, it follows body."));
}

void TestTools::undoAndRedoDoNotPileUpCorrectives() {
    ToolStage stage({.twoMeshes = true});
    bendElbow(stage, 30);
    stage.tools.setTool(ToolId::Sculpt);
    setSculptMode(stage, document::SculptSettings::Mode::Inflate);
    setBrush(stage, 20, 1);
    const rig::Affine elbow = stage.editor.evaluator().world(kLower);
    const auto onArm = [&](double y) { return stage.pixelOf(elbow * Vector3d(0, y, kTubeRadius)); };
    QVERIFY(stage.drag(onArm(0.25), onArm(0.75)));
    for (int round = 0; round < 3; ++round) {
        stage.editor.undo();
        QVERIFY(stage.editor.activeShapes().empty());
        stage.editor.redo();
        QVERIFY(stage.drag(onArm(0.25), onArm(0.75)));
        QCOMPARE(shapeCount(stage, 0), std::size_t(1));
        QCOMPARE(shapeCount(stage, 1), std::size_t(1));
        stage.editor.undo();
    }
}

void TestTools::strokesBetweenTheVerticesSaySo() {
    for (const ToolId tool : {ToolId::Paint, ToolId::Sculpt})
        for (const auto mode : {document::SculptSettings::Mode::Grab, document::SculptSettings::Mode::Inflate}) {
            ToolStage stage;
            stage.select(kHand);
            stage.tools.setTool(tool);
            setSculptMode(stage, mode);
            setBrush(stage, 2, 1);
            const std::uint64_t before = stage.hash();
            // In the middle of a quad: vertices stand 0.1 apart.
            const Vector2d pixel =
                stage.pixelOf({kTubeRadius * std::sin(7.5 * kDeg), 1.55, kTubeRadius * std::cos(7.5 * kDeg)});
            QVERIFY(stage.drag(pixel, pixel + Vector2d(1, 0)));
            QCOMPARE(stage.messages, QStringList{QStringLiteral("No vertices under the brush: make it larger ( ] ) or "
                                                                "zoom out.")});
            QCOMPARE(stage.hash(), before);
            QCOMPARE(stage.steps(), std::size_t(0));
        }
}

void TestTools::paintOnARigidMeshSaysWhatItFollows() {
    ToolStage stage;
    openWithPlate(stage);
    stage.select(kLower);
    stage.tools.setTool(ToolId::Paint);
    setBrush(stage, 8, 1);
    const Vector2d onPlate = stage.pixelOf({0, 1, 0.43});
    QVERIFY(stage.drag(onPlate, onPlate + Vector2d(3, 0)));
    QCOMPARE(stage.messages, QStringList{QStringLiteral("‘plate’ has no skin: it follows its joint body as a whole.")});
    QCOMPARE(stage.steps(), std::size_t(0));
}

void TestTools::jointIsTurnedBetweenTwoStrokes() {
    ToolStage stage;
    stage.select(kLower);
    const std::uint64_t before = stage.hash();
    const auto paint = [&] {
        stage.tools.setTool(ToolId::Paint);
        const Vector3d elbow = stage.editor.evaluator().world(kLower).translation();
        const Vector2d pixel = stage.pixelOf(elbow + Vector3d(0, -0.2, kTubeRadius));
        return stage.drag(pixel, pixel + Vector2d(20, 0));
    };
    QVERIFY(paint());
    QVERIFY(stage.turn(GizmoHandle::AxisZ, 50));
    QVERIFY(paint());
    QCOMPARE(stage.steps(), std::size_t(3));
    while (stage.editor.history().canUndo())
        stage.editor.undo();
    QCOMPARE(stage.hash(), before);
}

// Hands that do anything: drags of all tools from anywhere to anywhere, some of them given up.
void TestTools::anyGesturesAreUndoneToTheFirstHash() {
    ToolStage stage({.twoMeshes = true});
    stage.camera.orbit(150, 90);
    const std::uint64_t first = stage.hash();
    const JointId joints[] = {kUpper, kLower, kHand, kNode};
    std::mt19937 random(5);
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    const auto pixel = [&] { return Vector2d(350 + below(200), 100 + below(500)); };
    const Qt::KeyboardModifiers modifiers[] = {Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
    for (int gesture = 0; gesture < 300; ++gesture) {
        stage.tools.setTool(ui::kTools[std::size_t(below(int(ui::kTools.size())))]);
        ui::BrushSettings brush = stage.editor.brush();
        brush.sculptMode = document::SculptSettings::Mode(below(3));
        brush.paintMode = document::PaintSettings::Mode(below(4));
        brush.radiusPx = 10 + below(60);
        stage.editor.setBrush(brush);
        setSpace(stage, GizmoSettings::Space(below(3)));
        if (gesture % 20 == 0) // so that the tube does not leave the view for good
            stage.editor.perform(document::resetPose(stage.editor.document(), joints, document::PoseTarget::Bind));
        stage.select(JointId(std::size_t(below(4))));
        // Every other drag starts on the gizmo, where there is one.
        const Vector2d handle = stage.pixelOf(ui::handlePoint(stage.camera, stage.ringPlace(), GizmoHandle::AxisY));
        const bool taken = stage.pull(below(2) ? handle : pixel(), pixel(), 1 + below(6), modifiers[below(4)]);
        if (below(4) == 0)
            stage.tools.cancel();
        else if (taken)
            stage.tools.release(stage.at(pixel()));
        QVERIFY(!stage.tools.busy() && !stage.editor.hasPreview());
        if (stage.editor.history().canUndo() && below(5) == 0)
            stage.editor.undo();
    }
    QVERIFY2(stage.steps() > 50, qPrintable(QString::number(stage.steps())));
    for (const document::Instance& i : stage.editor.document().state().instances)
        for (std::size_t v = 0; v < stage.editor.document().mesh(i.mesh).weights.vertexCount(); ++v) {
            double sum = 0;
            for (const skin::Influence& influence : stage.editor.document().mesh(i.mesh).weights.row(v))
                sum += double(influence.weight);
            QVERIFY(std::abs(sum - 1) < 1e-6);
        }
    while (stage.editor.history().canUndo())
        stage.editor.undo();
    QCOMPARE(stage.hash(), first);
}

QTEST_GUILESS_MAIN(TestTools)
#include "test_tools.moc"
