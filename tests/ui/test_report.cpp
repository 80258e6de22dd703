#include "tests/support/tube_document.h"
#include "ui/editor/doctor.h"
#include "ui/main_window.h"
#include "ui/panels/joints_panel.h"
#include "ui/panels/meshes_panel.h"
#include "ui/panels/view_frame.h"

#include <QListWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

// A tube that two things are wrong with, both of which can be mended: a vertex without weights, and a name that
// repeats.
document::DocumentState faultyTube() {
    document::DocumentState state = test::tubeDocument();
    state.meshes[Tube::mesh.index()].weights.setRow(3, {});
    state.skeleton.rename(JointId(Tube::kUpper), state.skeleton[JointId(Tube::kLower)].name);
    return state;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, new QWidget);
        list_ = window_->findChild<QListWidget*>("notes");
    }
    void cleanup() {
        window_.reset();
        actions_.reset();
        editor_.reset();
    }

    void aCleanDocumentHasNothingToReport() {
        editor_->replaceDocument(test::tubeDocument(), {});
        settle();
        QCOMPARE(list_->count(), 0);
        QVERIFY(!actions_->action("check.fixAll")->isEnabled());
    }

    void findingsAreListedWithoutBeingAskedFor() {
        open();
        QVERIFY(rowOf("UNWEIGHTED_VERTICES") >= 0);
        QVERIFY(rowOf("DUPLICATE_NAMES") >= 0);
        QVERIFY(!list_->item(0)->data(Qt::AccessibleTextRole).toString().isEmpty());
    }

    void choosingAFindingSelectsItsJoints() {
        open();
        list_->setCurrentRow(rowOf("DUPLICATE_NAMES"));
        QVERIFY(editor_->selection().contains(JointId(Tube::kUpper)) ||
                editor_->selection().contains(JointId(Tube::kLower)));
    }

    void fixMendsTheChosenFindingAsOneStep() {
        open();
        const std::uint64_t before = editor_->document().hash();
        QVERIFY(!actions_->action("check.fix")->isEnabled());
        list_->setCurrentRow(rowOf("UNWEIGHTED_VERTICES"));
        actions_->refresh();
        QVERIFY(actions_->action("check.fix")->isEnabled());
        actions_->action("check.fix")->trigger();
        QTRY_COMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(!editor_->document().mesh(Tube::mesh).weights.row(3).empty());
        settle();
        QCOMPARE(rowOf("UNWEIGHTED_VERTICES"), -1);
        QVERIFY(rowOf("DUPLICATE_NAMES") >= 0);
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
        QTRY_VERIFY_WITH_TIMEOUT(rowOf("UNWEIGHTED_VERTICES") >= 0, 10000);
    }

    void fixAllMendsEverythingAsOneStep() {
        open();
        QTRY_VERIFY(actions_->action("check.fixAll")->isEnabled());
        auto* button = buttonNamed("Fix All Findings");
        QVERIFY(button && button->isEnabled());
        button->click();
        QTRY_COMPARE(editor_->history().size(), std::size_t(1));
        settle();
        QCOMPARE(list_->count(), 0);
    }

    void rowsNameWhatTheyAreAbout() {
        open();
        const std::string& name = editor_->document().instance(Tube::instance).name;
        QVERIFY(list_->item(rowOf("UNWEIGHTED_VERTICES"))->text().startsWith(QString::fromStdString(name) + ": "));
    }

    void newNamesAreShownEverywhereAtOnceAndOnUndo() {
        open();
        const JointId joint(Tube::kUpper), node = editor_->document().instance(Tube::plateInstance).node;
        auto* meshes = window_->meshes().findChild<QTreeWidget*>();
        const auto rename = [&](JointId j, const char* to) {
            editor_->perform({"Rename", {document::JointNamePatch{j, editor_->document().skeleton()[j].name, to}}});
        };
        rename(joint, "elbow");
        QCOMPARE(window_->joints().tree()->findItems("elbow", Qt::MatchExactly | Qt::MatchRecursive).size(), 1);
        rename(node, "tray");
        QCOMPARE(meshes->findItems("tray", Qt::MatchExactly | Qt::MatchRecursive).size(), 1);
        editor_->undo();
        QVERIFY(meshes->findItems("tray", Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
    }

    void checkingByHandSaysWhatWasFoundAndKeepsTheChosenRow() {
        open();
        list_->setCurrentRow(rowOf("DUPLICATE_NAMES"));
        actions_->refresh();
        actions_->action("check.run")->trigger();
        settle();
        QVERIFY2(window_->frame().message().startsWith("Checked: 2 warnings"), qPrintable(window_->frame().message()));
        QCOMPARE(list_->currentRow(), rowOf("DUPLICATE_NAMES"));
    }

    void fixAllLeavesThePoseAlone() {
        document::DocumentState state = faultyTube();
        state.pose[Tube::kLower] = rig::Affine(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()));
        state.filePose = state.pose;
        editor_->replaceDocument(std::move(state), {});
        settle();
        actions_->action("check.fixAll")->trigger();
        QTRY_COMPARE(editor_->history().size(), std::size_t(1));
        settle();
        QCOMPARE(list_->count(), 1);
        QVERIFY(rowOf("POSE_NOT_BIND") >= 0);
        list_->setCurrentRow(0);
        actions_->refresh();
        actions_->action("check.fix")->trigger();
        QTRY_COMPARE(editor_->history().size(), std::size_t(2));
        QVERIFY(editor_->document().state().pose[Tube::kLower].isApprox(rig::Affine::Identity()));
    }

    void aFixThatComesTooLateIsNotMade() {
        open();
        list_->setCurrentRow(rowOf("UNWEIGHTED_VERTICES"));
        actions_->refresh();
        actions_->action("check.fix")->trigger();
        const JointId joint(Tube::kLower);
        editor_->perform({"Lock", {document::LockPatch{joint, false, true}}});
        settle();
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(editor_->document().mesh(Tube::mesh).weights.row(3).empty());
        QVERIFY(rowOf("UNWEIGHTED_VERTICES") >= 0);
    }

private:
    void open() {
        editor_->replaceDocument(faultyTube(), {});
        settle();
    }
    // Until the doctor rests.
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(actions_->action("check.run")->isEnabled() && idle(), 10000); }
    bool idle() {
        actions_->refresh();
        return actions_->action("check.run")->isEnabled();
    }
    int rowOf(const char* code) {
        for (int row = 0; row < list_->count(); ++row)
            if (list_->item(row)->data(Qt::UserRole + 1).toString() == QLatin1String(code))
                return row;
        return -1;
    }
    QToolButton* buttonNamed(const QString& name) {
        for (auto* button : window_->findChildren<QToolButton*>())
            if (button->accessibleName() == name)
                return button;
        return nullptr;
    }

    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<MainWindow> window_;
    QListWidget* list_ = nullptr;
};

QTEST_MAIN(TestReport)
#include "test_report.moc"
