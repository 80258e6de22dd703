#include "core/math/sparse_cholesky.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"

#include <QTest>

using namespace limber;
using namespace limber::math;

class TestMath : public QObject {
    Q_OBJECT
private slots:
    void decomposeAndComposeGiveTheMatrixBack();
    void reflectionBecomesNegativeScaleX();
    void singularMatrixKeepsTheFallbackRotation();
    void eulerAnglesGiveTheRotationBack();
    void shearFactorsMatchTheReference();
    void nearestRotationIsProperAndNearest();
    void splitShearMatchesTheReference();
    void canonicalQuaternionHasPositiveLead();
    void manyColumnsAreSolvedAsDenseOnesAre();
    void matricesOfManyPiecesAreSolved_data();
    void matricesOfManyPiecesAreSolved();
    void aMatrixThatIsNotPositiveIsNotSolved();
};

void TestMath::decomposeAndComposeGiveTheMatrixBack() {
    test::Random random;
    for (int k = 0; k < 1000; ++k) {
        const Affine m = random.affine();
        QVERIFY(distance(compose(decompose(m)), m) < 1e-12);
    }
}

void TestMath::reflectionBecomesNegativeScaleX() {
    test::Random random(2);
    for (int k = 0; k < 100; ++k) {
        const Affine m = random.affine() * Eigen::Scaling(1.0, -1.0, 1.0);
        const TransformParts parts = decompose(m);
        QVERIFY(parts.scale.x() < 0 && parts.scale.y() > 0 && parts.scale.z() > 0);
        QVERIFY(parts.rotation.toRotationMatrix().determinant() > 0);
        QVERIFY(distance(compose(parts), m) < 1e-12);
    }
}

void TestMath::singularMatrixKeepsTheFallbackRotation() {
    const Quaterniond fallback(Eigen::AngleAxisd(0.7, Vector3d::UnitZ()));
    const TransformParts parts = decompose(Affine(Eigen::Scaling(1.0, 0.0, 1.0)), fallback);
    QVERIFY(parts.singular);
    QVERIFY(parts.rotation.isApprox(fallback, 1e-15));
}

void TestMath::eulerAnglesGiveTheRotationBack() {
    test::Random random(3);
    for (int k = 0; k < 1000; ++k) {
        const Quaterniond q = random.rotation();
        QVERIFY(rotationFromEulerXyz(eulerXyzFromRotation(q)).angularDistance(q) < 1e-7);
    }
    for (const double pole : {M_PI / 2, -M_PI / 2}) {
        const Quaterniond q = rotationFromEulerXyz({0.3, pole, -0.4});
        QVERIFY(rotationFromEulerXyz(eulerXyzFromRotation(q)).angularDistance(q) < 1e-6);
    }
}

void TestMath::shearFactorsMatchTheReference() {
    LIMBER_CASE(c, "C03");
    const QJsonObject expected = c["expected"].toObject();
    Affine ul = Affine::Identity();
    ul.matrix() = test::toMatrix(expected["Ul"]);
    const TransformParts parts = decompose(ul);
    QVERIFY((parts.scale - test::toVector(expected["s"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY((parts.shear - test::toVector(expected["k"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY((parts.rotation.toRotationMatrix() - test::toMatrix(expected["R"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY((nearestRotation(ul.linear()) - test::toMatrix(expected["R_nearest"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY(parts.hasShear());
}

void TestMath::nearestRotationIsProperAndNearest() {
    test::Random random(4);
    for (int k = 0; k < 100; ++k) {
        const Matrix3d r = random.rotation().toRotationMatrix();
        Matrix3d square;
        square << random.vector(), random.vector(), random.vector();
        // Symmetric and positive: r is then the polar factor of the product.
        const Matrix3d stretch = square.transpose() * square + 0.1 * Matrix3d::Identity();
        QVERIFY((nearestRotation(r * stretch) - r).cwiseAbs().maxCoeff() < 1e-9);
    }
    QVERIFY(nearestRotation(Eigen::Scaling(1.0, 1.0, -1.0).toDenseMatrix()).determinant() > 0);
}

void TestMath::splitShearMatchesTheReference() {
    LIMBER_CASE(c, "C25");
    const Matrix3d a = test::toMatrix(c["input"].toObject()["A"]);
    const ShearSplit split = splitShear(a);
    QVERIFY((split.scale - test::toVector(c["expected"].toObject()["s"])).cwiseAbs().maxCoeff() < 1e-9);
    QVERIFY((split.outer * split.scale.asDiagonal() * split.inner - a).cwiseAbs().maxCoeff() < 1e-12);
    QVERIFY(split.outer.determinant() > 0 && split.inner.determinant() > 0);
}

void TestMath::canonicalQuaternionHasPositiveLead() {
    QVERIFY(canonical(Quaterniond(-0.5, 0.5, 0.5, 0.5)).w() > 0);
    QVERIFY(canonical(Quaterniond(0, -1, 0, 0)).x() > 0);
    QVERIFY(canonical(Quaterniond(0, 0, 0, -2)).z() == 1);
}

void TestMath::manyColumnsAreSolvedAsDenseOnesAre() {
    test::Random random(3);
    constexpr Eigen::Index kSize = 60;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(kSize, kSize);
    for (int k = 0; k < 150; ++k) {
        const auto i = Eigen::Index(random.index(kSize)), j = Eigen::Index(random.index(kSize));
        const double w = random.uniform(0, 2);
        dense(i, i) += w;
        dense(j, j) += w;
        dense(i, j) -= w;
        dense(j, i) -= w;
    }
    const Eigen::MatrixXd lower = dense.triangularView<Eigen::Lower>();
    const SparseCholesky factor(lower.sparseView());
    QVERIFY(factor.ok());
    SparseCholesky::Columns b = SparseCholesky::Columns::Random(kSize, 8), x = b;
    factor.solve(x);
    QVERIFY((dense * x - b).cwiseAbs().maxCoeff() < 1e-12);
}

void TestMath::matricesOfManyPiecesAreSolved_data() {
    QTest::addColumn<int>("size"); // of a piece
    QTest::newRow("no edges") << 1;
    QTest::newRow("triangles") << 3;
    QTest::newRow("long chains") << 2'000;
}

void TestMath::matricesOfManyPiecesAreSolved() {
    QFETCH(int, size);
    constexpr int kSize = 6'000;
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < kSize; ++k) {
        entries.emplace_back(k, k, 2.5);
        if (k % size > 0)
            entries.emplace_back(k, k - 1, -1.0);
        if (size == 3 && k % size == 2)
            entries.emplace_back(k, k - 2, -1.0);
    }
    Eigen::SparseMatrix<double> lower(kSize, kSize);
    lower.setFromTriplets(entries.begin(), entries.end());
    const SparseCholesky factor(lower);
    QVERIFY(factor.ok());
    SparseCholesky::Columns b = SparseCholesky::Columns::Random(kSize, 8), x = b;
    factor.solve(x);
    const Eigen::MatrixXd back = lower.selfadjointView<Eigen::Lower>() * Eigen::MatrixXd(x);
    QVERIFY((back - b).cwiseAbs().maxCoeff() < 1e-12);
}

void TestMath::aMatrixThatIsNotPositiveIsNotSolved() {
    Eigen::MatrixXd negative = Eigen::Vector3d(1, -1, 1).asDiagonal();
    QVERIFY(!SparseCholesky(negative.sparseView()).ok());
}

QTEST_APPLESS_MAIN(TestMath)
#include "test_math.moc"
