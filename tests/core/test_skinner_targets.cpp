#include "tests/support/one_target.h"
#include "tests/support/skin_scene.h"

#include <QTest>

using namespace limber;
using namespace limber::test;

namespace {

struct Way {
    Method method;
    bool shared = false, perSet = false;
};
constexpr Way kWays[] = {
    {Method::Linear},          {Method::DualQuaternion},         {Method::DualQuaternion, true}, {Method::Spherical},
    {Method::Spherical, true}, {Method::Spherical, false, true}, {Method::Spherical, true, true}};

// Poses the scene every way by every instruction set; the first fault that look(way) finds, in words.
template <class Look> QString firstFaultOf(Scene& s, const Look& look) {
    const std::int64_t supported = hwy::SupportedTargets();
    for (const Way& way : kWays) {
        s.prepare(way.method);
        for (const std::int64_t target : kTargets) {
            if (!(supported & target))
                continue;
            const OneTarget only(target);
            skinAll(s.input(way.shared, way.perSet), s.outPositions, s.outNormals);
            if (const QString fault = look(way); !fault.isEmpty())
                return QString("%1, method %2, share %3, per set %4: ")
                           .arg(kernelName())
                           .arg(int(way.method))
                           .arg(way.shared)
                           .arg(way.perSet) +
                       fault;
        }
    }
    return {};
}

QString firstFault(Scene& s, Slots kind, double tolerance) {
    return firstFaultOf(s, [&](const Way& way) {
        const Errors e =
            errorsOf(s, way.method, way.shared, way.perSet ? SphericalCentre::PerSet : SphericalCentre::PerVertex);
        const bool good = e.position >= 0 && e.position < std::max(tolerance, toleranceOf(way.method, kind)) &&
                          e.normal < std::max(tolerance, 2e-5);
        return good ? QString() : QString("%1 %2 at %3").arg(e.position).arg(e.normal).arg(e.worst);
    });
}

} // namespace

class TestSkinnerTargets : public QObject {
    Q_OBJECT
private slots:
    void agreeWithTheSlowVersion_data();
    void agreeWithTheSlowVersion();
    void weightsNeedNotAddUpToOne();
    void followThousandsOfJointsByLongRows();
    void tellBlocksWithAsManyJointsApart();
    void normalsSurviveAnySize();
    void tinyWeightsAreNone();
    void emptyMeshIsNothing();
    void pointsAloneAreTheSameBits_data();
    void pointsAloneAreTheSameBits();
    void severalAreTested();
};

void TestSkinnerTargets::agreeWithTheSlowVersion_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("vertices");
    QTest::addColumn<int>("longest");
    const char* names[] = {"rigid",    "one stretch", "stretched", "mirrored",
                           "singular", "half turns",  "opposed",   "chain"};
    for (int kind = 0; kind < 8; ++kind)
        for (const auto& [vertices, longest] : {std::pair{1, 4}, {37, 64}, {205, 5}})
            QTest::addRow("%s, %d vertices, rows up to %d", names[kind], vertices, longest)
                << kind << vertices << longest;
}

void TestSkinnerTargets::agreeWithTheSlowVersion() {
    QFETCH(int, kind);
    QFETCH(int, vertices);
    QFETCH(int, longest);
    Scene s(static_cast<std::size_t>(vertices), 70, static_cast<Slots>(kind), static_cast<std::size_t>(longest), 3);
    const QString fault = firstFault(s, static_cast<Slots>(kind), 0);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

void TestSkinnerTargets::weightsNeedNotAddUpToOne() {
    for (const Slots kind : {Slots::Rigid, Slots::OneStretch, Slots::Mirrored, Slots::Chain})
        for (const float total : {0.5f, 0.01f, 1.7f}) {
            Scene s(101, 40, kind, 5);
            Random random(11);
            for (std::size_t v = 0; v < s.positions.size(); ++v)
                s.setRandomRow(v, 5, random, total);
            const QString fault = firstFault(s, kind, 0);
            QVERIFY2(fault.isEmpty(), qPrintable(QString("sum %1: ").arg(double(total)) + fault));
        }
}

void TestSkinnerTargets::followThousandsOfJointsByLongRows() {
    for (const Slots kind : {Slots::Stretched, Slots::Flat}) {
        Scene s(33, 5000, kind, 64);
        const QString fault = firstFault(s, kind, 5e-5);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
}

void TestSkinnerTargets::tellBlocksWithAsManyJointsApart() {
    Scene s(160, 12, Slots::Chain, 3);
    for (std::uint32_t v = 0; v < 160; ++v)
        s.weights.setRow(v, Row{{v / 16, 0.25f}, {v / 16 + 1, 0.35f}, {v / 16 + 2, 0.4f}});
    const QString fault = firstFault(s, Slots::Chain, 0);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

void TestSkinnerTargets::normalsSurviveAnySize() {
    const std::int64_t supported = hwy::SupportedTargets();
    Random random(4);
    const math::Affine turned = random.rigid();
    for (double size = 1e-13; size < 1e13; size *= 10) {
        Scene s(33, 1, Slots::Rigid, 1);
        math::Affine world = turned;
        world.linear() *= size;
        s.poses[0] = slotPose(world, math::Affine::Identity(), math::Affine::Identity(), math::Affine::Identity());
        for (std::size_t v = 0; v < s.positions.size(); ++v)
            s.weights.setRow(v, Row{{0, 1.0f}});
        for (const Way& way : kWays)
            for (const std::int64_t target : kTargets) {
                if (!(supported & target))
                    continue;
                s.prepare(way.method);
                const OneTarget only(target);
                skinAll(s.input(way.shared, way.perSet), s.outPositions, s.outNormals);
                for (std::size_t v = 0; v < s.positions.size(); ++v) {
                    const Eigen::Vector3d expected = turned.linear() * s.normals[v].cast<double>();
                    QVERIFY2(
                        (s.outNormals[v].cast<double>() - expected).norm() < 1e-5 && s.outPositions[v].allFinite(),
                        qPrintable(QString("%1, size %2, method %3").arg(kernelName()).arg(size).arg(int(way.method))));
                }
            }
        s.prepare(Method::Linear);
        skinRigid(s.positions, s.normals, s.palette.linear()[0], s.outPositions, s.outNormals);
        for (std::size_t v = 0; v < s.positions.size(); ++v)
            QVERIFY((s.outNormals[v].cast<double>() - turned.linear() * s.normals[v].cast<double>()).norm() < 1e-5);
    }
}

void TestSkinnerTargets::pointsAloneAreTheSameBits_data() {
    QTest::addColumn<int>("kind");
    const char* names[] = {"rigid",    "one stretch", "stretched", "mirrored",
                           "singular", "half turns",  "opposed",   "chain"};
    for (int kind = 0; kind < 8; ++kind)
        QTest::newRow(names[kind]) << kind;
}

// By whole blocks and a short one; normals are then neither read nor written.
void TestSkinnerTargets::pointsAloneAreTheSameBits() {
    QFETCH(int, kind);
    Scene s(205, 70, static_cast<Slots>(kind), 5);
    const std::vector<std::uint32_t> some = {0, 3, 12};
    const Eigen::Vector3f untouched = Eigen::Vector3f::Constant(7);
    const QString fault = firstFaultOf(s, [&](const Way& way) {
        SkinInput bare = s.input(way.shared, way.perSet);
        bare.normals = {};
        Points alone(s.positions.size());
        skinAll(bare, alone, {});
        if (alone != s.outPositions)
            return QString("all");
        alone.assign(alone.size(), untouched);
        skinBlocks(bare, some, alone, {});
        for (std::uint32_t v = 0; v < alone.size(); ++v)
            if (alone[v] != (std::ranges::count(some, s.blocks.blockOf(v)) ? s.outPositions[v] : untouched))
                return QString("some, at %1").arg(v);
        return QString();
    });
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

void TestSkinnerTargets::tinyWeightsAreNone() {
    Scene s(20, 8, Slots::Flat, 3);
    for (std::size_t v = 0; v < s.positions.size(); ++v)
        s.weights.setRow(v, v % 3 == 0 ? Row{{1, 1e-7f}, {2, 1e-30f}} : Row{{1, 0.4f}, {5, 2e-6f}, {7, 0.6f}});
    const QString fault = firstFault(s, Slots::Flat, 0);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
    for (std::size_t v = 0; v < s.positions.size(); v += 3)
        QVERIFY(s.outPositions[v] == s.positions[v]);
}

void TestSkinnerTargets::emptyMeshIsNothing() {
    Scene s(0, 5, Slots::Rigid, 4);
    const QString fault = firstFault(s, Slots::Rigid, 0);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
    Scene withoutJoints(18, 0, Slots::Rigid, 4);
    const QString other = firstFault(withoutJoints, Slots::Rigid, 0);
    QVERIFY2(other.isEmpty(), qPrintable(other));
}

void TestSkinnerTargets::severalAreTested() {
    QStringList names;
    const std::int64_t supported = hwy::SupportedTargets();
    for (const std::int64_t target : kTargets)
        if (supported & target) {
            const OneTarget only(target);
            names.append(kernelName());
        }
    names.removeDuplicates();
    qInfo("%s", qPrintable(names.join(' ')));
    QVERIFY(names.size() >= (supported & HWY_AVX2 ? 3 : 1));
}

QTEST_GUILESS_MAIN(TestSkinnerTargets)
#include "test_skinner_targets.moc"
