#include "core/document/bind_intents.h"

#include "core/document/weights_intents.h"
#include "core/skin/pose_map.h"
#include "core/weights/normalize.h"

#include <algorithm>
#include <limits>

namespace limber::document {

namespace {

// Per slot: the slot of the nearest joint above that the skin has too.
std::vector<std::optional<std::uint32_t>> slotsAbove(const rig::Skeleton& skeleton, const Skin& skin) {
    std::vector<std::optional<std::uint32_t>> slotOf(skeleton.size()), aboveJoint(skeleton.size());
    for (std::size_t k = skin.joints.size(); k-- > 0;)
        slotOf[skin.joints[k].index()] = static_cast<std::uint32_t>(k);
    for (const JointId j : skeleton.order())
        if (const JointId parent = skeleton[j].parent; parent.valid())
            aboveJoint[j.index()] = slotOf[parent.index()] ? slotOf[parent.index()] : aboveJoint[parent.index()];
    std::vector<std::optional<std::uint32_t>> above;
    for (const JointId j : skin.joints)
        above.push_back(aboveJoint[j.index()]);
    return above;
}

// Where the joints are; nothing for one that the skin does not place anywhere.
std::vector<std::optional<Eigen::Vector3d>> placesOf(const Skin& skin) {
    std::vector<std::optional<Eigen::Vector3d>> places;
    for (const rig::Affine& bind : skin.inverseBinds) {
        const Eigen::Vector3d at = bind.inverse().translation();
        places.push_back(at.allFinite() ? std::optional(at) : std::nullopt);
    }
    return places;
}

const Skin* firstSkin(const Document& doc, MeshId mesh) {
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh && instance.skin.valid())
            return &doc.skin(instance.skin);
    return nullptr;
}

// Slots that all skins of the mesh have: a row means the same slots in each of them.
std::size_t sharedSlots(const Document& doc, MeshId mesh) {
    std::size_t shared = std::numeric_limits<std::size_t>::max();
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh && instance.skin.valid())
            shared = std::min(shared, doc.skin(instance.skin).joints.size());
    return shared;
}

// Per slot: non-zero where the joint is to take nothing.
std::vector<std::uint8_t> excludedSlots(const Document& doc, MeshId id, std::span<const std::uint8_t> locked,
                                        Takers takers) {
    const MeshData& mesh = doc.mesh(id);
    const std::size_t shared = sharedSlots(doc, id);
    std::vector<std::uint8_t> excluded(locked.size(), 1);
    bool any = false;
    for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v)
        for (const skin::Influence& i : mesh.weights.row(v))
            if (i.weight > skin::kWeightEpsilon) {
                excluded[i.slot] = 0;
                any = true;
            }
    if (takers == Takers::All || !any)
        std::fill(excluded.begin(), excluded.end(), std::uint8_t(0));
    for (std::size_t k = 0; k < excluded.size(); ++k)
        excluded[k] |= locked[k] || k >= shared;
    return excluded;
}

// The row that is there, with what its locked joints leave shared as `heat` says.
void shareTheRest(std::span<const skin::Influence> before, std::span<const skin::Influence> heat,
                  std::span<const std::uint8_t> locked, std::size_t most, skin::Row& row) {
    row.clear();
    double left = 1;
    for (const skin::Influence& i : before)
        if (locked[i.slot]) {
            row.push_back(i);
            left -= static_cast<double>(i.weight);
        }
    if (left <= weights::sumTolerance(row.size())) {
        row.assign(before.begin(), before.end());
        return;
    }
    const bool anyLocked = !row.empty();
    for (const skin::Influence& i : heat)
        row.push_back({i.slot, static_cast<float>(left * static_cast<double>(i.weight))});
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    if (!anyLocked)
        return;
    weights::NormalizeRequest request;
    request.locked = locked;
    request.maxInfluences = most;
    (void)weights::normalizeRow(row, request);
}

} // namespace

std::vector<weights::Bone> bonesOf(const rig::Skeleton& skeleton, const Skin& skin,
                                   std::span<const std::uint8_t> excluded) {
    const auto above = slotsAbove(skeleton, skin);
    const auto places = placesOf(skin);
    std::vector<std::uint8_t> leads(skin.joints.size(), 0);
    std::vector<weights::Bone> bones;
    const auto add = [&](std::uint32_t slot, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
        if (!excluded[slot])
            bones.push_back({from, to, slot});
    };
    for (std::uint32_t k = 0; k < above.size(); ++k)
        if (above[k] && places[k] && places[*above[k]]) {
            leads[*above[k]] = 1;
            add(*above[k], *places[*above[k]], *places[k]);
        }
    for (std::uint32_t k = 0; k < above.size(); ++k)
        if (places[k] && !leads[k]) {
            const bool follows = above[k] && places[*above[k]];
            add(k, *places[k], follows ? Eigen::Vector3d(2 * *places[k] - *places[*above[k]]) : *places[k]);
        }
    return bones;
}

HeatBinding bindByHeat(const Document& doc, std::span<const MeshId> meshes, Takers takers,
                       const weights::HeatOptions& options) {
    HeatBinding binding;
    for (const MeshId id : meshes) {
        const MeshData& mesh = doc.mesh(id);
        const Skin* skin = firstSkin(doc, id);
        if (!skin || mesh.weights.empty())
            continue;
        const std::vector<std::uint8_t> locked = lockedSlots(doc, id);
        const std::vector<weights::Bone> bones = bonesOf(doc.skeleton(), *skin, excludedSlots(doc, id, locked, takers));
        if (bones.empty()) {
            binding.withoutBones.push_back(id);
            continue;
        }
        weights::HeatOptions own = options;
        own.mostInfluences = influencesKept(mesh.weights, options.mostInfluences);
        const weights::HeatWeights heat =
            weights::bindByHeat(mesh.weld(), mesh.geometry.positions, mesh.geometry.triangles, bones, own);
        if (heat.unseen > 0)
            binding.unseen.push_back({id, heat.unseen});
        skin::SkinWeights rows(mesh.weights.vertexCount(), heat.rows.capacity());
        skin::Row row;
        for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
            shareTheRest(mesh.weights.row(v), heat.rows.row(v), locked, own.mostInfluences, row);
            rows.setRow(v, row);
        }
        Edit edit = replaceWeights(doc, id, rows, "Bind by heat");
        for (Patch& patch : edit.patches)
            binding.edit.patches.push_back(std::move(patch));
        if (!edit.label.empty())
            binding.edit.label = std::move(edit.label);
    }
    return binding;
}

} // namespace limber::document
