// Saving: what was not edited stays as it was, what was edited comes back.
#include "core/io/safe_save.h"
#include "tests/files/gltf_compare.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"

#include <QTest>

using namespace limber;
using namespace limber::test;
using document::Document;
using io::Container;

class TestGltfWrite : public QObject {
    Q_OBJECT

private slots:
    void anUneditedFileKeepsItsBytes() {
        const GltfText text = GltfText().withSquare().withSkin();
        const Opened opened = openText(text);
        QVERIFY(written(opened, Container::Gltf) == text.text());
        const std::vector<std::byte> glb = written(opened, Container::Glb);
        QVERIFY(written(reopened(glb), Container::Glb) == glb);
    }

    void aTurnedJointChangesItsRotationAlone() {
        GltfText text;
        text.withSquare().withSkin().json["nodes"][2]["translation"] = {0.1, 0.2, 0.3};
        text.json["nodes"][2]["rotation"] = {0.0, 0.0, 0.0, 1.0};
        Opened opened = openText(text);
        turn(opened.doc, JointId(2), 0.7);
        const std::vector<std::byte> saved = written(opened, Container::Gltf);
        // The bind-shape matrix is noted where the pose alone would hide it.
        QCOMPARE(differences(text.text(), saved).remove(" /skins/0/extras"), "/nodes/2/rotation");
        QVERIFY2(lostBetween(opened.doc.state(), reopened(saved).doc.state()).isEmpty(), "the pose is lost");
        QVERIFY(written(reopened(saved), Container::Gltf) == saved);
    }

    void aMatrixNodeStaysAMatrix() {
        GltfText text;
        text.withSquare().withSkin().json["nodes"][2]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1};
        Opened opened = openText(text);
        turn(opened.doc, JointId(2), 0.7);
        const Json node = jsonOf(written(opened, Container::Gltf))["nodes"][2];
        QVERIFY(node.contains("matrix") && !node.contains("rotation"));
    }

    void aMirroredNodeKeepsItsScale() {
        GltfText text;
        text.withSquare().withSkin().json["nodes"][2]["scale"] = {1.0, -1.0, 1.0};
        Opened opened = openText(text);
        turn(opened.doc, JointId(2), 0.7);
        const std::vector<std::byte> saved = written(opened, Container::Gltf);
        QCOMPARE(show(jsonOf(saved)["nodes"][2]["scale"]), "[1.0,-1.0,1.0]");
        QVERIFY(poseDistance(opened.doc.state(), reopened(saved).doc.state()) < 1e-9);
    }

    // Turning the topmost joint turns all joints alike: from the nodes alone a reader would take that for the bind
    // pose.
    void aTurnedRootIsNotTakenForTheBindPose() {
        Opened opened = openText(GltfText().withSquare().withSkin());
        turn(opened.doc, JointId(1), 1.2);
        QVERIFY(poseDistance(opened.doc.state(), reopened(written(opened, Container::Glb)).doc.state()) < 1e-9);
    }

    void aPosedNodeOfNoSkinKeepsItsBindPose() {
        GltfText text;
        text.withSquare().withSkin().json["nodes"].push_back({{"children", {1}}, {"name", "armature"}});
        text.json["scenes"][0]["nodes"] = {0, 3};
        Opened opened = openText(text);
        turn(opened.doc, JointId(3), 0.4);
        QVERIFY(poseDistance(opened.doc.state(), reopened(written(opened, Container::Glb)).doc.state()) < 1e-9);
    }

    void paintedRowsAreWrittenInPlace() {
        const GltfText text = GltfText().withSquare().withSkin();
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 2);
        const std::vector<std::byte> saved = written(opened, Container::Gltf);
        QCOMPARE(differences(text.text(), saved), "/buffers/0/uri");
        QVERIFY2(lostBetween(opened.doc.state(), reopened(saved).doc.state()).isEmpty(), "the weights are lost");
    }

    void aSharedAccessorIsCopiedBeforeItIsWritten() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["meshes"].push_back(text.json["meshes"][0]);
        text.json["nodes"].push_back({{"mesh", 1}, {"skin", 0}});
        text.json["scenes"][0]["nodes"] = {0, 1, 3};
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 1);
        const Opened back = reopened(written(opened, Container::Glb));
        QVERIFY2(lostBetween(opened.doc.state(), back.doc.state()).isEmpty(), "painting one mesh changed the other");
    }

    void integerWeightsStayIntegersUnlessAnInfluenceWouldVanish_data() {
        QTest::addColumn<float>("first");
        QTest::addColumn<bool>("bytes");
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("note");
        QTest::newRow("held by a byte") << 51 / 255.0f << true << 5121 << "";
        QTest::newRow("finer than a byte") << 0.123f << true << 5121 << "rounded to 1/255";
        QTest::newRow("less than a byte holds") << 0.001f << true << 5126 << "saved as floats";
        QTest::newRow("held by two bytes") << 0.001f << false << 5123 << "";
        QTest::newRow("less than two bytes hold") << 5e-6f << false << 5126 << "saved as floats";
    }
    void integerWeightsStayIntegersUnlessAnInfluenceWouldVanish() {
        QFETCH(float, first);
        QFETCH(bool, bytes);
        QFETCH(int, type);
        QFETCH(QString, note);
        GltfText text;
        text.withSquare().withSkin();
        const std::vector<std::uint8_t> asBytes{51, 204, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 128, 127, 0, 0};
        std::vector<std::uint16_t> asWords;
        for (const std::uint8_t b : asBytes)
            asWords.push_back(static_cast<std::uint16_t>(b * 257));
        const std::size_t accessor =
            bytes ? text.add(asBytes, "VEC4", 5121, 4, true) : text.add(asWords, "VEC4", 5123, 4, true);
        text.attributes()["WEIGHTS_0"] = accessor;
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 2, {{0, first}, {1, 1 - first}});
        const auto file = io::writeGltf(*opened.source, opened.doc, Container::Glb);
        QVERIFY(file.ok());
        const std::string notes = file->notes.empty() ? "" : file->notes.front();
        QVERIFY2(note.isEmpty() ? notes.empty() : notes.find(note.toStdString()) != notes.npos, notes.c_str());
        QCOMPARE(jsonOf(file->bytes)["accessors"][accessor]["componentType"].get<int>(), type);
        const Opened back = reopened(file->bytes);
        const float step = type == 5121 ? 1 / 255.0f : type == 5123 ? 1 / 65535.0f : 1e-6f;
        for (std::size_t v = 0; v < 4; ++v)
            QVERIFY(std::abs(back.doc.mesh(MeshId(0)).weights.weight(v, 0) -
                             opened.doc.mesh(MeshId(0)).weights.weight(v, 0)) < step);
        QVERIFY(written(back, Container::Glb) == file->bytes);
    }

    // C30.
    void roundedWeightsSumToOneExactly() {
        GltfText text;
        text.withSquare().withSkin().json["nodes"].push_back({{"name", "third"}});
        text.json["skins"][0]["joints"].push_back(3);
        const std::size_t accessor = text.add(std::vector<std::uint8_t>(16, 0), "VEC4", 5121, 4, true);
        text.attributes()["WEIGHTS_0"] = accessor;
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 1, {{0, 0.2f}, {1, 0.3f}, {2, 0.5f}});
        const Opened back = reopened(written(opened, Container::Glb));
        const auto row = back.doc.mesh(MeshId(0)).weights.row(0);
        QCOMPARE(row.size(), std::size_t(3));
        const float expected[] = {51 / 255.0f, 77 / 255.0f, 127 / 255.0f};
        for (std::size_t k = 0; k < 3; ++k)
            QCOMPARE(row[k].weight, expected[k]);
    }

    void moreThanFourInfluencesMakeNewSets() {
        GltfText text;
        text.withSquare().withSkin();
        for (int j = 3; j < 8; ++j) {
            text.json["nodes"].push_back({{"name", "extra"}});
            text.json["skins"][0]["joints"].push_back(j);
        }
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 3, {{0, .1f}, {1, .3f}, {3, .1f}, {4, .2f}, {6, .3f}});
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        const Json attributes = jsonOf(saved)["meshes"][0]["primitives"][0]["attributes"];
        QVERIFY(attributes.contains("JOINTS_1") && attributes.contains("WEIGHTS_1"));
        Opened back = reopened(saved);
        QVERIFY2(lostBetween(opened.doc.state(), back.doc.state()).isEmpty(), "influences are lost");
        paint(back.doc, MeshId(0), 3);
        const Json after = jsonOf(written(back, Container::Glb))["meshes"][0]["primitives"][0]["attributes"];
        QVERIFY2(!after.contains("JOINTS_1") && !after.contains("WEIGHTS_1"), "a set that nobody needs stayed");
    }

    void aJointPaintedForTheFirstTimeJoinsTheSkin() {
        GltfText text;
        text.withSquare().withSkin().json["skins"].push_back({{"joints", {2}}});
        text.json["nodes"].push_back({{"name", "late"}, {"translation", {0, 1, 0}}});
        text.json["nodes"][1]["children"] = {2, 3};
        Opened opened = openText(text);
        document::SkinJointPatch patch;
        patch.skin = SkinId(0);
        patch.joint = JointId(3);
        patch.inverseBind = opened.doc.skeleton()[JointId(3)].inverseBind;
        apply(opened.doc, patch);
        paint(opened.doc, MeshId(0), 1, {{1, 0.25f}, {2, 0.75f}});
        const Opened back = reopened(written(opened, Container::Glb));
        QCOMPARE(back.doc.skin(SkinId(0)).joints, opened.doc.skin(SkinId(0)).joints);
        QCOMPARE(back.doc.skin(SkinId(1)).joints, opened.doc.skin(SkinId(1)).joints);
        QVERIFY2(lostBetween(opened.doc.state(), back.doc.state()).isEmpty(), "something is lost");
    }

    // A skin's joints have a common root, below its skeleton.
    void aJointOfAnotherTreeGetsARootInCommon() {
        GltfText text;
        text.withSquare().withSkin().json["skins"][0]["skeleton"] = 1;
        text.json["nodes"].push_back({{"name", "apart"}, {"translation", {0, 1, 0}}});
        text.json["scenes"][0]["nodes"].push_back(3);
        Opened opened = openText(text);
        apply(opened.doc,
              document::SkinJointPatch{SkinId(0), JointId(3), opened.doc.skeleton()[JointId(3)].inverseBind});
        paint(opened.doc, MeshId(0), 1, {{1, 0.25f}, {2, 0.75f}});
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        const Json json = jsonOf(saved);
        QCOMPARE(show(json["scenes"][0]["nodes"]), "[0,4]");
        QCOMPARE(show(json["nodes"][4]["children"]), "[1,3]");
        QCOMPARE(show(json["skins"][0]["skeleton"]), "4");
        const Opened back = reopened(saved);
        for (std::size_t j = 0; j < 4; ++j)
            QVERIFY(math::distance(opened.doc.state().pose[j], back.doc.state().pose[j]) < 1e-9);
        QVERIFY(sameRows(opened.doc.mesh(MeshId(0)).weights, back.doc.mesh(MeshId(0)).weights));
        QVERIFY(written(back, Container::Glb) == saved);
    }

    void aVertexWithoutWeightsIsWrittenToTheTopmostJoint() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["meshes"][0]["primitives"].push_back(text.primitive());
        for (const char* semantic : {"JOINTS_0", "WEIGHTS_0"})
            text.json["meshes"][0]["primitives"][1]["attributes"].erase(semantic);
        Opened opened = openText(text);
        paint(opened.doc, MeshId(0), 5, {{1, 1.0f}}); // vertices 0 and 5: one of each part
        const auto file = io::writeGltf(*opened.source, opened.doc, Container::Glb);
        QVERIFY(file->notes.size() == 1 && file->notes[0].starts_with("3 vertices"));
        const skin::SkinWeights weights = reopened(file->bytes).doc.mesh(MeshId(0)).weights;
        QCOMPARE(weights.weight(5, 1), 1.0f);
        for (const std::size_t v : {4, 6, 7})
            QCOMPARE(weights.weight(v, 0), 1.0f);
    }

    // Its node's transform serves as bind pose, so that has to be written beside the pose.
    void aJointThatCannotBeBoundKeepsItsPose() {
        GltfText text;
        text.withSquare().withSkin();
        std::vector<float> matrices(32, 0.0f);
        for (const std::size_t k : {0, 5, 10, 15})
            matrices[k] = 1;
        matrices[31] = 1;
        text.json["skins"][0]["inverseBindMatrices"] = text.addFloats(matrices, "MAT4");
        Opened opened = openText(text);
        turn(opened.doc, JointId(2), 0.7);
        QVERIFY(poseDistance(opened.doc.state(), reopened(written(opened, Container::Glb)).doc.state()) < 1e-9);
    }

    void shapesThatFollowAnAnimatedPoseAreNoted() {
        GltfText text;
        text.withSquare().withSkin();
        const std::size_t times = text.addFloats({0, 1}, "SCALAR");
        const std::size_t keys = text.addFloats({0, 0, 0, 1, 0, 0.5f, 0, 0.8660254f}, "VEC4");
        text.json["animations"] = {{{"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
                                    {"samplers", {{{"input", times}, {"output", keys}}}}}};
        for (const bool driven : {false, true}) {
            Opened opened = openText(text);
            turn(opened.doc, JointId(2), 1.0);
            const ShapeId shape = addShape(opened.doc, MeshId(0), "fix", 0);
            if (driven)
                drive(opened.doc, MeshId(0), shape, JointId(2));
            const auto file = io::writeGltf(*opened.source, opened.doc, Container::Glb);
            QCOMPARE(file->notes.size(), std::size_t(driven));
            QVERIFY(!driven || file->notes[0].find("play clips") != std::string::npos);
        }
    }

    void aNewShapeReachesEveryPartNodeAndClip() {
        GltfText text;
        text.withSquare();
        text.json["meshes"][0]["primitives"].push_back(text.primitive());
        const std::size_t zeros = text.addFloats(std::vector<float>(12, 0.25f), "VEC3");
        for (Json& primitive : text.json["meshes"][0]["primitives"])
            primitive["targets"] = {{{"POSITION", zeros}}};
        const std::size_t times = text.addFloats({0, 1}, "SCALAR"), keys = text.addFloats({0.5f, 0.75f}, "SCALAR");
        text.json["nodes"][0]["weights"] = {0.5};
        text.json["animations"] = {{{"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}},
                                    {"samplers", {{{"input", times}, {"output", keys}}}}}};
        Opened opened = openText(text);
        addShape(opened.doc, MeshId(0), "new", 0.125);
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        const Json json = jsonOf(saved);
        for (const Json& primitive : json["meshes"][0]["primitives"])
            QCOMPARE(primitive["targets"].size(), std::size_t(2));
        QCOMPARE(show(json["nodes"][0]["weights"]), "[0.5,0.125]");
        const auto file = io::loadGlb(saved, "");
        QCOMPARE(file->state.clips[0].channels[0].values, (std::vector<float>{0.5f, 0, 0.75f, 0}));
        QVERIFY2(lostBetween(opened.doc.state(), file->state).isEmpty(), "the shape is lost");
    }

    // All data is made by the save: lists appear in the tree while it is being changed.
    void aFileWithoutAnyDataTakesAShape() {
        GltfText text;
        text.json["accessors"] = {{{"componentType", 5126}, {"count", 3}, {"type", "VEC3"}}};
        text.json.erase("bufferViews");
        text.attributes()["POSITION"] = 0;
        Opened opened = openText(text);
        QVERIFY(written(opened, Container::Gltf) == text.text());
        addShape(opened.doc, MeshId(0), "new", 0.5);
        const Opened back = reopened(written(opened, Container::Glb));
        QVERIFY2(lostBetween(opened.doc.state(), back.doc.state()).isEmpty(), "the shape is lost");
    }

    void aRemovedShapeTakesItsColumnsAlong() {
        GltfText text;
        text.withSquare();
        Json targets = Json::array();
        for (float t = 1; t < 4; ++t)
            targets.push_back({{"POSITION", text.addFloats(std::vector<float>(12, t), "VEC3")}});
        text.primitive()["targets"] = targets;
        text.json["meshes"][0]["weights"] = {0.1, 0.2, 0.3};
        text.json["meshes"][0]["extras"] = {{"targetNames", {"a", "b", "c"}}, {"keep", 7}};
        Opened opened = openText(text);
        opened.doc.apply(document::removeShape(opened.doc, MeshId(0), ShapeId(1)));
        const std::vector<std::byte> saved = written(opened, Container::Gltf);
        const Json mesh = jsonOf(saved)["meshes"][0];
        QCOMPARE(show(mesh["weights"]), "[0.1,0.3]");
        QCOMPARE(show(mesh["extras"]), R"({"targetNames":["a","c"],"keep":7})");
        QVERIFY2(lostBetween(opened.doc.state(), reopened(saved).doc.state()).isEmpty(), "a shape is lost");
    }

    void driversMutesSlidersAndLocksComeBack() {
        Opened opened = openText(GltfText().withSquare().withSkin());
        turn(opened.doc, JointId(2), 1.0);
        const ShapeId driven = addShape(opened.doc, MeshId(0), "driven", 0.4);
        const ShapeId muted = addShape(opened.doc, MeshId(0), "muted", 0.6);
        drive(opened.doc, MeshId(0), driven, JointId(2));
        opened.doc.apply(document::muteShape(opened.doc, MeshId(0), muted, true));
        const JointId locked[] = {JointId(1)};
        opened.doc.apply(document::setLocked(opened.doc, locked, true));
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        const Json weights = jsonOf(saved)["meshes"][0]["weights"];
        QVERIFY(std::abs(weights[0].get<double>() - 1) < 1e-9); // the driver's pose
        QCOMPARE(show(weights[1]), "0.0");
        const Opened back = reopened(saved);
        const QString lost = lostBetween(opened.doc.state(), back.doc.state());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
        QVERIFY(written(back, Container::Glb) == saved);
    }

    void unknownPartsOfTheFileSurviveAnEdit() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.5}, {"znear", 0.1}}}}};
        text.json["extensionsUsed"] = {"ACME_teapots"};
        text.json["extensions"] = {{"ACME_teapots", {{"spouts", 2}}}};
        text.json["extras"] = {{"author", "somebody"}, {"exact", 0.1}};
        Opened opened = openText(text);
        turn(opened.doc, JointId(2), 0.7);
        paint(opened.doc, MeshId(0), 2);
        const Json saved = jsonOf(written(opened, Container::Glb));
        for (const char* key : {"cameras", "extensionsUsed", "extensions", "extras", "accessors", "meshes", "scenes"})
            QCOMPARE(show(saved[key]), show(jsonOf(text.text())[key]));
    }

    void realFilesComeBackEdited_data() { addRealFiles(); }
    void realFilesComeBackEdited() {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("The test data is not there.");
        auto file = io::loadGltf(path.toStdString());
        QVERIFY(file.ok());
        Opened opened{file->source, Document(file->state)};
        const Container own = file->format == "glb" ? Container::Glb : Container::Gltf;
        QVERIFY2(written(opened, own) == *io::readFile(path.toStdString()), "unedited, but not identical");

        const std::vector<JointId> joints = deformingJoints(file->state);
        if (!joints.empty())
            turn(opened.doc, joints[joints.size() / 2], 0.8);
        if (const MeshId mesh = skinnedMesh(file->state); mesh.valid()) {
            paint(opened.doc, mesh, 7);
            drive(opened.doc, mesh, addShape(opened.doc, mesh, "fix", 0), joints[joints.size() / 2]);
        }
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        const Opened back = reopened(saved);
        const QString lost = lostBetween(opened.doc.state(), back.doc.state(), 1 / 255.0f);
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
        QVERIFY2(written(back, Container::Glb) == saved, "the second save differs from the first");
    }
};

QTEST_APPLESS_MAIN(TestGltfWrite)
#include "test_gltf_write.moc"
