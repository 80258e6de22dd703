#include "core/check/rows.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace limber::check {

namespace {

using document::Document;
using document::Skin;

// For every slot the first one that names the same joint.
std::vector<std::uint32_t> firstSlots(const Skin& skin) {
    std::vector<std::uint32_t> first(skin.joints.size());
    std::unordered_map<JointId, std::uint32_t> seen;
    for (std::uint32_t k = 0; k < first.size(); ++k)
        first[k] = seen.try_emplace(skin.joints[k], k).first->second;
    return first;
}

// Whether slots of all skins of the mesh can be merged alike, without moving anything.
bool canMerge(const Document& doc, const std::vector<SkinId>& skins, std::uint32_t from, std::uint32_t to) {
    return std::all_of(skins.begin(), skins.end(), [&](SkinId id) {
        const Skin& skin = doc.skin(id);
        if (from >= skin.joints.size() || skin.joints[from] != skin.joints[to])
            return false;
        const double size = std::max(1e-6, skin.inverseBinds[to].matrix().cwiseAbs().maxCoeff());
        return math::distance(skin.inverseBinds[from], skin.inverseBinds[to]) <= 1e-5 * size;
    });
}

struct TwiceUsed {
    std::vector<std::uint32_t> target; // [slots] where its weights go: itself, or the first slot of its joint
    std::vector<std::uint32_t> vertices;
    std::vector<JointId> joints;
    bool mergeable = true;
};

TwiceUsed twiceUsed(const Document& doc, MeshId mesh, SkinId skin, const std::vector<SkinId>& skins) {
    TwiceUsed used;
    used.target = firstSlots(doc.skin(skin));
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    for (std::uint32_t v = 0; v < weights.vertexCount(); ++v) {
        bool twice = false;
        for (const skin::Influence& i : weights.row(v)) {
            if (i.slot >= used.target.size() || used.target[i.slot] == i.slot)
                continue;
            twice = true;
            used.joints.push_back(doc.skin(skin).joints[i.slot]);
            used.mergeable = used.mergeable && canMerge(doc, skins, i.slot, used.target[i.slot]);
        }
        if (twice)
            used.vertices.push_back(v);
    }
    std::sort(used.joints.begin(), used.joints.end());
    used.joints.erase(std::unique(used.joints.begin(), used.joints.end()), used.joints.end());
    return used;
}

// A joint whose matrix cannot be inverted has no bind of its own to disagree with.
bool isInvertible(const rig::Affine& m) {
    const double size = m.linear().cwiseAbs().maxCoeff();
    return math::allFinite(m) && size > 0 && std::abs((m.linear() / size).determinant()) > 1e-9;
}

// Weight of every joint over all meshes, by their instances' skins.
std::vector<std::uint8_t> weightedJoints(const Document& doc) {
    std::vector<std::uint8_t> weighted(doc.skeleton().size(), 0);
    std::set<std::pair<MeshId, SkinId>> done;
    for (const document::Instance& instance : doc.state().instances) {
        if (!instance.skin.valid() || !done.emplace(instance.mesh, instance.skin).second)
            continue;
        const std::vector<JointId>& joints = doc.skin(instance.skin).joints;
        const skin::SkinWeights& weights = doc.mesh(instance.mesh).weights;
        for (std::size_t v = 0; v < weights.vertexCount(); ++v)
            for (const skin::Influence& i : weights.row(v))
                if (i.weight > 0 && i.slot < joints.size())
                    weighted[joints[i.slot].index()] = 1;
    }
    return weighted;
}

} // namespace

Findings findJointsTwice(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        if (doc.state().meshes[m].weights.empty())
            continue;
        const Slots slots = slotsOf(doc, MeshId(m));
        for (const SkinId skin : slots.skins) {
            TwiceUsed used = twiceUsed(doc, MeshId(m), skin, slots.skins);
            if (used.vertices.empty())
                continue;
            Finding f;
            f.mesh = MeshId(m);
            f.skin = skin;
            f.where = placeOf(doc, skin) + ", " + placeOf(doc, used.joints);
            f.count = used.joints.size();
            f.text = counted(f.count, "joint is", "joints are") + " listed twice in the skin, and " +
                     counted(used.vertices.size(), "vertex goes", "vertices go") +
                     " by the second entry: programs that find joints by name lose those weights. ";
            f.text += used.mergeable ? "Move them to the first entry."
                                     : "The two entries bind differently, so they cannot be merged here.";
            if (used.mergeable)
                f.fix = "Move weights to first entries";
            f.joints = std::move(used.joints);
            f.vertices = std::move(used.vertices);
            findings.push_back(std::move(f));
        }
    }
    return findings;
}

// The same joint keeps the same weight, so locks do not matter.
document::Edit fixJointsTwice(const Document& doc, const Finding& finding, Notes&) {
    document::Edit edit;
    RowEdit rows(doc, finding.mesh);
    const TwiceUsed used = twiceUsed(doc, finding.mesh, finding.skin, rows.slots().skins);
    if (!used.mergeable)
        return edit;
    for (const std::uint32_t v : used.vertices) {
        skin::Row merged;
        for (skin::Influence i : doc.mesh(finding.mesh).weights.row(v)) {
            i.slot = used.target[i.slot];
            const auto at = std::find_if(merged.begin(), merged.end(), [&](const auto& o) { return o.slot == i.slot; });
            if (at == merged.end())
                merged.push_back(i);
            else
                at->weight += i.weight;
        }
        std::sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
        rows.setExact(v, merged);
    }
    rows.finish(edit);
    return edit;
}

Findings findDisagreeingBinds(const Document& doc, const Options&) {
    constexpr double kNoise = 1e-4; // of floats that went through an exporter
    Findings findings;
    for (std::size_t s = 0; s < doc.state().skins.size(); ++s) {
        const Skin& skin = doc.state().skins[s];
        if (skin.sameBind)
            continue;
        std::vector<JointId> joints;
        const double linear = std::max(1e-9, skin.bindShape.linear().cwiseAbs().maxCoeff());
        for (std::size_t k = 0; k < skin.joints.size(); ++k) {
            const rig::Affine here = doc.skeleton()[skin.joints[k]].bindWorld * skin.inverseBinds[k];
            const double size =
                std::max({linear, here.translation().cwiseAbs().maxCoeff(),
                          doc.skeleton()[skin.joints[k]].bindWorld.translation().cwiseAbs().maxCoeff()});
            const double turned = (here.linear() - skin.bindShape.linear()).cwiseAbs().maxCoeff();
            const double moved = (here.translation() - skin.bindShape.translation()).cwiseAbs().maxCoeff();
            if (isInvertible(skin.inverseBinds[k]) && (turned > kNoise * linear || moved > kNoise * size))
                joints.push_back(skin.joints[k]);
        }
        if (joints.empty())
            continue;
        Finding f;
        f.skin = SkinId(s);
        f.where = placeOf(doc, f.skin) + ", " + placeOf(doc, joints);
        f.count = joints.size();
        f.text = counted(f.count, "joint is", "joints are") +
                 " bound differently here than in an earlier skin. Both are kept and shown right; programs that know "
                 "one bind pose per joint distort one of the meshes. Bind both in the same pose where they are made.";
        f.joints = std::move(joints);
        findings.push_back(std::move(f));
    }
    return findings;
}

// A joint above one that skins something is needed to carry it.
Findings findUnusedJoints(const Document& doc, const Options&) {
    std::vector<std::uint8_t> needed = weightedJoints(doc);
    if (std::none_of(needed.begin(), needed.end(), [](std::uint8_t n) { return n != 0; }))
        return {};
    for (const document::Instance& instance : doc.state().instances)
        if (!doc.isSkinned(InstanceId(static_cast<std::size_t>(&instance - doc.state().instances.data()))))
            needed[instance.node.index()] = 1;
    const std::span<const JointId> order = doc.skeleton().order();
    for (auto j = order.rbegin(); j != order.rend(); ++j)
        if (const JointId parent = doc.skeleton()[*j].parent; parent.valid() && needed[j->index()])
            needed[parent.index()] = 1;
    Finding f;
    f.severity = Severity::Info;
    for (std::size_t j = 0; j < needed.size(); ++j)
        if (doc.skeleton()[JointId(j)].deforms && !needed[j])
            f.joints.emplace_back(j);
    if (f.joints.empty())
        return {};
    f.where = placeOf(doc, f.joints);
    f.count = f.joints.size();
    f.text = counted(f.count, "joint", "joints") + " of the skin " + (f.count == 1 ? "moves" : "move") +
             " nothing, nor does anything below. End joints and controls are kept; some engines count them, so leave "
             "them out of the export where that matters.";
    return {f};
}

} // namespace limber::check
