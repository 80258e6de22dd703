#include "core/skin/joint_sets.h"
#include "core/skin/skinner.h"
#include "tests/support/random.h"

#include <QTest>

#include <hwy/targets.h>
#include <numeric>

using namespace limber;
using namespace limber::skin;

namespace {

using Points = std::vector<Eigen::Vector3f>;

enum class Slots { Rigid, OneStretch, Stretched, Mirrored, Flat, HalfTurns, Chain };

SlotPose slotOf(Slots kind, std::size_t index, test::Random& random) {
    math::Affine bind = random.rigid(), world = random.rigid() * bind, place = math::Affine::Identity();
    if (kind == Slots::OneStretch || kind == Slots::Stretched)
        place.linear().diagonal() << 0.01, 0.02, 0.01;
    if (kind == Slots::Stretched || kind == Slots::Mirrored || kind == Slots::Flat)
        world.linear() *= random.affine().linear();
    if (kind == Slots::Mirrored && index % 2)
        world.linear().col(0) *= -1;
    if (kind == Slots::Flat && index % 3 == 0)
        world.linear().col(index % 2) *= index % 4 ? 0.0 : 1e-7;
    if (kind == Slots::Flat && index % 5 == 0)
        world.linear().setZero();
    if (kind == Slots::HalfTurns) {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(static_cast<int>(index % 3));
        world = bind * math::rotationAbout(random.vector(), axis, M_PI * 0.9);
    }
    if (kind == Slots::Chain) {
        bind = math::Affine(Eigen::Translation3d(0, 0.05 * static_cast<double>(index), 0));
        world = math::rotationAbout(Eigen::Vector3d(0.3, 0, 0), Eigen::Vector3d(1, 0.1, 0).normalized(),
                                    0.02 * static_cast<double>(index)) *
                bind;
    }
    return slotPose(world, bind, bind.inverse(), bind.inverse() * place);
}

struct Scene {
    Points positions, normals, outPositions, outNormals;
    std::vector<float> shares;
    SkinWeights weights;
    std::vector<SlotPose> poses;
    BlockWeights blocks;
    Palette palette;
    JointSets sets;

    Scene(std::size_t vertices, std::size_t joints, Slots kind, std::size_t longest, unsigned seed = 1)
        : weights(vertices, longest) {
        test::Random random(seed);
        for (std::size_t s = 0; s < joints; ++s)
            poses.push_back(slotOf(kind, s, random));
        for (std::size_t v = 0; v < vertices; ++v) {
            positions.push_back(random.vector(2).cast<float>());
            normals.push_back(random.vector().normalized().cast<float>());
            shares.push_back(static_cast<float>(random.uniform(0, 1)));
            setRandomRow(v, longest, random);
        }
        outPositions.resize(vertices);
        outNormals.resize(vertices);
    }

    void setRandomRow(std::size_t v, std::size_t longest, test::Random& random) {
        const std::size_t joints = poses.size(), count = std::min(joints, random.index(longest + 1));
        Row row;
        float sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t low = k * joints / count, high = (k + 1) * joints / count;
            row.push_back({static_cast<std::uint32_t>(low + random.index(high - low)),
                           k % 7 == 6 ? 1e-7f : static_cast<float>(random.uniform(0.05, 1))});
            sum += row.back().weight;
        }
        for (Influence& i : row)
            i.weight /= sum;
        weights.setRow(v, row);
    }

    void prepare(Method method, std::vector<std::uint32_t> order = {}) {
        palette.resize(poses.size(), method);
        for (std::size_t s = 0; s < poses.size(); ++s)
            palette.set(s, poses[s]);
        palette.finish();
        blocks.build(weights, std::move(order));
        if (method == Method::Spherical) {
            sets.build(blocks);
            sets.pose(palette);
        }
    }

    [[nodiscard]] SkinInput input(bool shared = false, bool perSet = false) const {
        return {positions,
                normals,
                &blocks,
                &palette,
                shared ? std::span<const float>(shares) : std::span<const float>(),
                perSet ? &sets : nullptr};
    }
};

// How far the arrays are from the slow version, relative to the size of things; -1 where something is not finite.
struct Errors {
    double position = 0, normal = 0;
    std::size_t worst = 0;
};

Errors errorsOf(const Scene& s, Method method, bool shared, SphericalCentre centre) {
    Errors e;
    for (std::size_t v = 0; v < s.positions.size(); ++v) {
        if (!s.outPositions[v].allFinite() || !s.outNormals[v].allFinite())
            return {-1, -1, v};
        const double share = shared ? s.shares[v] : 1;
        const std::span<const Influence> row = s.weights.row(v);
        const VertexMap map = poseMap(row, s.poses, method, share, centre);
        const PosedVertex slow = posedReference(s.positions[v].cast<double>(), s.normals[v].cast<double>(), row,
                                                s.poses, method, share, centre);
        const double position = (slow.position - s.outPositions[v].cast<double>()).norm() / 10;
        if (position > e.position)
            e.position = position, e.worst = v;
        // What has nearly lost its rank may turn by the heaviest joint in one and not yet in the other.
        const double size = map.a.squaredNorm();
        const double steady = (math::cofactor<double>(map.a) * s.normals[v].cast<double>()).norm() / size;
        if (size > 0 && steady > 1e-3)
            e.normal = std::max(e.normal, steady * (slow.normal - s.outNormals[v].cast<double>()).norm());
    }
    return e;
}

// Of the largest thing in a scene. Joints at random have centres of the spherical blend far away, and float's last
// digit counts there.
double toleranceOf(Method method, Slots kind) {
    return method == Method::Spherical && kind != Slots::Chain ? 2e-4 : 2e-5;
}

std::vector<std::uint32_t> shuffled(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    return order;
}

} // namespace

class TestSkinner : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheSlowVersion_data();
    void agreesWithTheSlowVersion();
    void everyInstructionSetAgrees();
    void someBlocksGetTheSameBits();
    void editedRowsEqualAFreshBuild();
    void blocksOfFindsWhatFollowsAJoint();
    void orderBringsScatteredJointsTogether();
    void manyJointsAndLongRows();
    void heaviestOfEqualWeightsIsTheLowerSlot();
    void rigidPartTurnsAsOne();
};

void TestSkinner::agreesWithTheSlowVersion_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("vertices");
    QTest::addColumn<int>("longest");
    const char* names[] = {"rigid", "one stretch", "stretched", "mirrored", "flat", "half turns", "chain"};
    for (int kind = 0; kind < 7; ++kind)
        for (const auto& [vertices, longest] :
             {std::pair{0, 4}, {1, 4}, {15, 4}, {16, 1}, {17, 8}, {401, 64}, {10001, 4}})
            QTest::addRow("%s, %d vertices, rows up to %d", names[kind], vertices, longest)
                << kind << vertices << longest;
}

void TestSkinner::agreesWithTheSlowVersion() {
    QFETCH(int, kind);
    QFETCH(int, vertices);
    QFETCH(int, longest);
    Scene s(static_cast<std::size_t>(vertices), 70, static_cast<Slots>(kind), static_cast<std::size_t>(longest));
    for (const bool reordered : {false, true})
        for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
            s.prepare(method, reordered ? shuffled(s.positions.size()) : std::vector<std::uint32_t>{});
            for (const bool shared : {false, true})
                for (const auto centre : {SphericalCentre::PerVertex, SphericalCentre::PerSet}) {
                    if (centre == SphericalCentre::PerSet && method != Method::Spherical)
                        continue;
                    skinAll(s.input(shared, centre == SphericalCentre::PerSet), s.outPositions, s.outNormals);
                    const Errors e = errorsOf(s, method, shared, centre);
                    QVERIFY2(e.position >= 0 && e.position < toleranceOf(method, static_cast<Slots>(kind)) &&
                                 e.normal < 2e-5,
                             qPrintable(QString("method %1, share %2, centre %3, order %4: %5 %6 at %7")
                                            .arg(int(method))
                                            .arg(shared)
                                            .arg(int(centre))
                                            .arg(reordered)
                                            .arg(e.position)
                                            .arg(e.normal)
                                            .arg(e.worst)));
                }
        }
}

void TestSkinner::everyInstructionSetAgrees() {
    Scene s(1001, 40, Slots::Mirrored, 6);
    QStringList names;
    const std::int64_t supported = hwy::SupportedTargets();
    for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSSE3, HWY_SCALAR, HWY_EMU128, HWY_NEON}) {
        if (!(supported & target))
            continue;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        names.append(kernelName());
        for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical})
            for (const bool shared : {false, true}) {
                s.prepare(method);
                skinAll(s.input(shared), s.outPositions, s.outNormals);
                const Errors e = errorsOf(s, method, shared, SphericalCentre::PerVertex);
                if (!(e.position >= 0 && e.position < toleranceOf(method, Slots::Mirrored) && e.normal < 2e-5))
                    QFAIL(qPrintable(QString("%1, method %2: %3 %4")
                                         .arg(kernelName())
                                         .arg(int(method))
                                         .arg(e.position)
                                         .arg(e.normal)));
            }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    names.removeDuplicates();
    qInfo("%s", qPrintable(names.join(' ')));
    QVERIFY(!names.isEmpty());
}

void TestSkinner::someBlocksGetTheSameBits() {
    Scene s(20011, 50, Slots::Stretched, 5);
    for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
        s.prepare(method);
        skinAll(s.input(true), s.outPositions, s.outNormals);
        Points p(s.positions.size(), Eigen::Vector3f::Constant(7)), n = p;
        const std::vector<std::uint32_t> some = {0, 3, 4, 700, 1250};
        skinBlocks(s.input(true), some, p, n);
        for (std::size_t v = 0; v < p.size(); ++v) {
            const bool in =
                std::binary_search(some.begin(), some.end(), s.blocks.blockOf(static_cast<std::uint32_t>(v)));
            QVERIFY(in ? p[v] == s.outPositions[v] && n[v] == s.outNormals[v] : p[v].x() == 7);
        }
    }
}

void TestSkinner::editedRowsEqualAFreshBuild() {
    Scene s(1003, 80, Slots::Rigid, 4);
    s.prepare(Method::Linear, shuffled(1003));
    test::Random random(5);
    std::vector<std::uint32_t> blocks;
    for (int round = 0; round < 60; ++round) {
        std::vector<std::uint32_t> edited;
        for (int k = 0; k < 20; ++k) {
            edited.push_back(static_cast<std::uint32_t>(random.index(1003)));
            s.setRandomRow(edited.back(), 12, random);
        }
        s.blocks.update(s.weights, edited, blocks);
        for (const std::uint32_t v : edited)
            QVERIFY(std::binary_search(blocks.begin(), blocks.end(), s.blocks.blockOf(v)));
        BlockWeights fresh;
        fresh.build(s.weights, shuffled(1003));
        for (std::size_t b = 0; b < fresh.blockCount(); ++b) {
            QVERIFY(std::ranges::equal(fresh.slotsOf(b), s.blocks.slotsOf(b)));
            QVERIFY(std::ranges::equal(fresh.lanes(b), s.blocks.lanes(b)));
            QCOMPARE(fresh.blocks()[b].bare, s.blocks.blocks()[b].bare);
        }
        QVERIFY(s.blocks.bytes() < 4 * fresh.bytes() + 100000);
    }
}

void TestSkinner::blocksOfFindsWhatFollowsAJoint() {
    Scene s(3000, 200, Slots::Rigid, 3);
    s.prepare(Method::Linear);
    std::vector<std::uint8_t> flags(200, 0);
    flags[17] = flags[180] = 1;
    std::vector<std::uint32_t> found;
    s.blocks.blocksOf(flags, found);
    QVERIFY(std::is_sorted(found.begin(), found.end()) && !found.empty() && found.size() < s.blocks.blockCount());
    for (std::uint32_t v = 0; v < 3000; ++v)
        if (s.weights.weight(v, 17) > kWeightEpsilon || s.weights.weight(v, 180) > kWeightEpsilon)
            QVERIFY(std::binary_search(found.begin(), found.end(), s.blocks.blockOf(v)));
}

void TestSkinner::orderBringsScatteredJointsTogether() {
    // A strip of joints whose vertices come in file order, then shuffled.
    const auto strip = [](const std::vector<std::uint32_t>& places) {
        std::pair<Points, SkinWeights> mesh{{}, SkinWeights(places.size(), 2)};
        for (std::size_t v = 0; v < places.size(); ++v) {
            const float at = static_cast<float>(places[v]) * 30 / static_cast<float>(places.size());
            const auto joint = static_cast<std::uint32_t>(at);
            mesh.first.emplace_back(at, 0, 0);
            const Row row = {{joint, 1 - (at - static_cast<float>(joint)) / 2},
                             {joint + 1, (at - static_cast<float>(joint)) / 2}};
            mesh.second.setRow(v, row);
        }
        return mesh;
    };
    std::vector<std::uint32_t> places(5000);
    std::iota(places.begin(), places.end(), 0u);
    const auto [inOrder, inOrderWeights] = strip(places);
    QVERIFY(localityOrder(inOrder, inOrderWeights).empty());
    const auto [mixed, mixedWeights] = strip(shuffled(5000));
    std::vector<std::uint32_t> order = localityOrder(mixed, mixedWeights);
    QCOMPARE(order.size(), std::size_t{5000});
    BlockWeights file, better;
    file.build(mixedWeights);
    better.build(mixedWeights, order);
    QVERIFY(better.bytes() < file.bytes() / 3);
    std::sort(order.begin(), order.end());
    QVERIFY(std::ranges::equal(order, places));
}

void TestSkinner::manyJointsAndLongRows() {
    Scene s(500, 5000, Slots::Stretched, 64);
    for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
        s.prepare(method);
        QVERIFY(s.blocks.slotsOf(0).size() > 200);
        skinAll(s.input(), s.outPositions, s.outNormals);
        const Errors e = errorsOf(s, method, false, SphericalCentre::PerVertex);
        QVERIFY(e.position >= 0 && e.position < 5e-5 && e.normal < 5e-5);
    }
}

void TestSkinner::heaviestOfEqualWeightsIsTheLowerSlot() {
    // Two quarter turns to either side and one between: signs are taken against the lower slot's.
    Scene s(16, 3, Slots::HalfTurns, 3);
    for (std::size_t v = 0; v < 16; ++v)
        s.weights.setRow(v, Row{{0, 0.5f}, {1, 0.5f}});
    s.prepare(Method::DualQuaternion);
    skinAll(s.input(), s.outPositions, s.outNormals);
    const Errors e = errorsOf(s, Method::DualQuaternion, false, SphericalCentre::PerVertex);
    QVERIFY(e.position >= 0 && e.position < 1e-5);
}

void TestSkinner::rigidPartTurnsAsOne() {
    Scene s(12000, 1, Slots::Mirrored, 1);
    for (std::size_t v = 0; v < s.positions.size(); ++v)
        s.weights.setRow(v, Row{{0, 1.0f}});
    s.prepare(Method::Linear);
    skinRigid(s.positions, s.normals, s.palette.linear()[0], s.outPositions, s.outNormals);
    const Errors e = errorsOf(s, Method::Linear, false, SphericalCentre::PerVertex);
    QVERIFY(e.position >= 0 && e.position < 1e-6 && e.normal < 1e-5);
}

QTEST_GUILESS_MAIN(TestSkinner)
#include "test_skinner.moc"
