#include "core/check/nearest_point.h"
#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <queue>

#include <algorithm>
#include <limits>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;

constexpr std::uint32_t kNone = 0xffffffffu;

std::vector<std::uint32_t> emptyRows(const MeshData& mesh) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t v = 0; v < mesh.weights.vertexCount(); ++v)
        if (mesh.weights.counts()[v] == 0)
            rows.push_back(v);
    return rows;
}

// For every point the weighted vertex that is nearest: on the way over edges, or in space for a shell without any.
class NearestWeighted {
public:
    explicit NearestWeighted(const MeshData& mesh)
        : mesh_(mesh), source_(mesh.weld().pointCount(), kNone), distance_(source_.size(), kFar) {
        // In the file's order: of several that are as near, the first one reaches a point.
        for (std::uint32_t fileVertex = 0; fileVertex < mesh.weights.vertexCount(); ++fileVertex) {
            const std::uint32_t v = mesh.geometry.placeOfFile(fileVertex);
            if (mesh.weights.counts()[v] == 0)
                continue;
            weighted_.push_back(v);
            const std::uint32_t p = mesh.weld().pointOfVertex[v];
            if (source_[p] == kNone)
                reach(p, v, 0);
        }
        spread();
    }

    [[nodiscard]] std::uint32_t of(std::uint32_t vertex) {
        const std::uint32_t onSurface = source_[mesh_.weld().pointOfVertex[vertex]];
        if (onSurface != kNone || weighted_.empty())
            return onSurface;
        if (!inSpace_)
            inSpace_.emplace(mesh_.geometry.positions, weighted_);
        return inSpace_->to(mesh_.geometry.positions[vertex]);
    }

private:
    static constexpr float kFar = std::numeric_limits<float>::max();
    struct Step {
        float distance;
        std::uint32_t point;
        bool operator>(const Step& other) const { return distance > other.distance; }
    };

    void reach(std::uint32_t point, std::uint32_t source, float distance) {
        source_[point] = source;
        distance_[point] = distance;
        open_.push({distance, point});
    }

    void spread() {
        const auto& positions = mesh_.geometry.positions;
        while (!open_.empty()) {
            const auto [distance, point] = open_.top();
            open_.pop();
            if (distance > distance_[point])
                continue;
            const Eigen::Vector3f& at = positions[mesh_.weld().firstVertex(point)];
            for (const std::uint32_t n : mesh_.weld().neighbours[point])
                if (const float d = distance + (positions[mesh_.weld().firstVertex(n)] - at).norm(); d < distance_[n])
                    reach(n, source_[point], d);
        }
    }

    const MeshData& mesh_;
    std::vector<std::uint32_t> weighted_;
    std::vector<std::uint32_t> source_; // [points] a weighted vertex
    std::vector<float> distance_;       // [points]
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open_;
    std::optional<NearestPoint> inSpace_;
};

} // namespace

Findings findUnweighted(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        std::vector<std::uint32_t> vertices = emptyRows(mesh);
        if (vertices.empty())
            continue;
        Finding f = aboutVertices(doc, MeshId(m), std::move(vertices));
        const bool all = f.count == mesh.weights.vertexCount();
        f.severity = all ? Severity::Error : Severity::Warning;
        f.text =
            counted(f.count, "vertex has", "vertices have") +
            " no weights: no joint moves them, in many programs they fly to the origin. " +
            (all ? "Nothing in the mesh has any; bind it." : "Give them the weights of the nearest that has some.");
        if (!all)
            f.fix = "Weight unweighted vertices";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixUnweighted(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    document::Edit edit;
    const std::vector<std::uint32_t> empty = emptyRows(mesh);
    if (empty.empty())
        return edit;
    RowEdit rows(doc, finding.mesh);
    NearestWeighted nearest(mesh);
    std::size_t kept = 0;
    for (const std::uint32_t v : empty) {
        const std::uint32_t from = nearest.of(v);
        if (from == kNone)
            continue;
        const auto source = mesh.weights.row(from);
        skin::Row row(source.begin(), source.end());
        std::erase_if(row, [&](const skin::Influence& i) { return rows.slots().locked[i.slot] != 0; });
        kept += row.empty() || !rows.set(v, std::move(row));
    }
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    return edit;
}

} // namespace limber::check
