#include "tests/support/skin_scene.h"

#include <QTest>

using namespace limber;
using namespace limber::test;

class TestSkinner : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheSlowVersion_data();
    void agreesWithTheSlowVersion();
    void someBlocksGetTheSameBits();
    void manyVerticesGetTheSameBitsWhereverTheyAreWritten();
    void rigidPointsAloneGetTheSameBits();
    void editedRowsEqualAFreshBuild();
    void blocksOfFindsWhatFollowsAJoint();
    void blocksOfScatteredJointsHaveFarMoreSlots();
    void manyJointsAndLongRows();
    void heaviestOfEqualWeightsIsTheLowerSlot();
    void rigidPartTurnsAsOne();
    void flatJointsTurnWithoutJumps();
    void sizeOfAJointCountsFarFromTheOrigin();
};

void TestSkinner::agreesWithTheSlowVersion_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("vertices");
    QTest::addColumn<int>("longest");
    const char* names[] = {"rigid", "one stretch", "stretched", "mirrored", "flat", "half turns", "opposed", "chain"};
    for (int kind = 0; kind < 8; ++kind)
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
    for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
        s.prepare(method);
        for (const bool shared : {false, true})
            for (const auto centre : {SphericalCentre::PerVertex, SphericalCentre::PerSet}) {
                if (centre == SphericalCentre::PerSet && method != Method::Spherical)
                    continue;
                skinAll(s.input(shared, centre == SphericalCentre::PerSet), s.outPositions, s.outNormals);
                const Errors e = errorsOf(s, method, shared, centre);
                QVERIFY2(e.position >= 0 && e.position < toleranceOf(method, static_cast<Slots>(kind)) &&
                             e.normal < 2e-5,
                         qPrintable(QString("method %1, share %2, centre %3: %4 %5 at %6")
                                        .arg(int(method))
                                        .arg(shared)
                                        .arg(int(centre))
                                        .arg(e.position)
                                        .arg(e.normal)
                                        .arg(e.worst)));
            }
    }
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

// Results that are aligned to lines of the caches are written past them.
void TestSkinner::manyVerticesGetTheSameBitsWhereverTheyAreWritten() {
    constexpr std::size_t kVertices = (std::size_t{1} << 19) + 5;
    Scene s(0, 7, Slots::Mirrored, 2);
    s.weights = SkinWeights(kVertices, 2);
    for (std::uint32_t v = 0; v < kVertices; ++v) {
        const auto at = static_cast<float>(v % 1000) / 1000;
        s.positions.emplace_back(at, 1 - at, static_cast<float>(v) / kVertices);
        s.normals.push_back(Eigen::Vector3f(at - 0.5f, 0.3f, at).normalized());
        s.weights.setRow(v, Row{{v / 100'000, at}, {v / 100'000 + 1, 1 - at}});
    }
    Points room[4];
    for (Points& r : room)
        r.resize(kVertices + 17);
    const auto part = [&](std::size_t k, std::size_t floats) {
        auto at = reinterpret_cast<std::uintptr_t>(room[k].data());
        at = (at + 63) / 64 * 64 + floats * sizeof(float);
        return std::span(reinterpret_cast<Eigen::Vector3f*>(at), kVertices);
    };
    for (const Method method : {Method::Linear, Method::DualQuaternion, Method::Spherical}) {
        s.prepare(method);
        skinAll(s.input(), part(0, 0), part(1, 0));
        skinAll(s.input(), part(2, 1), part(3, 3));
        QVERIFY(std::ranges::equal(part(0, 0), part(2, 1)));
        QVERIFY(std::ranges::equal(part(1, 0), part(3, 3)));
        skinAll(s.input(), part(1, 0), {});
        skinAll(s.input(), part(3, 3), {});
        QVERIFY(std::ranges::equal(part(0, 0), part(1, 0)));
        QVERIFY(std::ranges::equal(part(0, 0), part(3, 3)));
    }
}

void TestSkinner::rigidPointsAloneGetTheSameBits() {
    Scene s(1001, 1, Slots::Stretched, 1);
    s.prepare(Method::Linear);
    skinRigid(s.positions, s.normals, s.palette.linear()[0], s.outPositions, s.outNormals);
    Points alone(s.positions.size());
    skinRigid(s.positions, {}, s.palette.linear()[0], alone, {});
    QVERIFY(alone == s.outPositions);
}

void TestSkinner::editedRowsEqualAFreshBuild() {
    Scene s(1003, 80, Slots::Rigid, 4);
    s.prepare(Method::Linear);
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
        fresh.build(s.weights);
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

void TestSkinner::blocksOfScatteredJointsHaveFarMoreSlots() {
    // A strip of joints whose vertices come one after the other, or by chance.
    const auto strip = [](const std::vector<std::uint32_t>& places) {
        SkinWeights weights(places.size(), 2);
        for (std::size_t v = 0; v < places.size(); ++v) {
            const float at = static_cast<float>(places[v]) * 30 / static_cast<float>(places.size());
            const auto joint = static_cast<std::uint32_t>(at);
            weights.setRow(v, Row{{joint, 1 - (at - static_cast<float>(joint)) / 2},
                                  {joint + 1, (at - static_cast<float>(joint)) / 2}});
        }
        return weights;
    };
    std::vector<std::uint32_t> places(5000);
    std::iota(places.begin(), places.end(), 0u);
    const SkinWeights inOrder = strip(places), mixed = strip(shuffled(5000));
    QVERIFY(blockExcess(inOrder) < 1.2);
    QVERIFY(blockExcess(mixed) > 5);
    // Place -> row, which undoes it.
    const std::vector<std::uint32_t> from = shuffled(5000);
    for (std::uint32_t v = 0; v < from.size(); ++v)
        places[from[v]] = v;
    QCOMPARE(blockExcess(mixed, places), blockExcess(inOrder));
    QCOMPARE(blockExcess({}), 1.0);
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

// The determinant of a flat joint is rounding of either sign.
void TestSkinner::flatJointsTurnWithoutJumps() {
    Random random(9);
    const math::Affine bind = random.rigid();
    const Eigen::Vector3d axis = random.vector().normalized();
    for (int step = 0; step < 2000; ++step) {
        math::Affine world = math::rotationAbout(Eigen::Vector3d(1, 2, 3), axis, 0.001 * step) * bind;
        world.linear() *= Eigen::Vector3d(1, 1, 0).asDiagonal();
        const SlotPose slot = slotPose(world, bind, bind.inverse(), bind.inverse());
        QVERIFY(slot.sign == 1);
        QVERIFY((slot.rotation - Eigen::AngleAxisd(0.001 * step, axis).toRotationMatrix()).norm() < 1e-6);
    }
}

void TestSkinner::sizeOfAJointCountsFarFromTheOrigin() {
    for (const double away : {0.0, 1e3, 1e4, 1e5}) {
        Palette palette;
        palette.resize(2, Method::DualQuaternion);
        const math::Affine bind(Eigen::Translation3d(away, 0.3, 0.2));
        math::Affine scaled = bind;
        scaled.linear() *= 1.0005;
        palette.set(0, slotPose(bind, bind, bind.inverse(), bind.inverse()));
        palette.set(1, slotPose(scaled, bind, bind.inverse(), bind.inverse()));
        palette.finish();
        QVERIFY(palette.stretch() == Stretch::PerSlot);
        palette.set(1, slotPose(Eigen::Translation3d(1, 2, 3) * bind, bind, bind.inverse(), bind.inverse()));
        palette.finish();
        QVERIFY(palette.stretch() == Stretch::None);
    }
}

QTEST_GUILESS_MAIN(TestSkinner)
#include "test_skinner.moc"
