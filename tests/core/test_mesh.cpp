#include "core/mesh/normals.h"
#include "core/mesh/ray_caster.h"
#include "core/mesh/weld.h"
#include "tests/support/random.h"

#include <Eigen/Geometry>
#include <QTest>

#include <map>
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
    void raysHitTheNearestTriangle();
    void refitFollowsTheVertices();
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

void TestMesh::emptyMeshIsNeverHit() {
    RayCaster caster({}, {});
    caster.refit({});
    QVERIFY(!caster.cast(Ray{}));
}

QTEST_APPLESS_MAIN(TestMesh)
#include "test_mesh.moc"
