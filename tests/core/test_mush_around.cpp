// Delta mush posed around what moved, against the same posed as a whole: the same to the last bit.

#include "core/skin/delta_mush.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::skin;
using Eigen::Vector3f;
using test::Random;

namespace {

using Points = std::vector<Vector3f>;
using Indices = std::vector<std::uint32_t>;

struct Surface {
    Points rest;
    Indices triangles;
    mesh::Weld weld = mesh::weld(rest, triangles);
};

Surface tube() {
    mesh::Mesh m = test::tubeMesh(160, 12);
    return {std::move(m.positions), std::move(m.triangles)};
}

// Handfuls of points with triangles of any three of theirs: doubled faces, edges of many faces, corners used twice.
Surface shreds(Random& random) {
    Points rest;
    Indices triangles;
    for (std::uint32_t piece = 0; piece < 120; ++piece) {
        const auto first = static_cast<std::uint32_t>(rest.size());
        const std::size_t count = 1 + random.index(9);
        for (std::size_t k = 0; k < count; ++k)
            rest.push_back(random.index(5) == 0 && k > 0 ? rest.back() : Vector3f(random.vector().cast<float>()));
        for (std::size_t t = random.index(12); t > 0; --t)
            for (int k = 0; k < 3; ++k)
                triangles.push_back(first + static_cast<std::uint32_t>(random.index(count)));
    }
    return {std::move(rest), std::move(triangles)};
}

bool sameVertex(const MushedSurface& a, const MushedSurface& b, std::uint32_t v) {
    return a.place(v) == b.place(v) && a.turn(v) == b.turn(v);
}

// Moves some vertices in a row, and says which.
Indices moveSome(Points& points, Random& random, std::size_t most) {
    Indices moved;
    const std::size_t count = 1 + random.index(most);
    const std::size_t first = 1 + random.index(points.size() - count - 1);
    for (std::size_t v = first; v < first + count; ++v) {
        points[v] += random.vector(0.1).cast<float>();
        moved.push_back(static_cast<std::uint32_t>(v));
    }
    return moved;
}

// Times that posing around what moved was enough. -1 where it was wrong.
int timesEnough(const Surface& s, const DeltaMush& settings, Random& random, std::size_t most) {
    MushedSurface some(s.weld, s.triangles, s.rest, settings);
    Points points = s.rest;
    some.pose(points);
    int enough = 0;
    for (int k = 0; k < 30; ++k) {
        MushedSurface before = some;
        const Indices moved = moveSome(points, random, most);
        MushedSurface whole(s.weld, s.triangles, s.rest, settings);
        whole.pose(points);
        if (!some.poseAround(points, moved)) {
            some.pose(points);
            continue;
        }
        ++enough;
        std::vector<bool> redone(points.size());
        for (const std::uint32_t v : some.redone())
            redone[v] = true;
        for (std::uint32_t v = 0; v < points.size(); ++v)
            if (!sameVertex(some, whole, v) || (!redone[v] && !sameVertex(some, before, v)))
                return -1;
    }
    return enough;
}

// The tube as it was last posed, and where its points are to be now.
struct AtRest {
    Surface s = tube();
    MushedSurface surface{s.weld, s.triangles, s.rest, {true, 10, 0.5}};
    Points points = s.rest;

    AtRest() { surface.pose(points); }
};

} // namespace

class TestMushAround : public QObject {
    Q_OBJECT

private slots:
    void itIsWhatPosingAllIs_data() {
        QTest::addColumn<unsigned>("iterations");
        QTest::addColumn<double>("lambda");
        QTest::newRow("one step all the way") << 1u << 1.0;
        QTest::newRow("three steps") << 3u << 0.25;
        QTest::newRow("as it comes") << 10u << 0.5;
    }
    void itIsWhatPosingAllIs() {
        QFETCH(unsigned, iterations);
        QFETCH(double, lambda);
        Random random(31);
        QCOMPARE(timesEnough(tube(), {true, iterations, lambda}, random, 300), 30);
        QCOMPARE(timesEnough(shreds(random), {true, iterations, lambda}, random, 40), 30);
    }

    void whereHalfIsReachedAllIsAskedFor() {
        AtRest r;
        r.points[900].z() += 1;
        QVERIFY(r.surface.poseAround(r.points, Indices{900}));
        const Eigen::Vector3f place = r.surface.place(900);
        Indices many;
        for (std::uint32_t v = 700; v < 1500; ++v)
            many.push_back(v);
        r.points[900].z() += 1;
        QVERIFY(!r.surface.poseAround(r.points, many));
        QCOMPARE(r.surface.place(900), place);
        QVERIFY(r.surface.poseAround(r.points, Indices{900, 900}));
        QVERIFY(r.surface.place(900) != place);
    }

    void theVertexThatAllIsKeptAboutAsksForAll() {
        AtRest r;
        r.points[0].z() += 1;
        QVERIFY(!r.surface.poseAround(r.points, Indices{0}));
    }
};

QTEST_APPLESS_MAIN(TestMushAround)
#include "test_mush_around.moc"
