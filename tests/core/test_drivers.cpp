#include "core/shape/pose_driver.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::shape;

namespace {

Eigen::Quaterniond toQuaternion(const QJsonValue& xyzw) {
    const Eigen::VectorXd v = test::toVector(xyzw);
    return {v[3], v[0], v[1], v[2]};
}

Eigen::Quaterniond about(const Eigen::Vector3d& axis, double degrees) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * M_PI / 180, axis.normalized()));
}

PoseDriver oneJoint(const std::vector<Eigen::Quaterniond>& samples) {
    PoseDriver driver;
    driver.joints = {JointId(0)};
    for (const Eigen::Quaterniond& q : samples)
        driver.samples.push_back({ShapeId(driver.samples.size()), {q}});
    return driver;
}

std::vector<double> evaluate(const DriverSolver& solver, const Eigen::Quaterniond& pose, std::size_t samples) {
    std::vector<double> weights(samples);
    solver.evaluate({&pose, 1}, weights);
    return weights;
}

} // namespace

class TestDrivers : public QObject {
    Q_OBJECT

private slots:
    void referenceCaseC17SolvesThreeSamples() {
        LIMBER_CASE(c, "C17");
        const QJsonArray samples = c["input"]["samples"].toArray();
        const auto solver = DriverSolver::build(oneJoint({toQuaternion(samples[1]), toQuaternion(samples[2])}));
        QVERIFY(solver.ok());
        const double tolerance = c["tol"].toDouble();
        QVERIFY(std::abs(solver->sigma() - c["expected"]["sigma"].toDouble()) < tolerance);
        const Eigen::Quaterniond query = toQuaternion(c["input"]["query"]), first = toQuaternion(samples[1]);
        const auto difference = [&](const Eigen::Quaterniond& q, const char* key) {
            return (solver->raw({&q, 1}) - test::toVector(c["expected"][key])).cwiseAbs().maxCoeff();
        };
        QVERIFY(difference(query, "weights") < tolerance);
        QVERIFY(difference(first, "at_sample1") < tolerance);
    }

    void atASampleItsShapeHasWeightOneAndTheOthersNone() {
        test::Random random(17);
        PoseDriver driver;
        driver.joints = {JointId(1), JointId(4)};
        for (std::size_t k = 0; k < 12; ++k)
            driver.samples.push_back({ShapeId(k), {random.rotation(), random.rotation()}});
        const auto solver = DriverSolver::build(driver);
        QVERIFY(solver.ok());
        for (std::size_t k = 0; k < 12; ++k) {
            std::vector<double> weights(12);
            solver->evaluate(driver.samples[k].rotations, weights);
            for (std::size_t i = 0; i < 12; ++i)
                QVERIFY(std::abs(weights[i] - (i == k ? 1 : 0)) < 1e-9);
        }
        const std::vector<Eigen::Quaterniond> bind(2, Eigen::Quaterniond::Identity());
        std::vector<double> weights(12);
        solver->evaluate(bind, weights);
        for (const double w : weights)
            QVERIFY(std::abs(w) < 1e-9);
    }

    void aSingleCorrectiveFadesInWithThePose() {
        const auto solver = DriverSolver::build(oneJoint({about(Eigen::Vector3d::UnitZ(), 70)}));
        QVERIFY(solver.ok());
        double last = -1;
        for (int degrees = 0; degrees <= 70; degrees += 5) {
            const double w = evaluate(*solver, about(Eigen::Vector3d::UnitZ(), degrees), 1)[0];
            QVERIFY(w > last);
            last = w;
        }
        QVERIFY(std::abs(last - 1) < 1e-12);
        QVERIFY(std::abs(evaluate(*solver, Eigen::Quaterniond::Identity(), 1)[0]) < 1e-12);
    }

    void weightsAreNeverNegativeAndNeverSumToMoreThanOne() {
        test::Random random(18);
        PoseDriver driver = oneJoint({});
        for (std::size_t k = 0; k < 8; ++k)
            driver.samples.push_back({ShapeId(k), {random.rotation()}});
        for (const double width : {0.25, 1.0, 4.0}) {
            driver.widthScale = width;
            const auto solver = DriverSolver::build(driver);
            QVERIFY(solver.ok());
            for (int n = 0; n < 1000; ++n) {
                const auto weights = evaluate(*solver, random.rotation(), 8);
                double sum = 0;
                for (const double w : weights) {
                    QVERIFY(w >= 0 && w <= 1);
                    sum += w;
                }
                QVERIFY(sum <= 1 + 1e-12);
            }
        }
    }

    void theSignOfAQuaternionDoesNotMatter() {
        const Eigen::Quaterniond q = about({1, 2, 3}, 80), pose = about({1, 2, 2}, 60);
        const Eigen::Quaterniond minus(-pose.w(), -pose.x(), -pose.y(), -pose.z());
        const auto solver = DriverSolver::build(oneJoint({q}));
        QVERIFY(solver.ok());
        QVERIFY(std::abs(evaluate(*solver, pose, 1)[0] - evaluate(*solver, minus, 1)[0]) < 1e-15);
    }

    void chordDistanceIsTheFrobeniusNormOfTheDifference() {
        test::Random random(19);
        for (int n = 0; n < 1000; ++n) {
            const Eigen::Quaterniond a = random.rotation(), b = random.rotation();
            const double expected = (a.toRotationMatrix() - b.toRotationMatrix()).norm() / std::sqrt(2.0);
            QVERIFY(std::abs(chordDistance({&a, 1}, {&b, 1}) - expected) < 1e-12);
        }
    }

    void posesThatCannotBeToldApartAreRefused_data() {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::newRow("near the bind pose") << 0.02 << 50.0;
        QTest::newRow("near each other") << 50.0 << 50.02;
    }
    void posesThatCannotBeToldApartAreRefused() {
        QFETCH(double, first);
        QFETCH(double, second);
        const Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
        const auto solver = DriverSolver::build(oneJoint({about(axis, first), about(axis, second)}));
        QVERIFY(!solver.ok());
        QVERIFY(!solver.error().text.empty());
    }

    void malformedDriversAreRefused() {
        QVERIFY(!DriverSolver::build(oneJoint({})).ok());
        PoseDriver driver = oneJoint({about({0, 0, 1}, 40)});
        driver.samples[0].rotations[0].coeffs() *= 3;
        QVERIFY(!DriverSolver::build(driver).ok());
        driver.samples[0].rotations.clear();
        QVERIFY(!DriverSolver::build(driver).ok());
    }

    void aDriverSeesTheRotationBelowScaleAndShear() {
        const Eigen::Quaterniond q = about({3, 1, 2}, 75);
        math::Affine m = math::Affine::Identity();
        Eigen::Matrix3d stretch;
        stretch << 2, 0.3, 0, 0.3, 1, 0.1, 0, 0.1, 0.5;
        m.linear() = q.toRotationMatrix() * stretch;
        QVERIFY(driverRotation(m).angularDistance(q) < 1e-9);
        QVERIFY(driverRotation(m).w() >= 0);
    }
};

QTEST_APPLESS_MAIN(TestDrivers)
#include "test_drivers.moc"
