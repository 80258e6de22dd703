#include "core/stroke/falloff.h"
#include "core/stroke/stroke.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::stroke;

namespace {

std::vector<Dab> dabsAlong(const std::vector<Eigen::Vector2d>& events, double spacing) {
    DabSpacer spacer(spacing);
    std::vector<Dab> all;
    for (const Eigen::Vector2d& e : events)
        for (const Dab& d : spacer.moveTo(e))
            all.push_back(d);
    return all;
}

std::vector<Eigen::Vector2d> toPath(const QJsonValue& points) {
    std::vector<Eigen::Vector2d> path;
    for (const QJsonValue& p : points.toArray())
        path.emplace_back(p[0].toDouble(), p[1].toDouble());
    return path;
}

} // namespace

class TestStroke : public QObject {
    Q_OBJECT

private slots:
    void referenceCaseC27HasTheSameDabsForBothStreams() {
        LIMBER_CASE(c, "C27");
        const double spacing = c["input"]["spacing"].toDouble(), tolerance = c["tol"].toDouble();
        const auto expected = toPath(c["expected"]["dabs"]);
        for (const char* stream : {"coarse", "fine"}) {
            const auto dabs = dabsAlong(toPath(c["input"][stream]), spacing);
            QCOMPARE(dabs.size(), expected.size());
            for (std::size_t k = 0; k < dabs.size(); ++k)
                QVERIFY((dabs[k].pixel - expected[k]).cwiseAbs().maxCoeff() < tolerance);
        }
    }

    void splittingAnEventInManyLeavesTheDabsWhereTheyWere() {
        test::Random random(27);
        std::vector<Eigen::Vector2d> coarse{{0, 0}}, fine{{0, 0}};
        for (int k = 0; k < 50; ++k) {
            const Eigen::Vector2d from = coarse.back(), to = from + 40 * random.vector().head<2>();
            coarse.push_back(to);
            for (int i = 1; i <= 10; ++i)
                fine.push_back(from + (to - from) * i / 10);
        }
        const auto a = dabsAlong(coarse, 3), b = dabsAlong(fine, 3);
        QCOMPARE(a.size(), b.size());
        for (std::size_t k = 0; k < a.size(); ++k)
            QVERIFY((a[k].pixel - b[k].pixel).norm() < 1e-9);
    }

    void aDabThatFallsOnAnEventIsNeitherLostNorDoubled() {
        DabSpacer spacer(0.3);
        std::size_t count = spacer.moveTo({0, 0}).size();
        for (int k = 1; k <= 30; ++k)
            count += spacer.moveTo({0.1 * k, 0}).size();
        QCOMPARE(count, std::size_t(11));
    }

    void pressureIsInterpolatedAlongTheWay() {
        DabSpacer spacer(1);
        (void)spacer.moveTo({0, 0}, 0.0);
        const auto dabs = spacer.moveTo({4, 0}, 1.0);
        QCOMPARE(dabs.size(), std::size_t(4));
        for (std::size_t k = 0; k < 4; ++k)
            QVERIFY(std::abs(dabs[k].pressure - 0.25 * static_cast<double>(k + 1)) < 1e-12);
    }

    void aPointerThatStandsStillGivesOneDab() {
        DabSpacer spacer(2);
        QCOMPARE(spacer.moveTo({5, 5}).size(), std::size_t(1));
        QCOMPARE(spacer.moveTo({5, 5}).size(), std::size_t(0));
    }

    void spacingIsATenthOfTheRadiusButAtLeastAPixel() {
        QCOMPARE(dabSpacing(50), 5.0);
        QCOMPARE(dabSpacing(4), 1.0);
    }

    void falloffStartsAtOneNeverRisesAndEndsAtTheRim_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("half"); // value at 0.5
        QTest::addColumn<double>("rim");  // value at 1
        QTest::newRow("constant") << int(Falloff::Constant) << 1.0 << 1.0;
        QTest::newRow("linear") << int(Falloff::Linear) << 0.5 << 0.0;
        QTest::newRow("smooth") << int(Falloff::Smooth) << 0.5 << 0.0;
        QTest::newRow("sphere") << int(Falloff::Sphere) << std::sqrt(0.75) << 0.0;
        QTest::newRow("gaussian") << int(Falloff::Gaussian) << std::exp(-1.125) << std::exp(-4.5);
    }
    void falloffStartsAtOneNeverRisesAndEndsAtTheRim() {
        QFETCH(int, kind);
        QFETCH(double, half);
        QFETCH(double, rim);
        const auto f = static_cast<Falloff>(kind);
        QCOMPARE(falloff(f, 0), 1.0);
        QCOMPARE(falloff(f, 0.5), half);
        QVERIFY(std::abs(falloff(f, 1) - rim) < 1e-15);
        QCOMPARE(falloff(f, 1.0001), 0.0);
        for (int k = 0; k < 100; ++k)
            QVERIFY(falloff(f, k / 100.0) >= falloff(f, (k + 1) / 100.0));
    }
};

QTEST_APPLESS_MAIN(TestStroke)
#include "test_stroke.moc"
