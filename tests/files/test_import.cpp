// Files of other formats: what the importer makes of them is what Assimp says they look like, and a file that kills the
// importer costs a message.
#include "app/command_line/posed_scene.h"
#include "app/import_worker.h"
#include "core/document/evaluator.h"
#include "core/io/assimp_geometry.h"
#include "core/io/assimp_import.h"
#include "tests/support/test_data.h"

#include <QtTest>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <atomic>
#include <map>
#include <thread>

using namespace limber;
namespace fs = std::filesystem;

namespace {

// Corner positions of all triangles, one triangle after the other.
using Soup = std::vector<Eigen::Vector3d>;

// Assimp's own evaluation, in double: x = sum w W_j Offset_j v, or W v for a mesh without bones.
class AssimpPose {
public:
    // At the file's own pose, or at `ticks` of an animation.
    explicit AssimpPose(const aiScene& scene, const aiAnimation* animation = nullptr, double ticks = 0)
        : scene_(scene) {
        for (unsigned c = 0; animation && c < animation->mNumChannels; ++c)
            animated_.emplace(scene.mRootNode->FindNode(animation->mChannels[c]->mNodeName),
                              sample(*animation->mChannels[c], ticks));
        addNode(*scene.mRootNode, math::Affine::Identity());
    }

    Soup soup;
    std::size_t nodes = 0;

private:
    // Between the keys around `ticks`, held at the ends.
    template <class Key, class Mix> static auto between(const Key* keys, unsigned count, double ticks, Mix mix) {
        unsigned next = 0;
        while (next < count && keys[next].mTime < ticks)
            ++next;
        if (next == 0 || next == count)
            return keys[next == 0 ? 0 : count - 1].mValue;
        const Key &a = keys[next - 1], &b = keys[next];
        return mix(a.mValue, b.mValue, static_cast<float>((ticks - a.mTime) / (b.mTime - a.mTime)));
    }

    static math::Affine sample(const aiNodeAnim& channel, double ticks) {
        const auto lerp = [](const aiVector3D& a, const aiVector3D& b, float t) { return a + (b - a) * t; };
        const auto slerp = [](const aiQuaternion& a, const aiQuaternion& b, float t) {
            aiQuaternion q;
            aiQuaternion::Interpolate(q, a, b, t);
            return q.Normalize();
        };
        const aiVector3D p = between(channel.mPositionKeys, channel.mNumPositionKeys, ticks, lerp);
        const aiVector3D s = between(channel.mScalingKeys, channel.mNumScalingKeys, ticks, lerp);
        const aiQuaternion q = between(channel.mRotationKeys, channel.mNumRotationKeys, ticks, slerp);
        return math::composeTrs({p.x, p.y, p.z}, Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized(), {s.x, s.y, s.z});
    }

    math::Affine local(const aiNode& node) const {
        const auto it = animated_.find(&node);
        return it == animated_.end() ? io::toAffine(node.mTransformation) : it->second;
    }

    math::Affine world(const aiNode* node) const {
        math::Affine w = math::Affine::Identity();
        for (; node; node = node->mParent)
            w = local(*node) * w;
        return w;
    }

    void addNode(const aiNode& node, const math::Affine& parent) {
        const math::Affine own = parent * local(node);
        ++nodes;
        for (const bool skinned : {false, true}) // the importer's order: what follows the node first
            for (unsigned i = 0; i < node.mNumMeshes; ++i)
                if (const aiMesh& mesh = *scene_.mMeshes[node.mMeshes[i]]; mesh.HasBones() == skinned)
                    addMesh(mesh, own);
        for (unsigned c = 0; c < node.mNumChildren; ++c)
            addNode(*node.mChildren[c], own);
    }

    void addMesh(const aiMesh& mesh, const math::Affine& node) {
        std::vector<Eigen::Vector3d> sums(mesh.mNumVertices, Eigen::Vector3d::Zero());
        std::vector<double> weights(mesh.mNumVertices, 0.0);
        const auto vertex = [&](unsigned v) {
            return Eigen::Vector3d(mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z);
        };
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            const aiBone& bone = *mesh.mBones[b];
            const math::Affine skin = world(scene_.mRootNode->FindNode(bone.mName)) * io::toAffine(bone.mOffsetMatrix);
            for (unsigned w = 0; w < bone.mNumWeights; ++w) {
                const double weight = std::max(0.0, double(bone.mWeights[w].mWeight));
                const unsigned v = bone.mWeights[w].mVertexId;
                sums[v] += weight * (skin * vertex(v));
                weights[v] += weight;
            }
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f)
            if (const aiFace& face = mesh.mFaces[f]; face.mNumIndices == 3)
                for (unsigned k = 0; k < 3; ++k) {
                    const unsigned v = face.mIndices[k];
                    soup.push_back(weights[v] > 0 ? Eigen::Vector3d(sums[v] / weights[v]) : node * vertex(v));
                }
    }

    const aiScene& scene_;
    std::map<const aiNode*, math::Affine> animated_;
};

Soup assimpSoup(const fs::path& path, std::size_t& nodes) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate);
    if (!scene)
        return {};
    AssimpPose pose(*scene);
    nodes = pose.nodes;
    return std::move(pose.soup);
}

// Instances in the order of their nodes; a node that the importer added below another counts as that one.
Soup documentSoup(document::DocumentState state, std::size_t sourceNodes) {
    const auto place = [&](const document::Instance& i) {
        return i.node.index() < sourceNodes ? i.node : state.skeleton[i.node].parent;
    };
    std::stable_sort(state.instances.begin(), state.instances.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    const document::Document doc(std::move(state));
    const document::Preview preview;
    document::Evaluator evaluator(doc, preview);
    Soup soup;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const auto positions = evaluator.positions(InstanceId(i));
        for (const std::uint32_t v : doc.mesh(doc.instance(InstanceId(i)).mesh).geometry.triangles)
            soup.push_back(positions[v].cast<double>());
    }
    return soup;
}

double diagonal(const Soup& soup) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : soup)
        box.extend(p);
    return box.diagonal().norm();
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

// Assimp 5.2.5 looks for the end of this section for ever.
fs::path hangingFile(const QTemporaryDir& folder) {
    QFile file(folder.filePath("hang.smd"));
    if (file.open(QIODevice::WriteOnly))
        file.write("versin 1\nnodes\n");
    return file.fileName().toStdString();
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
    void inBetweensAreNamedAndClipsMoveTheWholeShape();
    void whatCannotBeReadIsRefusedWithAReason_data();
    void whatCannotBeReadIsRefusedWithAReason();
    void aFileThatKillsTheImporterCostsAMessage_data();
    void aFileThatKillsTheImporterCostsAMessage();
    void aHangIsEndedByTheLimits_data();
    void aHangIsEndedByTheLimits();
    void cancelAnswersSoon();
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
    const auto loaded = importHere(path);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().c_str());
    std::size_t sourceNodes = 0;
    const Soup theirs = assimpSoup(path, sourceNodes), ours = documentSoup(loaded->state, sourceNodes);
    QVERIFY(!theirs.empty());
    QCOMPARE(ours.size(), theirs.size());
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
        worst = std::max(worst, (ours[i] - theirs[i]).norm());
    QVERIFY2(worst <= 1e-5 * diagonal(theirs), qPrintable(QString("off by %1 of %2").arg(worst).arg(diagonal(theirs))));
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
    const auto loaded = importHere(path);
    QVERIFY(scene && loaded.ok());
    for (unsigned a = 0; a < scene->mNumAnimations; ++a) {
        const aiAnimation& animation = *scene->mAnimations[a];
        const double ticksPerSecond = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        for (const double share : {0.0, 0.37, 0.5, 1.0}) {
            const double ticks = share * animation.mDuration;
            const AssimpPose theirs(*scene, &animation, ticks);
            document::DocumentState state = loaded->state;
            QVERIFY(app::poseFromClip(state, io::toString(animation.mName), ticks / ticksPerSecond).ok());
            const Soup ours = documentSoup(state, theirs.nodes);
            QCOMPARE(ours.size(), theirs.soup.size());
            double worst = 0;
            for (std::size_t i = 0; i < ours.size(); ++i)
                worst = std::max(worst, (ours[i] - theirs.soup[i]).norm());
            QVERIFY2(worst <= 1e-3 * diagonal(theirs.soup), qPrintable(QString("%1 at %2: off by %3 of %4")
                                                                           .arg(animation.mName.C_Str())
                                                                           .arg(ticks)
                                                                           .arg(worst)
                                                                           .arg(diagonal(theirs.soup))));
        }
    }
}

void TestImport::clipsAndShapesArrive() {
    const fs::path inbetween = tests::dataFile("fbx/maya_blend_inbetween_7500_binary.fbx");
    const fs::path human = tests::dataFile("fbx/Animated_Human.fbx");
    if (inbetween.empty() || human.empty())
        QSKIP("no test data");
    const auto shapes = importHere(inbetween);
    QVERIFY(shapes.ok());
    QCOMPARE(shapes->state.meshes.at(0).shapes.size(), std::size_t(5));
    for (const shape::Shape& s : shapes->state.meshes[0].shapes)
        QVERIFY2(!s.vertices.empty(), s.name.c_str());
    const auto clips = importHere(human);
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
    const auto before = importHere(path), after = importHere(turned.fileName().toStdString());
    QVERIFY(before.ok() && after.ok());
    const Soup a = documentSoup(before->state, 1000), b = documentSoup(after->state, 1000);
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) // z is up: (x, y, z) becomes (x, z, -y)
        QVERIFY((Eigen::Vector3d(a[i].x(), a[i].z(), -a[i].y()) - b[i]).norm() < 1e-5 * diagonal(a));
}

void TestImport::inBetweensAreNamedAndClipsMoveTheWholeShape() {
    const fs::path path = tests::dataFile("fbx/maya_blend_inbetween_7500_binary.fbx");
    if (path.empty())
        QSKIP("no test data");
    const auto imported = io::importWithAssimp(path);
    QVERIFY(imported.ok());
    std::vector<std::string> names;
    for (const io::BuildShape& s : imported->scene.meshes.at(0).primitives.at(0).shapes)
        names.push_back(s.name);
    QCOMPARE(names, (std::vector<std::string>{"KeyBlend.LiftTop (in-between 1)", "KeyBlend.LiftTop",
                                              "KeyBlend.MoveToSide (in-between 1)",
                                              "KeyBlend.MoveToSide (in-between 2)", "KeyBlend.MoveToSide"}));
    const io::BuildChannel& weights = imported->scene.clips.at(0).channels.at(0);
    QCOMPARE(weights.values.size(), weights.times.size() * names.size());
    for (std::size_t k = 0; k < weights.values.size(); ++k)
        if (k % names.size() == 0 || k % names.size() == 2 || k % names.size() == 3)
            QCOMPARE(weights.values[k], 0.0f);
}

void TestImport::whatCannotBeReadIsRefusedWithAReason_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reason");
    QTest::newRow("old FBX") << "fbx/max_transformed_skin_6100_binary.fbx"
                             << "FBX older than 7.1";
    QTest::newRow("M3D") << "other/cesium_man.m3d"
                         << "no importer";
    QTest::newRow("IQM") << "other/guy.iqm"
                         << "IQM";
    QTest::newRow("empty") << "invalid/empty.x"
                           << "empty";
    QTest::newRow("not there") << "fbx"
                               << "folder";
    QTest::newRow("cut ASCII FBX") << "invalid/synthetic_truncated_quot_fail_7500_ascii.fbx"
                                   << "export it again";
    QTest::newRow("damaged FBX") << "invalid/fuzz_0302.fbx"
                                 << "export it again";
}

void TestImport::whatCannotBeReadIsRefusedWithAReason() {
    QFETCH(QString, file);
    QFETCH(QString, reason);
    const fs::path path = tests::dataFile(file.toStdString());
    if (path.empty())
        QSKIP("no test data");
    const auto loaded = app::openFile(path);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
    QVERIFY2(loaded.error().text.find(reason.toStdString()) != std::string::npos, loaded.error().message().c_str());
    QCOMPARE(loaded.error().where, path.string());
}

void TestImport::aFileThatKillsTheImporterCostsAMessage_data() {
    QTest::addColumn<QString>("file");
    const fs::path folder = tests::dataFile("crashers");
    if (folder.empty())
        QSKIP("no test data");
    for (const auto& entry : fs::directory_iterator(folder))
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    for (const char* file : {"invalid/malformed_skinweights_oob.x", "invalid/OverflowingWeightIndex.md5mesh"})
        QTest::newRow(file) << QString::fromStdString(tests::dataFile(file).string());
}

void TestImport::aFileThatKillsTheImporterCostsAMessage() {
    QFETCH(QString, file);
    QElapsedTimer timer;
    timer.start();
    app::WorkerLimits limits;
    limits.cpuSeconds = 3;
    const auto loaded = app::importInWorker(file.toStdString(), {}, limits);
    // Some of them die only in other builds; what matters is that the answer comes and is one.
    if (!loaded.ok()) {
        QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
        QVERIFY(loaded.error().text.size() > 20);
    }
    QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
}

void TestImport::aHangIsEndedByTheLimits_data() {
    QTest::addColumn<unsigned>("cpuSeconds");
    QTest::addColumn<unsigned>("wallSeconds");
    QTest::addColumn<QString>("reason");
    QTest::newRow("of work") << 1u << 60u << "stopped after 1 seconds of work";
    QTest::newRow("of the clock") << 60u << 1u << "did not finish within 1 seconds";
}

void TestImport::aHangIsEndedByTheLimits() {
    QFETCH(unsigned, cpuSeconds);
    QFETCH(unsigned, wallSeconds);
    QFETCH(QString, reason);
    QTemporaryDir folder;
    app::WorkerLimits limits;
    limits.cpuSeconds = cpuSeconds;
    limits.wallSeconds = wallSeconds;
    const auto loaded = app::importInWorker(hangingFile(folder), {}, limits);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::InputRefused);
    QVERIFY2(loaded.error().text.find(reason.toStdString()) != std::string::npos, loaded.error().message().c_str());
}

void TestImport::cancelAnswersSoon() {
    QTemporaryDir folder;
    const fs::path path = hangingFile(folder);
    std::atomic<bool> cancelled = false;
    app::OpenProgress progress;
    progress.cancelled = &cancelled;
    QElapsedTimer sinceCancel;
    std::thread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        sinceCancel.start();
        cancelled = true;
    });
    const auto loaded = app::importInWorker(path, progress);
    user.join();
    QVERIFY2(sinceCancel.elapsed() < 200, qPrintable(QString::number(sinceCancel.elapsed())));
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().code, ErrorCode::Cancelled);
}

void TestImport::texturesOutsideTheFolderAreNotRead() {
    QTemporaryDir outer;
    QVERIFY(outer.isValid());
    const fs::path folder = fs::path(outer.path().toStdString()) / "asset";
    fs::create_directory(folder);
    const auto write = [](const fs::path& path, const QByteArray& bytes) {
        QFile file(QString::fromStdString(path.string()));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
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
