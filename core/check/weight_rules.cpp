#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>

namespace limber::check {

namespace {

using document::Document;
using document::Edit;
using document::MeshData;

// Rows that have weights which do not sum to one; what is no number is another rule's.
std::vector<std::uint32_t> offRows(const MeshData& mesh) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t v = 0; v < mesh.weights.vertexCount(); ++v)
        if (const auto row = mesh.weights.row(v); !row.empty() && isUsable(row) && !sumsToOne(row))
            rows.push_back(v);
    return rows;
}

std::vector<std::uint32_t> longRows(const MeshData& mesh, std::size_t most) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t v = 0; v < mesh.weights.vertexCount(); ++v)
        if (mesh.weights.counts()[v] > most)
            rows.push_back(v);
    return rows;
}

} // namespace

Findings findSums(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        std::vector<std::uint32_t> off = offRows(mesh);
        const bool ofFile = !mesh.repairedRows.empty() && !mesh.writesRepairs;
        if (off.empty() && !ofFile)
            continue;
        if (ofFile)
            off = united(off, mesh.repairedRows);
        Finding f = aboutVertices(doc, MeshId(m), std::move(off));
        const std::string vertices = counted(f.count, "vertex", "vertices");
        f.text = ofFile ? vertices + " have weights in the file that do not sum to one or are not usable. Here they "
                                     "are shown repaired, other programs may shrink or tear the surface; write the "
                                     "repaired weights with the next save."
                        : vertices + " have weights that do not sum to one, so the surface drifts away from its "
                                     "joints; normalise them.";
        f.fix = ofFile ? "Write repaired weights" : "Normalise weights";
        findings.push_back(std::move(f));
    }
    return findings;
}

Edit fixSums(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    Edit edit;
    RowEdit rows(doc, finding.mesh);
    std::size_t kept = 0;
    for (const std::uint32_t v : offRows(mesh)) {
        const auto row = mesh.weights.row(v);
        kept += !rows.set(v, {row.begin(), row.end()});
    }
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    if (!mesh.repairedRows.empty() && !mesh.writesRepairs)
        edit.patches.emplace_back(document::RepairsPatch{finding.mesh, false, true});
    return edit;
}

Findings findTooManyInfluences(const Document& doc, const Options& options) {
    Findings findings;
    const std::size_t most = options.maxInfluences ? options.maxInfluences : kCommonInfluences;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        std::vector<std::uint32_t> vertices = longRows(mesh, most);
        if (vertices.empty())
            continue;
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        f.limit = most;
        f.text = counted(f.count, "vertex has", "vertices have") + " more than " + std::to_string(most) +
                 " influences, up to " + std::to_string(mesh.weights.maxInfluences()) + ". ";
        if (options.maxInfluences) {
            f.text += "The target drops the rest; cut them here by strength, so that the others sum to one.";
            f.fix = "Keep the " + counted(most, "strongest influence");
        } else {
            f.severity = Severity::Info;
            f.text += "Many engines read four and drop the rest; where yours is one of them, say how many it takes.";
        }
        findings.push_back(std::move(f));
    }
    return findings;
}

Edit fixTooManyInfluences(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    Edit edit;
    RowEdit rows(doc, finding.mesh);
    std::size_t kept = 0;
    for (const std::uint32_t v : longRows(mesh, finding.limit)) {
        const auto row = mesh.weights.row(v);
        kept += !rows.set(v, {row.begin(), row.end()}, finding.limit);
    }
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    return edit;
}

} // namespace limber::check
