#include "core/io/scene_build.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <cstring>
#include <functional>
#include <numeric>

using namespace limber;
using namespace limber::io;
using nlohmann::json;

namespace {

// A skinned triangle pair with a shape, an image, a clip and a material.
SceneBuild smallScene() {
    SceneBuild s;
    s.generator = "test";
    BuildPrimitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, -3}};
    p.normals.assign(4, {0, 0, 1});
    p.uvs.assign(4, {0.25F, 0.75F});
    p.triangles = {0, 1, 2, 2, 1, 3};
    p.influences = {{{0, 1.0F}}, {{0, 0.3F}, {1, 0.7F}}, {{1, 1.0F}}, {{0, 0.1F}, {1, 0.9F}}};
    p.material = 0;
    p.shapes = {{"smile", {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}}, {}}};
    s.meshes = {{"cloth", {p}}};
    s.materials = {{"red", {1, 0, 0, 1}, 0, 0, 0.5, true, true}};
    s.images = {{"red", "image/png", std::vector<std::byte>(5, std::byte{7})}};
    s.nodes = {{"hip", -1, math::Affine::Identity(), -1, -1},
               {"knee", 0, math::Affine(Eigen::Translation3d(0, 1, 0)), -1, -1},
               {"cloth", -1, math::Affine::Identity(), 0, 0}};
    s.skins = {{"rig", {0, 1}, {math::Affine::Identity(), math::Affine(Eigen::Translation3d(0, -1, 0))}}};
    s.clips = {{"wave",
                {{1, BuildChannel::Path::Rotation, {0, 0.5F}, {0, 0, 0, 1, 0, 1, 0, 0}},
                 {2, BuildChannel::Path::Weights, {0, 0.5F}, {0, 1}}}}};
    return s;
}

struct Glb {
    json tree;
    std::vector<std::byte> binary;
};

std::uint32_t word(const std::vector<std::byte>& bytes, std::size_t at) {
    std::uint32_t v = 0;
    std::memcpy(&v, bytes.data() + at, 4);
    return v;
}

Glb parse(const std::vector<std::byte>& bytes) {
    const std::uint32_t length = word(bytes, 12);
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + 20;
    Glb glb{json::parse(text, text + length), {}};
    if (bytes.size() > 20 + length)
        glb.binary.assign(bytes.begin() + 28 + length, bytes.end());
    return glb;
}

Glb written(const SceneBuild& scene) {
    const auto bytes = writeGlb(scene);
    return bytes ? parse(*bytes) : Glb{};
}

std::vector<float> floats(const Glb& glb, int accessor) {
    const json& a = glb.tree["accessors"][accessor];
    const json& view = glb.tree["bufferViews"][a["bufferView"].get<int>()];
    std::vector<float> values(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(values.data(), glb.binary.data() + view["byteOffset"].get<std::size_t>(), values.size() * 4);
    return values;
}

using Spoil = std::function<void(SceneBuild&)>;

} // namespace

Q_DECLARE_METATYPE(Spoil)

class TestSceneBuild : public QObject {
    Q_OBJECT

private slots:
    void headerAndChunksFitTheFile() {
        const auto bytes = writeGlb(smallScene());
        QVERIFY(bytes);
        QCOMPARE(word(*bytes, 0), 0x46546C67U);
        QCOMPARE(word(*bytes, 4), 2U);
        QCOMPARE(word(*bytes, 8), static_cast<std::uint32_t>(bytes->size()));
        QCOMPARE(word(*bytes, 12) % 4, 0U);
        QCOMPARE(bytes->size() % 4, std::size_t{0});
    }

    void theSameSceneGivesTheSameBytes() { QVERIFY(*writeGlb(smallScene()) == *writeGlb(smallScene())); }

    void emptySceneIsAFile() {
        const Glb glb = written({});
        QCOMPARE(glb.tree["asset"]["version"], "2.0");
        QVERIFY(!glb.tree.contains("buffers"));
    }

    void viewsStartAtMultiplesOfFourAndStayInside() {
        const Glb glb = written(smallScene());
        for (const json& view : glb.tree["bufferViews"]) {
            QCOMPARE(view["byteOffset"].get<int>() % 4, 0);
            QVERIFY(view["byteOffset"].get<int>() + view["byteLength"].get<int>() <=
                    glb.tree["buffers"][0]["byteLength"]);
        }
    }

    void positionsAndTimesHaveBounds() {
        const Glb glb = written(smallScene());
        const json& p = glb.tree["meshes"][0]["primitives"][0];
        const json& positions = glb.tree["accessors"][p["attributes"]["POSITION"].get<int>()];
        QCOMPARE(positions["min"], json({0.0, 0.0, -3.0}));
        QCOMPARE(positions["max"], json({1.0, 2.0, 0.0}));
        const json& sampler = glb.tree["animations"][0]["samplers"][0];
        QCOMPARE(glb.tree["accessors"][sampler["input"].get<int>()]["max"], json({0.5}));
    }

    void shapesHaveNamesAndRestWeights() {
        const json mesh = written(smallScene()).tree["meshes"][0];
        QCOMPARE(mesh["extras"]["targetNames"], json({"smile"}));
        QCOMPARE(mesh["weights"], json({0.0}));
    }

    void rootsAreListedAndParentsHoldTheirChildren() {
        const json tree = written(smallScene()).tree;
        QCOMPARE(tree["scenes"][0]["nodes"], json({0, 2}));
        QCOMPARE(tree["nodes"][0]["children"], json({1}));
    }

    void shearedNodesAreWrittenAsMatrices() {
        SceneBuild s = smallScene();
        s.nodes[0].local.matrix()(0, 1) = 0.5;
        const json tree = written(s).tree;
        QVERIFY(tree["nodes"][0].contains("matrix"));
        QVERIFY(!tree["nodes"][1].contains("matrix"));
        QVERIFY(tree["nodes"][1].contains("translation"));
    }

    void aSkinNamesTheLowestNodeAboveAllItsJoints() {
        SceneBuild s = smallScene();
        QCOMPARE(written(s).tree["skins"][0]["skeleton"].get<int>(), 0); // the hip, above the knee
        s.nodes[0].parent = 3;
        s.nodes[1].parent = 3;
        s.nodes.push_back({"rig", 4, math::Affine::Identity(), -1, -1});
        s.nodes.push_back({"scene", -1, math::Affine::Identity(), -1, -1});
        QCOMPARE(written(s).tree["skins"][0]["skeleton"].get<int>(), 3);
        s.nodes[1].parent = -1;
        QVERIFY(!written(s).tree["skins"][0].contains("skeleton"));
    }

    void weightsSumToOneInAsManySetsAsNeeded_data() {
        QTest::addColumn<int>("influences");
        QTest::addColumn<int>("sets");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("four") << 4 << 1;
        QTest::newRow("five") << 5 << 2;
        QTest::newRow("seventeen") << 17 << 5;
    }

    void weightsSumToOneInAsManySetsAsNeeded() {
        QFETCH(int, influences);
        QFETCH(int, sets);
        SceneBuild s = smallScene();
        while (s.nodes.size() < 20) {
            s.skins[0].joints.push_back(static_cast<int>(s.nodes.size()));
            s.skins[0].inverseBinds.push_back(math::Affine::Identity());
            s.nodes.push_back({"", 0, math::Affine::Identity(), -1, -1});
        }
        auto& row = s.meshes[0].primitives[0].influences[2];
        row.clear();
        for (int i = 0; i < influences; ++i)
            row.push_back({static_cast<std::uint32_t>(i), 1.0F / static_cast<float>(3 + i)});
        const Glb glb = written(s);
        const json& attributes = glb.tree["meshes"][0]["primitives"][0]["attributes"];
        double sum = 0;
        for (int set = 0; set < sets; ++set) {
            const auto values = floats(glb, attributes["WEIGHTS_" + std::to_string(set)].get<int>());
            sum = std::accumulate(values.begin() + 8, values.begin() + 12, sum);
        }
        QVERIFY(std::abs(sum - 1) < 2e-7 * influences);
        QVERIFY(!attributes.contains("WEIGHTS_" + std::to_string(sets)));
    }

    void aJointNamedTwiceInARowIsAddedUp() {
        SceneBuild s = smallScene();
        s.meshes[0].primitives[0].influences[0] = {{1, 0.25F}, {0, 0.5F}, {1, 0.25F}};
        const Glb glb = written(s);
        const auto values = floats(glb, glb.tree["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<int>());
        QCOMPARE(values[0], 0.5F);
        QCOMPARE(values[1], 0.5F);
        QCOMPARE(values[2], 0.0F);
    }

    void manyVerticesGetWideIndices() {
        SceneBuild s;
        BuildPrimitive p;
        p.positions.assign(70000, {0, 0, 0});
        p.triangles = {0, 1, 69999};
        s.meshes = {{"", {p}}};
        s.nodes = {{"", -1, math::Affine::Identity(), 0, -1}};
        const json tree = written(s).tree;
        QCOMPARE(tree["accessors"][tree["meshes"][0]["primitives"][0]["indices"].get<int>()]["componentType"], 5125);
    }

    void faultsAreNamedByPlace_data() {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* where, Spoil spoil) {
            QTest::newRow(name) << spoil << QString(where);
        };
        row("short normals", "meshes[0].primitives[0].normals",
            [](SceneBuild& s) { s.meshes[0].primitives[0].normals.pop_back(); });
        row("infinite position", "meshes[0].primitives[0].positions",
            [](SceneBuild& s) { s.meshes[0].primitives[0].positions[1].x() = INFINITY; });
        row("index out of range", "meshes[0].primitives[0].triangles",
            [](SceneBuild& s) { s.meshes[0].primitives[0].triangles[4] = 4; });
        row("half a triangle", "meshes[0].primitives[0].triangles",
            [](SceneBuild& s) { s.meshes[0].primitives[0].triangles.pop_back(); });
        row("negative weight", "meshes[0].primitives[0].influences[1]",
            [](SceneBuild& s) { s.meshes[0].primitives[0].influences[1][0].weight = -0.1F; });
        row("no weight", "meshes[0].primitives[0].influences[3]",
            [](SceneBuild& s) { s.meshes[0].primitives[0].influences[3].clear(); });
        row("unknown joint", "nodes[2]", [](SceneBuild& s) { s.meshes[0].primitives[0].influences[0][0].joint = 2; });
        row("skin without mesh", "nodes[2]", [](SceneBuild& s) { s.nodes[2].mesh = -1; });
        row("short shape", "meshes[0].primitives[0].shapes[0].deltas",
            [](SceneBuild& s) { s.meshes[0].primitives[0].shapes[0].deltas.pop_back(); });
        row("different shapes", "meshes[0].primitives[1].shapes", [](SceneBuild& s) {
            s.meshes[0].primitives.push_back(s.meshes[0].primitives[0]);
            s.meshes[0].primitives[1].shapes[0].name = "frown";
        });
        row("unknown material", "meshes[0].primitives[0].material",
            [](SceneBuild& s) { s.meshes[0].primitives[0].material = 1; });
        row("unknown parent", "nodes[1]", [](SceneBuild& s) { s.nodes[1].parent = 9; });
        row("own ancestor", "nodes[0]", [](SceneBuild& s) { s.nodes[0].parent = 1; });
        row("binds missing", "skins[0]", [](SceneBuild& s) { s.skins[0].inverseBinds.pop_back(); });
        row("joint twice", "skins[0].joints[1]", [](SceneBuild& s) { s.skins[0].joints[1] = 0; });
        row("unknown image", "materials[0]", [](SceneBuild& s) { s.materials[0].baseColorImage = 3; });
        row("unknown image type", "images[0]", [](SceneBuild& s) { s.images[0].mimeType = "image/bmp"; });
        row("times standing still", "clips[0].channels[0]", [](SceneBuild& s) { s.clips[0].channels[0].times[1] = 0; });
        row("values missing", "clips[0].channels[0]", [](SceneBuild& s) { s.clips[0].channels[0].values.pop_back(); });
        row("weights without shapes", "clips[0].channels[1]", [](SceneBuild& s) { s.clips[0].channels[1].node = 0; });
        row("driven twice", "clips[0].channels[2]",
            [](SceneBuild& s) { s.clips[0].channels.push_back(s.clips[0].channels[0]); });
        row("clip without channels", "clips[0]", [](SceneBuild& s) { s.clips[0].channels.clear(); });
    }

    void faultsAreNamedByPlace() {
        QFETCH(Spoil, spoil);
        QFETCH(QString, where);
        SceneBuild s = smallScene();
        spoil(s);
        const auto glb = writeGlb(s);
        QVERIFY(!glb);
        QCOMPARE(QString::fromStdString(glb.error().where), where);
    }
};

QTEST_APPLESS_MAIN(TestSceneBuild)
#include "test_scene_build.moc"
