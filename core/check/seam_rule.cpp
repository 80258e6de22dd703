#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>
#include <cmath>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;
using Influences = std::span<const skin::Influence>;

// Of what a joint's movement opens the seam by. Less is what rounding to bytes makes.
constexpr float kVisible = 0.01f;

float difference(Influences a, Influences b) {
    float most = 0;
    for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const bool first = k == b.size() || (i < a.size() && a[i].slot <= b[k].slot);
        const bool second = i == a.size() || (k < b.size() && b[k].slot <= a[i].slot);
        most = std::max(most, std::abs((first ? a[i].weight : 0) - (second ? b[k].weight : 0)));
        i += first;
        k += second;
    }
    return most;
}

// Parts that follow one joint each and only touch are made so: a robot's limbs.
bool isRigid(Influences row) {
    return row.size() == 1;
}

// Weighted vertices of the point, or none where they agree or only rigid parts meet.
std::vector<std::uint32_t> tornVertices(const MeshData& mesh, std::uint32_t point) {
    const std::span<const std::uint32_t> all = mesh.weld().verticesOfPoint[point];
    if (all.size() < 2)
        return {};
    std::vector<std::uint32_t> vertices;
    bool torn = false, rigid = true;
    for (const std::uint32_t v : all) {
        const Influences row = mesh.weights.row(v);
        if (row.empty() || !isUsable(row))
            continue;
        torn |= !vertices.empty() && difference(mesh.weights.row(vertices.front()), row) > kVisible;
        rigid &= isRigid(row);
        vertices.push_back(v);
    }
    return torn && !rigid ? vertices : std::vector<std::uint32_t>();
}

std::vector<std::vector<std::uint32_t>> tornPoints(const MeshData& mesh) {
    std::vector<std::vector<std::uint32_t>> points;
    if (!mesh.weights.empty())
        for (std::uint32_t p = 0; p < mesh.weld().pointCount(); ++p)
            if (std::vector<std::uint32_t> vertices = tornVertices(mesh, p); !vertices.empty())
                points.push_back(std::move(vertices));
    return points;
}

bool lockedAgree(const MeshData& mesh, std::span<const std::uint32_t> vertices, std::span<const std::uint8_t> locked) {
    const auto keeps = [&](std::uint32_t from, std::uint32_t to) {
        const Influences row = mesh.weights.row(from);
        return std::all_of(row.begin(), row.end(), [&](const skin::Influence& i) {
            return !locked[i.slot] || mesh.weights.weight(to, i.slot) == i.weight;
        });
    };
    return std::all_of(vertices.begin(), vertices.end(),
                       [&](std::uint32_t v) { return keeps(v, vertices.front()) && keeps(vertices.front(), v); });
}

// Not longer than the longest of them, or than what any program takes.
skin::Row average(const MeshData& mesh, std::span<const std::uint32_t> vertices, std::span<const std::uint8_t> locked) {
    skin::Row sum;
    std::size_t longest = kCommonInfluences;
    for (const std::uint32_t v : vertices) {
        const Influences row = mesh.weights.row(v);
        sum.insert(sum.end(), row.begin(), row.end());
        longest = std::max(longest, row.size());
    }
    std::stable_sort(sum.begin(), sum.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    skin::Row mean;
    for (const skin::Influence& i : sum) {
        if (mean.empty() || mean.back().slot != i.slot)
            mean.push_back({i.slot, 0});
        mean.back().weight += i.weight;
    }
    for (skin::Influence& i : mean)
        i.weight = locked[i.slot] ? mesh.weights.weight(vertices.front(), i.slot)
                                  : i.weight / static_cast<float>(vertices.size());
    while (mean.size() > longest) {
        auto weakest = mean.end();
        for (auto i = mean.begin(); i != mean.end(); ++i)
            if (!locked[i->slot] && (weakest == mean.end() || i->weight < weakest->weight))
                weakest = i;
        if (weakest == mean.end())
            break;
        mean.erase(weakest);
    }
    return mean;
}

} // namespace

Findings findSeams(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const auto points = tornPoints(doc.state().meshes[m]);
        if (points.empty())
            continue;
        Finding f;
        f.mesh = MeshId(m);
        f.where = placeOf(doc, f.mesh);
        f.count = points.size();
        for (const std::vector<std::uint32_t>& vertices : points)
            f.vertices.insert(f.vertices.end(), vertices.begin(), vertices.end());
        std::sort(f.vertices.begin(), f.vertices.end());
        f.text = counted(f.count, "point has", "points have") +
                 " vertices in one place with different weights: the seam tears open when posed. Average them.";
        f.fix = "Average weights at seams";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixSeams(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    RowEdit rows(doc, finding.mesh);
    std::vector<std::pair<std::uint32_t, skin::Row>> changed;
    std::size_t kept = 0;
    for (const std::vector<std::uint32_t>& vertices : tornPoints(mesh)) {
        if (!lockedAgree(mesh, vertices, rows.slots().locked)) {
            kept += vertices.size();
            continue;
        }
        const skin::Row mean = average(mesh, vertices, rows.slots().locked);
        for (const std::uint32_t v : vertices)
            changed.emplace_back(v, mean);
    }
    std::sort(changed.begin(), changed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [vertex, row] : changed)
        kept += !rows.set(vertex, std::move(row));
    document::Edit edit;
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    return edit;
}

} // namespace limber::check
