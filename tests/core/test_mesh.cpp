#include "core/mesh/normals.h"
#include "core/mesh/ray_caster.h"
#include "core/mesh/smooth_normals.h"
#include "core/mesh/weld.h"
#include "tests/support/random.h"

#include <Eigen/Geometry>
#include <QTest>
#include <tbb/global_control.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace limber;
using namespace limber::mesh;

namespace {

// Two triangles of a square whose diagonal is split: vertices 1, 3 and 2, 4 stand at one place each.
const std::vector<Eigen::Vector3f> kSquare{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-0.0f, 1, 0}, {1, 1, 0}};
const std::vector<std::uint32_t> kTriangles{0, 1, 2, 4, 3, 5};

// As said in weld.h, one vertex and one triangle after the other.
Weld slowWeld(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles) {
    Weld w;
    std::map<std::array<float, 3>, std::uint32_t> points;
    std::vector<std::set<std::uint32_t>> vertices, neighbours, around;
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const Eigen::Vector3f& p = positions[v];
        const auto found = points.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(points.size()));
        w.pointOfVertex.push_back(found.first->second);
        vertices.resize(points.size());
        vertices[found.first->second].insert(v);
    }
    neighbours.resize(points.size());
    around.resize(points.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        const std::uint32_t point = w.pointOfVertex[triangles[i]];
        around[point].insert(i / 3);
        for (std::uint32_t k = i / 3 * 3; k < i / 3 * 3 + 3; ++k)
            if (const std::uint32_t other = w.pointOfVertex[triangles[k]]; other != point)
                neighbours[point].insert(other);
    }
    const auto fill = [](Rows& rows, const std::vector<std::set<std::uint32_t>>& from) {
        for (const auto& row : from) {
            rows.items.insert(rows.items.end(), row.begin(), row.end());
            rows.offsets.push_back(static_cast<std::uint32_t>(rows.items.size()));
        }
    };
    fill(w.verticesOfPoint, vertices);
    fill(w.neighbours, neighbours);
    fill(w.trianglesOfPoint, around);
    return w;
}

bool sameRows(const Rows& a, const Rows& b) {
    return a.offsets == b.offsets && a.items == b.items;
}

struct Surface {
    std::vector<Eigen::Vector3f> positions;
    std::vector<std::uint32_t> triangles;
};

Surface bumpyGrid(std::size_t side, test::Random& random) {
    Surface s;
    for (std::size_t k = 0; k < side * side; ++k)
        s.positions.emplace_back(static_cast<float>(k % side), static_cast<float>(k / side),
                                 static_cast<float>(random.uniform()));
    for (std::size_t y = 0; y + 1 < side; ++y)
        for (std::size_t x = 0; x + 1 < side; ++x) {
            const auto a = static_cast<std::uint32_t>(y * side + x), up = static_cast<std::uint32_t>(side);
            for (const std::uint32_t v : {a, a + 1, a + up, a + 1, a + up + 1, a + up})
                s.triangles.push_back(v);
        }
    return s;
}

// 1: doubled vertices, points and triangles without an area; 2: vertices in any order as well; 3: any triangles.
void disturb(std::vector<Eigen::Vector3f>& positions, std::vector<std::uint32_t>& triangles, int how,
             test::Random& random) {
    const std::size_t count = positions.size();
    if (count == 0)
        return;
    for (std::uint32_t& corner : triangles)
        if (random.index(5) == 0) {
            positions.push_back(positions[corner]);
            corner = static_cast<std::uint32_t>(positions.size() - 1);
        } else if (how == 3 || random.index(200) == 0) {
            corner = static_cast<std::uint32_t>(random.index(count));
        }
    positions.push_back({50, 50, 50}); // alone
    if (how < 2)
        return;
    std::vector<std::uint32_t> places(positions.size());
    std::iota(places.begin(), places.end(), 0u);
    for (std::size_t k = places.size() - 1; k > 0; --k)
        std::swap(places[k], places[random.index(k + 1)]);
    const std::vector<Eigen::Vector3f> ordered = positions;
    for (std::size_t v = 0; v < ordered.size(); ++v)
        positions[places[v]] = ordered[v];
    for (std::uint32_t& corner : triangles)
        corner = places[corner];
}

} // namespace

class TestMesh : public QObject {
    Q_OBJECT
private slots:
    void verticesAtOnePlaceAreOnePoint();
    void neighboursReachAcrossTheSeam();
    void degenerateTrianglesDoNotCountTwice();
    void largeMeshesWeldAsSmallOnes_data();
    void largeMeshesWeldAsSmallOnes();
    void normalsAreEqualAcrossTheSeam();
    void normalsOfHugeAndTinyTrianglesAreUnit();
    void normalsByPiecesAreThoseOfEachPoint_data();
    void normalsByPiecesAreThoseOfEachPoint();
    void normalsByPiecesAreTheSameOnAnyNumberOfThreads();
    void normalsByPiecesAreTheSameInAnyOrder_data();
    void normalsByPiecesAreTheSameInAnyOrder();
    void raysHitTheNearestTriangle();
    void refitFollowsTheVertices();
    void refitOfAPartIsThatOfTheWhole();
    void emptyMeshIsNeverHit();
};

void TestMesh::verticesAtOnePlaceAreOnePoint() {
    const Weld w = weld(kSquare, kTriangles);
    QCOMPARE(w.pointCount(), std::size_t(4));
    QCOMPARE(w.pointOfVertex[1], w.pointOfVertex[3]);
    QCOMPARE(w.pointOfVertex[2], w.pointOfVertex[4]); // -0 is 0
    QCOMPARE(w.verticesOfPoint[w.pointOfVertex[1]].size(), std::size_t(2));
}

void TestMesh::neighboursReachAcrossTheSeam() {
    const Weld w = weld(kSquare, kTriangles);
    QCOMPARE(w.neighbours[w.pointOfVertex[1]].size(), std::size_t(3));
    QCOMPARE(w.neighbours[w.pointOfVertex[0]].size(), std::size_t(2));
    QCOMPARE(w.trianglesOfPoint[w.pointOfVertex[2]].size(), std::size_t(2));
}

void TestMesh::degenerateTrianglesDoNotCountTwice() {
    const std::vector<std::uint32_t> triangles{0, 1, 2, 1, 3, 5};
    const Weld w = weld(kSquare, triangles);
    QCOMPARE(w.trianglesOfPoint[w.pointOfVertex[1]].size(), std::size_t(2));
    for (std::uint32_t p = 0; p < w.pointCount(); ++p)
        for (const std::uint32_t n : w.neighbours[p])
            QVERIFY(n != p);
}

void TestMesh::largeMeshesWeldAsSmallOnes_data() {
    QTest::addColumn<int>("vertices");
    QTest::addColumn<int>("triangles");
    QTest::addColumn<int>("places"); // along an axis
    QTest::newRow("nothing") << 0 << 0 << 1;
    QTest::newRow("no triangles") << 100 << 0 << 3;
    QTest::newRow("several threads, many seams") << 70000 << 100000 << 20;
    QTest::newRow("several threads, few seams") << 70000 << 70000 << 1000;
    QTest::newRow("points of very many triangles") << 40000 << 60000 << 3;
}

void TestMesh::largeMeshesWeldAsSmallOnes() {
    QFETCH(int, vertices);
    QFETCH(int, triangles);
    QFETCH(int, places);
    test::Random random(7);
    std::vector<Eigen::Vector3f> positions(static_cast<std::size_t>(vertices));
    for (Eigen::Vector3f& p : positions)
        for (int k = 0; k < 3; ++k)
            p[k] = static_cast<float>(random.index(static_cast<std::size_t>(places))) * 0.1f - 1;
    std::vector<std::uint32_t> corners(static_cast<std::size_t>(3 * triangles));
    for (std::uint32_t& corner : corners)
        corner = static_cast<std::uint32_t>(random.index(positions.size()));
    const Weld fast = weld(positions, corners), slow = slowWeld(positions, corners);
    QVERIFY(fast.pointOfVertex == slow.pointOfVertex);
    QVERIFY(sameRows(fast.verticesOfPoint, slow.verticesOfPoint));
    QVERIFY(sameRows(fast.neighbours, slow.neighbours));
    QVERIFY(sameRows(fast.trianglesOfPoint, slow.trianglesOfPoint));
}

void TestMesh::normalsAreEqualAcrossTheSeam() {
    std::vector<Eigen::Vector3f> bent = kSquare;
    bent[5].z() = 1;
    const Weld w = weld(bent, kTriangles);
    const auto normals = smoothNormals(w, kTriangles, bent);
    QVERIFY(normals[1] == normals[3]);
    QVERIFY(normals[0].isApprox(Eigen::Vector3f(0, 0, 1)));
    QVERIFY(std::abs(normals[1].norm() - 1) < 1e-6f);
    QVERIFY(!normals[1].isApprox(normals[0]));
}

void TestMesh::normalsOfHugeAndTinyTrianglesAreUnit() {
    for (const float size : {1e-30f, 1e-12f, 1.0f, 1e20f, 3e37f}) {
        std::vector<Eigen::Vector3f> sized = kSquare;
        for (Eigen::Vector3f& p : sized)
            p *= size;
        for (const Eigen::Vector3f& n : smoothNormals(weld(sized, kTriangles), kTriangles, sized))
            QVERIFY2(n.isApprox(Eigen::Vector3f(0, 0, 1)), qPrintable(QString::number(double(size))));
    }
}

void TestMesh::normalsByPiecesAreThoseOfEachPoint_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("mesh"); // 0: a grid, 1: with seams, 2: in any order, 3: any triangles
    QTest::addColumn<float>("size");
    for (const int side : {0, 1, 2, 3, 4, 5, 30, 150})
        for (int mesh = 0; mesh < 4; ++mesh)
            for (const float size : {1.0f, 1e-18f, 1e18f})
                QTest::addRow("%d, mesh %d, size %g", side, mesh, double(size)) << side << mesh << size;
}

// The oracle in double; points that no face gives a direction have the y axis.
void TestMesh::normalsByPiecesAreThoseOfEachPoint() {
    QFETCH(int, side);
    QFETCH(int, mesh);
    QFETCH(float, size);
    test::Random random(9);
    auto [positions, triangles] = bumpyGrid(static_cast<std::size_t>(side), random);
    if (mesh > 0)
        disturb(positions, triangles, mesh, random);
    for (Eigen::Vector3f& p : positions)
        p *= size;
    const Weld w = weld(positions, triangles);
    std::vector<Eigen::Vector3f> normals(positions.size(), Eigen::Vector3f::Constant(9));
    SmoothNormals(w, triangles).compute(positions, normals);
    const auto simple = smoothNormals(w, triangles, positions);
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        double faces = 0;
        for (const std::uint32_t t : w.trianglesOfPoint[w.pointOfVertex[v]]) {
            const auto corner = [&](std::size_t k) {
                return positions[triangles[3 * std::size_t(t) + k]].cast<double>().eval();
            };
            const Eigen::Vector3d face = (corner(1) - corner(0)).cross(corner(2) - corner(0));
            sum += face;
            faces += face.norm();
        }
        if (sum.norm() < 1e-3 * faces)
            continue; // rounding decides
        const Eigen::Vector3f expected =
            faces > 0 ? Eigen::Vector3f(sum.normalized().cast<float>()) : Eigen::Vector3f::UnitY();
        QVERIFY2((normals[v] - expected).norm() < 1e-3f, qPrintable(QString::number(v)));
        QVERIFY((simple[v] - expected).norm() < 1e-3f);
        QVERIFY(std::abs(normals[v].norm() - 1) < 1e-6f);
    }
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        QVERIFY(normals[v] == normals[w.firstVertex(w.pointOfVertex[v])] && normals[v].allFinite());
}

void TestMesh::normalsByPiecesAreTheSameOnAnyNumberOfThreads() {
    test::Random random(10);
    auto [positions, triangles] = bumpyGrid(120, random);
    disturb(positions, triangles, 1, random);
    const Weld w = weld(positions, triangles);
    const SmoothNormals smooth(w, triangles);
    std::vector<std::vector<Eigen::Vector3f>> found;
    for (const std::size_t threads : {1, 1, 4}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        smooth.compute(positions, found.emplace_back(positions.size()));
    }
    QVERIFY(found[0] == found[1] && found[0] == found[2]);
}

void TestMesh::normalsByPiecesAreTheSameInAnyOrder_data() {
    QTest::addColumn<int>("seams");
    QTest::newRow("every vertex a point") << 0;
    QTest::newRow("with seams") << 1;
}

void TestMesh::normalsByPiecesAreTheSameInAnyOrder() {
    QFETCH(int, seams);
    test::Random random(11);
    auto [positions, triangles] = bumpyGrid(250, random);
    if (seams)
        disturb(positions, triangles, 1, random);
    std::mt19937 engine(12);
    std::vector<std::uint32_t> vertexFrom(positions.size()), triangleFrom(triangles.size() / 3);
    std::iota(vertexFrom.begin(), vertexFrom.end(), 0u);
    std::iota(triangleFrom.begin(), triangleFrom.end(), 0u);
    std::shuffle(vertexFrom.begin(), vertexFrom.end(), engine);
    std::shuffle(triangleFrom.begin(), triangleFrom.end(), engine);
    std::vector<Eigen::Vector3f> mixedPositions(positions.size());
    std::vector<std::uint32_t> placeOf(positions.size()), mixedTriangles(triangles.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        mixedPositions[v] = positions[vertexFrom[v]];
        placeOf[vertexFrom[v]] = v;
    }
    for (std::size_t k = 0; k < triangles.size(); ++k)
        mixedTriangles[k] = placeOf[triangles[3 * std::size_t(triangleFrom[k / 3]) + k % 3]];
    const Weld w = weld(positions, triangles), mixedWeld = weld(mixedPositions, mixedTriangles);
    std::vector<Eigen::Vector3f> normals(positions.size()), mixed(positions.size());
    SmoothNormals(w, triangles).compute(positions, normals);
    const SmoothNormals smooth(mixedWeld, mixedTriangles);
    for (int twice = 0; twice < 2; ++twice) {
        smooth.compute(mixedPositions, mixed);
        for (std::uint32_t v = 0; v < positions.size(); ++v) {
            const auto around = mixedWeld.trianglesOfPoint[mixedWeld.pointOfVertex[v]];
            Eigen::Vector3f sum = Eigen::Vector3f::Zero();
            float areas = 0;
            for (const std::uint32_t t : around) {
                const auto corner = [&](std::size_t k) {
                    return Eigen::Vector3f(mixedPositions[mixedTriangles[3 * std::size_t(t) + k]]);
                };
                const Eigen::Vector3f face = (corner(1) - corner(0)).cross(corner(2) - corner(0));
                sum += face;
                areas += face.norm();
            }
            if (areas == 0 || sum.norm() > 1e-2f * areas) // rounding decides others
                QVERIFY((mixed[v] - normals[vertexFrom[v]]).norm() < 1e-4f);
        }
    }
}

void TestMesh::raysHitTheNearestTriangle() {
    test::Random random;
    std::vector<Eigen::Vector3f> positions;
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t k = 0; k < 300; ++k) {
        positions.push_back(random.vector().cast<float>());
        triangles.push_back(k);
    }
    const RayCaster caster(positions, triangles);
    int hits = 0;
    for (int k = 0; k < 200; ++k) {
        const Ray ray{random.vector(3), random.vector().normalized()};
        double nearest = 1e9;
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            const Eigen::Vector3d a = positions[t].cast<double>(), b = positions[t + 1].cast<double>(),
                                  c = positions[t + 2].cast<double>();
            Eigen::Matrix3d m;
            m << b - a, c - a, -ray.direction;
            if (std::abs(m.determinant()) < 1e-12)
                continue;
            const Eigen::Vector3d uvt = m.inverse() * (ray.origin - a);
            if (uvt.x() >= 0 && uvt.y() >= 0 && uvt.x() + uvt.y() <= 1 && uvt.z() > 0)
                nearest = std::min(nearest, uvt.z());
        }
        const auto hit = caster.cast(ray);
        QCOMPARE(hit.has_value(), nearest < 1e9);
        if (hit) {
            ++hits;
            QVERIFY(std::abs(hit->distance - nearest) < 1e-4);
            QVERIFY(std::abs(hit->barycentric.sum() - 1) < 1e-5f);
        }
    }
    QVERIFY(hits > 10);
}

void TestMesh::refitFollowsTheVertices() {
    std::vector<Eigen::Vector3f> positions = kSquare;
    RayCaster caster(positions, kTriangles);
    const Ray ray{{0.2, 0.2, 5}, {0, 0, -1}};
    QVERIFY(std::abs(caster.cast(ray)->distance - 5) < 1e-5f);
    for (Eigen::Vector3f& p : positions)
        p.z() += 2;
    caster.refit(positions);
    QVERIFY(std::abs(caster.cast(ray)->distance - 3) < 1e-5f);
}

// Dabs on a surface of many chunks: rays meet it where it is now, as those of a caster that was built for it do.
void TestMesh::refitOfAPartIsThatOfTheWhole() {
    constexpr std::size_t kSide = 200;
    test::Random random(11);
    auto [positions, triangles] = bumpyGrid(kSide, random);
    RayCaster caster(positions, triangles);
    for (int dab = 0; dab < 6; ++dab) {
        const double x = random.uniform(20, 180), y = random.uniform(20, 180), radius = dab < 5 ? 10 : 1000;
        for (Eigen::Vector3f& p : positions)
            if (std::hypot(double(p.x()) - x, double(p.y()) - y) < radius)
                p.z() += 7;
        caster.refit(positions);
        const RayCaster fresh(positions, triangles);
        const auto above = caster.cast({{x, y, 100}, {0, 0, -1}});
        QVERIFY(above && above->position.z() > 5);
        for (int k = 0; k < 300; ++k) {
            const Ray ray{{random.uniform(0, 199), random.uniform(0, 199), 100},
                          Eigen::Vector3d(random.uniform(-0.2, 0.2), 0, -1).normalized()};
            const auto hit = caster.cast(ray), expected = fresh.cast(ray);
            QCOMPARE(hit.has_value(), expected.has_value());
            if (!hit)
                continue;
            QVERIFY(std::abs(hit->distance - expected->distance) < 1e-4f);
            Eigen::Vector3f at = Eigen::Vector3f::Zero();
            for (std::size_t c = 0; c < 3; ++c)
                at += hit->barycentric[Eigen::Index(c)] * positions[triangles[3 * hit->triangle + c]];
            QVERIFY((at - hit->position).norm() < 1e-3f);
        }
    }
}

void TestMesh::emptyMeshIsNeverHit() {
    RayCaster caster({}, {});
    caster.refit({});
    QVERIFY(!caster.cast(Ray{}));
}

QTEST_APPLESS_MAIN(TestMesh)
#include "test_mesh.moc"
