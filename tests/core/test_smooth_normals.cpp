// The loops of SmoothNormals: rows of pairs hold each triangle once, and all instruction sets find the same normals.
#include "core/mesh/face_ladders.h"
#include "core/mesh/normals.h"
#include "core/mesh/smooth_normals.h"
#include "tests/support/one_target.h"
#include "tests/support/random.h"

#include <Eigen/Geometry>
#include <QTest>

#include <algorithm>

using namespace limber;
using namespace limber::mesh;

namespace {

using Triangle = std::array<std::uint32_t, 3>;

Triangle sorted(Triangle t) { // the same winding, the least corner first
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

void put(std::vector<Triangle>& out, const FacePair& p, bool mirrored = false) {
    const auto [a, b, c, d] = p;
    out.push_back(sorted(mirrored ? Triangle{a, c, b} : Triangle{a, b, c}));
    out.push_back(sorted(mirrored ? Triangle{d, b, c} : Triangle{d, c, b}));
}

// Of ladders, as smooth_normals_kernel.h has them.
void putLadders(std::vector<Triangle>& out, std::span<const std::uint32_t> list, bool mirrored) {
    for (std::size_t at = 0; at < list.size(); at += kLadderSlots)
        for (std::size_t rung = 0; rung < kRungs; ++rung)
            for (const std::size_t side : {0, 2}) {
                const std::uint32_t* r = &list[at + 4 * rung + side];
                put(out, {r[0], r[4], r[1], r[5]}, mirrored);
            }
}

enum class Diagonals { Rising, Falling, Any };

// Pairs of a grid, row by row.
std::vector<FacePair> gridPairs(std::uint32_t side, Diagonals diagonals, bool anyWay, test::Random& random) {
    std::vector<FacePair> pairs;
    for (std::uint32_t y = 0; y + 1 < side; ++y)
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
            const bool rising = diagonals == Diagonals::Rising || (diagonals == Diagonals::Any && random.index(2) == 0);
            FacePair p = rising ? FacePair{b, d, a, c} : FacePair{a, b, c, d};
            if (anyWay && random.index(2) == 0)
                std::reverse(p.begin(), p.end());
            pairs.push_back(p);
        }
    return pairs;
}

struct Surface {
    std::vector<Eigen::Vector3f> positions;
    std::vector<std::uint32_t> triangles;
};

Surface bumpyGrid(std::uint32_t side, Diagonals diagonals, test::Random& random) {
    Surface s;
    for (std::uint32_t k = 0; k < side * side; ++k)
        s.positions.emplace_back(float(k % side), float(k / side), float(random.uniform()));
    for (const auto& [a, b, c, d] : gridPairs(side, diagonals, true, random))
        s.triangles.insert(s.triangles.end(), {a, b, c, d, c, b});
    return s;
}

} // namespace

class TestSmoothNormals : public QObject {
    Q_OBJECT

private slots:
    void laddersHoldEachTriangleOnce_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("diagonals");
        QTest::addColumn<bool>("anyWay");
        for (const int side : {1, 2, 17, 18, 34, 100})
            for (int diagonals = 0; diagonals < 3; ++diagonals)
                for (const bool anyWay : {false, true})
                    QTest::addRow("side %d, diagonals %d, %s", side, diagonals, anyWay ? "any way" : "one way")
                        << side << diagonals << anyWay;
    }
    void laddersHoldEachTriangleOnce() {
        QFETCH(int, side);
        QFETCH(int, diagonals);
        QFETCH(bool, anyWay);
        test::Random random(3);
        const auto pairs = gridPairs(std::uint32_t(side), Diagonals(diagonals), anyWay, random);
        const FaceLadders rows = laddersOf(pairs);
        std::vector<Triangle> expected, found;
        for (const FacePair& p : pairs)
            put(expected, p);
        for (std::size_t k = 0; k < rows.pairs.size(); k += 4)
            put(found, {rows.pairs[k], rows.pairs[k + 1], rows.pairs[k + 2], rows.pairs[k + 3]});
        const std::size_t left = found.size();
        putLadders(found, rows.ladders, false);
        putLadders(found, rows.mirrored, true);
        std::ranges::sort(expected);
        std::ranges::sort(found);
        QVERIFY(found == expected);
        if (side == 100 && diagonals != int(Diagonals::Any)) // 6 ladders of 16 in a row of 99
            QVERIFY(left < expected.size() / 20);
    }

    void allInstructionSetsFindTheSame_data() {
        QTest::addColumn<int>("diagonals");
        QTest::addColumn<bool>("seams");
        QTest::addColumn<float>("size");
        for (int diagonals = 0; diagonals < 3; ++diagonals)
            for (const bool seams : {false, true})
                for (const float size : {1e-20f, 1e-9f, 1.0f, 1e9f, 1e19f})
                    QTest::addRow("diagonals %d, seams %d, size %g", diagonals, int(seams), double(size))
                        << diagonals << seams << size;
    }
    // Faces that a pose has drawn together have no area, not that of a rounding.
    void facesWithoutAnAreaCountForNothing_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("on a line") << 0;
        QTest::newRow("rows drawn together") << 1;
        QTest::newRow("corners meet") << 2;
    }
    void facesWithoutAnAreaCountForNothing() {
        QFETCH(int, kind);
        test::Random random(8);
        const auto [rest, triangles] = bumpyGrid(70, Diagonals::Any, random);
        const Weld w = weld(rest, triangles);
        // Numbers whose products have to be rounded, or a fused step would leave nothing either.
        std::vector<Eigen::Vector3f> posed = rest;
        for (Eigen::Vector3f& p : posed)
            p += 0.1f * random.vector().cast<float>();
        for (std::size_t v = 0; v < posed.size(); ++v)
            if (kind == 0)
                posed[v] = posed[v].x() * Eigen::Vector3f(1, 2, 4);
            else if (kind == 1 && v / 70 % 10 < 5)
                posed[v] = posed[v % 70];
            else if (kind == 2 && v % 3 != 0)
                posed[v] = posed[v - v % 3];
        const auto expected = smoothNormals(w, triangles, posed);
        QVERIFY(kind == 2 || std::ranges::count(expected, Eigen::Vector3f::UnitY().eval()) > 1000);
        for (const std::int64_t target : test::kTargets) {
            if (!(hwy::SupportedTargets() & target))
                continue;
            const test::OneTarget only(target);
            std::vector<Eigen::Vector3f> normals(posed.size());
            SmoothNormals(w, triangles).compute(posed, normals);
            for (std::size_t v = 0; v < normals.size(); ++v)
                QVERIFY2((normals[v] - expected[v]).norm() < 2e-6f, qPrintable(QString("%1 at %2").arg(target).arg(v)));
        }
    }

    void allInstructionSetsFindTheSame() {
        QFETCH(int, diagonals);
        QFETCH(bool, seams);
        QFETCH(float, size);
        test::Random random(5);
        auto [positions, triangles] = bumpyGrid(70, Diagonals(diagonals), random);
        for (std::uint32_t& corner : triangles)
            if (seams && random.index(9) == 0) {
                positions.push_back(positions[corner]);
                corner = std::uint32_t(positions.size() - 1);
            }
        positions.push_back({1, 2, 50}); // alone
        for (Eigen::Vector3f& p : positions)
            p *= size;
        std::vector<Eigen::Vector3f> others = positions;
        for (Eigen::Vector3f& p : others)
            p = {p.z(), -2 * p.x(), p.y()};
        const Weld w = weld(positions, triangles);
        const auto expected = smoothNormals(w, triangles, positions);
        std::size_t tested = 0;
        for (const std::int64_t target : test::kTargets) {
            if (!(hwy::SupportedTargets() & target))
                continue;
            const test::OneTarget only(target);
            const SmoothNormals smooth(w, triangles);
            std::vector<Eigen::Vector3f> normals(positions.size());
            smooth.compute(others, normals); // nothing of them is left behind
            smooth.compute(positions, normals);
            for (std::size_t v = 0; v < normals.size(); ++v) {
                QVERIFY2((normals[v] - expected[v]).norm() < 2e-6f, qPrintable(QString("%1 at %2").arg(target).arg(v)));
                QVERIFY(std::abs(normals[v].cast<double>().norm() - 1) < 5e-7);
            }
            ++tested;
        }
        QVERIFY(tested > 0);
    }
};

QTEST_GUILESS_MAIN(TestSmoothNormals)
#include "test_smooth_normals.moc"
