#include "core/io/mannequin/body_cage.h"

#include "core/io/mannequin/body_plan.h"

#include <Eigen/Geometry>

#include <cmath>

namespace limber::io::mannequin {

namespace {

constexpr unsigned kTorsoSees = kTorso | kHead | kArm | kLeg;
constexpr unsigned kHeadSees = kTorso | kHead;
constexpr unsigned kArmSees = kTorso | kArm | kPalm;
constexpr unsigned kLegSees = kTorso | kLeg | kFoot;
constexpr unsigned kFootSees = kLeg | kFoot, kToesSee = kFoot;

constexpr int kTorsoColumns = 6, kHeadColumns = 8; // of the half trunk, front to back

// A half ring around the trunk or head: heights at front, side and back, half width, depth.
struct TrunkRow {
    double front, side, back, halfWidth, zFront, zBack;
};

constexpr std::array<TrunkRow, 12> kTorsoRows = {{
    {0.822, 0.915, 0.826, 0.165, 0.085, -0.105}, // groin
    {0.895, 0.965, 0.900, 0.165, 0.095, -0.125},
    {0.980, 1.025, 0.985, 0.145, 0.095, -0.105},
    {1.060, 1.085, 1.065, 0.130, 0.090, -0.090}, // waist
    {1.125, 1.140, 1.130, 0.128, 0.092, -0.090},
    {1.190, 1.195, 1.195, 0.140, 0.098, -0.098},
    {1.255, 1.250, 1.260, 0.155, 0.104, -0.110},
    {1.320, 1.305, 1.325, 0.170, 0.105, -0.120}, // armpit
    {1.385, 1.375, 1.390, 0.175, 0.085, -0.120},
    {1.432, 1.458, 1.445, 0.160, 0.045, -0.100}, // collar bones, top of the shoulder
    {1.458, 1.478, 1.470, 0.108, 0.034, -0.098},
    {1.482, 1.502, 1.494, 0.062, 0.022, -0.090}, // base of the neck
}};
constexpr int kArmholeRow = 7, kArmholeColumn = 2; // two rows, two columns

constexpr std::array<TrunkRow, 9> kHeadRows = {{
    {1.512, 1.540, 1.532, 0.056, 0.040, -0.072},
    {1.522, 1.565, 1.572, 0.056, 0.070, -0.074}, // under the chin
    {1.538, 1.580, 1.602, 0.062, 0.094, -0.088}, // chin
    {1.564, 1.597, 1.630, 0.068, 0.101, -0.100}, // mouth
    {1.592, 1.617, 1.655, 0.073, 0.108, -0.107}, // under the nose
    {1.620, 1.639, 1.676, 0.076, 0.104, -0.109}, // eyes
    {1.650, 1.664, 1.697, 0.077, 0.094, -0.105}, // brow
    {1.684, 1.692, 1.715, 0.074, 0.084, -0.092},
    {1.715, 1.719, 1.731, 0.056, 0.062, -0.068},
}};

struct LimbRing {
    double at; // along the chain of joints
    double radius;
    double tilt = 0; // by how much the outer side is higher, metres
};
constexpr std::array<LimbRing, 7> kArmRings = {
    {{0.20, 0.055}, {0.50, 0.047}, {0.86, 0.040}, {1.12, 0.039}, {1.48, 0.038}, {1.84, 0.028}, {2.00, 0.024}}};
constexpr std::array<LimbRing, 9> kLegRings = {{{0.22, 0.084, 0.045},
                                                {0.42, 0.078, 0.020},
                                                {0.65, 0.068},
                                                {0.88, 0.055},
                                                {1.08, 0.050},
                                                {1.30, 0.053},
                                                {1.54, 0.047},
                                                {1.77, 0.036},
                                                {1.95, 0.033}}};

// A ring of the foot: its highest and lowest point, forward and up from the ankle's footprint, and half width.
struct FootRing {
    double topForward, top, bottomForward, bottom, halfWidth;
};
constexpr std::array<FootRing, 7> kFootRings = {{
    {0.040, 0.090, -0.066, 0.040, 0.034},
    {0.062, 0.076, -0.055, 0.006, 0.036},
    {0.086, 0.063, -0.008, 0.002, 0.036},
    {0.112, 0.050, 0.060, 0.001, 0.040},
    {0.154, 0.038, 0.132, 0.001, 0.046},
    {0.194, 0.030, 0.188, 0.001, 0.045},
    {0.2165, 0.023, 0.2165, 0.007, 0.036},
}};

Vector3d onChain(const std::array<Vector3d, 3>& chain, double at) {
    const int i = at < 1 ? 0 : 1;
    return chain[i] + (at - i) * (chain[i + 1] - chain[i]);
}

Loop addTrunkRow(HalfMesh& mesh, const TrunkRow& row, int columns, unsigned seen, bool skipSide = false) {
    Loop loop;
    for (int c = 0; c <= columns; ++c) {
        const double angle = M_PI * c / columns, s = std::sin(angle), k = std::cos(angle);
        const double z = (row.zFront + row.zBack) / 2 + k * (row.zFront - row.zBack) / 2;
        const double y = row.side + ((k > 0 ? row.front : row.back) - row.side) * k * k;
        const bool middle = c == 0 || c == columns;
        loop.push_back(
            skipSide && c == columns / 2 ? -1 : mesh.addPoint({middle ? 0.0 : row.halfWidth * s, y, z}, seen, middle));
    }
    return loop;
}

void closeCrown(HalfMesh& mesh, const Loop& rim, float row) {
    // A grid of two by four quads; its middle line lies on the seam.
    const std::array<double, 3> zs = {0.036, -0.008, -0.046};
    std::array<std::array<int, 3>, 5> grid;
    grid[0] = {rim[0], rim[1], rim[2]};
    grid[4] = {rim[8], rim[7], rim[6]};
    for (int i = 1; i <= 3; ++i) {
        const double z = zs[i - 1];
        grid[i] = {mesh.addPoint({0, 1.744, z}, kHeadSees, true), mesh.addPoint({0.028, 1.738, z}, kHeadSees),
                   rim[2 + i]};
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
            addFace(mesh, std::array{grid[i][j], grid[i][j + 1], grid[i + 1][j + 1], grid[i + 1][j]}, Region::Head,
                    row);
}

// Six columns of the torso meet eight of the head: a triangle each at front and back.
void widenNeck(HalfMesh& mesh, const Loop& l, const Loop& u) {
    const auto face = [&](std::span<const int> corners) { addFace(mesh, corners, Region::Head, 0); };
    face(std::array{l[0], l[1], u[1], u[0]});
    face(std::array{l[1], u[2], u[1]});
    for (int i = 1; i < 5; ++i)
        face(std::array{l[i], l[i + 1], u[i + 2], u[i + 1]});
    face(std::array{l[5], u[7], u[6]});
    face(std::array{l[5], l[6], u[8], u[7]});
}

void addHeadCage(HalfMesh& mesh, Loop below) {
    float row = 0;
    for (const TrunkRow& r : kHeadRows) {
        const Loop loop = addTrunkRow(mesh, r, kHeadColumns, kHeadSees);
        if (row == 0)
            widenNeck(mesh, below, loop);
        else
            bridge(mesh, below, loop, {Region::Head, row, 1, false});
        below = loop;
        row += 1;
    }
    closeCrown(mesh, below, row);
}

void addArmCage(HalfMesh& mesh, Loop inner) {
    const BodyPlan& body = bodyPlan();
    float row = 0;
    for (const LimbRing& ring : kArmRings) {
        const Vector3d centre = onChain({body.shoulder, body.elbow, body.wrist}, ring.at);
        Loop loop;
        for (int i = 0; i < 8; ++i) {
            const double angle = M_PI * i / 4;
            loop.push_back(mesh.addPoint(
                centre + ring.radius * (std::cos(angle) * body.handDorsal + std::sin(angle) * body.handThumbward),
                kArmSees));
        }
        bridge(mesh, inner, loop, {Region::Arm, row});
        inner = loop;
        row += 1;
    }
    addHandCage(mesh, inner);
}

// Eight points from the inner front round the outside to the inner side; `ahead` is where the front looks.
Loop addLegRing(HalfMesh& mesh, const Vector3d& centre, const Vector3d& outward, const Vector3d& ahead, unsigned seen) {
    Loop loop;
    for (int i = 0; i < 8; ++i) {
        const double angle = M_PI * (3 - i) / 4;
        loop.push_back(mesh.addPoint(centre + std::cos(angle) * outward + std::sin(angle) * ahead, seen));
    }
    return loop;
}

void closeToes(HalfMesh& mesh, const Loop& l, float row) {
    addFace(mesh, std::array{l[4], l[3], l[2]}, Region::Foot, row);
    addFace(mesh, std::array{l[5], l[4], l[2], l[1]}, Region::Foot, row);
    addFace(mesh, std::array{l[6], l[5], l[1], l[0]}, Region::Foot, row);
    addFace(mesh, std::array{l[7], l[6], l[0]}, Region::Foot, row);
}

void addLegCage(HalfMesh& mesh, Loop above) {
    const BodyPlan& body = bodyPlan();
    float row = 0;
    for (const LimbRing& ring : kLegRings) {
        const Vector3d centre = onChain({body.hip, body.knee, body.ankle}, ring.at);
        const Loop loop =
            addLegRing(mesh, centre, Vector3d(ring.radius, ring.tilt, 0), ring.radius * Vector3d::UnitZ(), kLegSees);
        bridge(mesh, loop, above, {Region::Leg, row + 1, -1});
        above = loop;
        row += 1;
    }
    const Vector3d forward = Vector3d(body.toe.x() - body.ankle.x(), 0, body.toe.z() - body.ankle.z()).normalized();
    const Vector3d outward = Vector3d::UnitY().cross(forward);
    row = 0;
    for (const FootRing& ring : kFootRings) {
        const Vector3d ground(body.ankle.x(), 0, body.ankle.z());
        const Vector3d top = ground + ring.topForward * forward + ring.top * Vector3d::UnitY();
        const Vector3d bottom = ground + ring.bottomForward * forward + ring.bottom * Vector3d::UnitY();
        const Loop loop = addLegRing(mesh, (top + bottom) / 2, ring.halfWidth * outward, (top - bottom) / 2,
                                     ring.topForward > 0.14 ? kToesSee : kFootSees);
        bridge(mesh, loop, above, {Region::Foot, row + 1, -1});
        above = loop;
        row += 1;
    }
    closeToes(mesh, above, row);
}

} // namespace

void addFace(HalfMesh& mesh, std::span<const int> corners, Region region, float row) {
    Face face;
    face.size = static_cast<int>(corners.size());
    face.region = region;
    face.row.fill(row);
    std::copy(corners.begin(), corners.end(), face.corners.begin());
    mesh.faces.push_back(face);
}

void bridge(HalfMesh& mesh, const Loop& lower, const Loop& upper, const Bridge& how) {
    const std::size_t n = lower.size(), count = how.closed ? n : n - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t j = (i + 1) % n;
        if (lower[i] < 0 || lower[j] < 0 || upper[i] < 0 || upper[j] < 0)
            continue; // an armhole
        Face face;
        face.corners = {lower[i], lower[j], upper[j], upper[i]};
        face.region = how.region;
        face.row = {how.row, how.row, how.row + how.step, how.row + how.step};
        mesh.faces.push_back(face);
    }
}

HalfMesh makeBodyCage() {
    HalfMesh mesh;
    std::vector<Loop> rows;
    for (std::size_t r = 0; r < kTorsoRows.size(); ++r)
        rows.push_back(addTrunkRow(mesh, kTorsoRows[r], kTorsoColumns, kTorsoSees, r == kArmholeRow + 1));
    for (std::size_t r = 0; r + 1 < rows.size(); ++r)
        bridge(mesh, rows[r], rows[r + 1], {Region::Torso, static_cast<float>(r), 1, false});
    addHeadCage(mesh, rows.back());

    const int c = kArmholeColumn;
    const Loop &low = rows[kArmholeRow], &mid = rows[kArmholeRow + 1], &top = rows[kArmholeRow + 2];
    addArmCage(mesh, {top[c + 1], top[c], mid[c], low[c], low[c + 1], low[c + 2], mid[c + 2], top[c + 2]});

    Loop hip = rows.front();
    hip.push_back(mesh.addPoint({0, 0.800, -0.012}, kTorsoSees, true)); // crotch
    addLegCage(mesh, hip);
    return mesh;
}

} // namespace limber::io::mannequin
