// Skinning methods as a shell sees them: deform, skinning, corrective add, and files that try the limits of skinning.
#include "core/document/document.h"
#include "core/io/gltf_file.h"
#include "core/io/pose_file.h"
#include "core/rig/clip.h"
#include "core/skin/pose_map.h"
#include "tests/files/gltf_text.h"
#include "tests/support/posed_surface.h"

using namespace limber;
using namespace limber::tests;
using skin::Method;

namespace {

const char* const kMethods[] = {"linear", "dual-quaternion", "spherical"};

// The posed vertices by the map of each vertex, without the evaluator.
QList<Vertex> reference(document::DocumentState state, Method method) {
    rig::Transforms world;
    rig::forwardKinematics(state.skeleton, state.pose, world);
    QList<Vertex> out;
    for (const document::Instance& instance : state.instances) {
        const document::MeshData& mesh = state.meshes[instance.mesh.index()];
        std::vector<skin::SlotPose> poses;
        if (instance.skin.valid()) {
            const document::Skin& skin = state.skins[instance.skin.index()];
            for (std::size_t k = 0; k < skin.joints.size(); ++k) {
                const rig::Joint& joint = state.skeleton[skin.joints[k]];
                poses.push_back(skin::slotPose(world[skin.joints[k].index()], joint.bindWorld,
                                               joint.bindWorld.inverse(), skin.inverseBinds[k]));
            }
        }
        for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
            const Eigen::Vector3d p = mesh.geometry.positions[v].cast<double>();
            const Eigen::Vector3d x =
                poses.empty()
                    ? world[instance.node.index()] * p
                    : skin::posedReference(p, Eigen::Vector3d::UnitY(), mesh.weights.row(v), poses, method).position;
            out.append({x.x(), x.y(), x.z()});
        }
    }
    return out;
}

double sizeOf(const QList<Vertex>& points) {
    double most = 0;
    for (const Vertex& p : points)
        most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return most;
}

test::GltfText tubeOf(std::size_t joints) {
    test::GltfText text;
    text.withSquare().withSkin();
    text.json["nodes"] = test::Json::array({{{"mesh", 0}, {"skin", 0}}});
    text.json["skins"][0]["joints"] = test::Json::array();
    for (std::size_t k = 1; k <= joints; ++k) {
        text.json["nodes"].push_back({{"translation", {0, k == 1 ? 0.0 : 0.01, 0}}});
        if (k < joints)
            text.json["nodes"].back()["children"] = {k + 1};
        text.json["skins"][0]["joints"].push_back(k);
    }
    return text;
}

// Rows of 64 influences.
test::GltfText longRows() {
    test::GltfText text = tubeOf(64);
    for (std::size_t set = 0; set < 16; ++set) {
        std::vector<std::uint8_t> joints;
        for (std::size_t k = 0; k < 16; ++k)
            joints.push_back(static_cast<std::uint8_t>(4 * set + k % 4));
        const std::string number = std::to_string(set);
        text.attributes()["JOINTS_" + number] = text.add(joints, "VEC4", 5121, 4);
        text.attributes()["WEIGHTS_" + number] = text.addFloats(std::vector<float>(16, 1 / 64.0f), "VEC4");
    }
    return text;
}

test::GltfText manyJoints() {
    test::GltfText text = tubeOf(5000);
    text.attributes()["JOINTS_0"] = text.add(
        std::vector<std::uint16_t>{0, 4999, 0, 0, 1, 2500, 0, 0, 4998, 4999, 0, 0, 7, 8, 0, 0}, "VEC4", 5123, 4);
    return text;
}

test::GltfText scaled(const test::Json& scale) {
    test::GltfText text;
    text.withSquare().withSkin();
    text.json["nodes"][2]["scale"] = scale;
    return text;
}

test::GltfText singularBind() {
    test::GltfText text;
    text.withSquare().withSkin();
    const std::vector<float> one = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    std::vector<float> both = one;
    both.insert(both.end(), one.begin(), one.end());
    both[16] = both[21] = both[26] = 0;
    text.json["skins"][0]["inverseBindMatrices"] = text.addFloats(both, "MAT4");
    return text;
}

test::GltfText emptyMesh() {
    test::GltfText text;
    return text;
}

test::GltfText oneVertex() {
    test::GltfText text;
    text.withSkin();
    text.attributes()["POSITION"] = text.addFloats({1, 2, 3}, "VEC3");
    text.attributes()["JOINTS_0"] = text.add(std::vector<std::uint8_t>{0, 1, 0, 0}, "VEC4", 5121, 4);
    text.attributes()["WEIGHTS_0"] = text.addFloats({.5f, .5f, 0, 0}, "VEC4");
    text.primitive()["mode"] = 0;
    return text;
}

test::GltfText degenerate() {
    test::GltfText text;
    text.withSquare().withSkin();
    text.attributes().erase("NORMAL");
    text.primitive()["indices"] = text.add(std::vector<std::uint16_t>{0, 0, 0, 1, 1, 2, 0, 1, 0}, "SCALAR", 5123, 1);
    return text;
}

bool isFinite(const document::DocumentState& state) {
    for (const document::MeshData& mesh : state.meshes)
        for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v)
            if (!mesh.geometry.positions[v].allFinite() || !mesh.geometry.normals[v].allFinite())
                return false;
    return std::all_of(state.pose.begin(), state.pose.end(), [](const auto& m) { return math::allFinite(m); });
}

} // namespace

class TestCommandLineSkinning : public QObject, private MannequinFolder {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void deformTakesEachMethod_data();
    void deformTakesEachMethod();
    void skinningSetsAndShows();
    void oneMeshCanBeSet();
    void numbersOfADeltaMushThatIsOffAreTold();
    void meshesWithoutASkinAreLeftAsTheyAre();
    void aCorrectiveFitsWithItsMethod();
    void limitsOfSkinning_data();
    void limitsOfSkinning();
};

void TestCommandLineSkinning::deformTakesEachMethod_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("mannequin") << mannequin_;
    QTest::newRow("CesiumMan") << data("gltf/CesiumMan/CesiumMan.gltf");
    QTest::newRow("Fox") << data("gltf/Fox.glb");
}

void TestCommandLineSkinning::deformTakesEachMethod() {
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("no test data");
    const auto loaded = io::loadGltf(file.toStdString());
    QVERIFY(loaded.ok());
    document::DocumentState state = loaded->state;
    QStringList words{"deform", file};
    if (state.clips.empty()) {
        const QByteArray pose = read(path("bent.json"));
        state.pose = io::readPose(pose.toStdString(), state).value();
        words << "--pose" << path("bent.json");
    } else {
        const rig::Pose base = state.pose;
        rig::sampleClip(state.clips[0], 0.4, state.skeleton, base, state.pose);
        words << "--clip"
              << "#0"
              << "--time"
              << "0.4";
    }
    QList<Vertex> posed[3];
    for (int m = 0; m < 3; ++m) {
        const QString obj = path("method.obj");
        const Outcome outcome = run(words + QStringList{"--method", kMethods[m], "-o", obj});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        posed[m] = vertices(obj);
        const QList<Vertex> expected = reference(state, static_cast<Method>(m));
        const double distance = largestDistance(posed[m], expected);
        QVERIFY2(distance < 1e-5 * sizeOf(expected), qPrintable(QString("%1: %2").arg(kMethods[m]).arg(distance)));
    }
    for (const int other : {1, 2}) {
        const double apart = largestDistance(posed[0], posed[other]) / sizeOf(posed[0]);
        QVERIFY2(apart > 2e-4, qPrintable(QString("%1: %2").arg(kMethods[other]).arg(apart)));
    }
}

void TestCommandLineSkinning::skinningSetsAndShows() {
    const Outcome usual = run({"skinning", mannequin_});
    QVERIFY2(usual.code == 0 && usual.out.contains(": linear, delta mush off"), qPrintable(usual.out));
    QVERIFY(!run({"info", mannequin_}).out.contains(" skinning"));
    const Outcome set = run({"skinning", mannequin_, "--method", "spherical", "--mush", "on", "--iterations", "4",
                             "--lambda", "0.25", "-o", path("set.glb"), "--json"});
    QVERIFY2(set.code == 0 && set.err.count("linear blend skinning") == 1, qPrintable(set.err));
    const QJsonObject mesh = QJsonDocument::fromJson(set.out.toUtf8())["meshes"][0].toObject();
    QCOMPARE(mesh["method"].toString(), "spherical");
    QCOMPARE(mesh["deltaMush"]["iterations"].toInt(), 4);
    QVERIFY(mesh["deltaMush"]["on"].toBool() && mesh["skinned"].toBool());
    const Outcome shown = run({"skinning", path("set.glb")});
    QVERIFY2(shown.out.contains(": spherical, delta mush on (4 iterations, lambda 0.25)"), qPrintable(shown.out));
    QVERIFY(run({"info", path("set.glb")}).out.contains("spherical skinning, delta mush"));
    QCOMPARE(info(path("set.glb"))["meshes"][0]["method"].toString(), "spherical");
    // Said again where the file is written, kept by whoever copies it, and taken off by what is usual.
    const Outcome copied = run({"convert", path("set.glb"), path("copy.gltf")});
    QVERIFY2(copied.code == 0 && copied.err.contains("spherical"), qPrintable(copied.err));
    QCOMPARE(info(path("copy.gltf"))["meshes"][0]["method"].toString(), "spherical");
    QCOMPARE(run({"skinning", path("copy.gltf"), "--method", "linear", "--mush", "off", "-o", path("off.glb")}).code,
             0);
    QVERIFY(!info(path("off.glb"))["meshes"][0].toObject().contains("method"));
    QVERIFY(!info(path("off.glb"))["meshes"][0].toObject().contains("deltaMush"));
    // The mesh's own method counts where none is asked for.
    QCOMPARE(run({"skinning", mannequin_, "--method", "dual-quaternion", "-o", path("dq.glb")}).code, 0);
    const QStringList pose{"--pose", path("bent.json"), "-o"};
    QCOMPARE(run(QStringList{"deform", path("dq.glb")} + pose + QStringList{path("own.obj")}).code, 0);
    QCOMPARE(
        run(QStringList{"deform", mannequin_, "--method", "dual-quaternion"} + pose + QStringList{path("as.obj")}).code,
        0);
    QCOMPARE(read(path("own.obj")), read(path("as.obj")));
}

void TestCommandLineSkinning::oneMeshCanBeSet() {
    test::GltfText text;
    text.withSquare().withSkin();
    text.json["meshes"].push_back(text.json["meshes"][0]);
    text.json["meshes"][0]["name"] = "a";
    text.json["meshes"][1]["name"] = "b";
    text.json["nodes"].push_back({{"mesh", 1}, {"skin", 0}});
    text.json["scenes"][0]["nodes"].push_back(3);
    const auto bytes = text.text();
    QVERIFY(write(path("two.gltf"), {reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())}));
    for (const QString& name : {QString("b"), QString("#1")}) {
        const Outcome outcome =
            run({"skinning", path("two.gltf"), "--mesh", name, "--method", "dual-quaternion", "-o", path("one.glb")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        const Outcome shown = run({"skinning", path("one.glb")});
        QVERIFY2(shown.out.contains("\"a\": linear") && shown.out.contains("\"b\": dual-quaternion"),
                 qPrintable(shown.out));
    }
}

void TestCommandLineSkinning::numbersOfADeltaMushThatIsOffAreTold() {
    const Outcome set = run({"skinning", mannequin_, "--iterations", "5", "-o", path("five.glb")});
    QVERIFY2(set.code == 0 && set.out.contains("delta mush off (5 iterations, lambda 0.5 once it is on)"),
             qPrintable(set.out));
}

void TestCommandLineSkinning::meshesWithoutASkinAreLeftAsTheyAre() {
    test::GltfText text;
    text.withSquare().withSkin();
    text.json["meshes"].push_back(text.json["meshes"][0]);
    text.json["meshes"][0]["name"] = "moved";
    text.json["meshes"][1]["name"] = "stiff";
    for (const char* attribute : {"JOINTS_0", "WEIGHTS_0"})
        text.json["meshes"][1]["primitives"][0]["attributes"].erase(attribute);
    text.json["nodes"].push_back({{"mesh", 1}});
    text.json["scenes"][0]["nodes"].push_back(3);
    const auto bytes = text.text();
    QVERIFY(write(path("stiff.gltf"), {reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())}));
    const Outcome set = run({"skinning", path("stiff.gltf"), "--method", "spherical", "-o", path("stiff.glb")});
    QVERIFY2(set.code == 0 && set.err.contains("\"stiff\" has no skin"), qPrintable(set.err));
    QVERIFY(!set.err.contains("\"moved\" has no skin"));
    QVERIFY2(set.out.contains("\"moved\": spherical") && set.out.contains("\"stiff\": no skin"), qPrintable(set.out));
    QVERIFY(info(path("stiff.glb"))["meshes"][0].toObject().contains("method"));
    QVERIFY(!info(path("stiff.glb"))["meshes"][1].toObject().contains("method"));
}

void TestCommandLineSkinning::aCorrectiveFitsWithItsMethod() {
    for (const char* method : {"dual-quaternion", "spherical"}) {
        const QStringList pose{"--pose", path("bent.json")};
        QCOMPARE(run(QStringList{"deform", mannequin_, "--method", method, "-o", path("m.obj")} + pose).code, 0);
        QVERIFY(pushVertices(path("m.obj"), path("m_sculpt.obj"), 1.2, 0.02) > 0);
        const Outcome added =
            run(QStringList{"corrective", "add", mannequin_, "--sculpt", path("m_sculpt.obj"), "--name", "push",
                            "--driver", elbow_, "--method", method, "-o", path("m.glb")} +
                pose);
        QVERIFY2(added.code == 0 && added.err.contains(QString("its method is %1 from now on").arg(method)),
                 qPrintable(added.err));
        QCOMPARE(info(path("m.glb"))["meshes"][0]["method"].toString(), method);
        QCOMPARE(run(QStringList{"deform", path("m.glb"), "-o", path("m_back.obj")} + pose).code, 0);
        const double apart = largestDistance(vertices(path("m_back.obj")), vertices(path("m_sculpt.obj")));
        QVERIFY2(apart < 2e-5, qPrintable(QString("%1: %2").arg(method).arg(apart)));
    }
}

void TestCommandLineSkinning::limitsOfSkinning_data() {
    QTest::addColumn<QByteArray>("file");
    const auto row = [](const char* name, const test::GltfText& text) {
        const auto bytes = text.text();
        QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
    };
    row("rows of 64 influences", longRows());
    row("5,000 joints", manyJoints());
    row("a joint scaled to nothing", scaled({0, 0, 0}));
    row("a joint scaled flat", scaled({1, 0, 1}));
    row("a joint mirrored", scaled({-1, 1, 1}));
    row("a bind matrix that is singular", singularBind());
    row("an empty mesh", emptyMesh());
    row("a mesh of one vertex", oneVertex());
    row("triangles without area", degenerate());
}

void TestCommandLineSkinning::limitsOfSkinning() {
    QFETCH(QByteArray, file);
    const QString in = path("limit.gltf");
    QVERIFY(write(in, file));
    QList<QStringList> calls{{"info", in}, {"check", in}, {"convert", in, path("limit.glb")}};
    for (const char* method : kMethods) {
        calls.append({"deform", in, "--method", method, "-o", path("limit.obj")});
        calls.append({"skinning", in, "--method", method, "--mush", "on", "-o", path("mushed.glb")});
        calls.append({"deform", path("mushed.glb"), "-o", path("mushed.obj")});
    }
    calls.append({"pose", in, "--pose", path("bind.json"), "-o", path("limit.glb")});
    QVERIFY(write(path("turn.json"), poseOf("#0", 60)));
    for (const char* method : kMethods) {
        const QStringList posed{"--pose", path("turn.json"), "--method", method, "-o"};
        const QString sculpt = path("limit_sculpt.obj");
        QFile::remove(path("turned.obj"));
        run(QStringList{"deform", in} + posed + QStringList{path("turned.obj")}); // refused where there is no joint
        if (pushVertices(path("turned.obj"), sculpt, -1e9, 0.05) == 0)
            continue; // there is nothing to sculpt
        calls.append(QStringList{"corrective", "add", in, "--sculpt", sculpt, "--name", "fix"} + posed +
                     QStringList{path("sculpted.glb")});
        calls.append({"deform", path("sculpted.glb"), "--pose", path("turn.json"), "-o", path("sculpted.obj")});
    }
    if (!qEnvironmentVariableIsEmpty("DISPLAY"))
        calls.append({"render", in, "--size", "96x96", "-o", path("limit.png")});
    for (const QStringList& words : calls) {
        const QString output = words.contains("info") || words.contains("check") ? QString() : words.last();
        if (!output.isEmpty())
            QFile::remove(output);
        const Outcome outcome = run(words);
        const bool done = outcome.code == 0 || outcome.code == 4;
        QVERIFY2(done || ((outcome.code == 1 || outcome.code == 3) && outcome.err.startsWith("limber: ")),
                 qPrintable(words.join(' ') + QString(": %1 ").arg(outcome.code) + outcome.err));
        if (output.endsWith(".obj") && done) {
            const QByteArray obj = read(output).toLower();
            QVERIFY2(!obj.contains("nan") && !obj.contains("inf"), qPrintable(words.join(' ')));
        } else if (output.endsWith(".glb") && done) {
            const auto saved = io::loadGltf(output.toStdString());
            QVERIFY2(saved.ok() && isFinite(saved->state), qPrintable(words.join(' ')));
        }
        if (!done && !output.isEmpty())
            QVERIFY2(!QFile::exists(output), qPrintable(output));
    }
}

QTEST_GUILESS_MAIN(TestCommandLineSkinning)
#include "test_command_line_skinning.moc"
