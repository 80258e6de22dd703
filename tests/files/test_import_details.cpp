// What comes with the geometry of other formats, and that nothing is left out in silence.
#include "core/io/assimp_import.h"
#include "core/io/assimp_names.h"
#include "core/io/gltf_file.h"
#include "tests/support/test_data.h"

#include <QtTest>

#include <algorithm>

using namespace limber;
namespace fs = std::filesystem;

namespace {

bool write(const fs::path& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

Result<io::LoadedFile> importHere(const fs::path& path) {
    const auto imported = io::importWithAssimp(path);
    if (!imported)
        return imported.error();
    auto glb = io::writeGlb(imported->scene);
    if (!glb)
        return glb.error();
    return io::loadGlb(std::move(glb).value(), "test");
}

} // namespace

class TestImportDetails : public QObject {
    Q_OBJECT

private slots:
    void materialsKeepWhatGltfHasAPlaceFor();
    void secondTextureCoordinatesArrive();
    void whatIsLeftOutIsNoted_data();
    void whatIsLeftOutIsNoted();
    void namesThatAreNotUnicodeAreConverted();
};

void TestImportDetails::materialsKeepWhatGltfHasAPlaceFor() {
    QTemporaryDir outer;
    const fs::path folder = outer.path().toStdString();
    for (const char* name : {"color.png", "normal.png", "glow.png", "shine.png"})
        QVERIFY(write(folder / name, "\x89PNG\r\n\x1a\nrest"));
    QVERIFY(write(folder / "a.mtl", "newmtl m\nKd 0.5 0.25 0.125\nd 0.5\nKe 0.2 0 0\nmap_Kd color.png\n"
                                    "norm normal.png\nmap_Ke glow.png\nmap_Ks shine.png\nnewmtl n\nKe 0.2 0 0\n"));
    QVERIFY(write(folder / "a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\nusemtl n\nf 1 2 3\n"));
    const auto imported = io::importWithAssimp(folder / "a.obj");
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message().c_str());
    const auto& images = imported->scene.images;
    const auto named = [](const char* name) { return [name](const io::BuildMaterial& m) { return m.name == name; }; };
    const auto& materials = imported->scene.materials;
    const auto m = std::find_if(materials.begin(), materials.end(), named("m"));
    const auto n = std::find_if(materials.begin(), materials.end(), named("n"));
    QVERIFY(m != materials.end() && n != materials.end());
    QCOMPARE(images.at(std::size_t(m->baseColorImage)).name, std::string("color.png"));
    QCOMPARE(images.at(std::size_t(m->normalImage)).name, std::string("normal.png"));
    QCOMPARE(images.at(std::size_t(m->emissiveImage)).name, std::string("glow.png"));
    QVERIFY(m->alphaBlend && m->baseColor == Eigen::Vector4d(1, 1, 1, 0.5) && m->emissive == Eigen::Vector3d::Ones());
    QVERIFY(!n->alphaBlend && std::abs(n->emissive.x() - 0.2) < 1e-6 && n->emissiveImage == -1);
    QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(), [](const auto& note) {
        return note.code == "IMPORT_TEXTURE_USES_LEFT_OUT" && note.text.find("specular") != note.text.npos;
    }));
    const auto loaded = importHere(folder / "a.obj");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().c_str());
}

void TestImportDetails::secondTextureCoordinatesArrive() {
    QTemporaryDir folder;
    const fs::path path = folder.filePath("two.x").toStdString();
    QVERIFY(write(path, "xof 0303txt 0032\nMesh m {\n3;\n0;0;0;,\n1;0;0;,\n0;1;0;;\n1;\n3;0,1,2;;\n"
                        "MeshTextureCoords {\n3;\n0;0;,\n1;0;,\n0;1;;\n}\n"
                        "MeshTextureCoords {\n3;\n0.5;0.25;,\n0;0;,\n0;0;;\n}\n}\n"));
    const auto imported = io::importWithAssimp(path);
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message().c_str());
    const io::BuildPrimitive& p = imported->scene.meshes.at(0).primitives.at(0);
    QCOMPARE(p.secondUvs.size(), p.positions.size());
    QVERIFY(std::any_of(p.secondUvs.begin(), p.secondUvs.end(), [](const auto& uv) { return uv.x() == 0.5f; }));
}

void TestImportDetails::whatIsLeftOutIsNoted_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("code");
    QTest::newRow("BVH has no unit") << "other/Boxing_Toes.bvh"
                                     << "IMPORT_UNITS_UNKNOWN";
    QTest::newRow("BVH has no mesh") << "other/Boxing_Toes.bvh"
                                     << "IMPORT_NO_MESH";
    QTest::newRow("X has no unit") << "other/Testwuson.X"
                                   << "IMPORT_UNITS_UNKNOWN";
    QTest::newRow("in-betweens") << "fbx/maya_blend_inbetween_7500_binary.fbx"
                                 << "IMPORT_IN_BETWEENS";
    QTest::newRow("more textures than one") << "other/man.mdl"
                                            << "IMPORT_TEXTURE_USES_LEFT_OUT";
}

void TestImportDetails::whatIsLeftOutIsNoted() {
    QFETCH(QString, file);
    QFETCH(QString, code);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto imported = io::importWithAssimp(path);
    QVERIFY(imported.ok());
    QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(),
                        [&](const auto& n) { return n.code == code.toStdString(); }));
}

void TestImportDetails::namesThatAreNotUnicodeAreConverted() {
    QTemporaryDir folder;
    const fs::path path = folder.filePath("latin.x").toStdString();
    QVERIFY(write(path, "xof 0303txt 0032\nFrame M\xfcller {\nMesh \xe9t\xe9 {\n3;\n0;0;0;,\n1;0;0;,\n0;1;0;;\n1;\n"
                        "3;0,1,2;;\n}\n}\n"));
    const auto imported = io::importWithAssimp(path);
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message().c_str());
    QVERIFY(std::any_of(imported->scene.nodes.begin(), imported->scene.nodes.end(),
                        [](const io::BuildNode& n) { return n.name == "M\xc3\xbcller"; }));
    QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(),
                        [](const auto& n) { return n.code == "IMPORT_NAMES_CONVERTED"; }));
    QVERIFY(io::writeGlb(imported->scene).ok());
    for (const char* valid : {"", "plain", "M\xc3\xbcller", "\xe6\x97\xa5", "\xf0\x9f\x98\x80"})
        QCOMPARE(io::asUtf8(valid), std::string(valid));
    for (const char* invalid : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97", "\xff"})
        QVERIFY(io::asUtf8(invalid) != std::string(invalid));
}

QTEST_GUILESS_MAIN(TestImportDetails)
#include "test_import_details.moc"
