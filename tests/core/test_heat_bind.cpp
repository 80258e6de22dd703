// Weights by the equilibrium of heat: against the formulas in dense matrices, and what must hold of any.
#include "core/math/sparse_cholesky.h"
#include "core/mesh/cotan_laplacian.h"
#include "core/weights/heat_bind.h"
#include "tests/support/cases.h"
#include "tests/support/naive_heat.h"
#include "tests/support/random.h"
#include "tests/support/row_sum.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <functional>

using namespace limber;
using weights::Bone;

namespace {

struct Surface {
    std::vector<Eigen::Vector3f> positions;
    std::vector<std::uint32_t> triangles;

    [[nodiscard]] weights::HeatWeights bind(std::span<const Bone> bones, const weights::HeatOptions& options) const {
        return weights::bindByHeat(mesh::weld(positions, triangles), positions, triangles, bones, options);
    }
    void moveBy(const math::Affine& m) {
        for (Eigen::Vector3f& p : positions)
            p = (m * p.cast<double>()).cast<float>();
    }
    void turnInsideOut() {
        for (std::size_t t = 0; t < triangles.size(); t += 3)
            std::swap(triangles[t], triangles[t + 1]);
    }
    void add(const Surface& other) {
        for (const std::uint32_t v : other.triangles)
            triangles.push_back(v + static_cast<std::uint32_t>(positions.size()));
        positions.insert(positions.end(), other.positions.begin(), other.positions.end());
    }
};

// The tube of the test documents, without its seam, a little dented so that nothing is symmetric.
Surface dentedTube(std::size_t rings, std::size_t sides) {
    const mesh::Mesh tube = test::tubeMesh(rings, sides);
    const mesh::Weld weld = mesh::weld(tube.positions, tube.triangles);
    Surface surface;
    for (std::uint32_t p = 0; p < weld.pointCount(); ++p) {
        Eigen::Vector3f at = tube.positions[weld.firstVertex(p)];
        at.y() *= 1 + 0.1f * std::sin(3 * at.x() + at.z());
        surface.positions.push_back(at);
    }
    for (const std::uint32_t v : tube.triangles)
        surface.triangles.push_back(weld.pointOfVertex[v]);
    return surface;
}

std::vector<Bone> threeBones() {
    return {{{0, 0.01, 0}, {1.3, 0, 0.02}, 0}, {{1.3, 0, 0.02}, {2.6, -0.03, 0}, 1}, {{2.6, -0.03, 0}, {4, 0, 0}, 2}};
}

const weights::HeatOptions kAll{1, 64, 0};

double largestDifference(const skin::SkinWeights& a, const skin::SkinWeights& b, std::uint32_t joints) {
    double worst = 0;
    for (std::size_t v = 0; v < a.vertexCount(); ++v)
        for (std::uint32_t j = 0; j < joints; ++j)
            worst = std::max(worst, std::abs(double(a.weight(v, j)) - double(b.weight(v, j))));
    return worst;
}

void verifyRows(const skin::SkinWeights& rows) {
    for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
        for (const skin::Influence& i : rows.row(v))
            QVERIFY(i.weight >= 0 && i.weight <= 1);
        const double sum = test::sumOf(rows.row(v));
        QVERIFY2(std::abs(sum - 1) < 1e-6, qPrintable(QString("vertex %1: %2").arg(v).arg(sum)));
    }
}

using Bones = std::vector<Bone>;
using Breaking = std::function<void(Surface&, Bones&)>;

} // namespace

Q_DECLARE_METATYPE(Breaking)

class TestHeatBind : public QObject {
    Q_OBJECT
private slots:
    void edgesConductByTheAnglesThatFaceThem();
    void theReferenceCaseIsMet();
    void weightsAreThoseOfTheFormulas_data();
    void weightsAreThoseOfTheFormulas();
    void sizePlaceAndWindingDoNotMatter();
    void wallsHideBones();
    void bonesOutsideWarmNothing();
    void aVertexFarAwayDoesNotMakeWallsTransparent();
    void surfacesOfTwoSidesAreLikeThoseOfOne();
    void aGlimpseThroughAnOpeningIsNotSeeing();
    void piecesThatSeeNoBoneFollowTheNearest();
    void onlyTheStrongestAreKept();
    void brokenSurfacesGetWeights_data();
    void brokenSurfacesGetWeights();
};

void TestHeatBind::edgesConductByTheAnglesThatFaceThem() {
    // A unit square of two right triangles, and beyond its right side one so flat that the side conducts backwards.
    const Surface square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1.05f, 0.5f, 0}}, {0, 1, 2, 0, 2, 3, 1, 4, 2}};
    const mesh::CotanLaplacian l =
        mesh::cotanLaplacian(mesh::weld(square.positions, square.triangles), square.positions, square.triangles);
    const Eigen::MatrixXd lower(l.lower);
    QCOMPARE(lower(1, 0), -0.5);
    QCOMPARE(lower(3, 0), -0.5);
    QVERIFY(std::abs(lower(2, 0)) < 1e-12); // faced by right angles
    QCOMPARE(lower(2, 1), 0.0);             // 1/2 - 5
    const Eigen::MatrixXd whole = lower.selfadjointView<Eigen::Lower>();
    QVERIFY((whole * Eigen::VectorXd::Ones(5)).cwiseAbs().maxCoeff() < 1e-12);
    QVERIFY(std::abs(l.area[0] - 1.0 / 3) < 1e-12);
    QVERIFY(std::abs(l.area.sum() - 1.025) < 1e-7);
}

void TestHeatBind::theReferenceCaseIsMet() {
    const auto c = test::loadCase("C24");
    if (!c)
        QSKIP("the reference cases are not on this machine");
    const QJsonObject input = (*c)["input"].toObject();
    const Eigen::MatrixXd laplacian = test::toMatrix(input["L"]), expected = test::toMatrix((*c)["expected"]["w"]);
    const Eigen::VectorXd distances = test::toVector(input["dist"]);
    mesh::Rows nearest;
    Eigen::VectorXd heat(3);
    for (int p = 0; p < 3; ++p) {
        for (const QJsonValue& joint : input["nearest"][p].toArray())
            nearest.items.push_back(static_cast<std::uint32_t>(joint.toInt()));
        nearest.offsets.push_back(static_cast<std::uint32_t>(nearest.items.size()));
        heat[p] = double(nearest[std::size_t(p)].size()) / (distances[p] * distances[p]);
    }
    const Eigen::MatrixXd dense = laplacian + Eigen::MatrixXd(heat.asDiagonal());
    const Eigen::MatrixXd lower = dense.triangularView<Eigen::Lower>();
    const std::vector<std::uint32_t> joints{0, 1};
    math::SparseCholesky::Columns columns = weights::heatColumns(heat, nearest, joints);
    math::SparseCholesky(lower.sparseView()).solve(columns);
    QVERIFY((columns.leftCols(2) - expected).cwiseAbs().maxCoeff() < 1e-9);

    const weights::StrongestWeights kept = weights::solveHeat(lower.sparseView(), heat, nearest, {});
    skin::Row row;
    for (int p = 0; p < 3; ++p) {
        QVERIFY(kept.row(std::size_t(p), row));
        QCOMPARE(row.size(), std::size_t(2));
        for (int j = 0; j < 2; ++j)
            QVERIFY(std::abs(double(row[std::size_t(j)].weight) - expected(p, j)) < 1e-7);
    }
}

void TestHeatBind::weightsAreThoseOfTheFormulas_data() {
    QTest::addColumn<double>("strength");
    QTest::addColumn<bool>("doubled");
    QTest::newRow("one bone a joint") << 1.0 << false;
    QTest::newRow("strong") << 8.0 << false;
    QTest::newRow("weak") << 0.1 << false;
    QTest::newRow("two bones a joint, and two joints along one bone") << 1.0 << true;
}

void TestHeatBind::weightsAreThoseOfTheFormulas() {
    QFETCH(double, strength);
    QFETCH(bool, doubled);
    const Surface tube = dentedTube(14, 9);
    std::vector<Bone> bones = threeBones();
    if (doubled) {
        bones.push_back({{0, 0, 0.1}, {1, 0, 0.1}, 2});
        bones.push_back({bones[1].from, bones[1].to, 3});
    }
    weights::HeatOptions options = kAll;
    options.strength = strength;
    const weights::HeatWeights ours = tube.bind(bones, options);
    QCOMPARE(ours.unseen, std::size_t(0));
    const Eigen::MatrixXd naive = test::NaiveHeat{tube.positions, tube.triangles, bones, strength}.weights(4);
    QVERIFY((naive.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-9);
    double worst = 0;
    for (std::size_t v = 0; v < tube.positions.size(); ++v)
        for (std::uint32_t j = 0; j < 4; ++j)
            worst = std::max(worst, std::abs(double(ours.rows.weight(v, j)) - naive(Eigen::Index(v), j)));
    QVERIFY2(worst < 1e-6, qPrintable(QString::number(worst)));
}

void TestHeatBind::sizePlaceAndWindingDoNotMatter() {
    test::Random random(8);
    const Surface tube = dentedTube(20, 12);
    const std::vector<Bone> bones = threeBones();
    const weights::HeatWeights expected = tube.bind(bones, kAll);
    for (const double scale : {1e-4, 1.0, 1e4}) {
        math::Affine m = random.rigid();
        m.translation() *= scale; // far from the origin floats would tell less of the shape
        m.scale(scale);
        Surface moved = tube;
        moved.moveBy(m);
        std::vector<Bone> movedBones = bones;
        for (Bone& b : movedBones)
            b = {m * b.from, m * b.to, b.slot};
        QVERIFY(largestDifference(moved.bind(movedBones, kAll).rows, expected.rows, 3) < 1e-6);
        moved.turnInsideOut();
        QVERIFY(largestDifference(moved.bind(movedBones, kAll).rows, expected.rows, 3) < 1e-6);
    }
}

// Two tubes side by side. The bone in the first is nearest to the near side of the second too, and is not seen there.
void TestHeatBind::wallsHideBones() {
    Surface both = dentedTube(20, 12), second = both;
    second.moveBy(math::Affine(Eigen::Translation3d(0, 1.2, 0)));
    const std::size_t first = both.positions.size();
    both.add(second);
    const std::vector<Bone> bones{{{0, 0.45, 0}, {4, 0.45, 0}, 0}, {{0, 1.5, 0}, {4, 1.5, 0}, 1}};
    const weights::HeatSources sources =
        weights::heatSources(mesh::weld(both.positions, both.triangles), both.positions, both.triangles, bones);
    int outward = 0;
    for (std::size_t p = first; p < both.positions.size(); ++p)
        if (sources.nearest[p][0] == 0) {
            QVERIFY(!sources.sees[p]);
            ++outward;
        }
    QVERIFY(outward > 20);
    const weights::HeatWeights bound = both.bind(bones, kAll);
    for (std::size_t v = 0; v < both.positions.size(); ++v)
        QCOMPARE(bound.rows.weight(v, v < first ? 0 : 1), 1.0f);

    // Inward of the far side, and behind the wall of the near one.
    const Surface tube = dentedTube(20, 12);
    const std::vector<Bone> beside{{{0, 2, 0}, {4, 2, 0}, 0}};
    const weights::HeatSources hidden =
        weights::heatSources(mesh::weld(tube.positions, tube.triangles), tube.positions, tube.triangles, beside);
    for (std::size_t p = 0; p < tube.positions.size(); ++p)
        if (std::abs(tube.positions[p].x() - 2) < 1.9f) // the rim looks along the edge
            QVERIFY(!hidden.sees[p]);
}

void TestHeatBind::bonesOutsideWarmNothing() {
    // Where it is the nearest nothing inward leads to it.
    const Surface tube = dentedTube(10, 12);
    const std::vector<Bone> bones{{{0, 0.7, 0}, {4, 0.7, 0}, 1}, {{0, 0, 0}, {4, 0, 0}, 0}};
    const weights::HeatWeights bound = tube.bind(bones, kAll);
    for (std::size_t v = 0; v < tube.positions.size(); ++v)
        QCOMPARE(bound.rows.weight(v, 0), 1.0f);
}

// What counts as near is told by the surface, not by vertices that belong to none.
void TestHeatBind::aVertexFarAwayDoesNotMakeWallsTransparent() {
    Surface both = dentedTube(20, 12), second = both;
    second.moveBy(math::Affine(Eigen::Translation3d(0, 1.2, 0)));
    both.add(second);
    const std::vector<Bone> bones{{{0, 0.45, 0}, {4, 0.45, 0}, 0}, {{0, 1.5, 0}, {4, 1.5, 0}, 1}};
    const weights::HeatWeights expected = both.bind(bones, kAll);
    both.positions.emplace_back(1e5f, 0.0f, 0.0f);
    const weights::HeatWeights bound = both.bind(bones, kAll);
    QVERIFY(largestDifference(expected.rows, bound.rows, 2) < 1e-6);
    // The same with a piece of surface out there.
    for (const float side : {0.0f, 1.0f})
        both.positions.emplace_back(1e5f, 1 - side, side);
    for (std::uint32_t k = 3; k > 0; --k)
        both.triangles.push_back(static_cast<std::uint32_t>(both.positions.size()) - k);
    QVERIFY(largestDifference(expected.rows, both.bind(bones, kAll).rows, 2) < 1e-6);
}

void TestHeatBind::surfacesOfTwoSidesAreLikeThoseOfOne() {
    const Surface tube = dentedTube(20, 12);
    Surface twoSided = tube;
    for (std::size_t t = 0; t < tube.triangles.size(); t += 3)
        for (const std::size_t corner : {t + 1, t, t + 2})
            twoSided.triangles.push_back(tube.triangles[corner]);
    const weights::HeatWeights one = tube.bind(threeBones(), kAll), two = twoSided.bind(threeBones(), kAll);
    QCOMPARE(two.unseen, std::size_t(0));
    QVERIFY(largestDifference(one.rows, two.rows, 3) < 1e-6);
}

// Bones beside an open tube, which only its rim may see.
void TestHeatBind::aGlimpseThroughAnOpeningIsNotSeeing() {
    const Surface tube = dentedTube(20, 12);
    const std::vector<Bone> bones{{{0, 9, 0}, {2, 9, 0}, 0}, {{2, 9, 0}, {4, 9, 0}, 1}};
    const weights::HeatWeights bound = tube.bind(bones, kAll);
    QCOMPARE(bound.unseen, tube.positions.size());
    for (std::size_t v = 0; v < tube.positions.size(); ++v)
        if (std::abs(tube.positions[v].x() - 2) > 1.5f)
            QVERIFY(bound.rows.weight(v, tube.positions[v].x() < 2 ? 0 : 1) > 0.5f);
}

void TestHeatBind::piecesThatSeeNoBoneFollowTheNearest() {
    Surface both = dentedTube(10, 12), loose = both;
    loose.moveBy(math::Affine(Eigen::Translation3d(6, 0, 0)));
    const std::size_t first = both.positions.size();
    both.add(loose);
    const weights::HeatWeights bound = both.bind(threeBones(), kAll);
    QCOMPARE(bound.unseen, both.positions.size() - first);
    for (std::size_t v = first; v < both.positions.size(); ++v)
        QCOMPARE(bound.rows.weight(v, 2), 1.0f);
}

void TestHeatBind::onlyTheStrongestAreKept() {
    const Surface tube = dentedTube(20, 12);
    std::vector<Bone> bones;
    for (std::uint32_t k = 0; k < 20; ++k)
        bones.push_back({{0.2 * k, 0, 0}, {0.2 * (k + 1), 0, 0}, k});
    const weights::HeatWeights all = tube.bind(bones, kAll), most = tube.bind(bones, {1, 3, 0.001}),
                               coarse = tube.bind(bones, {1, 64, 0.05});
    verifyRows(all.rows);
    verifyRows(most.rows);
    verifyRows(coarse.rows);
    bool cut = false;
    for (std::size_t v = 0; v < tube.positions.size(); ++v) {
        QCOMPARE(all.rows.row(v).size(), std::size_t(20));
        QVERIFY(most.rows.row(v).size() <= 3);
        std::vector<float> weights;
        for (const skin::Influence& i : all.rows.row(v))
            weights.push_back(i.weight);
        std::sort(weights.rbegin(), weights.rend());
        for (const skin::Influence& i : most.rows.row(v))
            QVERIFY(all.rows.weight(v, i.slot) >= weights[2]);
        for (const skin::Influence& i : coarse.rows.row(v))
            QVERIFY(all.rows.weight(v, i.slot) >= 0.05f);
        cut |= coarse.rows.row(v).size() < 20;
    }
    QVERIFY(cut);
    // Of many that are all too small one is left.
    verifyRows(tube.bind(bones, {1, 64, 0.99}).rows);
}

void TestHeatBind::brokenSurfacesGetWeights_data() {
    QTest::addColumn<Breaking>("breaking");
    const auto scaled = [](Surface& s, Bones& bones, double scale) {
        math::Affine m = math::Affine::Identity();
        m.scale(scale);
        s.moveBy(m);
        for (Bone& b : bones)
            b = {b.from * scale, b.to * scale, b.slot};
    };
    const auto row = [](const char* name, Breaking breaking) { QTest::newRow(name) << std::move(breaking); };
    row("nothing", [](Surface& s, Bones&) { s = {}; });
    row("one vertex", [](Surface& s, Bones&) { s = {{{1, 2, 3}}, {}}; });
    row("vertices without triangles", [](Surface& s, Bones&) { s.positions.insert(s.positions.end(), 3, {7, 8, 9}); });
    row("triangles without an area", [](Surface& s, Bones&) {
        s.triangles.insert(s.triangles.end(), {0, 0, 1, 2, 2, 2, 0, 7, 14});
    });
    row("three triangles at an edge", [](Surface& s, Bones&) {
        s.add({{{2, 3, 4}}, {}});
        s.triangles.insert(s.triangles.end(), {0, 1, static_cast<std::uint32_t>(s.positions.size() - 1)});
    });
    row("bones at the vertices",
        [](Surface& s, Bones& bones) { bones[0].from = bones[1].to = s.positions[10].cast<double>(); });
    row("bones far away", [](Surface&, Bones& bones) {
        for (Bone& b : bones)
            b = {b.from * 1e12, b.to * 1e12, b.slot};
    });
    row("a bone that is a point", [](Surface&, Bones& bones) { bones = {{{2, 0, 0}, {2, 0, 0}, 1}}; });
    row("very small", [scaled](Surface& s, Bones& bones) { scaled(s, bones, 1e-30); });
    row("very large", [scaled](Surface& s, Bones& bones) { scaled(s, bones, 1e30); });
}

void TestHeatBind::brokenSurfacesGetWeights() {
    QFETCH(Breaking, breaking);
    Surface s = dentedTube(8, 7);
    Bones bones = threeBones();
    breaking(s, bones);
    const weights::HeatWeights bound = s.bind(bones, {});
    QCOMPARE(bound.rows.vertexCount(), s.positions.size());
    verifyRows(bound.rows);
}

QTEST_APPLESS_MAIN(TestHeatBind)

#include "test_heat_bind.moc"
