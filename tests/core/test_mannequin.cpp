#include "core/io/mannequin.h"

#include <QElapsedTimer>
#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace limber;
using namespace limber::io;
using Eigen::Vector3f;

namespace {

using Point = std::array<float, 3>;

Point keyOf(const Vector3f& p) {
    return {p.x() + 0.0F, p.y(), p.z()};
}

// The primitives as one surface: vertices at one position are one.
struct Surface {
    std::map<Point, int> index;
    std::vector<Vector3f> points;
    std::vector<std::vector<BuildInfluence>> influences;
    std::vector<std::array<int, 3>> triangles;
    std::size_t vertices = 0; // before welding

    explicit Surface(const BuildMesh& mesh) {
        for (const BuildPrimitive& p : mesh.primitives) {
            std::vector<int> welded;
            for (std::size_t v = 0; v < p.positions.size(); ++v) {
                const auto [at, fresh] = index.try_emplace(keyOf(p.positions[v]), static_cast<int>(points.size()));
                if (fresh) {
                    points.push_back(p.positions[v]);
                    influences.push_back(p.influences[v]);
                }
                welded.push_back(at->second);
            }
            vertices += welded.size();
            for (std::size_t t = 0; t < p.triangles.size(); t += 3)
                triangles.push_back({welded[p.triangles[t]], welded[p.triangles[t + 1]], welded[p.triangles[t + 2]]});
        }
    }
    [[nodiscard]] int mirrorOf(int v) const {
        const auto at = index.find(keyOf({-points[v].x(), points[v].y(), points[v].z()}));
        return at == index.end() ? -1 : at->second;
    }
};

std::map<std::string, float> byName(const SceneBuild& scene, const std::vector<BuildInfluence>& row, bool mirrored) {
    std::map<std::string, float> weights;
    for (const BuildInfluence& influence : row) {
        std::string name = scene.nodes[scene.skins[0].joints[influence.joint]].name;
        if (mirrored && name.ends_with("_l"))
            name.back() = 'r';
        else if (mirrored && name.ends_with("_r"))
            name.back() = 'l';
        weights[name] += influence.weight;
    }
    return weights;
}

} // namespace

class TestMannequin : public QObject {
    Q_OBJECT

private slots:
    void sizeIsThatOfAPerson() {
        Vector3f low = Vector3f::Constant(9), high = -low;
        for (const Vector3f& p : surface_.points) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
        QVERIFY(std::abs(low.y()) < 0.003F);
        QVERIFY(std::abs(high.y() - 1.75F) < 0.02F);
        QVERIFY(surface_.vertices >= 5000 && surface_.vertices <= 15000);
    }

    void surfaceIsClosed() {
        std::map<std::pair<int, int>, int> edges;
        for (const auto& t : surface_.triangles)
            for (int k = 0; k < 3; ++k)
                ++edges[{t[k], t[(k + 1) % 3]}];
        for (const auto& [edge, count] : edges) {
            QCOMPARE(count, 1);
            QVERIFY(edges.count({edge.second, edge.first}));
        }
        // A sphere's worth of handles: none.
        QCOMPARE(static_cast<int>(surface_.points.size()) - static_cast<int>(edges.size() / 2) +
                     static_cast<int>(surface_.triangles.size()),
                 2);
    }

    void everyVertexHasItsMirrorImage() {
        for (std::size_t v = 0; v < surface_.points.size(); ++v)
            QVERIFY(surface_.mirrorOf(static_cast<int>(v)) >= 0);
    }

    void trianglesAreWellShaped() {
        double volume = 0;
        for (const auto& t : surface_.triangles) {
            const Vector3f &a = surface_.points[t[0]], &b = surface_.points[t[1]], &c = surface_.points[t[2]];
            const double area = (b - a).cross(c - a).norm() / 2;
            const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
            QVERIFY(area > 1e-7);
            QVERIFY(area / (longest * longest) > 0.02); // an equilateral triangle has 0.43
            volume += a.cross(b).dot(c) / 6;
        }
        QVERIFY(volume > 0.05 && volume < 0.11); // a person's, in cubic metres, counter-clockwise outside
    }

    void normalsLookOutwards() {
        for (const BuildPrimitive& p : scene_.meshes[0].primitives)
            for (std::size_t t = 0; t < p.triangles.size(); t += 3) {
                const Vector3f &a = p.positions[p.triangles[t]], &b = p.positions[p.triangles[t + 1]],
                               &c = p.positions[p.triangles[t + 2]];
                for (int k = 0; k < 3; ++k) {
                    const Vector3f& n = p.normals[p.triangles[t + k]];
                    QVERIFY(std::abs(n.norm() - 1) < 1e-5F);
                    QVERIFY((b - a).cross(c - a).normalized().dot(n) > 0);
                }
            }
    }

    void jointsAreNamedUniquelyAndPaired() {
        std::set<std::string> names;
        for (const int joint : scene_.skins[0].joints)
            QVERIFY(names.insert(scene_.nodes[joint].name).second);
        QVERIFY(names.size() >= 48 && names.size() <= 56);
        for (const std::string& name : names)
            if (name.ends_with("_l"))
                QVERIFY(names.count(name.substr(0, name.size() - 1) + "r"));
        for (const char* name : {"root", "hips", "head", "upperarm_l", "hand_r", "pinky_03_l", "calf_r"})
            QVERIFY(names.count(name));
    }

    void restPoseIsTheBindPose() {
        std::vector<math::Affine> world;
        for (const BuildNode& node : scene_.nodes)
            world.push_back(node.parent < 0 ? node.local : world[node.parent] * node.local);
        const BuildSkin& skin = scene_.skins[0];
        for (std::size_t i = 0; i < skin.joints.size(); ++i)
            QVERIFY(math::distance(world[skin.joints[i]] * skin.inverseBinds[i], math::Affine::Identity()) < 1e-12);
    }

    void jointAxesPointToTheChild() {
        for (const BuildNode& node : scene_.nodes)
            if (node.name.starts_with("lowerarm") || node.name.starts_with("calf") ||
                node.name.starts_with("index_02")) {
                const math::Vector3d direction = node.local.translation().normalized();
                QVERIFY((direction - math::Vector3d::UnitY()).norm() < 1e-9);
            }
    }

    void weightsAreFewNormalisedAndSymmetric() {
        for (std::size_t v = 0; v < surface_.points.size(); ++v) {
            const auto& row = surface_.influences[v];
            QVERIFY(!row.empty() && row.size() <= 4);
            double sum = 0;
            for (const BuildInfluence& influence : row)
                sum += influence.weight;
            QVERIFY(std::abs(sum - 1) < 1e-6);
            const int m = surface_.mirrorOf(static_cast<int>(v));
            QCOMPARE(byName(scene_, row, true), byName(scene_, surface_.influences[m], false));
        }
    }

    void weightsDoNotCrossOver() {
        for (std::size_t v = 0; v < surface_.points.size(); ++v) {
            std::set<char> tips; // second and third phalanxes have their surface for themselves
            bool left = false, right = false, arm = false, leg = false;
            for (const auto& [name, weight] : byName(scene_, surface_.influences[v], false)) {
                if (name.find("_02_") != std::string::npos || name.find("_03_") != std::string::npos)
                    tips.insert(name[0]);
                const bool limb = name.starts_with("lowerarm") || name.starts_with("hand") || name.starts_with("calf");
                left |= limb && name.ends_with("_l");
                right |= limb && name.ends_with("_r");
                arm |= name.starts_with("lowerarm") || name.starts_with("hand");
                leg |= name.starts_with("thigh") || name.starts_with("calf");
            }
            QVERIFY(tips.size() <= 1);
            QVERIFY(!(left && right));
            QVERIFY(!(arm && leg));
        }
    }

    void everyJointButTheRootMovesSomething() {
        std::set<std::string> moving;
        for (const auto& row : surface_.influences)
            for (const BuildInfluence& influence : row)
                moving.insert(scene_.nodes[scene_.skins[0].joints[influence.joint]].name);
        QCOMPARE(moving.size(), scene_.skins[0].joints.size() - 1);
    }

    void idleClipIsALoop() {
        QCOMPARE(scene_.clips.size(), std::size_t{1});
        QCOMPARE(scene_.clips[0].name, std::string("idle"));
        for (const BuildChannel& channel : scene_.clips[0].channels) {
            const std::size_t width = channel.values.size() / channel.times.size();
            for (std::size_t i = 0; i < width; ++i)
                QVERIFY(std::abs(channel.values[i] - channel.values[channel.values.size() - width + i]) < 1e-6F);
            QCOMPARE(channel.times.back(), 4.0F);
        }
    }

    void idleFeetStayOnTheGround() {
        const auto ankles = [&](const std::vector<math::Affine>& locals) {
            std::vector<math::Affine> world;
            std::vector<math::Vector3d> points;
            for (std::size_t i = 0; i < locals.size(); ++i) {
                const BuildNode& node = scene_.nodes[i];
                world.push_back(node.parent < 0 ? locals[i] : world[node.parent] * locals[i]);
                if (node.name.starts_with("foot") || node.name.starts_with("ball"))
                    points.push_back(world.back().translation());
            }
            return points;
        };
        std::vector<math::Affine> locals;
        for (const BuildNode& node : scene_.nodes)
            locals.push_back(node.local);
        const auto rest = ankles(locals);
        QCOMPARE(rest.size(), std::size_t{4});
        for (std::size_t key = 0; key < scene_.clips[0].channels[0].times.size(); ++key) {
            for (const BuildChannel& channel : scene_.clips[0].channels) {
                const float* v = channel.values.data() + key * (channel.values.size() / channel.times.size());
                if (channel.path == BuildChannel::Path::Rotation)
                    locals[channel.node].linear() = math::Quaterniond(v[3], v[0], v[1], v[2]).toRotationMatrix();
                else
                    locals[channel.node].translation() = math::Vector3d(v[0], v[1], v[2]);
            }
            const auto posed = ankles(locals);
            for (std::size_t i = 0; i < rest.size(); ++i)
                QVERIFY((posed[i] - rest[i]).norm() < 0.003);
        }
    }

    void twoBuildsGiveTheSameBytes() {
        const auto first = mannequinGlb(), second = mannequinGlb();
        QVERIFY(first && second);
        QVERIFY(*first == *second);
    }

    void isBuiltAtOnce() {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(mannequinGlb());
#ifndef LIMBER_SANITIZED
        QVERIFY(timer.elapsed() < 3000);
#endif
    }

private:
    const SceneBuild scene_ = buildMannequin();
    const Surface surface_{scene_.meshes[0]};
};

QTEST_APPLESS_MAIN(TestMannequin)
#include "test_mannequin.moc"
