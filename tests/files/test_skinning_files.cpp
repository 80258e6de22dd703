// Skinning methods and painted maps in glTF files: what was set comes back, what was not stays out of the file.
#include "core/document/intents.h"
#include "core/document/skinning_intents.h"
#include "tests/files/gltf_compare.h"
#include "tests/files/gltf_edits.h"

#include <QTemporaryDir>
#include <QTest>

using namespace limber;
using namespace limber::test;
using document::Document;
using skin::PaintedMap;

namespace {

constexpr skin::Skinning kSet{skin::Method::DualQuaternion, {true, 7, 0.3}};

Document withSkinning(const document::DocumentState& state) {
    Document doc(state);
    for (std::size_t m = 0; m < state.meshes.size(); ++m) {
        doc.apply(document::setSkinning(doc, MeshId(m), kSet));
        for (const PaintedMap which : {PaintedMap::MethodShare, PaintedMap::MushShare}) {
            document::PaintedMapPatch patch{MeshId(m), which, {}, {}, {}};
            for (std::uint32_t v = 0; v < doc.mesh(MeshId(m)).geometry.vertexCount(); v += 3) {
                patch.vertices.push_back(v);
                patch.before.push_back(1);
                patch.after.push_back(float(v % 7) / (which == PaintedMap::MushShare ? 7.0f : 11.0f));
            }
            apply(doc, std::move(patch));
        }
    }
    return doc;
}

void takeOff(Document& doc) {
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        doc.apply(document::setSkinning(doc, MeshId(m), {}));
        for (const PaintedMap which : {PaintedMap::MethodShare, PaintedMap::MushShare})
            doc.apply(document::fillPaintedMap(doc, MeshId(m), which, 1));
    }
}

bool sameSkinning(const document::DocumentState& a, const document::DocumentState& b) {
    return std::equal(
        a.meshes.begin(), a.meshes.end(), b.meshes.begin(), b.meshes.end(),
        [](const auto& x, const auto& y) { return x.skinning == y.skinning && x.paintedMaps == y.paintedMaps; });
}

std::size_t attributesOfOurs(const Json& json) {
    std::size_t count = 0;
    for (const Json& mesh : json.value("meshes", Json::array()))
        for (const Json& primitive : mesh["primitives"])
            for (const auto& [semantic, accessor] : primitive["attributes"].items())
                count += semantic.starts_with("_LIMBER_");
    return count;
}

// A square with a skin whose mesh has these extras.
GltfText withExtras(const Json& skinning) {
    GltfText text;
    text.withSquare().withSkin();
    text.json["meshes"][0]["extras"]["limber"] = {{"version", 1}, {"skinning", skinning}};
    return text;
}

std::size_t notesOf(const io::LoadedFile& file, const std::string& code) {
    return std::size_t(
        std::count_if(file.repairs.begin(), file.repairs.end(), [&](const io::Repair& r) { return r.code == code; }));
}

} // namespace

class TestSkinningFiles : public QObject {
    Q_OBJECT

private slots:
    void everyFileKeepsThem_data() { addRealFiles(); }
    void everyFileKeepsThem();
    void everyPrimitiveHasTheMap();
    void sharedAccessorsStayWithTheOthers();
    void dracoPrimitivesAreUnpackedForAMap_data();
    void dracoPrimitivesAreUnpackedForAMap();
    void valuesOfEveryTypeAreRead_data();
    void valuesOfEveryTypeAreRead();
    void damagedMapsAreMended();
    void settingsThatMeanNothingAreLeftOut_data();
    void settingsThatMeanNothingAreLeftOut();
    void whatIsUnknownStaysThroughOtherEdits();
    void aMethodIsSaidOnce();
};

void TestSkinningFiles::everyFileKeepsThem() {
    QFETCH(QString, path);
    if (path.isEmpty())
        QSKIP("no test data");
    const auto file = io::loadGltf(path.toStdString());
    QVERIFY(file.ok());
    const bool glb = path.endsWith(".glb");
    QTemporaryDir folder;
    const std::filesystem::path saved = folder.filePath(glb ? "a.glb" : "a.gltf").toStdString();
    Document doc = withSkinning(file->state);
    QVERIFY(io::saveGltf(*file->source, doc, saved).ok());
    const auto back = io::loadGltf(saved);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message().c_str());
    QVERIFY(sameSkinning(doc.state(), back->state));
    if (file->repairs.empty())
        QCOMPARE(Document(back->state).hash(), doc.hash());
    // A second save changes nothing; taken off again, nothing is left of them, and the first file is as it was.
    const auto container = glb ? io::Container::Glb : io::Container::Gltf;
    const auto first = io::writeGltf(*back->source, Document(back->state), container);
    QVERIFY(first.ok());
    QCOMPARE(attributesOfOurs(jsonOf(first->bytes)) > 0, !file->state.meshes.empty());
    const auto bytes = io::readFile(saved);
    QVERIFY(bytes.ok() && *bytes == first->bytes);
    Document taken(back->state);
    takeOff(taken);
    const auto without = io::writeGltf(*back->source, taken, container);
    QVERIFY(without.ok());
    QCOMPARE(attributesOfOurs(jsonOf(without->bytes)), 0);
    Json tree = jsonOf(without->bytes);
    for (const Json& mesh : tree["meshes"])
        QVERIFY(!mesh.contains("extras") || !mesh["extras"].contains("limber") ||
                !mesh["extras"]["limber"].contains("skinning"));
    takeOff(doc);
    const auto untouched = io::writeGltf(*file->source, doc, container);
    const auto unedited = io::writeGltf(*file->source, Document(file->state), container);
    QVERIFY(untouched.ok() && unedited.ok() && untouched->bytes == unedited->bytes);
}

void TestSkinningFiles::everyPrimitiveHasTheMap() {
    GltfText text;
    text.withSquare().withSkin();
    auto& primitives = text.json["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    Opened opened = openText(text);
    apply(opened.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MethodShare, {5}, {1}, {0.25f}});
    const auto bytes = written(opened, io::Container::Glb);
    QCOMPARE(attributesOfOurs(jsonOf(bytes)), 2);
    Opened again = reopened(bytes);
    QCOMPARE(again.doc.hash(), opened.doc.hash());
    // The second part changes, the first stays as it is.
    apply(again.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MethodShare, {6}, {1}, {0.5f}});
    const Opened third = reopened(written(again, io::Container::Glb));
    QCOMPARE(third.doc.hash(), again.doc.hash());
}

void TestSkinningFiles::sharedAccessorsStayWithTheOthers() {
    GltfText text;
    text.withSquare().withSkin();
    const std::size_t map = text.addFloats({0.5f, 0.5f, 0.5f, 0.5f}, "SCALAR");
    text.attributes()["_LIMBER_METHOD_SHARE"] = map;
    text.attributes()["_LIMBER_MUSH_SHARE"] = map;
    text.attributes()["_OTHER"] = map;
    Opened opened = openText(text);
    apply(opened.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MushShare, {2}, {0.5f}, {0.125f}});
    const auto bytes = written(opened, io::Container::Glb);
    const Opened again = reopened(bytes);
    QCOMPARE(again.doc.hash(), opened.doc.hash());
    const Json attributes = jsonOf(bytes)["meshes"][0]["primitives"][0]["attributes"];
    QCOMPARE(attributes["_OTHER"].get<std::size_t>(), map);
    QCOMPARE(attributes["_LIMBER_METHOD_SHARE"].get<std::size_t>(), map);
    QVERIFY(attributes["_LIMBER_MUSH_SHARE"].get<std::size_t>() != map);
}

void TestSkinningFiles::dracoPrimitivesAreUnpackedForAMap_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("sequential") << "draco0";
    QTest::newRow("edgebreaker") << "draco1";
}

void TestSkinningFiles::dracoPrimitivesAreUnpackedForAMap() {
    QFETCH(QString, name);
    QFile seed(LIMBER_SOURCE_DIR "/tests/fuzz/corpus/gltf/" + name); // JSON, a zero, data
    QVERIFY(seed.open(QIODevice::ReadOnly));
    const QByteArray whole = seed.readAll();
    const qsizetype zero = whole.indexOf('\0');
    GltfText text;
    text.json = Json::parse(whole.first(zero).toStdString());
    const auto data = std::as_bytes(std::span(whole.constData() + zero + 1, std::size_t(whole.size() - zero - 1)));
    text.bytes.assign(data.begin(), data.end());
    Opened opened = openText(text);
    QVERIFY(opened.doc.mesh(MeshId(0)).geometry.vertexCount() > 0);
    apply(opened.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MethodShare, {0}, {1}, {0.25f}});
    const auto bytes = written(opened, io::Container::Glb);
    QVERIFY(!jsonOf(bytes).contains("extensionsRequired"));
    Opened again = reopened(bytes);
    QVERIFY(sameSkinning(again.doc.state(), opened.doc.state()));
    QVERIFY(again.doc.mesh(MeshId(0)).geometry.positions == opened.doc.mesh(MeshId(0)).geometry.positions);
    // The settings alone leave it packed.
    Opened packed = openText(text);
    packed.doc.apply(document::setSkinning(packed.doc, MeshId(0), kSet));
    QVERIFY(jsonOf(written(packed, io::Container::Glb)).contains("extensionsRequired"));
}

void TestSkinningFiles::valuesOfEveryTypeAreRead_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QList<float>>("expected");
    QTest::newRow("bytes of 255 parts") << 5121 << QList<float>{0, 51 / 255.0f, 102 / 255.0f, 1};
    QTest::newRow("shorts of 65535 parts") << 5123 << QList<float>{0, 13107 / 65535.0f, 26214 / 65535.0f, 1};
    QTest::newRow("floats") << 5126 << QList<float>{0, 0.2f, 0.4f, 1};
    QTest::newRow("sparse") << 0 << QList<float>{0, 0, 0.75f, 0};
}

void TestSkinningFiles::valuesOfEveryTypeAreRead() {
    QFETCH(int, type);
    QFETCH(QList<float>, expected);
    GltfText text;
    text.withSquare().withSkin();
    std::size_t accessor = 0;
    if (type == 5121)
        accessor = text.add(std::vector<std::uint8_t>{0, 51, 102, 255}, "SCALAR", type, 1, true);
    else if (type == 5123)
        accessor = text.add(std::vector<std::uint16_t>{0, 13107, 26214, 65535}, "SCALAR", type, 1, true);
    else if (type == 5126)
        accessor = text.addFloats({0, 0.2f, 0.4f, 1}, "SCALAR");
    else {
        const std::uint16_t index = 2;
        const float value = 0.75f;
        const std::size_t indices = text.addView(&index, 2), values = text.addView(&value, 4);
        accessor = text.json["accessors"].size();
        text.json["accessors"].push_back({{"componentType", 5126},
                                          {"count", 4},
                                          {"type", "SCALAR"},
                                          {"sparse",
                                           {{"count", 1},
                                            {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                                            {"values", {{"bufferView", values}}}}}});
    }
    text.attributes()["_LIMBER_MUSH_SHARE"] = accessor;
    const Opened opened = openText(text);
    for (std::uint32_t v = 0; v < 4; ++v)
        QCOMPARE(opened.doc.mesh(MeshId(0)).mapValue(PaintedMap::MushShare, v), expected[qsizetype(v)]);
}

void TestSkinningFiles::damagedMapsAreMended() {
    GltfText text;
    text.withSquare().withSkin();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    text.attributes()["_LIMBER_METHOD_SHARE"] = text.addFloats({-2, nan, 3, 0.5f}, "SCALAR");
    text.attributes()["_LIMBER_MUSH_SHARE"] = text.addFloats({1, 1, 1, 1, 1, 1, 1, 1}, "VEC2");
    auto file = text.load();
    QVERIFY(file.ok());
    QCOMPARE(notesOf(*file, "LIMBER_PAINTED_MAP"), 1);
    QCOMPARE(notesOf(*file, "LIMBER_PAINTED_MAP_VALUES"), 1);
    QCOMPARE(file->state.meshes[0].map(PaintedMap::MethodShare), (std::vector<float>{0, 1, 1, 0.5f}));
    QVERIFY(file->state.meshes[0].map(PaintedMap::MushShare).empty());
    Opened opened{file->source, Document(file->state)};
    QVERIFY(written(opened, io::Container::Gltf) == text.text()); // unedited: as it was
    // An attribute that is no map makes room for the map.
    apply(opened.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MushShare, {1}, {1}, {0.5f}});
    apply(opened.doc, document::PaintedMapPatch{MeshId(0), PaintedMap::MethodShare, {3}, {0.5f}, {0.25f}});
    const auto bytes = written(opened, io::Container::Glb);
    const auto back = io::loadGlb(bytes, "");
    QVERIFY(back.ok() && notesOf(*back, "LIMBER_PAINTED_MAP") == 0);
    QVERIFY(sameSkinning(back->state, opened.doc.state()));
    // What is saved with any other change holds no value that is none; a map that cannot be read stays.
    Opened locked{file->source, Document(file->state)};
    locked.doc.apply(document::setSkinning(locked.doc, MeshId(0), kSet));
    const auto mended = written(locked, io::Container::Glb);
    const auto reread = io::loadGlb(mended, "");
    QVERIFY(reread.ok() && notesOf(*reread, "LIMBER_PAINTED_MAP_VALUES") == 0);
    QVERIFY(sameSkinning(reread->state, locked.doc.state()));
    QVERIFY(jsonOf(mended)["meshes"][0]["primitives"][0]["attributes"].contains("_LIMBER_MUSH_SHARE"));
    // An accessor that is not there, or of another length.
    for (const std::size_t accessor : {std::size_t(99), std::size_t(1)}) {
        text.attributes()["_LIMBER_METHOD_SHARE"] = accessor;
        file = text.load();
        QVERIFY(file.ok() && file->state.meshes[0].map(PaintedMap::MethodShare).empty());
    }
}

void TestSkinningFiles::settingsThatMeanNothingAreLeftOut_data() {
    QTest::addColumn<QString>("skinning");
    QTest::addColumn<bool>("keepsMethod");
    QTest::newRow("no object") << "3" << false;
    QTest::newRow("unknown method") << R"({"method":"cubic"})" << false;
    QTest::newRow("method is a number") << R"({"method":1})" << false;
    QTest::newRow("mush is a word") << R"({"method":"spherical","mush":"on"})" << true;
    QTest::newRow("no iterations") << R"({"method":"spherical","mush":{"on":true,"iterations":0}})" << true;
    QTest::newRow("endless iterations") << R"({"method":"spherical","mush":{"on":true,"iterations":101}})" << true;
    QTest::newRow("lambda zero") << R"({"method":"spherical","mush":{"on":true,"lambda":0}})" << true;
    QTest::newRow("lambda too large") << R"({"method":"spherical","mush":{"on":true,"lambda":1.01}})" << true;
}

void TestSkinningFiles::settingsThatMeanNothingAreLeftOut() {
    QFETCH(QString, skinning);
    QFETCH(bool, keepsMethod);
    const auto file = withExtras(Json::parse(skinning.toStdString())).load();
    QVERIFY(file.ok());
    QCOMPARE(notesOf(*file, "LIMBER_EXTRAS"), 1);
    skin::Skinning expected;
    if (keepsMethod)
        expected.method = skin::Method::Spherical;
    QVERIFY(file->state.meshes[0].skinning == expected);
}

void TestSkinningFiles::whatIsUnknownStaysThroughOtherEdits() {
    GltfText text = withExtras(Json::parse(R"({"method":"cubic","depth":3})"));
    text.primitive()["targets"] = {{{"POSITION", text.addFloats(std::vector<float>(12, 0.5f), "VEC3")}}};
    Opened opened = openText(text);
    const ShapeId shape = opened.doc.mesh(MeshId(0)).shapes[0].id;
    opened.doc.apply(document::muteShape(opened.doc, MeshId(0), shape, true));
    const auto bytes = written(opened, io::Container::Glb);
    const Json extras = jsonOf(bytes)["meshes"][0]["extras"]["limber"];
    QVERIFY(extras["muted"] == Json::array({0}));
    QVERIFY(extras["skinning"] == Json::parse(R"({"method":"cubic","depth":3})"));
    // Not even by what stands beside it.
    opened.doc.apply(document::setSkinning(opened.doc, MeshId(0), {skin::Method::Linear, {true, 7, 0.5}}));
    const Json mushed = jsonOf(written(opened, io::Container::Glb))["meshes"][0]["extras"]["limber"]["skinning"];
    QCOMPARE(mushed["method"].get<std::string>(), "cubic");
    QCOMPARE(mushed["depth"].get<int>(), 3);
    QCOMPARE(mushed["mush"]["iterations"].get<int>(), 7);
}

void TestSkinningFiles::aMethodIsSaidOnce() {
    GltfText text = withExtras({{"method", "dual-quaternion"}});
    text.json["meshes"][0]["name"] = "Body";
    text.json["nodes"].push_back({{"mesh", 0}, {"skin", 0}});
    text.json["scenes"][0]["nodes"].push_back(3);
    const Opened opened = openText(text);
    const auto file = io::writeGltf(*opened.source, opened.doc, io::Container::Glb);
    QVERIFY(file.ok());
    QCOMPARE(file->notes.size(), 1);
    QVERIFY(file->notes[0].find("\"Body\" (dual-quaternion)") != std::string::npos);
    const auto linear = io::writeGltf(*opened.source, openText(withExtras(Json::object())).doc, io::Container::Glb);
    QVERIFY(linear.ok() && linear->notes.empty());
}

QTEST_GUILESS_MAIN(TestSkinningFiles)
#include "test_skinning_files.moc"
