#include "core/rig/skeleton.h"
#include "core/shape/corrective.h"
#include "core/shape/shape.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::shape;

namespace {

Shape someShape(test::Random& random) {
    Shape s;
    for (std::uint32_t v = 0; v < 60; ++v)
        if (random.index(2)) {
            s.vertices.push_back(v);
            s.deltas.push_back(random.vector().cast<float>());
        }
    return s;
}

bool same(const Shape& a, const Shape& b) {
    return a.vertices == b.vertices && a.deltas == b.deltas;
}

skin::VertexMap toMap(const math::Affine& m) {
    skin::VertexMap map;
    map.a = m.linear();
    map.b = m.translation();
    map.jointScale = skin::largestStretch(m);
    return map;
}

// Weights of the reference case are doubles, rows hold floats.
skin::VertexMap blendInDouble(double w0, double w1, const math::Affine& t1) {
    math::Affine m;
    m.matrix() = w0 * Eigen::Matrix4d::Identity() + w1 * t1.matrix();
    skin::VertexMap map = toMap(m);
    map.jointScale = w0 + w1 * skin::largestStretch(t1);
    return map;
}

} // namespace

class TestShapes : public QObject {
    Q_OBJECT

private slots:
    void setDeltasInsertsReplacesAndRemoves() {
        Shape s;
        s.setDeltas(std::vector<std::uint32_t>{2, 5, 9}, std::vector<Vector3f>{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
        s.setDeltas(std::vector<std::uint32_t>{0, 5, 9, 11},
                    std::vector<Vector3f>{{4, 0, 0}, {5, 0, 0}, {0, 0, 0}, {0, 0, 0}});
        QCOMPARE(s.vertices, (std::vector<std::uint32_t>{0, 2, 5}));
        QCOMPARE(s.delta(5).x(), 5.0f);
        QCOMPARE(s.delta(2).x(), 1.0f);
        QCOMPARE(s.delta(9).x(), 0.0f);
        QCOMPARE(s.delta(100).x(), 0.0f);
    }

    void puttingTheOldDeltasBackRestoresTheShape() {
        test::Random random(3);
        for (int n = 0; n < 200; ++n) {
            const Shape start = someShape(random);
            Shape s = start;
            std::vector<std::uint32_t> vertices;
            std::vector<Vector3f> before, after;
            for (std::uint32_t v = 0; v < 60; ++v)
                if (random.index(3) == 0) {
                    vertices.push_back(v);
                    before.push_back(s.delta(v));
                    after.push_back(random.index(3) ? random.vector().cast<float>() : Vector3f::Zero().eval());
                }
            s.setDeltas(vertices, after);
            for (std::size_t k = 0; k < vertices.size(); ++k)
                QCOMPARE(s.delta(vertices[k]), after[k]);
            s.setDeltas(vertices, before);
            QVERIFY(same(s, start));
        }
    }

    void editingTellsWhatItWouldLose() {
        Shape s;
        s.vertices = {2, 5, 9};
        s.deltas = {{1, 0, 0}, {0, 0, 0}, {3, 0, 0}};
        QVERIFY(s.losesByEditing(std::vector<std::uint32_t>{1, 5}));
        QVERIFY(!s.losesByEditing(std::vector<std::uint32_t>{2, 9, 12}));
        s.normalDeltas.assign(3, {0, 1, 0});
        QVERIFY(s.losesByEditing(std::vector<std::uint32_t>{2}));
        s.setDeltas(std::vector<std::uint32_t>{2}, std::vector<Vector3f>{{2, 0, 0}});
        QVERIFY(s.normalDeltas.empty());
    }

    void referenceCaseC16ClampsTheInverse() {
        LIMBER_CASE(c, "C16");
        const auto rotation = [&](const char* key) {
            const Eigen::VectorXd r = test::toVector(c["input"][key]);
            return Eigen::AngleAxisd(r[3] * M_PI / 180, r.head<3>().normalized()).toRotationMatrix();
        };
        const Eigen::Vector3d sigma = test::toVector(c["input"]["sigma"]);
        const Eigen::Vector3d offset = test::toVector(c["input"]["offset"]);
        const Eigen::Matrix3d a = rotation("rot1") * sigma.asDiagonal() * rotation("rot2").transpose();
        const InverseResult r = clampedInverse(a, 10 * c["input"]["floor"].toDouble(), offset);
        const double tolerance = c["tol"].toDouble();
        QVERIFY((r.delta - test::toVector(c["expected"]["delta"])).cwiseAbs().maxCoeff() < tolerance);
        QVERIFY((r.residual - test::toVector(c["expected"]["residual"])).cwiseAbs().maxCoeff() < tolerance);
        QVERIFY(std::abs(r.residual.norm() - c["expected"]["residual_norm"].toDouble()) < tolerance);
        QVERIFY(std::abs(r.condition / c["expected"]["kappa"].toDouble() - 1) < tolerance);
    }

    void referenceCaseC14ExtractsBesideAnotherShape() {
        LIMBER_CASE(c, "C14");
        const math::Affine t1 = test::toTransform(c["input"]["Tb"]);
        const Eigen::MatrixXd rest = test::toMatrix(c["input"]["rest"]), w = test::toMatrix(c["input"]["w"]),
                              other = test::toMatrix(c["input"]["d2"]), target = test::toMatrix(c["input"]["target"]),
                              expected = test::toMatrix(c["expected"]["d1"]),
                              current = test::toMatrix(c["expected"]["current"]);
        const double weight = c["input"]["c"][0].toDouble(), otherWeight = c["input"]["c"][1].toDouble();
        const double tolerance = c["tol"].toDouble();
        for (int v = 0; v < rest.rows(); ++v) {
            const skin::VertexMap map = blendInDouble(w(v, 0), w(v, 1), t1);
            const Eigen::Vector3d x = map((rest.row(v) + otherWeight * other.row(v)).transpose());
            const Eigen::Vector3d y = target.row(v).transpose();
            QVERIFY((x - current.row(v).transpose()).cwiseAbs().maxCoeff() < tolerance);
            Eigen::Vector3d d = Eigen::Vector3d::Zero();
            if ((y - x).norm() > c["input"]["threshold"].toDouble())
                d = correctiveIncrement(map, x, y, weight).delta;
            QVERIFY((d - expected.row(v).transpose()).cwiseAbs().maxCoeff() < tolerance);
        }
    }

    void extractThenEvaluateReproducesTheSculptedPoint() {
        test::Random random(14);
        int tried = 0;
        while (tried < 5000) {
            const skin::VertexMap map = toMap(random.affine());
            const Eigen::Vector3d p = random.vector(), y = map(p) + random.vector(0.3);
            const double weight = random.uniform(0.05, 1);
            const InverseResult r = correctiveIncrement(map, map(p), y, weight);
            if (r.condition > 10)
                continue;
            ++tried;
            QVERIFY((map(p + weight * r.delta) - y).norm() < 1e-12);
            QVERIFY(r.residual.norm() < 1e-12);
        }
    }

    void anUnmovedPointExtractsNothing() {
        test::Random random(15);
        for (int n = 0; n < 100; ++n) {
            const skin::VertexMap map = toMap(random.affine());
            const Eigen::Vector3d x = random.vector();
            QCOMPARE(correctiveIncrement(map, x, x, 0.5).delta.norm(), 0.0);
        }
    }

    void theMatrixOfTheClampedInverseIsTheSameMap() {
        test::Random random(16);
        for (int n = 0; n < 5000; ++n) {
            const Eigen::Vector3d sigma(1, random.uniform(0.02, 1), std::pow(10, random.uniform(-4, 0)));
            const Eigen::Matrix3d a =
                random.rotation().toRotationMatrix() * sigma.asDiagonal() * random.rotation().toRotationMatrix();
            const Eigen::Vector3d offset = random.vector();
            const ClampedMatrix m = clampedInverseMatrix(a, 1);
            const InverseResult r = clampedInverse(a, 1, offset);
            QVERIFY((m.inverse * offset - r.delta).norm() < 1e-9);
            QCOMPARE(m.exact, sigma.minCoeff() >= 0.1);
        }
    }

    void aMapToAPointReachesNothing() {
        const InverseResult r = clampedInverse(Eigen::Matrix3d::Zero(), 0, {1, 2, 3});
        QCOMPARE(r.delta.norm(), 0.0);
        QCOMPARE(r.residual, Eigen::Vector3d(1, 2, 3));
        QVERIFY(!clampedInverseMatrix(Eigen::Matrix3d::Zero(), 0).exact);
    }
};

QTEST_APPLESS_MAIN(TestShapes)
#include "test_shapes.moc"
