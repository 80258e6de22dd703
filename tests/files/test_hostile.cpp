// Files that are damaged or made to do harm: each is refused with a reason or opens with its repairs listed, and
// quickly.
#include "core/io/asset_path.h"
#include "core/io/safe_save.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"
#include "tests/support/time_limit.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <sys/stat.h>

using namespace limber;
using namespace limber::test;

namespace {

constexpr qint64 kLimitMs = timeLimit(3000);

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// What becomes of each damaged or hostile glTF file: refused for a reason, or opened with a repair of that code.
struct Fate {
    const char* file;
    const char* reason;
    bool opens = false;
};
constexpr Fate kFates[] = {
    {"invalid/animation_sampler_output_count_invalid.gltf", "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", true},
    {"invalid/animation_unresolved_channel_target.gltf", "[UNRESOLVED_REFERENCE]"},
    {"invalid/glb_chunk_too_big.glb", "[GLB_LENGTH_MISMATCH]"},
    {"invalid/glb_empty_file.glb", "empty"},
    {"invalid/glb_invalid_json_chunk.glb", "[INVALID_JSON]"},
    {"invalid/glb_length_mismatch.glb", "[GLB_LENGTH_MISMATCH]"},
    {"invalid/glb_only_header.glb", "[GLB_LENGTH_TOO_SMALL]"},
    {"invalid/glb_truncated_chunk_data.glb", "[GLB_UNEXPECTED_END_OF_CHUNK_DATA]"},
    {"invalid/mesh_data_joints_weights_complex.gltf", "[ACCESSOR_JOINTS_INDEX_OOB]"},
    {"invalid/mesh_morph_attribute_invalid_count.gltf", "[MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT]"},
    {"invalid/mesh_unequal_joints.gltf", "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", true},
    {"invalid/node_node_loop.gltf", "[NODE_LOOP]"},
    {"invalid/node_unresolved_skin.gltf", "[UNRESOLVED_REFERENCE]"},
    {"invalid/skin_ibm_invalid_count.gltf", "[INVALID_IBM_ACCESSOR_COUNT]"},
    {"invalid/skin_ibm_invalid_format.gltf", "[SKIN_IBM_INVALID_FORMAT]"},
    {"invalid/skin_no_common_root.gltf", "SKIN_NO_COMMON_ROOT", true},
    {"invalid/skin_skeleton_invalid.gltf", "SKIN_SKELETON_INVALID", true},
    {"invalid/skin_unresolved_joint.gltf", "[UNRESOLVED_REFERENCE]"},
    {"invalid/tinygltf_integer-out-of-bounds.gltf", "[TYPE_MISMATCH]"},
    {"hostile/abs.gltf", "absolute path"},
    {"hostile/b64.gltf", "[INVALID_URI]"},
    {"hostile/blen.gltf", "[BUFFER_BYTE_LENGTH_MISMATCH]"},
    {"hostile/cycle.gltf", "[NODE_LOOP]"},
    {"hostile/dag.gltf", "[NODE_PARENT_OVERRIDE]"},
    {"hostile/deep1000.gltf", "ACCESSOR_MIN_MISMATCH", true},
    {"hostile/deep10000.gltf", "ACCESSOR_MIN_MISMATCH", true},
    {"hostile/dev.gltf", "absolute path"},
    {"hostile/fifo.gltf", "[IO_ERROR]"},
    {"hostile/file.gltf", "nothing is fetched"},
    {"hostile/http.gltf", "nothing is fetched"},
    {"hostile/huge.gltf", "4000000000"},
    {"hostile/huge2.gltf", "more than"},
    {"hostile/nan.gltf", "[ACCESSOR_INVALID_FLOAT]"},
    {"hostile/nestjson.gltf", "nested"},
    {"hostile/pct.gltf", "leads out of the folder"},
    {"hostile/selfc.gltf", "[NODE_LOOP]"},
    {"hostile/stride.gltf", "[ACCESSOR_TOO_LONG]"},
    {"hostile/trav.gltf", "leads out of the folder"},
    {"hostile/utf8.gltf", "[INVALID_JSON]"},
    {"crashers/glb_7_513.glb", "[GLB_INVALID_VERSION]"},
};

void addFiles() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {"invalid", "hostile", "crashers"}) {
        std::error_code none;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(dataFolder() / folder, none)) {
            const std::string name = std::filesystem::relative(entry.path(), dataFolder()).string();
            if (entry.path().extension() == ".glb" || entry.path().extension() == ".gltf")
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
        if (!std::filesystem::exists(dataFolder() / folder))
            QTest::newRow("no test data") << QString();
    }
}

// A rigged square with a shape, as a .glb.
std::vector<std::byte> smallGlb() {
    GltfText text;
    text.withSquare().withSkin();
    text.primitive()["targets"] = {{{"POSITION", text.addFloats(std::vector<float>(12, 0.25f), "VEC3")}}};
    const auto file = text.load();
    return io::writeGltf(*file->source, document::Document(file->state), io::Container::Glb)->bytes;
}

std::string chain(std::size_t nodes) {
    std::string text = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
    for (std::size_t n = 0; n + 1 < nodes; ++n)
        text += "{\"children\":[" + std::to_string(n + 1) + "]},";
    return text + "{}]}";
}

} // namespace

class TestHostile : public QObject {
    Q_OBJECT

private slots:
    void damagedFilesAreRefusedOrListed_data() { addFiles(); }
    void damagedFilesAreRefusedOrListed() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const auto expected =
            std::find_if(std::begin(kFates), std::end(kFates), [&](const Fate& fate) { return file == fate.file; });
        QVERIFY2(expected != std::end(kFates), "nobody says what becomes of this file");
        QElapsedTimer timer;
        timer.start();
        const auto read = io::loadGltf(dataFolder() / file.toStdString());
        QVERIFY2(timer.elapsed() < kLimitMs, "too slow");
        if (expected->opens) {
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
            QVERIFY(std::any_of(read->repairs.begin(), read->repairs.end(), [&](const io::Repair& r) {
                return r.code == expected->reason && !r.where.empty() && r.text.size() > 10;
            }));
        } else {
            QVERIFY2(!read.ok(), "it opened");
            QCOMPARE(read.error().code, ErrorCode::InputRefused);
            QVERIFY(!read.error().where.empty());
            QVERIFY2(read.error().text.find(expected->reason) != std::string::npos, read.error().message().c_str());
        }
    }

    void aChainOfAHundredThousandNodesOpens() {
        QElapsedTimer timer;
        timer.start();
        const auto file = io::loadGlb(bytesOf(chain(100000)), "");
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(file->state.skeleton.size(), std::size_t(100000));
        QVERIFY(timer.elapsed() < kLimitMs);
    }

    void nestedJsonIsRefusedBeforeItIsParsed() {
        const std::string deep(2000000, '[');
        const auto file = io::loadGlb(bytesOf(R"({"asset":{"version":"2.0"},"extras":)" + deep), "");
        QVERIFY(!file.ok());
        QVERIFY(file.error().text.find("nested") != std::string::npos);
    }

    void truncationAnywhereIsRefusedOrHarmless() {
        const std::vector<std::byte> whole = smallGlb();
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!io::loadGlb({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}, "").ok());
    }

    void flippedBytesNeverCrash() {
        const std::vector<std::byte> whole = smallGlb();
        std::mt19937 random(7);
        for (int round = 0; round < 5000; ++round) {
            std::vector<std::byte> damaged = whole;
            for (int k = 0; k < 1 + round % 4; ++k)
                damaged[random() % damaged.size()] = static_cast<std::byte>(random());
            const auto file = io::loadGlb(damaged, "");
            if (file) {
                const auto saved = io::writeGltf(*file->source, document::Document(file->state), io::Container::Gltf);
                QVERIFY(saved.ok() || !saved.error().text.empty());
            }
        }
    }

    void changedNumbersNeverCrash() {
        GltfText text;
        text.withSquare().withSkin();
        text.primitive()["targets"] = {{{"POSITION", text.addFloats(std::vector<float>(12, 0.25f), "VEC3")}}};
        const auto bytes = text.text();
        const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::string data = whole.substr(whole.find("\"buffers\""));
        const std::string front = whole.substr(0, whole.size() - data.size());
        for (std::size_t at = 0; at < front.size(); ++at) {
            if (!std::isdigit(static_cast<unsigned char>(front[at])))
                continue;
            for (const char* other :
                 {"-1", "4294967295", "18446744073709551615", "1e300", "0.5", "null", "\"x\"", "[]", "{}"}) {
                const auto file = io::loadGlb(bytesOf(front.substr(0, at) + other + front.substr(at + 1) + data), "");
                QVERIFY(file.ok() || !file.error().text.empty());
            }
        }
    }

    void urisThatLeaveTheFolderAreRefused_data() {
        QTest::addColumn<QString>("uri");
        for (const char* uri :
             {"../secret", "%2e%2e/secret", "a/../../secret", "/etc/hostname", "file:///etc/hostname",
              "http://127.0.0.1/x", "link", "pipe", "folder", "missing", "", "linked/secret", "a%00b", "%zz", "C:/x"})
            QTest::newRow(uri[0] ? uri : "empty") << QString(uri);
    }
    void urisThatLeaveTheFolderAreRefused() {
        QFETCH(QString, uri);
        QTemporaryDir place;
        const std::filesystem::path folder = std::filesystem::path(place.path().toStdString()) / "asset";
        std::filesystem::create_directories(folder / "folder");
        QVERIFY(io::safeSave(folder / "../secret", bytesOf("secret")).ok());
        QVERIFY(io::safeSave(folder / "good file.bin", bytesOf("good")).ok());
        std::filesystem::create_symlink("../secret", folder / "link");
        std::filesystem::create_symlink("..", folder / "linked");
        QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
        QVERIFY(io::resolveAsset(folder, "good%20file.bin").ok());
        const auto path = io::resolveAsset(folder, uri.toStdString());
        QVERIFY(!path.ok());
        QVERIFY2(path.error().text.find(uri.toStdString()) != std::string::npos, "the refusal does not name it");
    }

    void referencesThatOnlySavingFollowsAreRefused_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("item");
        QTest::newRow("a view without its buffer") << "bufferViews"
                                                   << R"({"buffer":7,"byteLength":4})";
        QTest::newRow("a view of no buffer") << "bufferViews"
                                             << R"({"byteLength":4})";
        QTest::newRow("a view beyond its buffer") << "bufferViews"
                                                  << R"({"buffer":0,"byteLength":4,"byteOffset":999999})";
        QTest::newRow("a compressed view without its buffer")
            << "bufferViews"
            << R"({"buffer":0,"byteLength":4,"extensions":{"EXT_meshopt_compression":{"buffer":7,"byteLength":4}}})";
        QTest::newRow("an accessor without its view")
            << "accessors"
            << R"({"bufferView":99,"componentType":5126,"count":1,"type":"SCALAR"})";
        QTest::newRow("a scene of no node") << "scenes"
                                            << R"({"nodes":[99]})";
    }
    void referencesThatOnlySavingFollowsAreRefused() {
        QFETCH(QString, list);
        QFETCH(QString, item);
        GltfText text;
        text.withSquare().withSkin().json[list.toStdString()].push_back(Json::parse(item.toStdString()));
        const auto file = text.load();
        QVERIFY(!file.ok());
        QVERIFY2(file.error().where.find(list.toStdString()) != std::string::npos, file.error().message().c_str());
    }

    void whatTheSpecificationForbidsIsListed_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* place, const char* value, const char* code) {
            QTest::addRow("%s %s", place, value) << QString(place) << QString(value) << QString(code);
        };
        row("/accessors/0/min", "[0,0]", "ARRAY_LENGTH_NOT_IN_LIST");
        row("/accessors/0/max", R"(["x",1,0])", "ARRAY_TYPE_MISMATCH");
        row("/accessors/0/normalized", "true", "ACCESSOR_NORMALIZED_INVALID");
        row("/bufferViews/0/target", "34963", "BUFFER_VIEW_TARGET_OVERRIDE");
        row("/extensionsUsed", R"(["KHR_a","KHR_a"])", "DUPLICATE_ELEMENTS");
        row("/meshes/0/primitives/0/attributes/FOO", "0", "MESH_PRIMITIVE_INVALID_ATTRIBUTE");
        row("/meshes/0/primitives/0/attributes/TEXCOORD_1", "0", "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY");
        row("/meshes/0/primitives/0/attributes/_OWN", "99", "UNRESOLVED_REFERENCE");
        row("/meshes/0/primitives/0/targets", "[{}]", "EMPTY_ENTITY");
        row("/nodes/0/weights", "[1]", "NODE_WEIGHTS_INVALID");
        row("/nodes/1/extensions", R"({"KHR_a":{}})", "UNDECLARED_EXTENSION");
        row("/nodes/1/matrix", "[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]", "NODE_MATRIX_NON_TRS");
        row("/nodes/1/matrix", "[1,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1]", "NODE_MATRIX_NON_TRS");
        row("/nodes/1/skin", "0", "UNSATISFIED_DEPENDENCY");
        row("/scenes/0/nodes", "[0]", "NODE_SKIN_NO_SCENE");
        row("/skins/0/joints", "[1,2,2]", "DUPLICATE_ELEMENTS");
    }
    void whatTheSpecificationForbidsIsListed() {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, code);
        GltfText text;
        text.withSquare().withSkin();
        QVERIFY(text.load()->repairs.empty());
        text.json[Json::json_pointer(place.toStdString())] = Json::parse(value.toStdString());
        const auto file = text.load();
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QVERIFY(std::any_of(file->repairs.begin(), file->repairs.end(),
                            [&](const io::Repair& r) { return r.code == code.toStdString() && !r.where.empty(); }));
    }

    void numbersBeyondFloatsAreRefused_data() {
        QTest::addColumn<QString>("node");
        QTest::newRow("translation") << R"({"translation":[1e39,0,0]})";
        QTest::newRow("scale") << R"({"scale":[1,-1e300,1]})";
        QTest::newRow("matrix") << R"({"matrix":[1e39,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]})";
        QTest::newRow("parent and child together") << R"({"scale":[1e30,1e30,1e30]})";
        QTest::newRow("node and mesh together") << R"({"scale":[1e20,1,1]})";
    }
    void numbersBeyondFloatsAreRefused() {
        QFETCH(QString, node);
        GltfText text;
        text.withSquare().withSkin();
        text.attributes()["POSITION"] = text.addFloats(std::vector<float>(12, 1e20f), "VEC3");
        text.json["nodes"][2]["scale"] = {1e10, 1e10, 1e10};
        QVERIFY(text.load().ok());
        text.json["nodes"][1].update(Json::parse(node.toStdString()));
        const auto file = text.load();
        QVERIFY(!file.ok());
        QVERIFY2(file.error().text.find("floats") != std::string::npos, file.error().message().c_str());
    }

    void aPoseBeyondFloatsIsNotWritten() {
        const auto file = GltfText().withSquare().withSkin().load();
        for (const double size : {1e39, 1e300}) {
            document::Document doc(file->state);
            doc.apply(document::setUserLocal(doc, JointId(2), rig::Affine(Eigen::Translation3d(size, 0, 0)), "far"));
            const auto saved = io::writeGltf(*file->source, doc, io::Container::Glb);
            QVERIFY(!saved.ok());
            QVERIFY2(saved.error().text.find("tip") != std::string::npos, saved.error().message().c_str());
        }
    }

    void matricesAreNoVectors_data() {
        QTest::addColumn<QString>("attribute");
        QTest::newRow("weights") << "WEIGHTS_0";
        QTest::newRow("joints") << "JOINTS_0";
    }
    void matricesAreNoVectors() {
        QFETCH(QString, attribute);
        GltfText text;
        text.withSquare().withSkin();
        QVERIFY(text.load().ok());
        text.json["accessors"][text.attributes()[attribute.toStdString()].get<std::size_t>()]["type"] = "MAT2";
        QVERIFY(!text.load().ok());
    }

    void smallFilesThatUnfoldToGigabytesAreRefused() {
        QElapsedTimer timer;
        timer.start();
        GltfText text;
        text.withSquare();
        text.json["accessors"].push_back({{"componentType", 5126}, {"count", 3000000}, {"type", "VEC3"}});
        text.attributes()["POSITION"] = text.json["accessors"].size() - 1;
        text.primitive().erase("indices");
        text.primitive()["mode"] = 0;
        for (int k = 0; k < 10; ++k)
            text.json["meshes"][0]["primitives"].push_back(text.primitive());
        const auto file = text.load();
        QVERIFY(!file.ok());
        QVERIFY2(file.error().text.find("more than") != std::string::npos, file.error().message().c_str());
        QVERIFY(timer.elapsed() < kLimitMs);
    }
};

QTEST_APPLESS_MAIN(TestHostile)
#include "test_hostile.moc"
