#include "core/skin/delta_mush.h"
#include "tests/support/random.h"
#include "tests/support/slow_mush.h"

#include <QTest>

#include <atomic>
#include <cstdlib>
#include <map>
#include <new>
#include <numbers>

using namespace limber;
using namespace limber::skin;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector3f;
using test::SlowMush;

namespace {
std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
    ++allocations;
    void* memory = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
    if (!memory)
        std::abort();
    return memory;
}
} // namespace

void* operator new(std::size_t size) {
    return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace {

using Points = std::vector<Vector3f>;
using Indices = std::vector<std::uint32_t>;

// A tube along Y from -2 to 2, open at both ends, with a seam and small waves; its upper half follows a second joint
// from one ring to the next.
struct Tube {
    Points rest, normals;
    Indices triangles;
    mesh::Weld weld;

    explicit Tube(int rings = 41, int sides = 16) {
        for (int r = 0; r < rings; ++r)
            for (int c = 0; c <= sides; ++c) {
                const double a = 2 * std::numbers::pi * (c % sides) / sides, y = -2 + 4.0 * r / (rings - 1);
                const double radius = 0.4 + 0.02 * std::sin(9 * y + 3 * a);
                rest.emplace_back(float(radius * std::sin(a)), float(y), float(radius * std::cos(a)));
                normals.emplace_back(float(std::sin(a)), 0.0f, float(std::cos(a)));
            }
        for (int r = 0; r + 1 < rings; ++r)
            for (int c = 0; c < sides; ++c) {
                const auto v = std::uint32_t(r * (sides + 1) + c), up = v + std::uint32_t(sides) + 1;
                for (const std::uint32_t i : {v, v + 1, up, v + 1, up + 1, up})
                    triangles.push_back(i);
            }
        weld = mesh::weld(rest, triangles);
    }

    [[nodiscard]] VertexMap skinned(std::size_t v, double angle) const {
        VertexMap map;
        if (rest[v].y() > 0.01f)
            map.a = Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
        return map;
    }
    [[nodiscard]] Points bent(double angle, const Points& pre) const {
        Points out;
        for (std::size_t v = 0; v < pre.size(); ++v)
            out.push_back(skinned(v, angle)(pre[v].cast<double>()).cast<float>());
        return out;
    }
    [[nodiscard]] Points bent(double angle) const { return bent(angle, rest); }
};

Points moved(const math::Affine& m, const Points& points) {
    Points out;
    for (const Vector3f& p : points)
        out.push_back((m * p.cast<double>()).cast<float>());
    return out;
}

struct Outcome {
    Points points, normals;
};

// What the evaluator does: skin, pose the uncorrected mesh, mix.
Outcome mushed(MushedSurface& surface, const Tube& tube, const Points& skinnedRest, const Points& skinned,
               const Points& pre, std::span<const float> shares = {}) {
    Outcome r{skinned, tube.normals};
    surface.pose(skinnedRest);
    surface.apply(pre, tube.normals, tube.rest, shares, r.points, r.normals);
    return r;
}

Outcome mushed(const Tube& tube, const Points& posed, DeltaMush settings = {true, 10, 0.5}) {
    MushedSurface surface(tube.weld, tube.triangles, tube.rest, settings);
    return mushed(surface, tube, posed, posed, tube.rest);
}

double largestDifference(const Points& a, const Points& b) {
    double largest = 0;
    for (std::size_t v = 0; v < a.size(); ++v)
        largest = std::max(largest, double((a[v] - b[v]).norm()));
    return largest;
}

bool allFinite(const Points& points) {
    return std::all_of(points.begin(), points.end(), [](const Vector3f& p) { return p.allFinite(); });
}

} // namespace

class TestDeltaMush : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheSlowVersion();
    void restStaysWhereItIs();
    void motionAndSizeOfTheSceneCommute();
    void withoutShareThePointsStayAsSkinned();
    void shareBlendsBetweenSkinnedAndMushed();
    void correctivesAreCarriedAffinely();
    void bentTubeIsSmoother();
    void brokenMeshesStayAsSkinned();
    void smallPartsThatCollapseStayAsSkinned();
    void sheetsBackToBackStayAsSkinned();
    void flattenedPosesStayFinite();
    void posingAsksForNoMemory();
};

void TestDeltaMush::agreesWithTheSlowVersion() {
    const Tube tube(21, 10);
    const SlowMush slow(tube.rest, tube.triangles);
    for (const DeltaMush& settings : {DeltaMush{true, 1, 1.0}, DeltaMush{true, 10, 0.5}, DeltaMush{true, 30, 0.3}})
        for (const double angle : {0.4, 1.6, 2.5}) {
            const Points posed = tube.bent(angle), expected = slow(tube.rest, posed, settings);
            QVERIFY(largestDifference(posed, expected) > 0.01);
            QVERIFY(largestDifference(mushed(tube, posed, settings).points, expected) < 2e-5);
        }
}

void TestDeltaMush::restStaysWhereItIs() {
    const Tube tube;
    const Outcome r = mushed(tube, tube.rest);
    QVERIFY(largestDifference(r.points, tube.rest) < 1e-6);
    QVERIFY(largestDifference(r.normals, tube.normals) < 1e-5);
}

// A mesh in other units than the scene, turned by its bind shape; and the whole scene moved, sized or mirrored.
void TestDeltaMush::motionAndSizeOfTheSceneCommute() {
    const Tube tube;
    test::Random random(21);
    const Points posed = tube.bent(1.2);
    const Outcome plain = mushed(tube, posed);
    for (const double size : {1.0, 0.01, 40.0, -1.0}) {
        const math::Affine motion = random.rigid() * Eigen::Scaling(size);
        MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5}, motion);
        const Points there = moved(motion, posed);
        const Outcome r = mushed(surface, tube, there, there, tube.rest);
        QVERIFY(largestDifference(r.points, moved(motion, plain.points)) < 1e-5 * std::max(1.0, std::abs(size)));
        const math::Affine back = random.rigid();
        MushedSurface atHome(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
        const Points away = moved(back, posed);
        QVERIFY(largestDifference(mushed(atHome, tube, away, away, tube.rest).points, moved(back, plain.points)) <
                1e-5);
    }
}

void TestDeltaMush::withoutShareThePointsStayAsSkinned() {
    const Tube tube;
    const Points posed = tube.bent(1.5);
    MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
    const Outcome r = mushed(surface, tube, posed, posed, tube.rest, std::vector<float>(tube.rest.size(), 0.0f));
    QVERIFY(r.points == posed && r.normals == tube.normals);
}

void TestDeltaMush::shareBlendsBetweenSkinnedAndMushed() {
    const Tube tube;
    const Points posed = tube.bent(1.5);
    const Outcome all = mushed(tube, posed);
    MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
    const Outcome part = mushed(surface, tube, posed, posed, tube.rest, std::vector<float>(tube.rest.size(), 0.25f));
    Points expected;
    for (std::size_t v = 0; v < posed.size(); ++v) {
        expected.push_back(posed[v] + 0.25f * (all.points[v] - posed[v]));
        QVERIFY(std::abs(part.normals[v].norm() - 1) < 1e-5f);
    }
    QVERIFY(largestDifference(part.points, expected) < 1e-6);
    QVERIFY(largestDifference(all.points, posed) > 0.05);
}

// D7: by the map of the vertex, so that what is sculpted on the mushed surface is taken back exactly.
void TestDeltaMush::correctivesAreCarriedAffinely() {
    const Tube tube;
    const double angle = 1.3;
    const std::vector<float> shares(tube.rest.size(), 0.7f);
    MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
    test::Random random(22);
    Points pre = tube.rest;
    for (Vector3f& p : pre)
        p += random.vector(0.2).cast<float>();
    const Outcome r = mushed(surface, tube, tube.bent(angle), tube.bent(angle, pre), pre, shares);
    for (std::uint32_t v = 0; v < tube.rest.size(); ++v) {
        const VertexMap skinned = tube.skinned(v, angle);
        const VertexMap map = surface.mixed(skinned, v, tube.rest[v].cast<double>(), shares[v]);
        QVERIFY((map(pre[v].cast<double>()) - r.points[v].cast<double>()).norm() < 2e-6);
        const Matrix3d turn = surface.turn(v).cast<double>();
        QVERIFY((map.a - (0.3 * skinned.a + 0.7 * turn)).norm() < 1e-6);
        QVERIFY((turn * turn.transpose() - Matrix3d::Identity()).norm() < 1e-5 && turn.determinant() > 0);
    }
}

// Bound to one joint or the other from ring to ring, the elbow tears: mush closes it to about the rest's own shape.
void TestDeltaMush::bentTubeIsSmoother() {
    const Tube tube;
    const Points posed = tube.bent(1.2);
    const Outcome r = mushed(tube, posed);
    const auto worstEdge = [&](const Points& x) {
        double worst = 1;
        for (std::size_t t = 0; t < tube.triangles.size(); t += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = tube.triangles[t + k], b = tube.triangles[t + (k + 1) % 3];
                worst = std::max(worst, double((x[a] - x[b]).norm() / (tube.rest[a] - tube.rest[b]).norm()));
            }
        return worst;
    };
    const double torn = worstEdge(posed), closed = worstEdge(r.points);
    qInfo("longest edge against rest: skinned %.2f, mushed %.2f", torn, closed);
    QVERIFY(torn > 4);
    QVERIFY(closed < 0.6 * torn);
    // Far from the elbow nothing moves.
    for (std::size_t v = 0; v < posed.size(); ++v)
        if (std::abs(tube.rest[v].y()) > 1.5f)
            QVERIFY((r.points[v] - posed[v]).norm() < 1e-5f);
}

void TestDeltaMush::brokenMeshesStayAsSkinned() {
    struct Broken {
        const char* name;
        Points points;
        Indices triangles;
    };
    const Broken meshes[] = {{"empty", {}, {}},
                             {"one vertex", {{1, 2, 3}}, {}},
                             {"one vertex three times", {{1, 2, 3}}, {0, 0, 0}},
                             {"two loose points", {{1, 2, 3}, {0, 0, 0}}, {}},
                             {"no area", {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, {0, 1, 2}},
                             {"one place", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {0, 1, 2}},
                             {"edge twice", {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, {0, 1, 1, 2, 2, 2}}};
    const math::Affine motion = test::Random(23).rigid();
    for (const Broken& m : meshes) {
        const mesh::Weld weld = mesh::weld(m.points, m.triangles);
        MushedSurface surface(weld, m.triangles, m.points, {true, 10, 0.5});
        const Points posed = moved(motion, m.points), n(m.points.size(), Vector3f::UnitY());
        Points x = posed, outN = n;
        surface.pose(posed);
        surface.apply(m.points, n, m.points, {}, x, outN);
        QVERIFY2(x == posed && outN == n, m.name);
    }
}

void TestDeltaMush::smallPartsThatCollapseStayAsSkinned() {
    // A hundred steps shrink a tetrahedron to a point of rounding; only its own frames could turn it.
    const Points rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Indices triangles{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    const mesh::Weld weld = mesh::weld(rest, triangles);
    test::Random random(24);
    for (const std::uint32_t iterations : {1u, 3u, 10u, 100u}) {
        MushedSurface surface(weld, triangles, rest, {true, iterations, 0.5});
        const math::Affine motion = random.rigid();
        const Points posed = moved(motion, rest), n(4, Vector3f::UnitY());
        Points x = posed, outN = n;
        surface.pose(posed);
        surface.apply(rest, n, rest, {}, x, outN);
        QVERIFY(largestDifference(x, posed) < 1e-4);
        if (iterations == 100)
            QVERIFY(!surface.follows(0));
    }
}

// Their normals cancel but for what the two diagonals of a square differ by, which would turn the detail anywhere.
void TestDeltaMush::sheetsBackToBackStayAsSkinned() {
    constexpr std::uint32_t kSide = 12;
    Points rest;
    Indices triangles;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const auto fx = static_cast<float>(x) / 3, fy = static_cast<float>(y) / 3;
            rest.emplace_back(fx, fy, 0.0005f * std::sin(5 * fx + 3 * fy));
            const std::uint32_t a = kSide * y + x, b = a + kSide;
            if (x + 1 < kSide && y + 1 < kSide)
                triangles.insert(triangles.end(), {a, a + 1, b + 1, a, b + 1, b, b, a + 1, a, b, b + 1, a + 1});
        }
    const mesh::Weld weld = mesh::weld(rest, triangles);
    MushedSurface surface(weld, triangles, rest, {true, 1, 0.5});
    for (std::uint32_t y = 3; y + 3 < kSide; ++y) // borders draw in, which no diagonal makes up for
        for (std::uint32_t x = 3; x + 3 < kSide; ++x)
            QVERIFY2(!surface.follows(kSide * y + x), qPrintable(QString::number(kSide * y + x)));
}

void TestDeltaMush::flattenedPosesStayFinite() {
    const Tube tube(11, 8);
    for (const Vector3d& scale : {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(0, 1, 0)}) {
        const Points posed = moved(math::Affine(Eigen::Scaling(scale)), tube.rest);
        MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
        const Outcome r = mushed(surface, tube, posed, posed, tube.rest);
        QVERIFY(allFinite(r.points) && allFinite(r.normals));
        MushedSurface flat(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5}, math::Affine(Eigen::Scaling(scale)));
        const Outcome f = mushed(flat, tube, posed, posed, tube.rest);
        QVERIFY(allFinite(f.points) && allFinite(f.normals));
    }
}

void TestDeltaMush::posingAsksForNoMemory() {
    const Tube tube(121, 16);
    MushedSurface surface(tube.weld, tube.triangles, tube.rest, {true, 10, 0.5});
    const Points posed = tube.bent(1.2);
    Points x = posed, n = tube.normals;
    Indices moved;
    for (std::uint32_t v = 900; v < 1200; ++v)
        moved.push_back(v);
    const std::size_t before = allocations;
    surface.pose(posed);
    surface.apply(tube.rest, tube.normals, tube.rest, {}, x, n);
    for (const std::size_t count : {1u, 20u, 300u}) // each around more than the one before
        QVERIFY(surface.poseAround(posed, std::span(moved).first(count)));
    QCOMPARE(allocations.load(), before);
}

QTEST_APPLESS_MAIN(TestDeltaMush)
#include "test_delta_mush.moc"
