// Files of other formats: what the importer makes of them is what Assimp says they look like.
#include "app/command_line/posed_scene.h"
#include "core/io/assimp_import.h"
#include "core/io/gltf_file.h"
#include "tests/support/assimp_oracle.h"
#include "tests/support/import_here.h"
#include "tests/support/test_data.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

using namespace limber;
using tests::Soup;
namespace fs = std::filesystem;

namespace {

// What one unit of the file is in metres, by the file's own words.
double metres(const aiScene& scene) {
    float centimetres = 100;
    if (scene.mMetaData)
        (void)scene.mMetaData->Get("UnitScaleFactor", centimetres);
    return double(centimetres) / 100;
}

void scale(Soup& soup, double factor) {
    for (Eigen::Vector3d& p : soup)
        p *= factor;
}

Soup assimpSoup(const fs::path& path, std::size_t& nodes) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate);
    if (!scene)
        return {};
    tests::AssimpPose pose(*scene);
    nodes = pose.nodes;
    scale(pose.soup, metres(*scene));
    return std::move(pose.soup);
}

bool write(const fs::path& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

class TestImport : public QObject {
    Q_OBJECT

private slots:
    void posedVerticesAreWhereAssimpPutsThem_data();
    void posedVerticesAreWhereAssimpPutsThem();
    void clipsMoveVerticesAsAssimpSays_data();
    void clipsMoveVerticesAsAssimpSays();
    void clipsAndShapesArrive();
    void verticesWithoutWeightsFollowTheirNode();
    void anFbxWithZUpIsTurned();
    void lengthsBecomeMetres_data();
    void lengthsBecomeMetres();
    void aColladaFileInCentimetresComesInMetres();
    void theUnitIsNotedAndJointsKeepTheirNumbers();
    void skinnedMeshesStandAtTheRootAndAreNotAnimated_data();
    void skinnedMeshesStandAtTheRootAndAreNotAnimated();
    void texturesOutsideTheFolderAreNotRead();
    void theSameFileGivesTheSameBytes();
};

void TestImport::posedVerticesAreWhereAssimpPutsThem_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"fbx/Animated_Human.fbx", "fbx/Peach.fbx", "fbx/blender_293_half_skinned_7400_binary.fbx",
          "fbx/dembones_Bone_Skin.fbx", "fbx/dembones_Decomposition_20.fbx", "fbx/maya_axes_anim_7700_ascii.fbx",
          "fbx/maya_blend_inbetween_7500_binary.fbx", "fbx/maya_game_sausage_7500_binary_combined.fbx",
          "fbx/pab_arnaud.fbx", "other/Cat.dae", "other/skin-multiple-sets.dae", "other/Testwuson.X",
          "other/triangle.smd", "other/SimpleCube.md5mesh", "other/Boxing_Toes.bvh", "other/man.mdl",
          "other/ninja/ninja.mesh"})
        QTest::newRow(file) << file;
}

void TestImport::posedVerticesAreWhereAssimpPutsThem() {
    QFETCH(QString, file);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    auto loaded = tests::importHere(path);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().c_str());
    for (document::Instance& instance : loaded->state.instances) // Assimp does not say where sliders stand
        std::fill(instance.shapeWeights.begin(), instance.shapeWeights.end(), 0.0);
    std::size_t sourceNodes = 0;
    const Soup theirs = assimpSoup(path, sourceNodes), ours = tests::documentSoup(loaded->state, sourceNodes);
    QVERIFY(!theirs.empty());
    QCOMPARE(ours.size(), theirs.size());
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
        worst = std::max(worst, (ours[i] - theirs[i]).norm());
    QVERIFY2(worst <= 1e-5 * tests::diagonal(theirs),
             qPrintable(QString("off by %1 of %2").arg(worst).arg(tests::diagonal(theirs))));
}

void TestImport::clipsMoveVerticesAsAssimpSays_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"fbx/Animated_Human.fbx", "fbx/dembones_Decomposition_20.fbx", "fbx/Peach.fbx",
          "fbx/maya_game_sausage_7500_binary_combined.fbx", "other/Cat.dae", "other/Boxing_Toes.bvh"})
        QTest::newRow(file) << file;
}

void TestImport::clipsMoveVerticesAsAssimpSays() {
    QFETCH(QString, file);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate);
    const auto loaded = tests::importHere(path);
    QVERIFY(scene && loaded.ok());
    for (unsigned a = 0; a < scene->mNumAnimations; ++a) {
        const aiAnimation& animation = *scene->mAnimations[a];
        const double ticksPerSecond = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        for (const double share : {0.0, 0.37, 0.5, 1.0}) {
            const double ticks = share * animation.mDuration;
            tests::AssimpPose theirs(*scene, &animation, ticks);
            scale(theirs.soup, metres(*scene));
            document::DocumentState state = loaded->state;
            QVERIFY(app::poseFromClip(state, io::toString(animation.mName), ticks / ticksPerSecond).ok());
            const Soup ours = tests::documentSoup(state, theirs.nodes);
            QCOMPARE(ours.size(), theirs.soup.size());
            double worst = 0;
            for (std::size_t i = 0; i < ours.size(); ++i)
                worst = std::max(worst, (ours[i] - theirs.soup[i]).norm());
            QVERIFY2(worst <= 1e-3 * tests::diagonal(theirs.soup), qPrintable(QString("%1 at %2: off by %3 of %4")
                                                                                  .arg(animation.mName.C_Str())
                                                                                  .arg(ticks)
                                                                                  .arg(worst)
                                                                                  .arg(tests::diagonal(theirs.soup))));
        }
    }
}

void TestImport::clipsAndShapesArrive() {
    const fs::path inbetween = tests::dataFile("fbx/maya_blend_inbetween_7500_binary.fbx");
    const fs::path human = tests::dataFile("fbx/Animated_Human.fbx");
    if (inbetween.empty() || human.empty())
        QSKIP("no test data");
    const auto shapes = tests::importHere(inbetween);
    QVERIFY(shapes.ok());
    QCOMPARE(shapes->state.meshes.at(0).shapes.size(), std::size_t(5));
    for (const shape::Shape& s : shapes->state.meshes[0].shapes)
        QVERIFY2(!s.vertices.empty(), s.name.c_str());
    const auto clips = tests::importHere(human);
    QVERIFY(clips.ok());
    QCOMPARE(clips->state.clips.size(), std::size_t(9));
    for (const rig::Clip& clip : clips->state.clips)
        QVERIFY2(clip.duration > 0.03 && clip.duration < 60, clip.name.c_str());
}

void TestImport::verticesWithoutWeightsFollowTheirNode() {
    const fs::path path = tests::dataFile("fbx/blender_293_half_skinned_7400_binary.fbx");
    if (path.empty())
        QSKIP("no test data");
    const auto imported = io::importWithAssimp(path);
    QVERIFY(imported.ok());
    QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(),
                        [](const auto& n) { return n.code == "IMPORT_VERTICES_UNWEIGHTED" && n.count == 2; }));
}

void TestImport::anFbxWithZUpIsTurned() {
    const fs::path path = tests::dataFile("fbx/maya_axes_anim_7700_ascii.fbx");
    if (path.empty())
        QSKIP("no test data");
    QFile source(QString::fromStdString(path.string()));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QByteArray text = source.readAll();
    const auto setProperty = [&](const char* name, const char* value) {
        const qsizetype at = text.indexOf(QByteArray("\"") + name + "\", \"int\", \"Integer\", \"\",");
        const qsizetype comma = text.indexOf(",", text.indexOf("\"\"", at));
        text.replace(comma + 1, text.indexOf("\n", comma) - comma - 1, value);
        return at > 0;
    };
    QVERIFY(setProperty("UpAxis", "2") && setProperty("FrontAxis", "1") && setProperty("FrontAxisSign", "-1"));
    QTemporaryDir folder;
    QFile turned(folder.filePath("z.fbx"));
    QVERIFY(turned.open(QIODevice::WriteOnly) && turned.write(text) == text.size());
    turned.close();
    const auto before = tests::importHere(path), after = tests::importHere(turned.fileName().toStdString());
    QVERIFY(before.ok() && after.ok());
    const Soup a = tests::documentSoup(before->state, 1000), b = tests::documentSoup(after->state, 1000);
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) // z is up: (x, y, z) becomes (x, z, -y)
        QVERIFY((Eigen::Vector3d(a[i].x(), a[i].z(), -a[i].y()) - b[i]).norm() < 1e-5 * tests::diagonal(a));
}

void TestImport::lengthsBecomeMetres_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<double>("height");
    QTest::newRow("centimetres") << "fbx/pab_arnaud.fbx" << 1.83;
    QTest::newRow("centimetres, animated") << "fbx/Animated_Human.fbx" << 5.25;
    QTest::newRow("another model of the same is 4.49 high as glTF") << "fbx/Peach.fbx" << 4.49;
}

void TestImport::lengthsBecomeMetres() {
    QFETCH(QString, file);
    QFETCH(double, height);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto loaded = tests::importHere(path);
    QVERIFY(loaded.ok());
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : tests::documentSoup(loaded->state, 1000))
        box.extend(p);
    QVERIFY2(std::abs(box.sizes().y() / height - 1) < 0.03, qPrintable(QString::number(box.sizes().y())));
    QVERIFY(std::abs(box.min().y()) < 0.1 * height);
}

void TestImport::aColladaFileInCentimetresComesInMetres() {
    const fs::path path = tests::dataFile("other/Cat.dae");
    if (path.empty())
        QSKIP("no test data");
    QFile source(QString::fromStdString(path.string()));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QByteArray text = source.readAll();
    QVERIFY(text.contains("meter=\"1\""));
    QTemporaryDir folder;
    QFile smaller(folder.filePath("cat.dae"));
    text.replace("meter=\"1\"", "meter=\"0.01\"");
    QVERIFY(smaller.open(QIODevice::WriteOnly) && smaller.write(text) == text.size());
    smaller.close();
    const auto metres = tests::importHere(path), centimetres = tests::importHere(smaller.fileName().toStdString());
    QVERIFY(metres.ok() && centimetres.ok());
    const Soup large = tests::documentSoup(metres->state, 1000), small = tests::documentSoup(centimetres->state, 1000);
    QCOMPARE(small.size(), large.size());
    for (std::size_t i = 0; i < small.size(); ++i)
        QVERIFY((small[i] - 0.01 * large[i]).norm() < 1e-6 * tests::diagonal(large));
}

void TestImport::theUnitIsNotedAndJointsKeepTheirNumbers() {
    const fs::path path = tests::dataFile("fbx/pab_arnaud.fbx");
    if (path.empty())
        QSKIP("no test data");
    const auto imported = io::importWithAssimp(path);
    QVERIFY(imported.ok());
    QVERIFY(std::any_of(imported->notes.begin(), imported->notes.end(), [](const auto& n) {
        return n.code == "IMPORT_UNITS" && n.count == 0 && n.text.find("centimetres, scaled by 0.01") != n.text.npos;
    }));
    // A skeleton of 1.83 m keeps joints that are tens of units apart.
    const auto loaded = tests::importHere(path);
    QVERIFY(loaded.ok());
    double longest = 0;
    for (std::size_t j = 0; j < loaded->state.skeleton.size(); ++j)
        if (loaded->state.skeleton[JointId(j)].deforms)
            longest = std::max(longest, loaded->state.skeleton[JointId(j)].bindLocal.translation().norm());
    QVERIFY2(longest > 20 && longest < 200, qPrintable(QString::number(longest)));
}

void TestImport::skinnedMeshesStandAtTheRootAndAreNotAnimated_data() {
    posedVerticesAreWhereAssimpPutsThem_data();
}

void TestImport::skinnedMeshesStandAtTheRootAndAreNotAnimated() {
    QFETCH(QString, file);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto imported = io::importWithAssimp(path);
    QVERIFY(imported.ok());
    const auto& nodes = imported->scene.nodes;
    for (const io::BuildNode& node : nodes)
        if (node.skin >= 0)
            QVERIFY2(node.parent == -1 && math::identical(node.local, math::Affine::Identity()), node.name.c_str());
    for (const io::BuildClip& clip : imported->scene.clips) {
        QVERIFY(!clip.channels.empty());
        for (const io::BuildChannel& c : clip.channels)
            QVERIFY(nodes.at(std::size_t(c.node)).skin < 0 || c.path == io::BuildChannel::Path::Weights);
    }
}

void TestImport::texturesOutsideTheFolderAreNotRead() {
    QTemporaryDir outer;
    QVERIFY(outer.isValid());
    const fs::path folder = fs::path(outer.path().toStdString()) / "asset";
    fs::create_directory(folder);
    const QByteArray png("\x89PNG\r\n\x1a\nrest");
    QVERIFY(write(folder.parent_path() / "secret.png", png));
    QVERIFY(write(folder / "own.png", png));
    fs::create_symlink(folder.parent_path() / "secret.png", folder / "link.png");
    QVERIFY(write(folder / "a.mtl", "newmtl out\nmap_Kd ../secret.png\nnewmtl link\nmap_Kd link.png\n"
                                    "newmtl own\nmap_Kd own.png\n"));
    QVERIFY(write(folder / "a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                    "usemtl out\nf 1 2 3\nusemtl link\nf 1 2 3\nusemtl own\nf 1 2 3\n"));
    const auto imported = io::importWithAssimp(folder / "a.obj");
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message().c_str());
    QCOMPARE(imported->scene.images.size(), std::size_t(1));
    QCOMPARE(imported->scene.images[0].name, std::string("own.png"));
}

void TestImport::theSameFileGivesTheSameBytes() {
    const fs::path path = tests::dataFile("other/Cat.dae");
    if (path.empty())
        QSKIP("no test data");
    const auto first = io::importWithAssimp(path), second = io::importWithAssimp(path);
    QVERIFY(first.ok() && second.ok());
    QVERIFY(io::writeGlb(first->scene).value() == io::writeGlb(second->scene).value());
}

QTEST_GUILESS_MAIN(TestImport)
#include "test_import.moc"
