#include "core/check/rules.h"
#include "core/check/stray_normals.h"
#include "core/check/wording.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;
using Eigen::Vector3f;

constexpr float kStray = 0.3f;     // cosine
constexpr float kInward = -0.2f;   // below: turned around rather than lying across
constexpr float kOneFold = 0.5f;   // faces within 60 degrees are shaded as one surface
constexpr std::size_t kLeast = 20; // one in so many

// Twice the area's vector; zero where the triangle has none.
Vector3f areaOf(const MeshData& mesh, std::size_t t) {
    const auto& g = mesh.geometry;
    const Vector3f& a = g.positions[g.triangles[3 * t]];
    return (g.positions[g.triangles[3 * t + 1]] - a).cross(g.positions[g.triangles[3 * t + 2]] - a);
}

// Cosine between the direction and the face of the triangles that comes nearest to it; -2 where none has an area.
float nearestFace(const MeshData& mesh, std::span<const std::uint32_t> triangles, const Vector3f& direction) {
    float best = -2;
    for (const std::uint32_t t : triangles)
        if (const Vector3f area = areaOf(mesh, t); area.norm() > 0)
            best = std::max(best, direction.dot(area) / area.norm());
    return best;
}

std::span<const std::uint32_t> facesAround(const MeshData& mesh, std::uint32_t vertex) {
    return mesh.weld().trianglesOfPoint[mesh.weld().pointOfVertex[vertex]];
}

// The mean of the faces around that fold little against those of the vertex itself: seams of textures vanish, edges
// that the file has split stay. Zero where there is none.
Vector3f made(const MeshData& mesh, std::uint32_t vertex) {
    const auto around = facesAround(mesh, vertex);
    const std::uint32_t* corners = mesh.geometry.triangles.data();
    Vector3f own = Vector3f::Zero(), sum = Vector3f::Zero();
    for (const std::uint32_t t : around)
        if (const std::uint32_t* c = corners + 3 * std::size_t(t); std::find(c, c + 3, vertex) != c + 3)
            own += areaOf(mesh, t);
    for (const std::uint32_t t : around)
        if (const Vector3f area = areaOf(mesh, t); area.dot(own) >= kOneFold * area.norm() * own.norm())
            sum += area;
    return sum.stableNormalized();
}

// By the faces of the vertex itself, which is all that most meshes need to be looked at.
std::vector<float> nearestOwnFaces(const MeshData& mesh) {
    const auto& g = mesh.geometry;
    std::vector<float> best(g.vertexCount(), -2);
    for (std::size_t t = 0; t < g.triangleCount(); ++t) {
        const Vector3f area = areaOf(mesh, t);
        const float size = area.norm();
        if (!(size > 0))
            continue;
        for (std::size_t k = 3 * t; k < 3 * t + 3; ++k)
            best[g.triangles[k]] = std::max(best[g.triangles[k]], g.normals[g.triangles[k]].dot(area) / size);
    }
    return best;
}

} // namespace

std::vector<std::uint32_t> strayNormals(const MeshData& mesh) {
    const std::vector<float> own = nearestOwnFaces(mesh);
    const auto strays = [](float cosine) { return cosine > -1.5f && cosine < kStray; };
    const auto enough = [&](std::size_t count) { return count > 0 && count * kLeast >= own.size(); };
    std::vector<std::uint32_t> vertices;
    if (!enough(static_cast<std::size_t>(std::count_if(own.begin(), own.end(), strays))))
        return vertices;
    std::size_t across = 0;
    for (std::uint32_t v = 0; v < own.size(); ++v) {
        if (!strays(own[v]))
            continue;
        const auto around = facesAround(mesh, v);
        const float best = nearestFace(mesh, around, mesh.geometry.normals[v]);
        // Where faces stand against each other no normal is better than another.
        if (!strays(best) || nearestFace(mesh, around, made(mesh, v)) < kStray)
            continue;
        vertices.push_back(v);
        across += best > kInward;
    }
    if (!enough(across))
        vertices.clear();
    return vertices;
}

Findings findStrayNormals(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        std::vector<std::uint32_t> vertices = strayNormals(doc.state().meshes[m]);
        if (vertices.empty())
            continue;
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        f.text =
            counted(f.count, "vertex has a normal that lies", "vertices have normals that lie") +
            " across the faces around, as where an export turned the points and not their normals: the mesh is lit "
            "from the wrong side. Make the normals of this mesh anew from its triangles.";
        f.fix = "Recompute normals";
        findings.push_back(std::move(f));
    }
    return findings;
}

// All of the mesh: what went wrong with some has gone wrong with those that happen to fit, too.
document::Edit fixStrayNormals(const Document& doc, const Finding& finding, Notes&) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    document::Edit edit;
    if (strayNormals(mesh).empty())
        return edit;
    document::NormalsPatch patch;
    patch.mesh = finding.mesh;
    for (std::uint32_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        const Vector3f& before = mesh.geometry.normals[v];
        const Vector3f after = made(mesh, v);
        if (after.isZero() || !after.allFinite() || after == before)
            continue;
        patch.vertices.push_back(v);
        patch.before.push_back(before);
        patch.after.push_back(after);
    }
    edit.patches.emplace_back(std::move(patch));
    return edit;
}

} // namespace limber::check
