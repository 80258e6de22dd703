#include "core/document/weights_intents.h"

#include "core/weights/normalize.h"
#include "core/weights/weight_brush.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace limber::document {

namespace {

constexpr std::size_t kCommonInfluences = 4; // of one set, which every program reads

double sumOf(std::span<const skin::Influence> row) {
    double sum = 0;
    for (const skin::Influence& i : row)
        sum += i.weight;
    return sum;
}

// The patch to `change(vertex, row)` of every row, which returns whether it changed the row.
template <class Change> void patchRows(const Document& doc, MeshId mesh, Edit& edit, Change change) {
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    WeightsPatch patch;
    patch.mesh = mesh;
    skin::Row row;
    for (std::uint32_t v = 0; v < weights.vertexCount(); ++v) {
        const auto before = weights.row(v);
        row.assign(before.begin(), before.end());
        if (!change(v, row) || std::equal(row.begin(), row.end(), before.begin(), before.end()))
            continue;
        patch.vertices.push_back(v);
        patch.before.appendRow();
        patch.before.setRow(patch.vertices.size() - 1, before);
        patch.after.appendRow();
        patch.after.setRow(patch.vertices.size() - 1, row);
    }
    if (!patch.vertices.empty())
        edit.patches.emplace_back(std::move(patch));
}

// What an intent is about is written as it is shown: rows that were repaired when the file was read too.
void askForRepairs(const Document& doc, MeshId mesh, Edit& edit) {
    const MeshData& data = doc.mesh(mesh);
    if (!data.repairedRows.empty() && !data.writesRepairs)
        edit.patches.emplace_back(RepairsPatch{mesh, false, true});
}

// Calls patch(edit, mesh, locked slots) for the meshes that have weights.
template <class Patch>
Edit forMeshes(const Document& doc, std::span<const MeshId> meshes, std::string label, Patch patch) {
    Edit edit;
    for (const MeshId mesh : meshes)
        if (const auto locked = lockedSlots(doc, mesh); !locked.empty() && !doc.mesh(mesh).weights.empty()) {
            patch(edit, mesh, locked);
            askForRepairs(doc, mesh, edit);
        }
    if (!edit.patches.empty())
        edit.label = std::move(label);
    return edit;
}

bool normalize(skin::Row& row, std::span<const std::uint8_t> locked, std::size_t most = 0) {
    weights::NormalizeRequest request;
    request.locked = locked;
    request.maxInfluences = most;
    return !weights::normalizeRow(row, request).rejected;
}

skin::Row strongest(skin::Row row, std::size_t most) {
    std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
    row.resize(std::min(most, row.size()));
    const double sum = sumOf(row);
    for (skin::Influence& i : row)
        i.weight = static_cast<float>(i.weight / sum);
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    return row;
}

// One smoothing step over a mesh: every vertex of a point gets the point's new row.
std::vector<skin::Row> smoothed(const std::vector<skin::Row>& rows, const mesh::Weld& weld, double amount,
                                std::span<const std::uint8_t> locked, weights::RowSmoother& smoother) {
    std::vector<skin::Row> next(rows.size());
    for (std::uint32_t p = 0; p < weld.pointCount(); ++p) {
        for (const std::uint32_t n : weld.neighbours[p])
            if (const skin::Row& row = rows[weld.firstVertex(n)]; !row.empty())
                smoother.addNeighbour(row);
        const skin::Row& own = rows[weld.firstVertex(p)];
        skin::Row row;
        smoother.finish(own, amount, locked, row);
        if (own.empty())
            row.clear(); // what no joint moves is not bound by the way
        else
            normalize(row, locked);
        for (const std::uint32_t v : weld.verticesOfPoint[p])
            next[v] = row;
    }
    return next;
}

} // namespace

std::vector<MeshId> allMeshes(const Document& doc) {
    std::vector<MeshId> meshes;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m)
        meshes.emplace_back(m);
    return meshes;
}

std::size_t longestRow(const skin::SkinWeights& weights) {
    std::size_t longest = 0;
    for (std::size_t v = 0; v < weights.vertexCount(); ++v)
        longest = std::max(longest, weights.row(v).size());
    return longest;
}

std::vector<std::uint8_t> lockedSlots(const Document& doc, MeshId mesh) {
    std::vector<std::uint8_t> locked;
    std::set<SkinId> seen;
    for (const Instance& instance : doc.state().instances) {
        if (instance.mesh != mesh || !instance.skin.valid() || !seen.insert(instance.skin).second)
            continue;
        const std::vector<JointId>& joints = doc.skin(instance.skin).joints;
        locked.resize(std::max(locked.size(), joints.size()), 0);
        for (std::size_t k = 0; k < joints.size(); ++k)
            locked[k] |= doc.state().locked[joints[k].index()];
    }
    return locked;
}

Edit normalizeWeights(const Document& doc, std::span<const MeshId> meshes) {
    return forMeshes(doc, meshes, "Normalise weights", [&](Edit& edit, MeshId mesh, const auto& locked) {
        patchRows(doc, mesh, edit, [&](std::uint32_t, skin::Row& row) {
            return !row.empty() && std::abs(sumOf(row) - 1) > weights::sumTolerance(row.size()) &&
                   normalize(row, locked);
        });
    });
}

Edit pruneWeights(const Document& doc, std::span<const MeshId> meshes, double threshold) {
    return forMeshes(doc, meshes, "Prune weights", [&](Edit& edit, MeshId mesh, const auto& locked) {
        patchRows(doc, mesh, edit, [&](std::uint32_t, skin::Row& row) {
            if (row.empty())
                return false;
            const std::uint32_t best = std::max_element(row.begin(), row.end(), [](const auto& a, const auto& b) {
                                           return a.weight < b.weight;
                                       })->slot;
            const std::size_t dropped = std::erase_if(row, [&](const skin::Influence& i) {
                return !locked[i.slot] && i.slot != best && static_cast<double>(i.weight) < threshold;
            });
            return dropped > 0 && normalize(row, locked);
        });
    });
}

Edit limitInfluences(const Document& doc, std::span<const MeshId> meshes, std::size_t most, Locks locks) {
    return forMeshes(doc, meshes, "Limit influences", [&](Edit& edit, MeshId mesh, const auto& locked) {
        patchRows(doc, mesh, edit, [&](std::uint32_t, skin::Row& row) {
            if (row.size() <= most)
                return false;
            const bool anyLocked = locks == Locks::Keep && std::any_of(row.begin(), row.end(), [&](const auto& i) {
                                       return locked[i.slot] != 0;
                                   });
            if (anyLocked)
                return normalize(row, locked, most);
            row = strongest(std::move(row), most);
            return true;
        });
    });
}

Edit smoothWeights(const Document& doc, std::span<const MeshId> meshes, double amount, int steps, std::size_t most) {
    return forMeshes(doc, meshes, "Smooth weights", [&](Edit& edit, MeshId mesh, const auto& locked) {
        const MeshData& data = doc.mesh(mesh);
        std::vector<skin::Row> rows;
        for (std::size_t v = 0; v < data.weights.vertexCount(); ++v)
            rows.emplace_back(data.weights.row(v).begin(), data.weights.row(v).end());
        weights::RowSmoother smoother(locked.size());
        for (int k = 0; k < steps; ++k)
            rows = smoothed(rows, data.weld(), amount, locked, smoother);
        const std::size_t kept = influencesKept(data.weights, most);
        patchRows(doc, mesh, edit, [&](std::uint32_t v, skin::Row& row) {
            row = rows[v];
            return row.size() <= kept || normalize(row, locked, kept);
        });
    });
}

std::size_t influencesKept(const skin::SkinWeights& weights, std::size_t most) {
    return most > 0 ? most : std::max(kCommonInfluences, longestRow(weights));
}

Edit replaceWeights(const Document& doc, MeshId mesh, const skin::SkinWeights& rows, std::string label) {
    Edit edit;
    patchRows(doc, mesh, edit, [&](std::uint32_t v, skin::Row& row) {
        row.assign(rows.row(v).begin(), rows.row(v).end());
        return true;
    });
    askForRepairs(doc, mesh, edit);
    if (!edit.patches.empty())
        edit.label = std::move(label);
    return edit;
}

} // namespace limber::document
