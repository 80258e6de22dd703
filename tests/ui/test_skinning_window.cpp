// Methods, delta mush and their painted shares, set as a person sets them.
#include "app/session.h"
#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "tests/support/tube_document.h"
#include "ui/gizmos/gizmo.h"
#include "ui/main_window.h"
#include "ui/panels/action_search.h"
#include "ui/panels/meshes_panel.h"
#include "ui/panels/number_field.h"
#include "ui/panels/skinning_section.h"
#include "ui/panels/tool_options.h"
#include "ui/panels/view_frame.h"
#include "ui/tools/tool_manager.h"
#include "ui/viewport/camera.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

#include <numeric>

using namespace limber;
using namespace limber::ui;
using skin::Method;
using skin::PaintedMap;
using test::Tube;

class TestSkinningWindow : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyTheme(*qApp, ThemeKind::Dark);
        editor_ = std::make_unique<Editor>();
        stage_ = Stage();
        actions_ = std::make_unique<Actions>();
        camera_ = std::make_unique<Camera>();
        tools_ = std::make_unique<ToolManager>(*editor_, *camera_);
        stage_.setTool = [this](ToolId id) { tools_->setTool(id); };
        stage_.tool = [this] { return tools_->current(); };
        window_ = std::make_unique<MainWindow>(*editor_, *actions_, stage_, new QWidget);
        window_->setDocumentName("tube");
        connect(editor_.get(), &Editor::message, this, [this](const QString& text) { said_ = text; });
        editor_->replaceDocument(test::tubeDocument(), {});
        editor_->markClean();
        camera_->setViewport(900, 700);
        camera_->setSceneBounds(editor_->evaluator().bounds());
        camera_->frame(editor_->evaluator().bounds());
        camera_->setView(Camera::View::Front);
        said_.clear();
        window_->show();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void cleanup() {
        window_.reset();
        tools_.reset();
        actions_.reset();
        editor_.reset();
    }

    void methodIsChosenByTheKeysOfTheBox() {
        const std::uint64_t before = editor_->document().hash();
        QComboBox* box = control<QComboBox>("Skinning method");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(skinning().method, Method::DualQuaternion);
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QVERIFY(editor_->history().label(0).starts_with("Skin "));
        QVERIFY(editor_->history().label(0).ends_with("dual quaternion"));
        QVERIFY(window_->isWindowModified());
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
        QCOMPARE(box->currentIndex(), 0);
        QVERIFY(!window_->isWindowModified());
        editor_->redo();
        QCOMPARE(box->currentIndex(), int(Method::DualQuaternion));
    }

    void shortcutsChooseTheMethod_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<int>("method");
        QTest::newRow("dual quaternion") << "skinning.dualQuaternion" << int(Method::DualQuaternion);
        QTest::newRow("spherical") << "skinning.spherical" << int(Method::Spherical);
        QTest::newRow("next") << "skinning.next" << int(Method::DualQuaternion);
    }
    void shortcutsChooseTheMethod() {
        QFETCH(QString, action);
        QFETCH(int, method);
        QTest::keySequence(window_.get(), actions_->action(action)->shortcut());
        QCOMPARE(int(skinning().method), method);
        QVERIFY(control<QToolButton>("Skinning of the active mesh")
                    ->text()
                    .contains(control<QComboBox>("Skinning method")->currentText()));
    }

    void deltaMushAndItsNumbersAreOneStepEach() {
        auto* mush = window_->meshes().findChild<QCheckBox*>();
        auto* iterations = control<NumberField>("Delta mush iterations");
        auto* lambda = control<NumberField>("Delta mush strength of one iteration");
        QVERIFY(!iterations->isEnabled() && !lambda->isEnabled());
        QTest::mouseClick(mush, Qt::LeftButton, {}, QPoint(8, mush->height() / 2));
        QVERIFY(skinning().mush.on);
        QVERIFY(iterations->isEnabled() && lambda->isEnabled());
        for (const auto& [field, text] : {std::pair{iterations, "25"}, {lambda, "0.3"}}) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        }
        QCOMPARE(skinning().mush.iterations, 25u);
        QCOMPARE(skinning().mush.lambda, 0.3);
        QCOMPARE(editor_->history().size(), std::size_t(3));
        editor_->undo();
        editor_->undo();
        QCOMPARE(iterations->value(), 10.0);
        editor_->undo();
        QVERIFY(!mush->isChecked());
    }

    void aSceneWithoutSkinSaysWhyThereIsNothingToChoose() {
        document::DocumentState state = test::tubeDocument();
        std::erase_if(state.instances, [](const auto& instance) { return instance.skin.valid(); });
        editor_->replaceDocument(std::move(state), {});
        QComboBox* box = control<QComboBox>("Skinning method");
        QVERIFY(!box->isEnabled());
        QVERIFY(box->toolTip().contains("skin"));
        QCoreApplication::processEvents();
        for (const char* id : {"skinning.mush", "paint.methodShare", "paint.mushShare"})
            QVERIFY2(!actions_->action(id)->isEnabled(), id);
    }

    void rigidMeshesCannotBeChosen() {
        const QTreeWidgetItem* plate = window_->meshes().list()->topLevelItem(int(Tube::plateInstance.index()));
        QVERIFY(!(plate->flags() & Qt::ItemIsSelectable));
        QCOMPARE(editor_->activeMesh(), Tube::mesh);
        window_->meshes().list()->clearSelection();
        QCOMPARE(editor_->activeMesh(), Tube::mesh);
    }

    void paintedShareIsOneStepAndCanBeCleared_data() {
        QTest::addColumn<int>("map");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("clear");
        QTest::newRow("method") << int(PaintedMap::MethodShare) << "Paint the method share"
                                << "skinning.clearMethod";
        QTest::newRow("mush") << int(PaintedMap::MushShare) << "Paint the delta mush share"
                              << "skinning.clearMush";
    }
    void paintedShareIsOneStepAndCanBeCleared() {
        QFETCH(int, map);
        QFETCH(QString, label);
        QFETCH(QString, clear);
        const auto which = PaintedMap(map);
        editor_->perform(document::setSkinning(editor_->document(), Tube::mesh, {Method::DualQuaternion, {true, 5}}));
        setTarget(which, document::PaintSettings::Mode::Subtract);
        QCOMPARE(tools_->current(), ToolId::Paint);
        QVERIFY(editor_->view().heatMap && editor_->view().shownMap == which);
        const std::uint64_t before = editor_->document().hash();
        stroke();
        const std::vector<float>& values = editor_->document().mesh(Tube::mesh).map(which);
        QVERIFY(!values.empty());
        QVERIFY(std::ranges::any_of(values, [](float value) { return value < 0.6f; }));
        QVERIFY(std::ranges::all_of(values, [](float value) { return value >= 0 && value <= 1; }));
        QCOMPARE(editor_->history().size(), std::size_t(2));
        QCOMPARE(editor_->history().label(1), label.toStdString());
        editor_->undo();
        QCOMPARE(editor_->document().hash(), before);
        editor_->redo();
        actions_->refresh();
        QVERIFY(!actions_->action(clear == "skinning.clearMush" ? "skinning.clearMethod" : "skinning.clearMush")
                     ->isEnabled());
        actions_->action(clear)->trigger();
        QCOMPARE(editor_->document().hash(), before);
        tools_->setTool(ToolId::Rotate);
        QVERIFY(!editor_->view().shownMap);
    }

    void aPartOfAMethodLiesBetweenTheTwo() {
        rig::Affine twisted(Eigen::AngleAxisd(2.5, Eigen::Vector3d::UnitX()));
        editor_->perform(document::setUserLocal(editor_->document(), JointId(Tube::kLower), twisted, "Twist"));
        const auto posed = [&] {
            const auto points = editor_->evaluator().positions(Tube::instance);
            return std::vector<Eigen::Vector3f>(points.begin(), points.end());
        };
        const auto linear = posed();
        choose(Method::DualQuaternion);
        const auto whole = posed();
        editor_->perform(document::fillPaintedMap(editor_->document(), Tube::mesh, PaintedMap::MethodShare, 0.25f));
        const auto part = posed();
        float apart = 0, off = 0;
        for (std::size_t v = 0; v < part.size(); ++v) {
            apart = std::max(apart, (whole[v] - linear[v]).norm());
            off = std::max(off, (part[v] - (0.75f * linear[v] + 0.25f * whole[v])).norm());
        }
        QVERIFY(apart > 0.1f);
        QVERIFY(off < 1e-5f);
    }

    void allSelectedMeshesAreSetInOneStep() {
        document::DocumentState state = test::tubeDocument();
        state.meshes.push_back(state.meshes[Tube::mesh.index()]);
        state.instances.push_back(state.instances[Tube::instance.index()]);
        state.instances.back().name = "second";
        state.instances.back().mesh = MeshId(2);
        editor_->replaceDocument(std::move(state), {});
        QTreeWidget* list = window_->meshes().list();
        list->setFocus();
        list->setCurrentItem(list->topLevelItem(0));
        QTest::keyClick(list, Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(editor_->activeMeshes().size(), std::size_t(2));
        QComboBox* box = control<QComboBox>("Skinning method");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_End);
        QCOMPARE(editor_->document().mesh(MeshId(0)).skinning.method, Method::Spherical);
        QCOMPARE(editor_->document().mesh(MeshId(2)).skinning.method, Method::Spherical);
        QCOMPARE(editor_->history().size(), std::size_t(1));
        QTest::keyClick(list, Qt::Key_Up);
        QTest::keyClick(list, Qt::Key_Down); // the second alone
        QCOMPARE(editor_->activeMeshes(), std::vector{MeshId(2)});
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(editor_->document().mesh(MeshId(0)).skinning.method, Method::Spherical);
        QCOMPARE(editor_->document().mesh(MeshId(2)).skinning.method, Method::DualQuaternion);
    }

    void theChosenMeshIsInSightAndNamed() {
        document::DocumentState state = test::tubeDocument();
        const document::Instance skinned = state.instances[Tube::instance.index()];
        state.instances.assign(60, state.instances[Tube::plateInstance.index()]);
        state.instances.push_back(skinned);
        state.instances.back().name = "Hand.L";
        state.instances.push_back(state.instances.back());
        state.instances.back().name = "Hand.R";
        state.instances.back().mesh = MeshId(2);
        state.meshes.push_back(state.meshes[Tube::mesh.index()]);
        editor_->replaceDocument(state, {});
        QTreeWidget* list = window_->meshes().list();
        const auto inSight = [&](int row) {
            return list->viewport()->rect().contains(list->visualItemRect(list->topLevelItem(row)).center());
        };
        QVERIFY(inSight(60));
        const auto* title = window_->meshes().findChild<QLabel*>();
        QCOMPARE(title->text(), QString("Skinning of Hand.L"));
        list->scrollToTop();
        QVERIFY(!inSight(61));
        editor_->setActiveMeshes({MeshId(2)});
        QVERIFY(inSight(61));
        QCOMPARE(title->text(), QString("Skinning of Hand.R"));
    }

    void aNarrowPanelKeepsItsNumbers() {
        auto* section = window_->meshes().findChild<SkinningSection*>();
        const int before = section->minimumSizeHint().width();
        editor_->perform(document::setSkinning(editor_->document(), Tube::mesh, {Method::Linear, {true, 10, 0.5}}));
        QCOMPARE(section->minimumSizeHint().width(), before); // the window can be made as narrow as without them
        const auto* strength = control<NumberField>("Delta mush strength of one iteration");
        for (const int width : {section->minimumSizeHint().width(), 400}) {
            section->setParent(nullptr);
            section->resize(width, section->sizeHint().height());
            section->show();
            QVERIFY(QTest::qWaitForWindowExposed(section));
            QVERIFY2(section->width() <= width, qPrintable(QString::number(section->width())));
            QVERIFY(strength->mapTo(section, strength->rect().topRight()).x() < section->width());
            QVERIFY(strength->width() >= 40);
        }
        delete section;
    }

    void allMeshesAreSelectedByOneAction() {
        document::DocumentState state = test::tubeDocument();
        state.meshes.push_back(state.meshes[Tube::mesh.index()]);
        state.instances.push_back(state.instances[Tube::instance.index()]);
        state.instances.back().mesh = MeshId(2);
        editor_->replaceDocument(std::move(state), {});
        QCOMPARE(editor_->activeMeshes(), std::vector{Tube::mesh});
        actions_->action("skinning.allMeshes")->trigger();
        QCOMPARE(editor_->activeMeshes(), (std::vector{MeshId(2), Tube::mesh})); // not the rigid plate
        QCOMPARE(window_->meshes().findChild<QLabel*>()->text(), QString("Skinning of 2 meshes"));
        actions_->action("skinning.spherical")->trigger();
        for (const MeshId mesh : {Tube::mesh, MeshId(2)})
            QCOMPARE(editor_->document().mesh(mesh).skinning.method, Method::Spherical);
        QCOMPARE(editor_->history().size(), std::size_t(1));
    }

    void theFirstStrokeOnAShareTakesAway() {
        choose(Method::DualQuaternion);
        actions_->action("paint.methodShare")->trigger();
        QVERIFY2(tools_->hint().contains("1 everywhere"), qPrintable(tools_->hint()));
        stroke();
        QVERIFY(std::ranges::any_of(editor_->document().mesh(Tube::mesh).map(PaintedMap::MethodShare),
                                    [](float value) { return value < 0.9f; }));
        QVERIFY(!tools_->hint().contains("1 everywhere"));
        QCOMPARE(editor_->history().size(), std::size_t(2));
        editor_->undo();
        actions_->action("weights.add")->trigger();
        stroke();
        QVERIFY2(said_.contains("1 there already"), qPrintable(said_));
        QCOMPARE(editor_->history().undoLabel(), editor_->history().label(0));
        actions_->action("paint.weights")->trigger();
        QVERIFY(editor_->brush().mode() == document::PaintSettings::Mode::Add);
        actions_->action("weights.smooth")->trigger();
        actions_->action("paint.mushShare")->trigger();
        QVERIFY(editor_->brush().mode() == document::PaintSettings::Mode::Add); // as it was left for maps
    }

    void aStrokeOnARigidMeshSaysThatItHasNoSkin() {
        choose(Method::DualQuaternion);
        setTarget(PaintedMap::MethodShare, document::PaintSettings::Mode::Subtract);
        const std::uint64_t before = editor_->document().hash();
        const PointerSample onThePlate = aim({2.7, 0.2, 1});
        tools_->hover(onThePlate);
        QVERIFY(tools_->press(onThePlate, Qt::LeftButton));
        tools_->release(onThePlate);
        QVERIFY2(said_.contains("has no skin"), qPrintable(said_));
        QCOMPARE(editor_->document().hash(), before);
    }

    void searchKnowsTheWordsOfOtherPrograms_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("found");
        QTest::newRow("preserve volume") << "preserve volume"
                                         << "Dual Quaternion";
        QTest::newRow("dqs") << "dqs"
                             << "Dual Quaternion";
        QTest::newRow("lbs") << "lbs"
                             << "Linear Blend";
        QTest::newRow("classic linear") << "classic linear"
                                        << "Linear Blend";
        QTest::newRow("sbs") << "sbs"
                             << "Spherical Blend";
    }
    void searchKnowsTheWordsOfOtherPrograms() {
        QFETCH(QString, words);
        QFETCH(QString, found);
        auto* search = window_->findChild<ActionSearch*>();
        search->open();
        search->findChild<QLineEdit*>()->setText(words);
        QCOMPARE(search->findChild<QListWidget*>()->item(0)->text(), found);
        search->hide();
    }

    void aDocumentWithoutANameCanBeUnsaved() {
        QTest::failOnWarning(QRegularExpression("setWindowModified"));
        window_->setDocumentName({});
        choose(Method::DualQuaternion);
        QVERIFY(window_->isWindowModified());
    }

    void correctivesOfAnotherMethodAreToldAndMadeToFit() {
        sculptAtElbow();
        const std::uint64_t before = editor_->document().hash();
        const auto offsets = [&] { return editor_->document().mesh(Tube::mesh).shapes[0].deltas; };
        const auto linear = offsets();
        QVERIFY(window_->frame().noticeText().isEmpty());
        choose(Method::DualQuaternion);
        QVERIFY(window_->frame().noticeText().contains("sculpted for Linear Blend"));
        choose(Method::Spherical);
        QVERIFY(window_->frame().noticeText().contains("sculpted for Linear Blend"));
        editor_->undo();
        editor_->undo();
        QVERIFY(window_->frame().noticeText().isEmpty());
        QCOMPARE(editor_->document().hash(), before);
        choose(Method::Spherical);
        auto* fit = control<QToolButton>("Fit Them");
        QVERIFY(fit && fit->isVisible());
        QTest::mouseClick(fit, Qt::LeftButton);
        QVERIFY(window_->frame().noticeText().isEmpty());
        QVERIFY(offsets() != linear);
        QCOMPARE(editor_->history().undoLabel(), std::string("Fit 1 corrective to the skinning"));
        editor_->undo();
        QCOMPARE(offsets(), linear);
        choose(Method::Linear);
        window_->frame().showNotice("Something else", {});
        editor_->replaceDocument(test::tubeDocument(), {});
        QVERIFY(window_->frame().noticeText().startsWith("Something else"));
    }

    void whatWasChosenAndPaintedComesBackFromTheFile() {
        QTemporaryDir folder;
        app::Settings settings;
        app::Session session(*editor_, settings);
        const auto wait = [&](auto begin) {
            QSignalSpy opened(&session, &app::Session::opened);
            begin();
            return !opened.isEmpty() || opened.wait(20000);
        };
        QVERIFY(wait([&] { session.openMannequin(); }));
        const MeshId mesh = editor_->activeMesh();
        QComboBox* box = control<QComboBox>("Skinning method");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        editor_->perform(document::setSkinning(editor_->document(), mesh,
                                               {editor_->document().mesh(mesh).skinning.method, {true, 7, 0.25}}));
        camera_->setSceneBounds(editor_->evaluator().bounds());
        camera_->frame(editor_->evaluator().bounds());
        for (const PaintedMap map : {PaintedMap::MethodShare, PaintedMap::MushShare}) {
            setTarget(map, document::PaintSettings::Mode::Subtract);
            const Eigen::Vector3d middle = editor_->evaluator().bounds().center();
            QVERIFY(tools_->press(aim(middle), Qt::LeftButton));
            tools_->release(aim(middle));
            QVERIFY(!editor_->document().mesh(mesh).map(map).empty());
        }
        const document::MeshData before = editor_->document().mesh(mesh);
        QCOMPARE(before.skinning.method, Method::DualQuaternion);
        const std::filesystem::path file = folder.filePath("skinned.glb").toStdString();
        QVERIFY(session.saveTo(file));
        QVERIFY(said_.contains("Other programs show linear blend")); // nothing asked, nothing in the way
        QVERIFY(wait([&] { session.openMannequin(); }));
        QCOMPARE(box->currentIndex(), 0);
        QVERIFY(wait([&] { session.open(file); }));
        const document::MeshData& after = editor_->document().mesh(mesh);
        QVERIFY(after.skinning == before.skinning);
        QVERIFY(after.paintedMaps == before.paintedMaps);
        QCOMPARE(box->currentIndex(), int(Method::DualQuaternion));
        QCOMPARE(control<NumberField>("Delta mush iterations")->value(), 7.0);
        QCOMPARE(control<NumberField>("Delta mush strength of one iteration")->value(), 0.25);
        QVERIFY(window_->meshes().findChild<QCheckBox*>()->isChecked());
    }

    void aStrokeIsCancelledBy_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"escape", "another target", "another tool", "another document"})
            QTest::newRow(way) << way;
    }
    void aStrokeIsCancelledBy() {
        QFETCH(QString, way);
        choose(Method::Spherical);
        setTarget(PaintedMap::MethodShare, document::PaintSettings::Mode::Subtract);
        const std::uint64_t before = editor_->document().hash();
        stroke(false);
        QVERIFY(tools_->busy() && editor_->hasPreview());
        if (way == "escape")
            tools_->key(Qt::Key_Escape, {});
        else if (way == "another target")
            setTarget(PaintedMap::MushShare, document::PaintSettings::Mode::Add);
        else if (way == "another tool")
            tools_->setTool(ToolId::Rotate);
        else
            editor_->replaceDocument(test::tubeDocument(), {});
        QVERIFY(!tools_->busy() && !editor_->hasPreview());
        if (way != "another document")
            QCOMPARE(editor_->document().hash(), before);
    }

    void aShareWithoutEffectIsNotPainted_data() {
        QTest::addColumn<int>("map");
        QTest::newRow("linear blend") << int(PaintedMap::MethodShare);
        QTest::newRow("delta mush off") << int(PaintedMap::MushShare);
    }
    void aShareWithoutEffectIsNotPainted() {
        QFETCH(int, map);
        setTarget(PaintedMap(map), document::PaintSettings::Mode::Subtract);
        stroke();
        QVERIFY(said_.contains("no effect"));
        QCOMPARE(editor_->history().size(), std::size_t(0));
        QVERIFY(!editor_->hasPreview());
    }

    void theTargetIsChosenInTheOptions() {
        tools_->setTool(ToolId::Paint);
        window_->refreshTool();
        auto* target = window_->findChild<ToolOptions*>()->findChildren<QComboBox*>().front();
        for (QComboBox* box : window_->findChild<ToolOptions*>()->findChildren<QComboBox*>())
            if (box->accessibleName() == "Paint target")
                target = box;
        QVERIFY(target->isVisible());
        target->setFocus();
        QTest::keyClick(target, Qt::Key_End);
        QVERIFY(editor_->brush().paintTarget == PaintedMap::MushShare);
        QVERIFY(tools_->hint().contains("delta mush share"));
    }

private:
    template <class Control> Control* control(const QString& name) const {
        for (Control* control : window_->findChildren<Control*>())
            if (control->accessibleName() == name)
                return control;
        return nullptr;
    }
    [[nodiscard]] const skin::Skinning& skinning() const { return editor_->document().mesh(Tube::mesh).skinning; }
    // A corrective of the bent and twisted tube.
    void sculptAtElbow() {
        const JointId lower(Tube::kLower);
        rig::Affine bent(Eigen::AngleAxisd(1.2, Eigen::Vector3d(0.6, 0, 0.8)));
        editor_->perform(document::setUserLocal(editor_->document(), lower, bent, "Bend"));
        auto made = document::newCorrective(editor_->document(), Tube::mesh, "elbow", {&lower, 1});
        QVERIFY(made);
        const ShapeId shape = made->shape;
        editor_->perform(std::move(made->edit));
        std::vector<std::uint32_t> vertices(400);
        std::iota(vertices.begin(), vertices.end(), 300u);
        document::Edit sculpt;
        sculpt.patches.emplace_back(
            document::shapeDeltasPatch(editor_->document(), Tube::mesh, shape, vertices,
                                       std::vector<Eigen::Vector3f>(vertices.size(), {0.02f, 0.1f, -0.05f})));
        editor_->perform(std::move(sculpt));
    }
    void choose(Method method) {
        editor_->perform(document::setSkinning(editor_->document(), Tube::mesh, {method, {}}));
    }
    void setTarget(PaintedMap map, document::PaintSettings::Mode mode) {
        BrushSettings brush = editor_->brush();
        brush.paintTarget = map;
        brush.setMode(mode);
        brush.strength = 1;
        editor_->setBrush(brush);
        tools_->setTool(ToolId::Paint);
    }
    PointerSample at(double x) const { return aim({x, 0, Tube::kRadius}); }
    PointerSample aim(const Eigen::Vector3d& world) const {
        PointerSample sample;
        sample.pixel = camera_->project(world).head<2>();
        sample.ray = camera_->ray(sample.pixel);
        return sample;
    }
    void stroke(bool release = true) {
        tools_->hover(at(1));
        QVERIFY(tools_->press(at(1), Qt::LeftButton));
        for (double x = 1; x < 1.6; x += 0.1)
            tools_->drag(at(x));
        if (release)
            tools_->release(at(1.6));
    }

    std::unique_ptr<Editor> editor_;
    Stage stage_;
    std::unique_ptr<Actions> actions_;
    std::unique_ptr<Camera> camera_;
    std::unique_ptr<ToolManager> tools_;
    std::unique_ptr<MainWindow> window_;
    QString said_;
};

QTEST_MAIN(TestSkinningWindow)
#include "test_skinning_window.moc"
