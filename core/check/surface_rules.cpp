#include "core/check/rules.h"
#include "core/check/stray_normals.h"
#include "core/check/wording.h"
#include "core/mesh/normals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;
using Eigen::Vector3f;

constexpr float kUnit = 0.005f;
constexpr float kAgainst = -0.2f; // cosine; flatter is what smoothing across a fold makes

std::vector<std::uint32_t> unusableNormals(const MeshData& mesh) {
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < mesh.geometry.normals.size(); ++v) {
        const float length = mesh.geometry.normals[v].squaredNorm();
        if (!(std::abs(length - 1) <= 2 * kUnit))
            vertices.push_back(v);
    }
    return vertices;
}

// Whether saving would leave normals in the file that were mended when it was read.
bool keepsNormalsOfFile(const MeshData& mesh) {
    return !mesh.repairedNormals.empty() && !mesh.writesRepairs;
}

// Twice the area's vector; zero where the triangle has none.
Vector3f areaOf(const MeshData& mesh, std::size_t t) {
    const auto& g = mesh.geometry;
    const Vector3f& a = g.positions[g.triangles[3 * t]];
    return (g.positions[g.triangles[3 * t + 1]] - a).cross(g.positions[g.triangles[3 * t + 2]] - a);
}

// Whether no face around the point agrees with the normal. Where a surface is split along a sharp fold, smoothing may
// turn the normal away from the few faces that a vertex has by itself.
bool againstPoint(const MeshData& mesh, std::uint32_t vertex) {
    const std::span<const std::uint32_t> around = mesh.weld().trianglesOfPoint[mesh.weld().pointOfVertex[vertex]];
    return std::all_of(around.begin(), around.end(), [&](std::uint32_t t) {
        const Vector3f area = areaOf(mesh, t);
        return mesh.geometry.normals[vertex].dot(area) <= kAgainst * area.norm();
    });
}

// Vertices whose normal points away from every face around.
std::vector<std::uint32_t> normalsAgainstFaces(const MeshData& mesh) {
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
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < best.size(); ++v)
        if (best[v] > -1.5f && best[v] < kAgainst && againstPoint(mesh, v))
            vertices.push_back(v);
    return vertices;
}

template <class After>
document::Edit setNormals(const MeshData& mesh, MeshId id, std::vector<std::uint32_t> vertices, After after) {
    document::Edit edit;
    if (vertices.empty())
        return edit;
    document::NormalsPatch patch;
    patch.mesh = id;
    for (const std::uint32_t v : vertices) {
        patch.before.push_back(mesh.geometry.normals[v]);
        patch.after.push_back(after(v));
    }
    patch.vertices = std::move(vertices);
    edit.patches.emplace_back(std::move(patch));
    return edit;
}

} // namespace

Findings findUnusableNormals(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        std::vector<std::uint32_t> vertices = unusableNormals(mesh);
        const bool ofFile = keepsNormalsOfFile(mesh);
        if (vertices.empty() && !ofFile)
            continue;
        if (ofFile)
            vertices = united(vertices, mesh.repairedNormals);
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        f.text = counted(f.count, "vertex has a normal", "vertices have normals") +
                 (ofFile ? " in the file without a length of one. Here the surface is shown with repaired ones, other "
                           "programs may shade it black or flicker; write what was repaired with the next save."
                         : " without a length of one: black or flickering shading. Make them from the triangles.");
        f.fix = ofFile ? "Write repaired normals" : "Recompute normals";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixUnusableNormals(const Document& doc, const Finding& finding, Notes&) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    document::Edit edit = setNormals(mesh, finding.mesh, unusableNormals(mesh), [&](std::uint32_t v) {
        const Vector3f made = mesh::pointNormal(mesh.weld(), mesh.geometry.triangles, mesh.geometry.positions,
                                                mesh.weld().pointOfVertex[v]);
        return made.isZero() || !made.allFinite() ? Vector3f(Vector3f::UnitY()) : made;
    });
    if (keepsNormalsOfFile(mesh))
        edit.patches.emplace_back(document::RepairsPatch{finding.mesh, false, true});
    return edit;
}

Findings findNormalsAgainstFaces(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        std::vector<std::uint32_t> vertices = normalsAgainstFaces(doc.state().meshes[m]);
        // Where most have nothing to do with the faces, turning some around mends nothing.
        if (vertices.empty() || !strayNormals(doc.state().meshes[m]).empty())
            continue;
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        f.text = counted(f.count, "vertex has a normal that points", "vertices have normals that point") +
                 " into the surface, away from all faces around: light comes from the wrong side. Turn them around.";
        f.fix = "Turn normals around";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixNormalsAgainstFaces(const Document& doc, const Finding& finding, Notes&) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    return setNormals(mesh, finding.mesh, normalsAgainstFaces(mesh),
                      [&](std::uint32_t v) { return Vector3f(-mesh.geometry.normals[v]); });
}

Findings findZeroAreaTriangles(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        std::vector<std::uint32_t> vertices;
        std::size_t count = 0;
        for (std::size_t t = 0; t < mesh.geometry.triangleCount(); ++t) {
            if (!areaOf(mesh, t).isZero(0))
                continue;
            ++count;
            const auto corner = mesh.geometry.triangles.begin() + static_cast<std::ptrdiff_t>(3 * t);
            vertices.insert(vertices.end(), corner, corner + 3);
        }
        if (!count)
            continue;
        std::sort(vertices.begin(), vertices.end());
        vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        f.severity = Severity::Info;
        f.count = count;
        f.text = counted(count, "triangle has", "triangles have") +
                 " no area. Nothing is drawn there, but normals, tangents and automatic weights get worse for it; "
                 "merge the vertices where the mesh is made.";
        findings.push_back(std::move(f));
    }
    return findings;
}

Findings findEmptyMeshes(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        if (doc.state().meshes[m].geometry.triangleCount() > 0)
            continue;
        Finding f = aboutVertices(doc, MeshId(m), {});
        f.severity = Severity::Info;
        f.count = 1;
        f.text = "The mesh has no triangles, so nothing of it is shown; lines and points are kept in the file.";
        findings.push_back(std::move(f));
    }
    return findings;
}

} // namespace limber::check
