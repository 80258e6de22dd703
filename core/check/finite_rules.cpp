#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"
#include "core/document/intents.h"

#include <algorithm>

namespace limber::check {

namespace {

using document::Document;
using document::Edit;
using document::MeshData;

std::vector<std::uint32_t> unusableRows(const MeshData& mesh) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t v = 0; v < mesh.weights.vertexCount(); ++v)
        if (!isUsable(mesh.weights.row(v)))
            rows.push_back(v);
    return rows;
}

std::vector<std::uint32_t> unusableEntries(const shape::Shape& shape) {
    std::vector<std::uint32_t> vertices;
    for (std::size_t k = 0; k < shape.vertices.size(); ++k) {
        const bool normal = shape.normalDeltas.empty() || shape.normalDeltas[k].allFinite();
        const bool tangent = shape.tangentDeltas.empty() || shape.tangentDeltas[k].allFinite();
        if (!shape.deltas[k].allFinite() || !normal || !tangent)
            vertices.push_back(shape.vertices[k]);
    }
    return vertices;
}

std::vector<JointId> unusableJoints(const Document& doc) {
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < doc.state().pose.size(); ++j)
        if (!math::allFinite(doc.state().pose[j]))
            joints.emplace_back(j);
    return joints;
}

Finding error(const std::string& where, std::size_t count, std::string text, std::string fix) {
    Finding f;
    f.severity = Severity::Error;
    f.where = where;
    f.count = count;
    f.text = std::move(text);
    f.fix = std::move(fix);
    return f;
}

} // namespace

Findings findUnusableWeights(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        std::vector<std::uint32_t> rows = unusableRows(doc.state().meshes[m]);
        if (rows.empty())
            continue;
        findings.push_back(error(placeOf(doc, MeshId(m)), rows.size(),
                                 counted(rows.size(), "vertex has", "vertices have") +
                                     " weights that are negative or no numbers; they vanish or fly away when posed. "
                                     "Leave those weights out.",
                                 "Remove unusable weights"));
        findings.back().mesh = MeshId(m);
        findings.back().vertices = std::move(rows);
    }
    return findings;
}

// Also of locked joints: there is nothing in such a weight that a lock could keep.
Edit fixUnusableWeights(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    Edit edit;
    RowEdit rows(doc, finding.mesh);
    std::size_t kept = 0;
    for (const std::uint32_t v : unusableRows(mesh)) {
        skin::Row row;
        for (const skin::Influence& i : mesh.weights.row(v))
            if (isUsable({&i, 1}) && i.weight > 0)
                row.push_back(i);
        if (!rows.set(v, row)) {
            rows.setExact(v, row);
            ++kept;
        }
    }
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    return edit;
}

Findings findUnusablePositions(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const auto& positions = doc.state().meshes[m].geometry.positions;
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t v = 0; v < positions.size(); ++v)
            if (!positions[v].allFinite())
                vertices.push_back(v);
        if (vertices.empty())
            continue;
        findings.push_back(error(placeOf(doc, MeshId(m)), vertices.size(),
                                 counted(vertices.size(), "position is", "positions are") +
                                     " no numbers; the triangles there cannot be drawn. Export the mesh again.",
                                 ""));
        findings.back().mesh = MeshId(m);
        findings.back().vertices = std::move(vertices);
    }
    return findings;
}

Findings findUnusableShapes(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m)
        for (std::size_t s = 0; s < doc.state().meshes[m].shapes.size(); ++s) {
            const shape::Shape& shape = doc.state().meshes[m].shapes[s];
            std::vector<std::uint32_t> vertices = unusableEntries(shape);
            if (vertices.empty())
                continue;
            findings.push_back(error(placeOf(doc, MeshId(m), s), vertices.size(),
                                     "The shape moves " + counted(vertices.size(), "vertex", "vertices") +
                                         " to nowhere: its offsets are no numbers. Let it leave them in place.",
                                     "Clear unusable offsets"));
            findings.back().mesh = MeshId(m);
            findings.back().shape = shape.id;
            findings.back().vertices = std::move(vertices);
        }
    return findings;
}

Edit fixUnusableShapes(const Document& doc, const Finding& finding, Notes&) {
    const shape::Shape& shape = *doc.mesh(finding.mesh).findShape(finding.shape);
    std::vector<std::uint32_t> vertices = unusableEntries(shape);
    Edit edit;
    if (vertices.empty())
        return edit;
    std::vector<Eigen::Vector3f> zeros(vertices.size(), Eigen::Vector3f::Zero());
    edit.patches.emplace_back(
        document::shapeDeltasPatch(doc, finding.mesh, finding.shape, std::move(vertices), std::move(zeros)));
    return edit;
}

Findings findUnusablePose(const Document& doc, const Options&) {
    std::vector<JointId> joints = unusableJoints(doc);
    if (joints.empty())
        return {};
    Finding f = error(placeOf(doc, joints), joints.size(),
                      "The current pose of " + counted(joints.size(), "joint") +
                          " is no transform; everything below cannot be drawn. Put them at bind.",
                      "Put joints at bind");
    f.joints = std::move(joints);
    return {f};
}

Edit fixUnusablePose(const Document& doc, const Finding&, Notes&) {
    return document::resetPose(doc, unusableJoints(doc), document::PoseTarget::Bind);
}

Findings findUnusableInverseBinds(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t s = 0; s < doc.state().skins.size(); ++s) {
        const document::Skin& skin = doc.state().skins[s];
        std::vector<JointId> joints;
        for (std::size_t k = 0; k < skin.joints.size(); ++k)
            if (!math::allFinite(skin.inverseBinds[k]))
                joints.push_back(skin.joints[k]);
        if (joints.empty())
            continue;
        findings.push_back(error(placeOf(doc, SkinId(s)) + ", " + placeOf(doc, joints), joints.size(),
                                 "The inverse bind matrices of " + counted(joints.size(), "joint") +
                                     " are no numbers; what they move cannot be drawn. Bind the mesh again.",
                                 ""));
        findings.back().skin = SkinId(s);
        findings.back().joints = std::move(joints);
    }
    return findings;
}

} // namespace limber::check
