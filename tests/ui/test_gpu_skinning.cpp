// Skinning in the vertex shader against the processor's: all methods, from storage buffers and from textures.
#include "core/document/evaluator.h"
#include "core/io/gltf_file.h"
#include "core/io/mannequin.h"
#include "tests/support/skinning_program.h"
#include "tests/support/tube_document.h"
#include "ui/viewport/graphics_setup.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QtTest>

#include <map>
#include <memory>
#include <random>

using namespace limber;
using Eigen::Vector3f;
using skin::Method;
using test::SkinningOutput;
using test::SkinningProgram;
using ui::ShaderLevel;
using ui::SkinStage;

namespace {

constexpr Method kMethods[] = {Method::Linear, Method::DualQuaternion, Method::Spherical};

SkinStage stageOf(Method method) {
    return static_cast<SkinStage>(static_cast<int>(method) + 1);
}

// Every joint turned by up to half a radian and scaled a little, some of them moved, stretched along an axis of theirs
// and mirrored.
rig::Pose wildPose(const document::DocumentState& state) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&] { return Eigen::Vector3d(unit(random), unit(random), unit(random)); };
    rig::Pose wild = state.pose;
    for (std::size_t j = 0; j < wild.size(); ++j) {
        wild[j].rotate(Eigen::AngleAxisd(0.5 * unit(random), vector().normalized()));
        wild[j].scale(1 + 0.1 * unit(random));
        if (j % 4 == 1)
            wild[j].translate(0.1 * state.skeleton[JointId(j)].bindLocal.translation().norm() * vector());
        if (j % 5 == 2)
            wild[j].scale(Eigen::Vector3d(1.4, 0.8, 1));
        if (j % 11 == 3 || j + 1 == wild.size())
            wild[j].scale(Eigen::Vector3d(-1, 1, 1));
    }
    return wild;
}

document::DocumentState movedPose(const document::DocumentState& state, const math::Affine& motion) {
    document::DocumentState moved = state;
    for (std::size_t j = 0; j < moved.pose.size(); ++j)
        if (const rig::Joint& joint = state.skeleton[JointId(j)]; !joint.parent.valid())
            moved.pose[j] = joint.bindLocal.inverse() * motion * joint.bindLocal * moved.pose[j];
    return moved;
}

document::DocumentState movedScene(const document::DocumentState& state, const math::Affine& motion) {
    document::DocumentState moved = state;
    std::vector<rig::Joint> joints = state.skeleton.joints();
    for (rig::Joint& joint : joints)
        if (!joint.parent.valid())
            joint.bindLocal = motion * joint.bindLocal;
    moved.skeleton = rig::Skeleton(std::move(joints));
    for (document::Skin& skin : moved.skins)
        skin.bindShape = motion * skin.bindShape;
    return moved;
}

std::vector<float> paintedShares(std::size_t vertices) {
    std::vector<float> shares(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        shares[v] = static_cast<float>(v % 11) / 10;
    return shares;
}

std::optional<document::DocumentState> load(const QString& name) {
    if (name == "tube")
        return test::tubeDocument();
    Result<io::LoadedFile> file = Error{};
    if (name == "mannequin") {
        auto bytes = io::mannequinGlb();
        if (!bytes)
            return std::nullopt;
        file = io::loadGlb(std::move(bytes).value(), "glb");
    } else {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
        const QString path = folder + '/' + name;
        if (!QFileInfo::exists(path))
            return std::nullopt;
        file = io::loadGltf(path.toStdString());
    }
    if (!file)
        return std::nullopt;
    return std::move(file->state);
}

// The poses of a file that are looked at.
std::vector<rig::Pose> posesOf(const document::DocumentState& state) {
    std::vector<rig::Pose> poses{state.pose, wildPose(state)};
    if (!state.clips.empty()) {
        poses.push_back(state.pose);
        rig::sampleClip(state.clips.front(), 0.4 * state.clips.front().duration, state.skeleton, state.pose,
                        poses.back());
    }
    return poses;
}

// A skin of random joints near the origin with random rows, for what no file has.
struct Scattered {
    std::vector<skin::SlotPose> joints;
    skin::SkinWeights weights;
    std::vector<Vector3f> positions, normals;
};

Scattered scattered(std::size_t slotCount, std::size_t influences, std::size_t vertices) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    Scattered s;
    const auto vector = [&] { return Eigen::Vector3d(unit(random), unit(random), unit(random)); };
    for (std::size_t k = 0; k < slotCount; ++k) {
        math::Affine bind = math::Affine::Identity();
        bind.translation() = vector();
        math::Affine world = bind;
        world.rotate(Eigen::AngleAxisd(0.7 * unit(random), vector().normalized()));
        world.scale(Eigen::Vector3d(1 + 0.3 * unit(random), 1, k % 7 == 3 ? -1 : 1));
        s.joints.push_back(skin::slotPose(world, bind, bind.inverse(), bind.inverse()));
    }
    s.weights = skin::SkinWeights(vertices, influences);
    for (std::size_t v = 0; v < vertices; ++v) {
        std::map<std::uint32_t, float> row;
        while (row.size() < influences)
            row[static_cast<std::uint32_t>(random() % slotCount)] = static_cast<float>(1.1 + unit(random));
        float total = 0;
        for (const auto& [slot, weight] : row)
            total += weight;
        skin::Row sorted;
        for (const auto& [slot, weight] : row)
            sorted.push_back({slot, weight / total});
        s.weights.setRow(v, sorted);
        s.positions.push_back(vector().cast<float>());
        s.normals.push_back(vector().normalized().cast<float>());
    }
    return s;
}

skin::Palette paletteOf(const std::vector<skin::SlotPose>& joints, Method method) {
    skin::Palette palette;
    palette.resize(joints.size(), method);
    for (std::size_t s = 0; s < joints.size(); ++s)
        palette.set(s, joints[s]);
    palette.finish();
    return palette;
}

bool allFinite(const SkinningOutput& out) {
    const auto finite = [](const Vector3f& v) { return v.allFinite(); };
    return std::all_of(out.positions.begin(), out.positions.end(), finite) &&
           std::all_of(out.normals.begin(), out.normals.end(), finite);
}

} // namespace

class TestGpuSkinning : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        surface_.create();
        QVERIFY(context_.create());
        QVERIFY(context_.makeCurrent(&surface_));
        levels_ = {ShaderLevel::Gl33};
        if (context_.format().version() >= std::pair(4, 3))
            levels_.push_back(ShaderLevel::Gl43);
        if (qEnvironmentVariable("MESA_GL_VERSION_OVERRIDE") == "3.3")
            QCOMPARE(levels_.size(), 1u); // textures alone
        for (const ShaderLevel level : levels_)
            for (const Method method : kMethods) {
                auto& made = programs_[{level, method}];
                made = std::make_unique<SkinningProgram>(level, stageOf(method));
                QVERIFY2(made->linked(), qPrintable(made->log()));
            }
    }
    void cleanupTestCase() { programs_.clear(); }

    void shaderAndProcessorPoseAlike_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tube",
                                 "mannequin",
                                 "demo/Knight_demo.glb",
                                 "demo/mannequiny.glb",
                                 "demo/RobotExpressive.glb",
                                 "gltf/Fox.glb",
                                 "gltf/Fox_quantized.glb",
                                 "gltf/CesiumMan/CesiumMan.gltf",
                                 "gltf/SimpleSkin.gltf",
                                 "gltf/InfiniteSkinnedTentacle.glb",
                                 "gltf/Wasp.glb",
                                 "gltf/rigged_simple.gltf",
                                 "gltf/cesium_man_nonnorm.gltf",
                                 "gltf/kenney_male_draco.gltf",
                                 "gltf/hand_left/LeftHandHumanoid.gltf",
                                 "gltf/MorphStressTest.gltf",
                                 "gltf/Manny/manny_med_mod.gltf",
                                 "gltf/odd_SimpleSkin_dup_nonascii_names.gltf",
                                 "gltf/odd_SimpleSkin_no_ibm.gltf",
                                 "gltf/skin.gltf",
                                 "gltf/skin-multiple-sets.gltf",
                                 "gltf/unassigned-skeleton.gltf",
                                 "gltf/Peach_3sets.glb",
                                 "gltf/odd_SimpleSkin_nonuniform_negative_scale.gltf"})
            QTest::newRow(name) << name;
    }
    void shaderAndProcessorPoseAlike() {
        QFETCH(QString, name);
        const auto state = load(name);
        if (!state)
            QSKIP("the file is not here");
        std::size_t looked = 0;
        for (const Method method : kMethods)
            for (const bool painted : {false, true}) {
                if (painted && method == Method::Linear)
                    continue;
                document::DocumentState posed = *state;
                for (document::MeshData& mesh : posed.meshes) {
                    mesh.skinning.method = method;
                    if (painted)
                        mesh.paintedMaps[0] = paintedShares(mesh.geometry.vertexCount());
                }
                for (const rig::Pose& pose : posesOf(*state)) {
                    posed.pose = pose;
                    compare(document::DocumentState(posed), method, looked);
                    if (QTest::currentTestFailed())
                        return;
                }
            }
        QVERIFY(looked > 0);
    }

    // A whole scene, bind and all, turned, moved and scaled evenly, or only its pose turned and moved: what is posed in
    // the vertex shader goes along, by every method.
    void movedScenesArePosedAlike_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("bindToo");
        for (const char* name :
             {"tube", "mannequin", "demo/mannequiny.glb", "gltf/Fox_quantized.glb", "gltf/CesiumMan/CesiumMan.gltf"})
            for (const bool bindToo : {false, true})
                QTest::addRow("%s, %s", name, bindToo ? "bind too" : "pose") << name << bindToo;
    }
    void movedScenesArePosedAlike() {
        QFETCH(QString, name);
        QFETCH(bool, bindToo);
        auto here = load(name);
        if (!here)
            QSKIP("the file is not here");
        math::Affine motion(Eigen::Translation3d(0.7, -0.4, 0.3));
        motion.rotate(Eigen::AngleAxisd(2.1, Eigen::Vector3d(1, 2, -1).normalized()));
        if (bindToo)
            motion.scale(3.0);
        here->pose = wildPose(*here);
        const document::DocumentState there = bindToo ? movedScene(*here, motion) : movedPose(*here, motion);
        for (const Method method : kMethods) {
            const std::vector<SkinningOutput> first = shaded(*here, method), second = shaded(there, method);
            QCOMPARE(first.size(), second.size());
            Eigen::AlignedBox3f box;
            for (const SkinningOutput& out : second)
                for (const Vector3f& p : out.positions)
                    box.extend(p);
            double worst = 0;
            for (std::size_t k = 0; k < first.size(); ++k)
                for (std::size_t v = 0; v < first[k].positions.size(); ++v)
                    worst = std::max(
                        worst,
                        (second[k].positions[v].cast<double>() - motion * first[k].positions[v].cast<double>()).norm());
            QVERIFY2(worst <= 1e-4 * double(box.diagonal().norm()),
                     qPrintable(QStringLiteral("method %1: %2 of %3")
                                    .arg(int(method))
                                    .arg(worst)
                                    .arg(double(box.diagonal().norm()))));
        }
    }

    void rowsAndPalettesOfAnySize_data() {
        QTest::addColumn<int>("joints");
        QTest::addColumn<int>("influences");
        QTest::newRow("64 influences") << 100 << 64;
        QTest::newRow("5,000 slots") << 5000 << 4;
        QTest::newRow("one slot") << 1 << 1;
    }
    void rowsAndPalettesOfAnySize() {
        QFETCH(int, joints);
        QFETCH(int, influences);
        const Scattered s = scattered(std::size_t(joints), std::size_t(influences), 600);
        const std::vector<float> shares = paintedShares(s.positions.size());
        for (const Method method : kMethods)
            for (const ShaderLevel level : levels_) {
                const skin::Palette palette = paletteOf(s.joints, method);
                const SkinningOutput out =
                    programs_[{level, method}]->run({s.positions, s.normals, &palette, &s.weights, shares});
                QVERIFY(allFinite(out));
                for (std::size_t v = 0; v < s.positions.size(); ++v) {
                    const Eigen::Vector3d expected =
                        skin::posedReference(s.positions[v].cast<double>(), s.normals[v].cast<double>(),
                                             s.weights.row(v), s.joints, method, shares[v])
                            .position;
                    QVERIFY2((out.positions[v].cast<double>() - expected).norm() < 1e-4,
                             qPrintable(QStringLiteral("method %1, vertex %2").arg(int(method)).arg(v)));
                    QCOMPARE(out.heat[v], s.weights.weight(v, 0));
                }
            }
    }

    // Flat joints turned in any way mirror nothing, whatever rounding makes of their determinants: normals are those of
    // the processor.
    void flatJointsDoNotMirror() {
        Scattered s = scattered(400, 1, 800);
        for (std::size_t k = 0; k < s.joints.size(); ++k) {
            math::Affine world(Eigen::AngleAxisd(0.005 * double(k), Eigen::Vector3d(1, 2, 3).normalized()));
            world.scale(Eigen::Vector3d(1, 1, 0));
            s.joints[k] =
                skin::slotPose(world, math::Affine::Identity(), math::Affine::Identity(), math::Affine::Identity());
            s.joints[k].sign = 1;
        }
        const skin::Palette palette = paletteOf(s.joints, Method::Linear);
        for (const ShaderLevel level : levels_) {
            const SkinningOutput out =
                programs_[{level, Method::Linear}]->run({s.positions, s.normals, &palette, &s.weights, {}});
            for (std::size_t v = 0; v < s.normals.size(); ++v) {
                const Vector3f expected =
                    skin::posedReference(s.positions[v].cast<double>(), s.normals[v].cast<double>(), s.weights.row(v),
                                         s.joints, Method::Linear)
                        .normal.cast<float>();
                QVERIFY2(out.normals[v].dot(expected) > 0.99f, qPrintable(QString::number(v)));
            }
        }
    }

    // A joint scaled to nothing, flattened, or to where float ends: whatever it shows is finite.
    void lostJointsStayFinite() {
        Scattered s = scattered(12, 4, 600);
        for (const Eigen::Vector3d& scale : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, 0, 1),
                                             Eigen::Vector3d(1e-30, 1e-30, 1e-30), Eigen::Vector3d(1e-11, 1e-11, 1e-11),
                                             Eigen::Vector3d(1e10, 1e10, 1e10), Eigen::Vector3d(1e18, -1e18, 1e18)}) {
            for (std::size_t k = 0; k < s.joints.size(); k += 2) {
                math::Affine world(Eigen::AngleAxisd(0.3 * double(k), Eigen::Vector3d(1, 2, 3).normalized()));
                world.scale(scale);
                s.joints[k] =
                    skin::slotPose(world, math::Affine::Identity(), math::Affine::Identity(), math::Affine::Identity());
            }
            for (const Method method : kMethods)
                for (const ShaderLevel level : levels_) {
                    const skin::Palette palette = paletteOf(s.joints, method);
                    const SkinningOutput out =
                        programs_[{level, method}]->run({s.positions, s.normals, &palette, &s.weights, {}});
                    QVERIFY(allFinite(out));
                    for (const Vector3f& n : out.normals)
                        QVERIFY(std::abs(n.norm() - 1) < 1e-3);
                }
        }
    }

private:
    // All instances at all levels.
    std::vector<SkinningOutput> shaded(document::DocumentState state, Method method) {
        for (document::MeshData& mesh : state.meshes)
            mesh.skinning.method = method;
        const document::Document doc(std::move(state));
        const document::Preview preview;
        document::Evaluator evaluator(doc, preview);
        std::vector<SkinningOutput> all;
        for (std::size_t i = 0; i < doc.instanceCount(); ++i)
            for (const ShaderLevel level : levels_) {
                const InstanceId id(i);
                const skin::SkinWeights none, &own = evaluator.weights(doc.instance(id).mesh);
                const bool skinned = doc.isSkinned(id);
                all.push_back(
                    programs_[{level, skinned ? method : Method::Linear}]->run({evaluator.preSkinPositions(id),
                                                                                evaluator.preSkinNormals(id),
                                                                                &evaluator.palette(id),
                                                                                skinned ? &own : &none,
                                                                                {}}));
            }
        return all;
    }

    void compare(document::DocumentState state, Method method, std::size_t& looked) {
        const document::Document doc(std::move(state));
        const document::Preview preview;
        document::Evaluator evaluator(doc, preview);
        const double tolerance = 1e-4 * evaluator.bounds().diagonal().norm();
        std::size_t vertices = 0, turned = 0;
        for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
            const InstanceId id(i);
            const document::Instance& instance = doc.instance(id);
            const skin::SkinWeights none, &own = evaluator.weights(instance.mesh);
            const bool skinned = instance.skin.valid() && !own.empty();
            const auto positions = evaluator.positions(id), normals = evaluator.normals(id);
            for (const ShaderLevel level : levels_) {
                const SkinningOutput gpu = programs_[{level, skinned ? method : Method::Linear}]->run(
                    {evaluator.preSkinPositions(id), evaluator.preSkinNormals(id), &evaluator.palette(id),
                     skinned ? &own : &none, evaluator.paintedMap(instance.mesh, skin::PaintedMap::MethodShare)});
                QVERIFY(allFinite(gpu));
                for (std::size_t v = 0; v < positions.size(); ++v) {
                    QVERIFY2((gpu.positions[v] - positions[v]).norm() <= tolerance,
                             qPrintable(QStringLiteral("method %1, vertex %2 of mesh %3: %4 of %5")
                                            .arg(int(method))
                                            .arg(v)
                                            .arg(i)
                                            .arg(double((gpu.positions[v] - positions[v]).norm()))
                                            .arg(tolerance)));
                    turned += (gpu.normals[v] - normals[v]).norm() > 1e-2f;
                }
                vertices += positions.size();
            }
        }
        looked += vertices;
        // A blend next to its loss of rank may turn its normal anywhere.
        QVERIFY2(turned * 1000 <= vertices, qPrintable(QStringLiteral("%1 of %2 normals").arg(turned).arg(vertices)));
    }

    QOffscreenSurface surface_;
    QOpenGLContext context_;
    std::vector<ShaderLevel> levels_;
    std::map<std::pair<ShaderLevel, Method>, std::unique_ptr<SkinningProgram>> programs_;
};

int main(int argc, char** argv) {
    ui::prepareGraphics();
    const QGuiApplication app(argc, argv);
    TestGpuSkinning test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_gpu_skinning.moc"
