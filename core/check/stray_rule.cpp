#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;

// An area is a stray only where all of this holds, so that straps, buttons and twist joints are left alone.
constexpr float kLeast = 0.001f;       // lesser weights do not count
constexpr double kSmall = 0.02;        // of the weight of the joint's largest area
constexpr double kFar = 0.2;           // of the mesh's diagonal: from every large area, and from the joint itself
constexpr float kNeverDominant = 0.5f; // weight in any vertex: something else holds it

// The points that one joint influences, joined by edges of the surface.
struct Area {
    std::uint32_t slot = 0;
    double weight = 0;
    float most = 0;
    Eigen::AlignedBox3f box;
    std::vector<std::uint32_t> points;
};

class Areas {
public:
    explicit Areas(const MeshData& mesh) : mesh_(mesh) {
        collect();
        join();
    }

    // Of slots with several areas, sorted by slot and falling weight.
    [[nodiscard]] std::vector<Area> several() {
        std::vector<std::uint32_t> perSlot, roots;
        for (std::uint32_t e = 0; e < entries_.size(); ++e)
            if (find(e) == e) {
                perSlot.resize(std::max<std::size_t>(perSlot.size(), entries_[e].slot + 1), 0);
                ++perSlot[entries_[e].slot];
            }
        std::vector<std::uint32_t> areaOfRoot(entries_.size());
        std::vector<Area> areas;
        for (std::uint32_t p = 0; p + 1 < offsets_.size(); ++p)
            for (std::uint32_t e = offsets_[p]; e < offsets_[p + 1]; ++e) {
                if (perSlot[entries_[e].slot] < 2)
                    continue;
                const std::uint32_t root = find(e);
                if (root == e) { // the first entry of its area
                    areaOfRoot[root] = static_cast<std::uint32_t>(areas.size());
                    areas.emplace_back().slot = entries_[e].slot;
                }
                add(areas[areaOfRoot[root]], p, entries_[e].weight);
            }
        std::sort(areas.begin(), areas.end(), [](const Area& a, const Area& b) {
            return a.slot != b.slot ? a.slot < b.slot : a.weight > b.weight;
        });
        return areas;
    }

private:
    void collect() {
        for (std::uint32_t p = 0; p < mesh_.weld().pointCount(); ++p) {
            for (const skin::Influence& i : mesh_.weights.row(mesh_.weld().firstVertex(p)))
                if (i.weight > kLeast)
                    entries_.push_back(i);
            offsets_.push_back(static_cast<std::uint32_t>(entries_.size()));
        }
        parent_.resize(entries_.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    void join() {
        for (std::uint32_t p = 0; p + 1 < offsets_.size(); ++p)
            for (const std::uint32_t n : mesh_.weld().neighbours[p]) {
                if (n < p)
                    continue;
                std::uint32_t a = offsets_[p], b = offsets_[n];
                while (a < offsets_[p + 1] && b < offsets_[n + 1]) {
                    if (entries_[a].slot == entries_[b].slot)
                        unite(a++, b++);
                    else
                        entries_[a].slot < entries_[b].slot ? ++a : ++b;
                }
            }
    }

    std::uint32_t find(std::uint32_t e) {
        while (parent_[e] != e)
            e = parent_[e] = parent_[parent_[e]];
        return e;
    }
    // The lower number is the root.
    void unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

    void add(Area& area, std::uint32_t point, float weight) const {
        area.weight += static_cast<double>(weight);
        area.most = std::max(area.most, weight);
        area.box.extend(mesh_.geometry.positions[mesh_.weld().firstVertex(point)]);
        area.points.push_back(point);
    }

    const MeshData& mesh_;
    std::vector<std::uint32_t> offsets_{0};
    std::vector<skin::Influence> entries_; // per point, after each other
    std::vector<std::uint32_t> parent_;
};

// Where the joint of a slot stands at bind, in mesh space.
std::optional<Eigen::Vector3f> jointOrigin(const Document& doc, const Slots& slots, std::uint32_t slot) {
    if (slots.skins.empty() || slot >= doc.skin(slots.skins.front()).joints.size())
        return std::nullopt;
    const document::Skin& skin = doc.skin(slots.skins.front());
    const Eigen::Vector3d origin = skin.inverseBinds[slot].inverse().translation();
    return origin.allFinite() ? std::optional<Eigen::Vector3f>(origin.cast<float>()) : std::nullopt;
}

bool isStray(std::span<const Area> ofSlot, const Area& area, float far, const std::optional<Eigen::Vector3f>& joint) {
    const double small = kSmall * ofSlot.front().weight;
    if (area.weight > small || area.most >= kNeverDominant)
        return false;
    if (joint && area.box.exteriorDistance(*joint) < far)
        return false;
    // Sorted by weight: behind the first small one there are only such.
    const auto end = std::find_if(ofSlot.begin(), ofSlot.end(), [&](const Area& a) { return a.weight <= small; });
    return std::all_of(ofSlot.begin(), end,
                       [&](const Area& large) { return area.box.exteriorDistance(large.box) >= far; });
}

// Vertices with the slots to be taken from each.
std::map<std::uint32_t, std::vector<std::uint32_t>> strays(const Document& doc, MeshId id, const Slots& slots) {
    const MeshData& mesh = doc.mesh(id);
    std::map<std::uint32_t, std::vector<std::uint32_t>> found;
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& p : mesh.geometry.positions)
        box.extend(p);
    if (mesh.weights.empty() || box.isEmpty())
        return found;
    const float far = static_cast<float>(kFar) * box.diagonal().norm();
    const std::vector<Area> areas = Areas(mesh).several();
    for (auto first = areas.begin(); first != areas.end();) {
        const auto last = std::find_if(first, areas.end(), [&](const Area& a) { return a.slot != first->slot; });
        const auto joint = jointOrigin(doc, slots, first->slot);
        for (auto area = first + 1; area < last; ++area)
            if (isStray({first, last}, *area, far, joint))
                for (const std::uint32_t p : area->points)
                    for (const std::uint32_t v : mesh.weld().verticesOfPoint[p])
                        if (mesh.weights.weight(v, area->slot) > 0)
                            found[v].push_back(area->slot);
        first = last;
    }
    return found;
}

} // namespace

Findings findStrayWeights(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshId id(m);
        if (doc.mesh(id).weights.empty())
            continue;
        const Slots slots = slotsOf(doc, id);
        const auto found = strays(doc, id, slots);
        if (found.empty())
            continue;
        Finding f;
        f.mesh = id;
        for (const auto& [vertex, taken] : found) {
            f.vertices.push_back(vertex);
            for (const std::uint32_t slot : taken)
                if (!slots.skins.empty() && slot < doc.skin(slots.skins.front()).joints.size())
                    f.joints.push_back(doc.skin(slots.skins.front()).joints[slot]);
        }
        std::sort(f.joints.begin(), f.joints.end());
        f.joints.erase(std::unique(f.joints.begin(), f.joints.end()), f.joints.end());
        f.where = placeOf(doc, id) + (f.joints.empty() ? "" : ", " + placeOf(doc, f.joints));
        f.count = f.vertices.size();
        f.text = counted(f.count, "vertex has", "vertices have") +
                 " a little weight of a joint that is far away and holds nothing between: they twitch when it moves. "
                 "Give that weight to their other joints.";
        f.fix = "Remove stray weights";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixStrayWeights(const Document& doc, const Finding& finding, Notes& notes) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    document::Edit edit;
    if (mesh.weights.empty())
        return edit;
    RowEdit rows(doc, finding.mesh);
    std::size_t kept = 0;
    for (const auto& [vertex, taken] : strays(doc, finding.mesh, rows.slots())) {
        const auto present = mesh.weights.row(vertex);
        skin::Row row(present.begin(), present.end());
        std::erase_if(row, [&taken = taken, &rows](const skin::Influence& i) {
            return !rows.slots().locked[i.slot] && std::find(taken.begin(), taken.end(), i.slot) != taken.end();
        });
        const bool complete = std::none_of(taken.begin(), taken.end(),
                                           [&](std::uint32_t slot) { return rows.slots().locked[slot] != 0; });
        kept += !(!row.empty() && rows.set(vertex, std::move(row))) || !complete;
    }
    rows.finish(edit);
    noteLocked(doc, finding.mesh, kept, notes);
    return edit;
}

} // namespace limber::check
