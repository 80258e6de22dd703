#include "tests/support/tube_document.h"
#include "ui/main_window.h"
#include "ui/panels/action_search.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QtTest>

#include <set>

using namespace limber;
using namespace limber::ui;
using test::Tube;

class TestActions : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, new QWidget);
        editor_->replaceDocument(test::tubeDocument(), {});
        actions_->refresh();
    }
    void cleanup() {
        window_.reset();
        actions_.reset();
        editor_.reset();
    }

    void everyActionIsDescribed() {
        QVERIFY(actions_->all().size() > 50);
        for (const QAction* action : actions_->all()) {
            const ActionSpec& spec = actions_->spec(action);
            QVERIFY2(!action->text().isEmpty(), qPrintable(spec.id));
            QVERIFY2(!spec.tooltip.isEmpty(), qPrintable(spec.id));
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(spec.id));
            QVERIFY2(!spec.menu.isEmpty(), qPrintable(spec.id));
            QVERIFY2(spec.icon.isEmpty() || !action->icon().isNull(), qPrintable(spec.icon));
        }
    }

    void shortcutsAreUnique() {
        std::map<QString, QString> owners;
        for (const QAction* action : actions_->all())
            for (const QKeySequence& key : action->shortcuts()) {
                const auto [at, isNew] = owners.emplace(key.toString(), action->objectName());
                QVERIFY2(isNew, qPrintable(key.toString() + " is " + at->second + " and " + action->objectName()));
            }
    }

    void everyActionIsInAMenu() {
        std::set<const QAction*> listed;
        for (const QAction* menu : window_->menuBar()->actions())
            for (const QAction* action : menu->menu()->actions()) {
                listed.insert(action);
                if (const QMenu* submenu = action->menu())
                    for (const QAction* inner : submenu->actions())
                        listed.insert(inner);
            }
        for (const QAction* action : actions_->all())
            QVERIFY2(listed.contains(action), qPrintable(action->objectName()));
    }

    void undoNamesItsStep() {
        QVERIFY(!actions_->action("edit.undo")->isEnabled());
        select(Tube::kLower);
        trigger("weights.lock");
        QVERIFY(actions_->action("edit.undo")->isEnabled());
        QVERIFY(actions_->action("edit.undo")->text().length() > QString("Undo ").length());
        trigger("edit.undo");
        QVERIFY(actions_->action("edit.redo")->isEnabled());
    }

    void selects() {
        trigger("select.all");
        QCOMPARE(editor_->selection().joints().size(), std::size_t(3));
        trigger("select.none");
        QVERIFY(editor_->selection().empty());
        select(Tube::kLower);
        trigger("select.parent");
        QCOMPARE(editor_->activeJoint(), JointId(Tube::kUpper));
        trigger("select.children");
        QCOMPARE(editor_->activeJoint(), JointId(Tube::kLower));
        trigger("select.invert");
        QVERIFY(!editor_->selection().contains(JointId(Tube::kLower)));
    }

    void resetsThePose_data() {
        QTest::addColumn<QString>("id");
        QTest::newRow("joint") << "pose.bind.joint";
        QTest::newRow("selection") << "pose.bind.selection";
        QTest::newRow("all") << "pose.bind.all";
    }
    void resetsThePose() {
        QFETCH(QString, id);
        document::DocumentState bent = test::tubeDocument(10, 8, 40);
        bent.filePose = bent.pose;
        editor_->replaceDocument(std::move(bent), {});
        select(Tube::kLower);
        trigger(id);
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], rig::Affine::Identity()) < 1e-12);
        QCOMPARE(editor_->history().size(), std::size_t(1));
        trigger("pose.file.all");
        QVERIFY(math::distance(editor_->document().state().pose[Tube::kLower], rig::Affine::Identity()) > 0.1);
    }

    void startsACorrectiveAtAPose() {
        editor_->replaceDocument(test::tubeDocument(10, 8, 40), {});
        select(Tube::kLower);
        trigger("shape.new");
        const document::MeshData& mesh = editor_->document().mesh(Tube::mesh);
        QCOMPARE(mesh.shapes.size(), std::size_t(1));
        QVERIFY(mesh.isDriven(mesh.shapes.front().id));
        QCOMPARE(editor_->activeShapes().size(), std::size_t(1));
        // Again in this pose: the one that is there is named and edited.
        const auto active = editor_->activeShapes();
        editor_->setActiveShapes({});
        QSignalSpy messages(editor_.get(), &Editor::message);
        const std::size_t steps = editor_->history().size();
        trigger("shape.new");
        QCOMPARE(editor_->history().size(), steps);
        QCOMPARE(editor_->activeShapes(), active);
        QCOMPARE(messages.size(), 1);
        QVERIFY(messages.front().front().toString().contains(QString::fromStdString(mesh.shapes.front().name)));
    }

    void viewTogglesAreChecked() {
        const bool before = editor_->view().wireframe;
        trigger("view.wireframe");
        QCOMPARE(editor_->view().wireframe, !before);
        QCOMPARE(actions_->action("view.wireframe")->isChecked(), !before);
    }

    void brushKeysOnlyWithABrush() {
        QVERIFY(!actions_->action("brush.bigger")->isEnabled());
        stage_.tool = [] { return ToolId::Paint; };
        actions_->refresh();
        const double before = editor_->brush().radiusPx;
        trigger("brush.bigger");
        QVERIFY(editor_->brush().radiusPx > before);
    }

    void searchFindsAndRuns() {
        window_->show();
        ActionSearch& search = window_->search();
        search.open();
        QTest::keyClicks(search.input(), "wire");
        QCOMPARE(search.list()->count(), 1);
        const bool before = editor_->view().wireframe;
        QTest::keyClick(search.input(), Qt::Key_Return);
        QCOMPARE(editor_->view().wireframe, !before);
        QVERIFY(!search.isVisible());
    }

private:
    void select(std::size_t joint) {
        document::Selection selection;
        selection.set(JointId(joint));
        editor_->setSelection(selection);
        actions_->refresh();
    }
    void trigger(const QString& id) {
        QVERIFY2(actions_->action(id)->isEnabled(), qPrintable(id));
        actions_->action(id)->trigger();
        actions_->refresh();
    }

    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestActions)
#include "test_actions.moc"
