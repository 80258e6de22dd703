#include "core/io/mannequin/quad_mesh.h"

#include <Eigen/Geometry>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>

namespace limber::io::mannequin {

namespace {

struct Edge {
    int a, b; // a < b
    int faces = 0;
    Vector3d facePoints = Vector3d::Zero(); // sum
};

struct EdgeTable {
    std::vector<Edge> edges; // in the order the faces meet them
    std::unordered_map<std::uint64_t, int> index;

    static std::uint64_t key(int a, int b) {
        return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
    }
    explicit EdgeTable(const HalfMesh& mesh) {
        index.reserve(mesh.points.size() * 3);
        for (const Face& face : mesh.faces) {
            Vector3d centre = Vector3d::Zero();
            for (int i = 0; i < face.size; ++i)
                centre += mesh.points[face.corners[i]] / face.size;
            for (int i = 0; i < face.size; ++i) {
                const int a = face.corners[i], b = face.corners[(i + 1) % face.size];
                const auto [at, fresh] = index.try_emplace(key(a, b), static_cast<int>(edges.size()));
                if (fresh)
                    edges.push_back({std::min(a, b), std::max(a, b)});
                Edge& edge = edges[at->second];
                ++edge.faces;
                edge.facePoints += centre;
            }
        }
    }
    [[nodiscard]] int find(int a, int b) const { return index.at(key(a, b)); }
};

// Moves the points of the old mesh by the Catmull-Clark rule.
std::vector<Vector3d> vertexPoints(const HalfMesh& mesh, const EdgeTable& table) {
    const std::size_t n = mesh.points.size();
    std::vector<Vector3d> faceSum(n, Vector3d::Zero()), edgeSum(n, Vector3d::Zero()), seamSum(n, Vector3d::Zero());
    std::vector<int> faceCount(n, 0);
    for (const Face& face : mesh.faces) {
        Vector3d centre = Vector3d::Zero();
        for (int i = 0; i < face.size; ++i)
            centre += mesh.points[face.corners[i]] / face.size;
        for (int i = 0; i < face.size; ++i) {
            faceSum[face.corners[i]] += centre;
            ++faceCount[face.corners[i]];
        }
    }
    for (const Edge& e : table.edges) {
        const Vector3d middle = (mesh.points[e.a] + mesh.points[e.b]) / 2;
        edgeSum[e.a] += middle;
        edgeSum[e.b] += middle;
        if (e.faces == 1) {
            seamSum[e.a] += mesh.points[e.b];
            seamSum[e.b] += mesh.points[e.a];
        }
    }
    std::vector<Vector3d> moved(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double k = faceCount[i];
        moved[i] = mesh.seam[i] ? Vector3d(0.75 * mesh.points[i] + 0.125 * seamSum[i])
                                : Vector3d((faceSum[i] / k + 2 * edgeSum[i] / k + (k - 3) * mesh.points[i]) / k);
    }
    return moved;
}

void splitFace(const Face& face, int centre, const EdgeTable& table, int firstEdgePoint, std::vector<Face>& out) {
    const float middle = face.meanRow();
    for (int i = 0; i < face.size; ++i) {
        const int next = (i + 1) % face.size, before = (i + face.size - 1) % face.size;
        Face part;
        part.region = face.region;
        part.corners = {face.corners[i], firstEdgePoint + table.find(face.corners[i], face.corners[next]), centre,
                        firstEdgePoint + table.find(face.corners[before], face.corners[i])};
        part.row = {face.row[i], (face.row[i] + face.row[next]) / 2, middle, (face.row[i] + face.row[before]) / 2};
        out.push_back(part);
    }
}

} // namespace

float Face::meanRow() const {
    float sum = 0;
    for (int i = 0; i < size; ++i)
        sum += row[i];
    return sum / static_cast<float>(size);
}

int HalfMesh::addPoint(const Vector3d& p, unsigned seen, bool onSeam) {
    points.push_back(p);
    parts.push_back(seen);
    seam.push_back(onSeam);
    return static_cast<int>(points.size()) - 1;
}

Neighbours neighboursOf(const HalfMesh& mesh) {
    const EdgeTable table(mesh);
    const auto counts = [&](int from, const Edge& e) { return mesh.seam[from] && e.faces == 2 ? 2 : 1; };
    Neighbours n;
    n.start.assign(mesh.points.size() + 1, 0);
    for (const Edge& e : table.edges) {
        n.start[e.a + 1] += counts(e.a, e);
        n.start[e.b + 1] += counts(e.b, e);
    }
    for (std::size_t i = 1; i < n.start.size(); ++i)
        n.start[i] += n.start[i - 1];
    n.point.resize(n.start.back());
    std::vector<int> cursor(n.start.begin(), n.start.end() - 1);
    for (const Edge& e : table.edges) {
        for (int k = counts(e.a, e); k > 0; --k)
            n.point[cursor[e.a]++] = e.b;
        for (int k = counts(e.b, e); k > 0; --k)
            n.point[cursor[e.b]++] = e.a;
    }
    return n;
}

HalfMesh subdivide(const HalfMesh& mesh) {
    const EdgeTable table(mesh);
    HalfMesh out;
    out.points = vertexPoints(mesh, table);
    out.parts = mesh.parts;
    out.seam = mesh.seam;
    const int firstEdgePoint = static_cast<int>(out.points.size());
    for (const Edge& e : table.edges) {
        const Vector3d ends = mesh.points[e.a] + mesh.points[e.b];
        const bool onSeam = e.faces == 1;
        out.addPoint(onSeam ? Vector3d(ends / 2) : Vector3d((ends + e.facePoints) / 4),
                     mesh.parts[e.a] & mesh.parts[e.b], onSeam);
    }
    out.faces.reserve(mesh.faces.size() * 4);
    for (const Face& face : mesh.faces) {
        Vector3d centre = Vector3d::Zero();
        unsigned seen = ~0U;
        for (int i = 0; i < face.size; ++i) {
            centre += mesh.points[face.corners[i]] / face.size;
            seen &= mesh.parts[face.corners[i]];
        }
        splitFace(face, out.addPoint(centre, seen), table, firstEdgePoint, out.faces);
    }
    return out;
}

void projectOnto(HalfMesh& mesh, const BodyField& field, int steps) {
    tbb::parallel_for(std::size_t{0}, mesh.points.size(), [&](std::size_t i) {
        mesh.points[i] = field.project(mesh.points[i], mesh.parts[i], steps);
        if (mesh.seam[i])
            mesh.points[i].x() = 0;
    });
}

void relax(HalfMesh& mesh, const BodyField& field, int rounds, double amount) {
    // Fingers and toes keep more of the cage's spacing: it is denser at their ends.
    const auto isTip = [](unsigned parts) { return (parts & (kArm | kLeg | kTorso)) == 0; };
    const Neighbours around = neighboursOf(mesh);
    std::vector<Vector3d> moved(mesh.points.size());
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Vector3d> normals = pointNormals(mesh);
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            Vector3d mean = Vector3d::Zero();
            for (int k = around.start[i]; k < around.start[i + 1]; ++k)
                mean += mesh.points[around.point[k]];
            Vector3d step = mean / (around.start[i + 1] - around.start[i]) - mesh.points[i];
            step -= step.dot(normals[i]) * normals[i];
            moved[i] = mesh.points[i] + (isTip(mesh.parts[i]) ? 0.2 : 1.0) * amount * step;
        }
        mesh.points = moved;
        projectOnto(mesh, field, 1);
    }
}

void softenFolds(HalfMesh& mesh, int rounds) {
    constexpr double kSharp = 0.55; // cosine between a corner's and the point's normal
    const Neighbours around = neighboursOf(mesh);
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Vector3d> normals = pointNormals(mesh);
        std::vector<char> folded(mesh.points.size(), 0);
        for (const Face& face : mesh.faces)
            for (int i = 0; i < face.size; ++i) {
                const int before = face.corners[(i + face.size - 1) % face.size], at = face.corners[i];
                const int after = face.corners[(i + 1) % face.size];
                const Vector3d corner =
                    (mesh.points[after] - mesh.points[at]).cross(mesh.points[before] - mesh.points[at]).normalized();
                folded[at] |= corner.dot(normals[at]) < kSharp;
            }
        const std::vector<Vector3d> old = mesh.points;
        for (std::size_t i = 0; i < old.size(); ++i) {
            bool near = folded[i];
            for (int k = around.start[i]; k < around.start[i + 1] && !near; ++k)
                near = folded[around.point[k]];
            if (!near)
                continue;
            Vector3d mean = Vector3d::Zero();
            for (int k = around.start[i]; k < around.start[i + 1]; ++k)
                mean += old[around.point[k]] / (around.start[i + 1] - around.start[i]);
            mesh.points[i] = (old[i] + mean) / 2;
            if (mesh.seam[i])
                mesh.points[i].x() = 0;
        }
    }
}

std::vector<Vector3d> pointNormals(const HalfMesh& mesh) {
    std::vector<Vector3d> normals(mesh.points.size(), Vector3d::Zero());
    for (const Face& face : mesh.faces) {
        const Vector3d& a = mesh.points[face.corners[0]];
        const Vector3d& c = mesh.points[face.corners[2]];
        const Vector3d area = face.size == 4
                                  ? Vector3d((c - a).cross(mesh.points[face.corners[3]] - mesh.points[face.corners[1]]))
                                  : Vector3d((mesh.points[face.corners[1]] - a).cross(c - a));
        for (int i = 0; i < face.size; ++i)
            normals[face.corners[i]] += area;
    }
    for (std::size_t i = 0; i < normals.size(); ++i) {
        if (mesh.seam[i])
            normals[i].x() = 0;
        normals[i].normalize();
    }
    return normals;
}

} // namespace limber::io::mannequin
