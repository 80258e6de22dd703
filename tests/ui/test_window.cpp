#include "core/document/intents.h"
#include "tests/support/tube_document.h"
#include "ui/main_window.h"
#include "ui/panels/action_search.h"
#include "ui/panels/joints_panel.h"
#include "ui/panels/status_line.h"
#include "ui/panels/view_frame.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSlider>
#include <QToolBar>
#include <QtTest>

using namespace limber;
using namespace limber::ui;
using test::Tube;

namespace {

double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

// WCAG 2.1, contrast ratio.
double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QSlider*>(widget) ||
           (qobject_cast<const QLineEdit*>(widget) && !qobject_cast<const QAbstractSpinBox*>(widget->parent())) ||
           (qobject_cast<const QAbstractItemView*>(widget) && !widget->window()->windowFlags().testFlag(Qt::Popup));
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, new QWidget);
        editor_->replaceDocument(test::tubeDocument(), {"one note"});
        window_->setDocumentName("tube.glb");
        window_->show();
    }
    void cleanup() {
        window_.reset();
        actions_.reset();
        editor_.reset();
    }

    void controlsHaveAccessibleNames_data() {
        QTest::addColumn<int>("tool");
        for (const ToolId tool :
             {ToolId::Select, ToolId::Move, ToolId::Rotate, ToolId::Scale, ToolId::Paint, ToolId::Sculpt})
            QTest::addRow("tool %d", int(tool)) << int(tool);
    }
    void controlsHaveAccessibleNames() {
        QFETCH(int, tool);
        document::DocumentState state = test::tubeDocument();
        state.clips.push_back({"idle", 1, {}});
        editor_->replaceDocument(std::move(state), {"one note"});
        auto made = document::newCorrective(editor_->document(), Tube::mesh, "fix", {});
        editor_->perform(std::move(made->edit));
        stage_.tool = [tool] { return ToolId(tool); };
        window_->refreshTool();
        QCoreApplication::processEvents();
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            // Parts that Qt makes for itself are named by it or are not reached. What is on a panel behind another, or
            // of another tool, counts like what is seen.
            const bool noHeader = qobject_cast<const QHeaderView*>(widget) && widget->isHidden();
            if (!isControl(widget) || noHeader || widget->objectName().startsWith("qt_") ||
                qobject_cast<const QLineEdit*>(widget->parentWidget()))
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(named, qPrintable(QString(widget->metaObject()->className()) + " in " +
                                       widget->parentWidget()->metaObject()->className()));
        }
    }

    void whatCanTakeTheFocusHasAName() {
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->window() != window_.get() ||
                qobject_cast<const QLabel*>(widget) || // named by its text

                widget->objectName().startsWith("qt_") ||
                qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) ||
                qobject_cast<const QLineEdit*>(widget->parentWidget()) || !widget->parentWidget()->isEnabled())
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(named, qPrintable(QString(widget->metaObject()->className()) + ' ' + widget->objectName() +
                                       " in " + widget->parentWidget()->metaObject()->className()));
        }
    }

    void titleTellsTheFileAndWhetherItIsSaved() {
        QVERIFY(window_->windowTitle().startsWith("tube.glb"));
        QVERIFY(!window_->isWindowModified());
        editor_->perform(document::setLocked(editor_->document(), std::array{JointId(Tube::kLower)}, true));
        QVERIFY(window_->isWindowModified());
        QVERIFY(window_->status().summary().contains("not saved"));
        editor_->markClean();
        QVERIFY(!window_->isWindowModified());
        QVERIFY(window_->status().summary().contains("joints"));
    }

    void reportTellsRepairsFromInformation() {
        editor_->replaceDocument(test::tubeDocument(), {"mended"}, {"in metres"});
        auto* list = window_->findChild<QListWidget*>("notes");
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->data(Qt::AccessibleTextRole).toString(), QString("Warning: mended"));
        QCOMPARE(list->item(1)->data(Qt::AccessibleTextRole).toString(), QString("Information: in metres"));
        QCOMPARE(list->item(1)->toolTip(), QString("in metres"));
        editor_->addNote("a broken picture");
        editor_->addNote("a broken picture");
        QCOMPARE(list->count(), 3);
        QCOMPARE(window_->frame().message(), QString("a broken picture"));
    }

    void searchSaysWhenNothingMatches() {
        window_->search().open();
        window_->search().input()->setText("xyzzy");
        QCOMPARE(window_->search().list()->count(), 1);
        QCOMPARE(window_->search().list()->item(0)->text(), QString("No action matches"));
        QTest::keyClick(window_->search().input(), Qt::Key_Return);
        QVERIFY(window_->search().isVisible());
        window_->search().hide();
    }

    void countsOfJointsAgree() {
        actions_->refresh();
        actions_->action("select.all")->trigger();
        const auto selected = editor_->selection().joints().size();
        QVERIFY(window_->status().summary().contains(QString("%1 joints").arg(selected)));
        auto* note = window_->findChild<QDockWidget*>("joints")->findChild<QLabel*>("note");
        QCOMPARE(note->text(), QString::number(selected));
    }

    void fitsASmallScreen_data() {
        QTest::addColumn<QSize>("screen");
        QTest::newRow("1600x1000 at 1.5") << QSize(1066, 666);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
    }
    void fitsASmallScreen() {
        QFETCH(QSize, screen);
        window_->centralWidget()->setMinimumSize(320, 240);
        document::DocumentState state = test::tubeDocument();
        state.clips.push_back({"a clip with a rather long name", 12.5, {}});
        editor_->replaceDocument(std::move(state), {});
        for (const ToolId tool : {ToolId::Rotate, ToolId::Paint, ToolId::Sculpt}) {
            stage_.tool = [tool] { return tool; };
            window_->refreshTool();
            window_->placeOn(QRect(QPoint(0, 0), screen));
            QCoreApplication::processEvents();
            QVERIFY2(window_->minimumSizeHint().width() <= 900,
                     qPrintable(QString::number(window_->minimumSizeHint().width())));
            QVERIFY(QRect(QPoint(0, 0), screen).contains(window_->geometry()));
        }
    }

    void optionsOfAToolFitTheSmallestWindow() {
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        for (const ToolId tool : {ToolId::Select, ToolId::Rotate, ToolId::Paint}) {
            stage_.tool = [tool] { return tool; };
            window_->refreshTool();
            window_->resize(900, 640);
            QTest::qWait(50);
            auto* bar = window_->findChild<QToolBar*>("toolOptions");
            for (const QWidget* control : bar->findChildren<QWidget*>())
                if (isControl(control) && control->isVisible() && !control->objectName().startsWith("qt_")) {
                    const QRect place(control->mapTo(window_.get(), QPoint(0, 0)), control->size());
                    QVERIFY2(window_->rect().contains(place), qPrintable(control->accessibleName()));
                }
        }
    }

    void hintIsTheTools() {
        stage_.hint = [] { return QString("Drag a ring"); };
        window_->refreshTool();
        QCOMPARE(window_->status().hint(), QString("Drag a ring"));
    }

    void messagesLeaveNoticesStay() {
        editor_->say("Saved");
        QCOMPARE(window_->frame().message(), QString("Saved"));
        window_->frame().showNotice("bad.glb could not be opened", "It is empty.");
        QTRY_VERIFY_WITH_TIMEOUT(window_->frame().message().isEmpty(), 8000);
        QVERIFY(window_->frame().noticeText().contains("empty"));
        window_->frame().hideNotice();
        QVERIFY(window_->frame().noticeText().isEmpty());
    }

    void longWorkCanBeCancelled() {
        bool cancelled = false;
        window_->status().beginWork("Opening", [&] { cancelled = true; });
        QVERIFY(window_->status().working());
        auto* cancel = window_->status().findChild<QAbstractButton*>();
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(cancelled);
        window_->status().endWork();
        QVERIFY(!window_->status().working());
    }

    void clipsDockIsThereOnlyWithClips() {
        auto* dock = window_->findChild<QDockWidget*>("clips");
        QVERIFY(!dock->isVisible());
        document::DocumentState state = test::tubeDocument();
        state.clips.push_back({"idle", 1, {}});
        editor_->replaceDocument(std::move(state), {});
        QVERIFY(dock->isVisible());
    }

    void clipActionsFollowTheClip() {
        QAction* play = actions_->action("clip.play");
        QAction* keep = actions_->action("clip.keep");
        QVERIFY(!play->isEnabled());
        document::DocumentState state = test::tubeDocument();
        rig::Channel turn;
        turn.joint = JointId(Tube::kLower);
        turn.times = {0, 1};
        turn.values = {0, 0, 0, 1, 0, 0, 1, 0};
        state.clips.push_back({"turn", 1, {turn}});
        editor_->replaceDocument(std::move(state), {});
        QTRY_VERIFY(play->isEnabled());
        QVERIFY(!keep->isEnabled());
        play->trigger();
        QTRY_VERIFY(play->isChecked() && keep->isEnabled());
        actions_->action("clip.stop")->trigger();
        QTRY_VERIFY(!play->isChecked() && !keep->isEnabled());
        QVERIFY(!editor_->hasPreview());
    }

    void layoutResets() {
        auto* joints = window_->findChild<QDockWidget*>("joints");
        joints->close();
        QVERIFY(!joints->isVisible());
        window_->resetLayout();
        QVERIFY(joints->isVisible());
    }

    void closingAsksFirst() {
        window_->mayClose = [] { return false; };
        QVERIFY(!window_->close());
        window_->mayClose = [] { return true; };
        QVERIFY(window_->close());
    }

    void aLetterTypedIntoAFieldIsNoShortcut() {
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->joints().focusFilter();
        auto* filter = window_->joints().findChild<QLineEdit*>();
        bool toolChanged = false;
        stage_.setTool = [&](ToolId) { toolChanged = true; };
        QTest::keyClick(filter, Qt::Key_W);
        QCOMPARE(filter->text(), QString("w"));
        QVERIFY(!toolChanged);
    }

    void textIsReadable_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("dark") << int(ThemeKind::Dark);
        QTest::newRow("light") << int(ThemeKind::Light);
    }
    void textIsReadable() {
        QFETCH(int, theme);
        const ThemeColors& c = themeColors(ThemeKind(theme));
        for (const QColor& text : {c.text, c.secondary, c.accentInk, c.axisX, c.axisY, c.axisZ}) {
            QVERIFY2(contrast(text, c.window) >= 4.5, qPrintable(text.name()));
            QVERIFY2(contrast(text, c.field) >= 4.5, qPrintable(text.name()));
        }
        QVERIFY(contrast(c.text, c.raised) >= 4.5);
        QVERIFY(contrast(c.text, c.hover) >= 4.5);
        QVERIFY(contrast(c.accentInk, c.selected) >= 4.5);
        QVERIFY(contrast(c.onAccent, c.accent) >= 4.5);
    }

    void themeSwitches() {
        window_->setTheme(ThemeKind::Light);
        QCOMPARE(currentTheme(), ThemeKind::Light);
        QVERIFY(window_->palette().color(QPalette::Window).lightness() > 200);
        window_->setTheme(ThemeKind::Dark);
        QCOMPARE(currentTheme(), ThemeKind::Dark);
    }

private:
    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
