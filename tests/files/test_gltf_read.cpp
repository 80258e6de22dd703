// What glTF files are read to: small ones written here, and the real ones of the test data.
#include "core/io/gltf_file.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"
#include "tests/support/time_limit.h"

#include <QElapsedTimer>
#include <QTest>

using namespace limber;
using namespace limber::test;
using document::DocumentState;

namespace {

// Empty, or what is wrong with a state that the reader let through.
QString faultOf(const DocumentState& state) {
    for (const document::MeshData& mesh : state.meshes) {
        const std::size_t count = mesh.geometry.vertexCount();
        if (mesh.geometry.normals.size() != count)
            return "normals or weld missing";
        for (const auto& n : mesh.geometry.normals)
            if (std::abs(n.norm() - 1) > 1e-4f)
                return "a normal is not unit";
        for (const std::uint32_t corner : mesh.geometry.triangles)
            if (corner >= count)
                return "a corner leads nowhere";
        for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
            double sum = 0;
            for (const skin::Influence& i : mesh.weights.row(v))
                sum += i.weight;
            if (!mesh.weights.row(v).empty() && !(std::abs(sum - 1) <= 2e-6))
                return "weights do not sum to one";
        }
        for (const shape::Shape& s : mesh.shapes)
            if (!std::is_sorted(s.vertices.begin(), s.vertices.end()) || s.deltas.size() != s.vertices.size())
                return "a shape is not sorted";
    }
    for (const document::Instance& instance : state.instances)
        if (instance.shapeWeights.size() != state.meshes[instance.mesh.index()].shapes.size())
            return "sliders do not fit the shapes";
    for (const rig::Affine& m : state.pose)
        if (!math::allFinite(m))
            return "a joint is not finite";
    return {};
}

std::vector<float> rowOf(const DocumentState& state, std::size_t vertex) {
    std::vector<float> flat;
    for (const skin::Influence& i : state.meshes[0].weights.row(vertex)) {
        flat.push_back(static_cast<float>(i.slot));
        flat.push_back(i.weight);
    }
    return flat;
}

bool repaired(const io::LoadedFile& file, const std::string& code) {
    return std::any_of(file.repairs.begin(), file.repairs.end(), [&](const io::Repair& r) { return r.code == code; });
}

} // namespace

class TestGltfRead : public QObject {
    Q_OBJECT

private slots:
    void drawingModesBecomeTriangles_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<std::vector<std::uint32_t>>("triangles");
        QTest::newRow("points") << 0 << std::vector<std::uint32_t>{};
        QTest::newRow("lines") << 1 << std::vector<std::uint32_t>{};
        QTest::newRow("strip") << 5 << std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3};
        QTest::newRow("fan") << 6 << std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3};
    }
    void drawingModesBecomeTriangles() {
        QFETCH(int, mode);
        QFETCH(std::vector<std::uint32_t>, triangles);
        GltfText text;
        text.withSquare().primitive().erase("indices");
        text.primitive()["mode"] = mode;
        const auto file = text.load();
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(file->state.meshes[0].geometry.triangles, triangles);
        QCOMPARE(file->state.meshes[0].geometry.vertexCount(), std::size_t(4));
    }

    void missingNormalsAreMade() {
        const auto file = GltfText().withSquare().load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.meshes[0].geometry.normals[2], Eigen::Vector3f(0, 0, 1));
    }

    void sparseValuesReplaceThoseOfTheView() {
        GltfText text;
        text.withSquare();
        const std::uint16_t index = 2;
        const float value[] = {7, 8, 9};
        Json& accessor = text.json["accessors"][text.attributes()["POSITION"].get<int>()];
        accessor["sparse"] = {{"count", 1},
                              {"indices", {{"bufferView", text.addView(&index, 2)}, {"componentType", 5123}}},
                              {"values", {{"bufferView", text.addView(value, 12)}}}};
        const auto file = text.load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.meshes[0].geometry.positions[2], Eigen::Vector3f(7, 8, 9));
        QCOMPARE(file->state.meshes[0].geometry.positions[1], Eigen::Vector3f(1, 0, 0));
    }

    void quantizedPositionsAreScaled() {
        GltfText text;
        text.withSquare();
        text.json["extensionsRequired"] = {"KHR_mesh_quantization"};
        text.attributes()["POSITION"] =
            text.add(std::vector<std::int16_t>{0, 0, 0, 0, 32767, 0, 0, 0, 32767, -32768, 0, 0, 0, 1, 2, 0}, "VEC3",
                     5122, 4, true);
        text.json["bufferViews"].back()["byteStride"] = 8;
        const auto file = text.load();
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(file->state.meshes[0].geometry.positions[2], Eigen::Vector3f(1, -1, 0));
    }

    void influenceSetsAreMergedAndMended() {
        GltfText text;
        text.withSquare().withSkin();
        text.attributes()["JOINTS_1"] =
            text.add(std::vector<std::uint16_t>{1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5123, 4);
        text.attributes()["WEIGHTS_1"] = text.addFloats({.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0}, "VEC4");
        text.attributes()["WEIGHTS_0"] =
            text.addFloats({.25f, .25f, 0, 0, .5f, .5f, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0}, "VEC4");
        const auto file = text.load();
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(rowOf(file->state, 0), (std::vector<float>{0, .25f, 1, .75f})); // joint 1 in both sets
        QCOMPARE(rowOf(file->state, 1), (std::vector<float>{0, .5f, 1, .5f}));
        QCOMPARE(rowOf(file->state, 2), (std::vector<float>{0, .25f, 1, .75f})); // summed to four
        QCOMPARE(rowOf(file->state, 3), std::vector<float>{});
        for (const char* code : {"ACCESSOR_WEIGHTS_NEGATIVE", "ACCESSOR_JOINTS_INDEX_OOB",
                                 "ACCESSOR_WEIGHTS_NON_NORMALIZED", "UNWEIGHTED_VERTICES"})
            QVERIFY2(repaired(*file, code), code);
    }

    void normalizedWeightsSumToOne() {
        GltfText text;
        text.withSquare().withSkin();
        text.attributes()["WEIGHTS_0"] =
            text.add(std::vector<std::uint8_t>{51, 204, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 128, 127, 0, 0}, "VEC4", 5121,
                     4, true);
        const auto file = text.load();
        QVERIFY(file.ok());
        QVERIFY(file->repairs.empty());
        QCOMPARE(rowOf(file->state, 0), (std::vector<float>{0, 51 / 255.0f, 1, 204 / 255.0f}));
    }

    void aWeightedJointThatTheSkinLacksIsRefused() {
        GltfText text;
        text.withSquare().withSkin().json["skins"][0]["joints"] = {1};
        const auto file = text.load();
        QVERIFY(!file.ok());
        QCOMPARE(file.error().code, ErrorCode::InputRefused);
        QVERIFY2(file.error().text.find("joint 1") != std::string::npos, file.error().message().c_str());
    }

    void onlyTheDefaultSceneIsShown() {
        GltfText text;
        text.withSquare().json["nodes"] = {{{"mesh", 0}, {"name", "shown"}}, {{"mesh", 0}, {"name", "hidden"}}};
        auto file = text.load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.instances.size(), std::size_t(1));
        QCOMPARE(file->state.instances[0].name, std::string("shown"));
        QCOMPARE(file->state.skeleton.size(), std::size_t(2));
        text.json.erase("scene");
        file = text.load();
        QCOMPARE(file->state.instances.size(), std::size_t(2));
    }

    void matrixAndTrsNodesGiveTheSameTransform() {
        GltfText text;
        text.withSquare().json["nodes"] = {
            {{"mesh", 0}, {"translation", {1, 2, 3}}, {"rotation", {0, 0, 1, 0}}, {"scale", {2, 3, 4}}},
            {{"matrix", {-2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1}}}};
        const auto file = text.load();
        QVERIFY(file.ok());
        const auto& joints = file->state.skeleton.joints();
        QVERIFY(math::distance(joints[0].bindLocal, joints[1].bindLocal) < 1e-15);
    }

    void morphTargetsBecomeSparseShapes() {
        GltfText text;
        text.withSquare();
        text.primitive()["targets"] = {{{"POSITION", text.addFloats({0, 0, 0, 0, 0, 0, 0, 0, .5f, 0, 0, 0}, "VEC3")}}};
        text.json["meshes"][0]["extras"] = {{"targetNames", {"up"}}};
        text.json["nodes"][0]["weights"] = {0.25};
        const auto file = text.load();
        QVERIFY(file.ok());
        const shape::Shape& shape = file->state.meshes[0].shapes[0];
        QCOMPARE(shape.name, std::string("up"));
        QCOMPARE(shape.vertices, std::vector<std::uint32_t>{2});
        QCOMPARE(shape.deltas[0], Eigen::Vector3f(0, 0, 0.5f));
        QCOMPARE(file->state.instances[0].shapeWeights, std::vector<double>{0.25});
    }

    void aBrokenClipChannelIsLeftOutAndListed() {
        GltfText text;
        text.withSquare();
        const std::size_t times = text.addFloats({0, 1, 1}, "SCALAR");
        const std::size_t values = text.addFloats({0, 0, 0, 1, 1, 1, 2, 2, 2}, "VEC3");
        text.json["animations"] = {
            {{"name", "clip"},
             {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}},
             {"samplers", {{{"input", times}, {"output", values}}}}}};
        const auto file = text.load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.clips[0].channels.size(), std::size_t(0));
        QVERIFY(repaired(*file, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING"));
    }

    void aWrongLastRowOfAnInverseBindIsListed() {
        GltfText text;
        text.withSquare().withSkin();
        std::vector<float> matrices(32, 0.0f);
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i < 16; ++i)
                matrices[16 * k + i] = i % 5 == 0 ? 1.0f : 0.0f;
        text.json["skins"][0]["inverseBindMatrices"] = text.addFloats(matrices, "MAT4");
        QVERIFY(!repaired(*text.load(), "ACCESSOR_INVALID_IBM"));
        matrices[16 + 7] = 0.25f;
        text.json["skins"][0]["inverseBindMatrices"] = text.addFloats(matrices, "MAT4");
        const auto file = text.load();
        QVERIFY(file.ok());
        QVERIFY(repaired(*file, "ACCESSOR_INVALID_IBM"));
        QVERIFY(math::identical(file->state.skins[0].inverseBinds[1], rig::Affine::Identity()));
    }

    void entriesOfAShapeThatMoveNothingAreLeftOut() {
        GltfText text;
        text.withSquare();
        const std::size_t accessor = text.addFloats(std::vector<float>(12, 0.0f), "VEC3");
        const std::uint16_t indices[] = {1, 2};
        const float values[] = {0, -0.0f, 0, 7, 8, 9};
        text.json["accessors"][accessor]["sparse"] = {
            {"count", 2},
            {"indices", {{"bufferView", text.addView(indices, 4)}, {"componentType", 5123}}},
            {"values", {{"bufferView", text.addView(values, 24)}}}};
        text.primitive()["targets"] = {{{"POSITION", accessor}}};
        const auto file = text.load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.meshes[0].shapes[0].vertices, std::vector<std::uint32_t>{2});
    }

    void anUnknownRequiredExtensionIsRefusedByName() {
        GltfText text;
        text.withSquare().json["extensionsRequired"] = {"ACME_teapots"};
        const auto file = text.load();
        QVERIFY(!file.ok());
        QVERIFY(file.error().text.find("ACME_teapots") != std::string::npos);
    }

    void damagedLimberExtrasAreIgnoredAndListed() {
        GltfText text;
        text.withSquare().json["meshes"][0]["extras"] = {
            {"limber", {{"version", 1}, {"drivers", {{{"joints", {99}}}, 5}}, {"muted", {3}}}}};
        const auto file = text.load();
        QVERIFY(file.ok());
        QCOMPARE(file->state.meshes[0].drivers.size(), std::size_t(0));
        QCOMPARE(file->repairs.size(), std::size_t(3));
    }

    void realFilesOpen_data() { addRealFiles(); }
    void realFilesOpen() {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("The test data is not there.");
        QElapsedTimer timer;
        timer.start();
        const auto file = io::loadGltf(path.toStdString());
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QVERIFY2(timer.elapsed() < test::timeLimit(2000), "slower than two seconds");
        const QString fault = faultOf(file->state);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        const bool mended = path.contains("Wasp") || path.contains("nonnorm");
        QVERIFY(!mended || !file->repairs.empty());
    }

    // Several threads read a large mesh; each piece is read and checked as the first.
    void aLargeMeshIsCheckedToItsEnd_data() {
        QTest::addColumn<QString>("spoiled");
        QTest::addColumn<QString>("refusal");
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("a position") << "position"
                                    << "Element 70000 is not a finite number";
        QTest::newRow("an index") << "index"
                                  << "The index 99999 leads nowhere";
        QTest::newRow("a huge index") << "huge index"
                                      << "The index 4294967295 leads nowhere";
        QTest::newRow("a joint") << "joint"
                                 << "Vertex 90000 is weighted to joint 7";
    }
    void aLargeMeshIsCheckedToItsEnd() {
        QFETCH(QString, spoiled);
        QFETCH(QString, refusal);
        constexpr std::size_t kCount = 99999;
        std::vector<float> positions, weights;
        std::vector<std::uint8_t> joints;
        std::vector<std::uint32_t> indices;
        for (std::size_t v = 0; v < kCount; ++v) {
            const bool half = v % 1000 == 0; // sums to a half
            for (const float x : {static_cast<float>(v % 7), static_cast<float>(v % 11), static_cast<float>(v)})
                positions.push_back(x);
            for (const float w : {0.25f, half ? 0.25f : 0.75f, 0.0f, 0.0f})
                weights.push_back(w);
            for (const std::uint8_t j : {1, 0, 0, 0})
                joints.push_back(j);
            indices.push_back(static_cast<std::uint32_t>(v));
        }
        if (spoiled == "position")
            positions[3 * 70000 + 1] = std::numeric_limits<float>::infinity();
        if (spoiled == "index")
            indices[80000] = kCount;
        if (spoiled == "huge index")
            indices[80000] = 0xFFFFFFFF;
        if (spoiled == "joint")
            joints[4 * 90000] = joints[4 * 95000] = 7;
        GltfText text;
        text.withSquare().withSkin();
        text.attributes() = {{"POSITION", text.addFloats(positions, "VEC3")},
                             {"WEIGHTS_0", text.addFloats(weights, "VEC4")},
                             {"JOINTS_0", text.add(joints, "VEC4", 5121, 4)}};
        text.primitive()["indices"] = text.add(indices, "SCALAR", 5125, 1);
        const auto file = text.load();
        QCOMPARE(file.ok(), refusal.isEmpty());
        if (!file) {
            QVERIFY2(file.error().text.find(refusal.toStdString()) == 0, file.error().text.c_str());
            return;
        }
        const document::MeshData& mesh = file->state.meshes[0];
        QCOMPARE(mesh.repairedRows.size(), std::size_t(100));
        for (std::uint32_t v = 0; v < kCount; ++v) {
            const bool half = v % 1000 == 0;
            QCOMPARE(mesh.geometry.positions[v].z(), static_cast<float>(v));
            QCOMPARE(mesh.geometry.triangles[v], v);
            QCOMPARE(mesh.weights.row(v).size(), std::size_t(2));
            QVERIFY(mesh.weights.row(v)[0] == (skin::Influence{0, half ? 0.5f : 0.75f}));
            QVERIFY(mesh.weights.row(v)[1] == (skin::Influence{1, half ? 0.5f : 0.25f}));
            QVERIFY(!half || mesh.repairedRows[v / 1000] == v);
        }
    }

    void compressedFilesHoldWhatTheirOriginalHolds_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("meshopt") << "gltf/Fox_meshopt.glb";
        QTest::newRow("quantized") << "gltf/Fox_quantized.glb";
    }
    void compressedFilesHoldWhatTheirOriginalHolds() {
        QFETCH(QString, name);
        const auto plain = io::loadGltf(dataFolder() / "gltf/Fox.glb");
        if (!plain)
            QSKIP("The test data is not there.");
        const auto packed = io::loadGltf(dataFolder() / name.toStdString());
        QVERIFY(packed.ok());
        QCOMPARE(packed->state.meshes[0].geometry.triangleCount(), plain->state.meshes[0].geometry.triangleCount());
        QCOMPARE(packed->state.clips.size(), plain->state.clips.size());
        Eigen::AlignedBox3f boxes[2];
        for (int k = 0; k < 2; ++k) {
            const DocumentState& state = (k ? packed : plain)->state;
            const Eigen::Affine3f toModel(state.skins[0].bindShape.matrix().cast<float>());
            for (const auto& p : state.meshes[0].geometry.positions)
                boxes[k].extend(toModel * p);
        }
        QVERIFY((boxes[0].min() - boxes[1].min()).norm() < 0.01f * boxes[0].diagonal().norm());
        QVERIFY((boxes[0].max() - boxes[1].max()).norm() < 0.01f * boxes[0].diagonal().norm());
    }
};

QTEST_APPLESS_MAIN(TestGltfRead)
#include "test_gltf_read.moc"
