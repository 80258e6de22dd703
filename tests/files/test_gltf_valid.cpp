// Everything that a glTF file may do and seldom does: each opens to what the specification says it means.
#include "tests/files/gltf_compare.h"
#include "tests/files/gltf_edits.h"

#include <QTest>

#include <meshoptimizer.h>

using namespace limber;
using namespace limber::test;
using Eigen::Vector3f;
using rig::Channel;

namespace {

io::LoadedFile opened(const GltfText& text) {
    auto file = text.load();
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return std::move(*file);
}

bool lists(const io::LoadedFile& file, const std::string& code) {
    return std::any_of(file.repairs.begin(), file.repairs.end(), [&](const io::Repair& r) { return r.code == code; });
}

// One clip that moves `path` of a node.
void addClip(GltfText& text, std::size_t node, const char* path, const char* interpolation, std::size_t times,
             std::size_t values) {
    text.json["animations"].push_back(
        {{"channels", {{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}}},
         {"samplers", {{{"input", times}, {"output", values}, {"interpolation", interpolation}}}}});
}

rig::Affine worldOf(const document::DocumentState& state, std::size_t node) {
    rig::Transforms world;
    rig::forwardKinematics(state.skeleton, state.pose, world);
    return world[node];
}

} // namespace

class TestGltfValid : public QObject {
    Q_OBJECT

private slots:
    void attributesOfEveryComponentType_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("normalized");
        QTest::addColumn<float>("value"); // of the largest number that the type holds
        QTest::newRow("bytes") << 5120 << false << 127.0f;
        QTest::newRow("normalized bytes") << 5120 << true << 1.0f;
        QTest::newRow("unsigned bytes") << 5121 << false << 255.0f;
        QTest::newRow("normalized unsigned bytes") << 5121 << true << 1.0f;
        QTest::newRow("shorts") << 5122 << false << 32767.0f;
        QTest::newRow("normalized shorts") << 5122 << true << 1.0f;
        QTest::newRow("unsigned shorts") << 5123 << false << 65535.0f;
        QTest::newRow("normalized unsigned shorts") << 5123 << true << 1.0f;
    }
    void attributesOfEveryComponentType() {
        QFETCH(int, type);
        QFETCH(bool, normalized);
        QFETCH(float, value);
        GltfText text;
        text.withSquare();
        text.json["extensionsUsed"] = text.json["extensionsRequired"] = {"KHR_mesh_quantization"};
        // Padded to four bytes an element; the largest number of either sign of type, x of the second vertex.
        std::vector<std::uint8_t> bytes(16, 0);
        std::vector<std::uint16_t> shorts(16, 0);
        bytes[4] = type == 5120 ? 0x7F : 0xFF;
        shorts[4] = type == 5122 ? 0x7FFF : 0xFFFF;
        const std::size_t accessor =
            type < 5122 ? text.add(bytes, "VEC3", type, 4, normalized) : text.add(shorts, "VEC3", type, 4, normalized);
        text.json["bufferViews"].back()["byteStride"] = type < 5122 ? 4 : 8;
        text.json["accessors"][accessor].update(
            {{"min", {0, 0, 0}}, {"max", {type < 5122 ? bytes[4] : shorts[4], 0, 0}}});
        text.attributes()["POSITION"] = accessor;
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.meshes[0].geometry.positions[1], Vector3f(value, 0, 0));
        QVERIFY2(file.repairs.empty(), file.repairs.empty() ? "" : file.repairs[0].text.c_str());
    }

    void colorsAndTexturePlacesOfIntegers() {
        GltfText text;
        text.withSquare();
        std::vector<std::uint16_t> uvs(8, 0);
        uvs[2] = 65535;
        text.attributes()["TEXCOORD_0"] = text.add(uvs, "VEC2", 5123, 2, true);
        std::vector<std::uint8_t> colors(16, 255);
        colors[1] = 51;
        text.attributes()["COLOR_0"] = text.add(colors, "VEC3", 5121, 4, true);
        text.json["bufferViews"].back()["byteStride"] = 4;
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.meshes[0].geometry.uvs[1], Eigen::Vector2f(1, 0));
        QCOMPARE(file.state.meshes[0].geometry.colors[0], Eigen::Vector4f(1, 0.2f, 1, 1));
        QVERIFY(file.repairs.empty());
    }

    void interleavedAttributes() {
        GltfText text;
        text.withSquare();
        const std::vector<float> both{0, 0, 0, 7, 7, 1, 0, 0, 7, 7, 1, 1, 0, 0.25f, 0.5f, 0, 1, 0, 7, 7};
        const std::size_t position = text.addFloats(both, "VEC2"), uv = text.json["accessors"].size();
        text.json["bufferViews"].back()["byteStride"] = 20;
        Json& accessor = text.json["accessors"][position];
        accessor["count"] = 4;
        text.json["accessors"].push_back(accessor);
        text.json["accessors"][position].update({{"type", "VEC3"}, {"min", {0, 0, 0}}, {"max", {1, 1, 0}}});
        text.json["accessors"][uv]["byteOffset"] = 12;
        text.attributes().update({{"POSITION", position}, {"TEXCOORD_0", uv}});
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.meshes[0].geometry.positions[2], Vector3f(1, 1, 0));
        QCOMPARE(file.state.meshes[0].geometry.uvs[2], Eigen::Vector2f(0.25f, 0.5f));
        QVERIFY(file.repairs.empty());
    }

    void sparseValuesWithoutAViewReplaceZeros() {
        GltfText text;
        text.withSquare();
        const std::uint8_t index = 3;
        const float value[] = {4, 5, 6};
        text.json["accessors"].push_back(
            {{"componentType", 5126},
             {"count", 4},
             {"type", "VEC3"},
             {"min", {0, 0, 0}},
             {"max", {4, 5, 6}},
             {"sparse",
              {{"count", 1},
               {"indices", {{"bufferView", text.addView(&index, 1)}, {"componentType", 5121}}},
               {"values", {{"bufferView", text.addView(value, 12)}}}}}});
        text.attributes()["POSITION"] = text.json["accessors"].size() - 1;
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.meshes[0].geometry.positions[3], Vector3f(4, 5, 6));
        QCOMPARE(file.state.meshes[0].geometry.positions[0], Vector3f(0, 0, 0));
        QVERIFY(file.repairs.empty());
    }

    void partsOfOneMeshWithDifferentAttributes() {
        GltfText text;
        text.withSquare();
        Json second = text.primitive();
        second["attributes"]["COLOR_0"] = text.addFloats(std::vector<float>(16, 0.5f), "VEC4");
        second["mode"] = 0; // points are kept, but not drawn
        second.erase("indices");
        text.json["meshes"][0]["primitives"].push_back(second);
        const mesh::Mesh geometry = opened(text).state.meshes[0].geometry;
        QCOMPARE(geometry.parts.size(), std::size_t(2));
        QCOMPARE(geometry.vertexCount(), std::size_t(8));
        QCOMPARE(geometry.triangleCount(), std::size_t(2));
        QCOMPARE(geometry.colors[0], Eigen::Vector4f(1, 1, 1, 1));
        QCOMPARE(geometry.colors[7], Eigen::Vector4f(.5f, .5f, .5f, .5f));
    }

    void skinsThatShareJointsAndMeshesThatShareSkins() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["skins"].push_back({{"joints", {2, 1}}, {"skeleton", 1}});
        text.json["meshes"].push_back(text.json["meshes"][0]);
        text.json["nodes"].push_back({{"mesh", 1}, {"skin", 0}});
        text.json["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
        text.json["scenes"][0]["nodes"] = {0, 1, 3, 4};
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.instances.size(), std::size_t(3));
        QCOMPARE(file.state.instances[1].skin, SkinId(0));
        QCOMPARE(file.state.instances[2].skin, SkinId(1));
        QCOMPARE(file.state.skins[1].joints, (std::vector<JointId>{JointId(2), JointId(1)}));
        QVERIFY(file.repairs.empty());
    }

    void jointsThatAreCamerasOrCarryMeshes() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 1}}}}};
        text.json["nodes"][1].update({{"camera", 0}, {"translation", {0, 3, 0}}});
        text.json["nodes"][2]["mesh"] = 1;
        Json rigid = text.json["meshes"][0];
        for (const char* key : {"JOINTS_0", "WEIGHTS_0"})
            rigid["primitives"][0]["attributes"].erase(key);
        text.json["meshes"].push_back(rigid);
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.instances.size(), std::size_t(2));
        QVERIFY(!file.state.instances[1].skin.valid());
        QCOMPARE(worldOf(file.state, 2).translation(), Eigen::Vector3d(0, 3, 0));
        QVERIFY(file.repairs.empty());
    }

    void jointsOutsideOfTheNamedSkeletonAndWithoutAScene() {
        GltfText text;
        text.withSquare().withSkin().json["skins"][0]["skeleton"] = 2;
        text.json.erase("scene");
        text.json.erase("scenes");
        const io::LoadedFile file = opened(text);
        QVERIFY(lists(file, "SKIN_SKELETON_INVALID"));
        QCOMPARE(file.state.instances.size(), std::size_t(1));
        QCOMPARE(file.state.skins[0].joints.size(), std::size_t(2));
    }

    void shapesOfPartsWithDifferentCounts() {
        GltfText text;
        text.withSquare();
        const std::size_t up = text.addFloats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
        const std::size_t side = text.addFloats({1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, "VEC3");
        text.attributes()["NORMAL"] = text.addFloats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
        Json second = text.primitive();
        text.primitive()["targets"] = {{{"POSITION", up}}};
        second["targets"] = {{{"POSITION", up}}, {{"POSITION", side}, {"NORMAL", side}}};
        text.json["meshes"][0]["primitives"].push_back(second);
        text.json["meshes"][0]["weights"] = {0, 0.5};
        const io::LoadedFile file = opened(text);
        QVERIFY(lists(file, "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT"));
        const std::vector<shape::Shape>& shapes = file.state.meshes[0].shapes;
        QCOMPARE(shapes.size(), std::size_t(2));
        QCOMPARE(shapes[0].vertices.size(), std::size_t(8));
        QCOMPARE(shapes[1].vertices, (std::vector<std::uint32_t>{4, 5, 6, 7}));
        QCOMPARE(shapes[1].normalDeltas[0], Vector3f(1, 0, 0));
        QCOMPARE(shapes[1].name, std::string("Shape 2"));
        QCOMPARE(file.state.instances[0].shapeWeights, (std::vector<double>{0, 0.5}));
    }

    void aNewShapeOfPartsWithDifferentCountsKeepsTheirNumbers() {
        GltfText text;
        text.withSquare();
        Json second = text.primitive();
        const std::size_t up = text.addFloats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
        second["targets"] = {{{"POSITION", up}}, {{"POSITION", up}}};
        text.json["meshes"][0]["primitives"].push_back(second);
        Opened source = openText(text);
        QCOMPARE(differences(text.text(), written(source, io::Container::Gltf)), QString());
        addShape(source.doc, MeshId(0), "new", 0.5);
        const std::vector<std::byte> saved = written(source, io::Container::Glb);
        const Json json = jsonOf(saved); // must live as long as the loop
        for (const Json& primitive : json["meshes"][0]["primitives"]) {
            QCOMPARE(primitive["targets"].size(), std::size_t(3));
            for (const Json& target : primitive["targets"])
                QVERIFY(target.contains("POSITION"));
        }
        const QString lost = lostBetween(source.doc.state(), reopened(saved).doc.state());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
    }

    void keysStayAsTheyAreInTheFile_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("keys");
        QTest::newRow("steps") << QByteArray("STEP") << 2;
        QTest::newRow("lines") << QByteArray("LINEAR") << 2;
        QTest::newRow("splines") << QByteArray("CUBICSPLINE") << 6;
    }
    void keysStayAsTheyAreInTheFile() {
        QFETCH(QByteArray, name);
        QFETCH(int, keys);
        GltfText text;
        text.withSquare();
        std::vector<float> values(static_cast<std::size_t>(keys) * 3);
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = 0.1f * static_cast<float>(k);
        addClip(text, 0, "scale", name.constData(), text.addFloats({0.5f, 2}, "SCALAR"),
                text.addFloats(values, "VEC3"));
        const io::LoadedFile file = opened(text);
        const Channel& channel = file.state.clips[0].channels[0];
        QCOMPARE(channel.values, values);
        QCOMPARE(channel.times, (std::vector<float>{0.5f, 2}));
        QCOMPARE(static_cast<int>(channel.interpolation), name == "STEP" ? 0 : name == "LINEAR" ? 1 : 2);
    }

    void whatALaterStandardMayKnowIsLeftOut() {
        GltfText text;
        text.withSquare();
        addClip(text, 0, "scale", "BEZIER", text.addFloats({0, 1}, "SCALAR"),
                text.addFloats({1, 1, 1, 2, 2, 2}, "VEC3"));
        const io::LoadedFile file = opened(text);
        QVERIFY(lists(file, "VALUE_NOT_IN_LIST"));
        QVERIFY(file.state.clips[0].channels.empty());
    }

    void aPartWithoutPositionsShowsNothing() {
        GltfText text;
        text.withSquare();
        Json second = text.primitive();
        second["attributes"] = {{"NORMAL", text.addFloats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3")}};
        text.json["meshes"][0]["primitives"].push_back(second);
        Opened source = openText(text);
        QCOMPARE(source.doc.mesh(MeshId(0)).geometry.vertexCount(), std::size_t(4));
        QCOMPARE(source.doc.mesh(MeshId(0)).geometry.triangleCount(), std::size_t(2));
        addShape(source.doc, MeshId(0), "new", 0.5);
        const QString lost = lostBetween(source.doc.state(), reopened(written(source, io::Container::Glb)).doc.state());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
    }

    void shearAndMirroringBetweenNodes() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["nodes"][1]["scale"] = {1, -3, 1};
        text.json["nodes"][2]["rotation"] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
        text.json["nodes"][2]["scale"] = {2, 1, 1};
        text.json["nodes"].push_back({{"rotation", {0, 0, 0.6, 0.8}}});
        text.json["nodes"][2]["children"] = {3};
        const io::LoadedFile file = opened(text);
        const Eigen::Matrix3d expected =
            Eigen::Vector3d(1, -3, 1).asDiagonal() * Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()).matrix() *
            Eigen::Vector3d(2, 1, 1).asDiagonal() * Eigen::Quaterniond(0.8, 0, 0, 0.6).matrix();
        QVERIFY((worldOf(file.state, 3).linear() - expected).norm() < 1e-12);
        QVERIFY(file.repairs.empty());
    }

    void namesOfAnyKind() {
        GltfText text;
        text.withSquare().withSkin();
        text.json["nodes"][1]["name"] = "";
        text.json["nodes"][2]["name"] = "";
        text.json["nodes"][0]["name"] = "Körper 身体 🦴";
        const io::LoadedFile file = opened(text);
        QCOMPARE(file.state.skeleton[JointId(1)].name, std::string());
        QCOMPARE(file.state.instances[0].name, std::string("Körper 身体 🦴"));
        QVERIFY(file.repairs.empty());
    }

    void materialsWithTransformedTexturesAndWithoutLight() {
        GltfText text;
        text.withSquare();
        text.attributes()["TEXCOORD_0"] = text.addFloats({0, 0, 1, 0, 1, 1, 0, 1}, "VEC2");
        text.json["extensionsUsed"] = {"KHR_texture_transform", "KHR_materials_unlit"};
        text.json["images"] = {{{"uri", "data:image/png;base64,iVBORw0KGgo="}}};
        text.json["textures"] = {{{"source", 0}}};
        text.json["materials"] = {
            {{"extensions", {{"KHR_materials_unlit", Json::object()}}},
             {"pbrMetallicRoughness",
              {{"baseColorTexture",
                {{"index", 0},
                 {"extensions",
                  {{"KHR_texture_transform", {{"offset", {0.5, 0.25}}, {"rotation", 1}, {"scale", {2, 3}}}}}}}}}}}};
        text.primitive()["material"] = 0;
        const io::LoadedFile file = opened(text);
        QVERIFY(file.state.materials[0].unlit);
        QCOMPARE(file.state.materials[0].baseColorTexture.transform, (std::array<double, 5>{0.5, 0.25, 1, 2, 3}));
        QVERIFY(file.repairs.empty());
    }

    void aScaleOfZeroKeepsTheRotationForClips() {
        GltfText text;
        text.withSquare().json["nodes"][0].update({{"scale", {0, 0, 0}}, {"rotation", {0, 0, 0.6, 0.8}}});
        addClip(text, 0, "scale", "LINEAR", text.addFloats({0, 1}, "SCALAR"),
                text.addFloats({0, 0, 0, 1, 1, 1}, "VEC3"));
        const io::LoadedFile file = opened(text);
        const rig::Clip& clip = file.state.clips[0];
        QCOMPARE(clip.duration, 1.0);
        const auto turned = std::find_if(clip.channels.begin(), clip.channels.end(),
                                         [](const Channel& c) { return c.path == Channel::Path::Rotation; });
        QVERIFY(turned != clip.channels.end());
        QCOMPARE(turned->values, (std::vector<float>{0, 0, 0.6f, 0.8f}));
    }

    void buffersWithoutDataReadAsZeros() {
        GltfText text;
        text.withSquare();
        const auto whole = text.text();
        Json json = Json::parse(std::string(reinterpret_cast<const char*>(whole.data()), whole.size()));
        json["buffers"][0].erase("uri");
        const std::string bare = json.dump();
        const auto bytes = std::as_bytes(std::span(bare));
        const auto file = io::loadGlb({bytes.begin(), bytes.end()}, "");
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(file->state.meshes[0].geometry.positions[2], Vector3f(0, 0, 0));
        QVERIFY(lists(*file, "BUFFER_WITHOUT_DATA"));
    }
};

QTEST_APPLESS_MAIN(TestGltfValid)
#include "test_gltf_valid.moc"
