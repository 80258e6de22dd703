// What comes with the geometry of other formats, and that nothing is left out in silence.
#include "core/check/doctor.h"
#include "core/io/assimp_import.h"
#include "core/io/assimp_names.h"
#include "core/io/gltf_file.h"
#include "tests/support/import_here.h"
#include "tests/support/test_data.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace limber;
namespace fs = std::filesystem;

namespace {

bool write(const fs::path& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

const io::ImportNote* noteOf(const io::ImportedScene& imported, const char* code) {
    for (const io::ImportNote& note : imported.notes)
        if (note.code == code)
            return &note;
    return nullptr;
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
    void aSkeletonThatIsNotBesideItsMeshIsNamed();
    void bonesThatSkinsDoNotNameAreCounted_data();
    void bonesThatSkinsDoNotNameAreCounted();
    void whatTheImportAddsIsNoFinding_data();
    void whatTheImportAddsIsNoFinding();
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
    const auto loaded = tests::importHere(folder / "a.obj");
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

void TestImportDetails::aSkeletonThatIsNotBesideItsMeshIsNamed() {
    const fs::path ninja = tests::dataFile("other/ninja/ninja.mesh");
    if (ninja.empty())
        QSKIP("no test data");
    const auto whole = io::importWithAssimp(ninja);
    QVERIFY(whole.ok());
    QVERIFY(!noteOf(*whole, "IMPORT_SKELETON_MISSING"));
    QTemporaryDir outer;
    const fs::path folder = outer.path().toStdString();
    fs::copy_file(ninja, folder / "ninja.mesh");
    fs::copy_file(ninja.parent_path() / "ninja.skeleton", folder / "Ninja.skeleton");
    QVERIFY(write(folder / "ninja.material", "material Examples/Ninja\n{\n technique\n {\n  pass\n  {\n  }\n }\n}\n"));
    const auto coloured = io::importWithAssimp(folder / "ninja.mesh");
    QVERIFY(coloured.ok() && !noteOf(*coloured, "IMPORT_MATERIALS_MISSING"));
    fs::remove(folder / "ninja.material");
    const auto alone = io::importWithAssimp(folder / "ninja.mesh");
    QVERIFY2(alone.ok(), alone.ok() ? "" : alone.error().message().c_str());
    QVERIFY(alone->scene.skins.empty());
    const io::ImportNote* note = noteOf(*alone, "IMPORT_SKELETON_MISSING");
    QVERIFY(note && note->count > 0);
    QVERIFY2(note->text.find("\"ninja.skeleton\" was not found") != std::string::npos, note->text.c_str());
    note = noteOf(*alone, "IMPORT_MATERIALS_MISSING");
    QVERIFY(note && note->count > 0 && note->text.find("ninja.material") != std::string::npos);
}

void TestImportDetails::bonesThatSkinsDoNotNameAreCounted_data() {
    QTest::addColumn<int>("cut");
    for (const int cut : {0, 1, 4})
        QTest::addRow("%d of 4 links", cut) << cut;
}

void TestImportDetails::bonesThatSkinsDoNotNameAreCounted() {
    QFETCH(int, cut);
    const QString source = QString::fromStdString(tests::dataFile("fbx/maya_axes_anim_7700_ascii.fbx").string());
    if (source.isEmpty())
        QSKIP("no test data");
    QFile file(source);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    // "; Model::bone, SubDeformer::name" stands above each line that links a bone.
    qsizetype at = 0;
    int found = 0;
    while ((at = text.indexOf(", SubDeformer::", at + 1)) > 0) {
        const qsizetype line = text.lastIndexOf('\n', at) + 1, next = text.indexOf('\n', at) + 1;
        if (text.mid(line, at - line).contains(";Model::") && found++ < cut)
            text[text.indexOf("C:", next)] = ';';
    }
    QCOMPARE(found, 4);
    QTemporaryDir folder;
    const fs::path path = folder.filePath("a.fbx").toStdString();
    QVERIFY(write(path, text));
    const auto imported = io::importWithAssimp(path);
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message().c_str());
    const io::ImportNote* note = noteOf(*imported, "IMPORT_SKIN_WITHOUT_BONES");
    QCOMPARE(note ? note->count : 0, std::size_t(cut));
    QCOMPARE(imported->scene.skins.empty(), cut == 4);
}

void TestImportDetails::whatTheImportAddsIsNoFinding_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("unit") << "fbx/Animated_Human.fbx";
    QTest::newRow("mesh on a joint") << "fbx/blender_293_half_skinned_7400_binary.fbx";
    QTest::newRow("mesh of bones") << "other/Boxing_Toes.bvh";
    QTest::newRow("turned root") << "other/SimpleCube.md5mesh";
    QTest::newRow("turned root of Collada") << "other/skin-multiple-sets.dae";
}

void TestImportDetails::whatTheImportAddsIsNoFinding() {
    QFETCH(QString, file);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto loaded = tests::importHere(path);
    QVERIFY(loaded.ok());
    const document::Document doc(loaded->state);
    for (const check::Finding& f : check::examine(doc, {})) {
        QVERIFY2(f.code != "DUPLICATE_NAMES" && f.code != "SEAM_WEIGHTS_DIFFER", f.where.c_str());
        QVERIFY2(f.code != "ROOT_UNIT_FACTOR" &&
                     (f.code != "ROOT_AXIS_TURN" || f.where.find("Armature") != f.where.npos),
                 f.where.c_str());
    }
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
