#include "core/io/gltf_influences.h"

#include <cmath>

namespace limber::io {

namespace {

// A row sums to one when it does so within what the validator allows floats, and never closer than weights are kept
// here.
double tolerance(std::size_t influences) {
    return std::max(1e-6, 2e-7 * static_cast<double>(influences));
}

// Below this a sum is nothing: to divide by it would make weights out of noise.
constexpr double kNoWeight = 1e-6;

} // namespace

JointLimit jointLimit(const ReadContext& context, std::size_t mesh) {
    const Json& skins = list(context.json, "skins", "skins");
    // A node outside the scene counts only where the scene does not show the mesh with a skin.
    for (const bool shown : {true, false}) {
        JointLimit limit;
        for (const NodeFacts& node : context.nodes) {
            if (node.mesh != mesh || !node.skin || (shown && !node.inScene))
                continue;
            const std::size_t joints = list(skins[*node.skin], "joints", place("skins", *node.skin)).size();
            limit.slots = limit.skinned ? std::min(limit.slots, joints) : joints;
            limit.skinned = true;
        }
        if (limit.skinned)
            return limit;
    }
    return {};
}

void InfluenceCollector::finishRow(skin::Row& row, Counts& counts, bool mended) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    std::size_t kept = 0;
    double sum = 0;
    for (const skin::Influence& influence : row) {
        sum += influence.weight;
        if (kept && row[kept - 1].slot == influence.slot)
            row[kept - 1].weight += influence.weight;
        else
            row[kept++] = influence;
    }
    mended |= kept < row.size(); // a joint named twice
    row.resize(kept);
    if (sum <= kNoWeight) {
        mended |= !row.empty();
        row.clear();
        ++counts.unweighted;
    } else if (std::abs(sum - 1) > tolerance(kept)) {
        ++counts.unnormalised;
        mended = true;
        for (skin::Influence& influence : row)
            influence.weight = static_cast<float>(influence.weight / sum);
    }
    if (mended)
        repaired_.push_back(static_cast<std::uint32_t>(counts_.size()));
    longest_ = std::max(longest_, row.size());
    counts_.push_back(static_cast<std::uint32_t>(row.size()));
    entries_.insert(entries_.end(), row.begin(), row.end());
}

void InfluenceCollector::add(PrimitiveSource& primitive, const std::string& where, std::vector<Repair>& repairs) {
    const std::size_t sets = primitive.influenceSets(repairs);
    if (sets && !limit_.skinned)
        repairs.push_back({"NODE_SKINNED_MESH_WITHOUT_SKIN", where,
                           "The mesh has weights, but no node gives it a skin; they are not used.", 1});
    if (!limit_.skinned || sets == 0) {
        counts_.resize(counts_.size() + primitive.vertexCount(), 0);
        return;
    }
    any_ = true;
    std::vector<std::vector<std::uint32_t>> joints;
    std::vector<std::vector<float>> weights;
    for (std::size_t s = 0; s < sets; ++s) {
        joints.push_back(primitive.joints("JOINTS_" + std::to_string(s)));
        weights.push_back(primitive.floats("WEIGHTS_" + std::to_string(s), 4, NonFinite::Keep));
    }
    Counts counts;
    skin::Row row;
    counts_.reserve(counts_.size() + primitive.vertexCount());
    for (std::size_t v = 0; v < primitive.vertexCount(); ++v) {
        row.clear();
        bool mended = false;
        for (std::size_t s = 0; s < sets; ++s)
            for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
                const bool finite = std::isfinite(weights[s][k]);
                const float weight = finite ? weights[s][k] : 0.0f;
                const std::uint32_t slot = joints[s][k];
                if (!finite)
                    ++counts.invalid;
                if (weight < 0)
                    ++counts.negative;
                if (weight > 0 && slot >= limit_.slots)
                    refuse(where, "Vertex " + std::to_string(v) + " is weighted to joint " + std::to_string(slot) +
                                      ", but the skin has only " + std::to_string(limit_.slots) + ".");
                mended |= !finite || weight < 0 || slot >= limit_.slots;
                if (slot >= limit_.slots)
                    ++counts.unknownJoint;
                else if (weight > 0)
                    row.push_back({slot, weight});
            }
        finishRow(row, counts, mended);
    }
    report(counts, where, repairs);
}

void InfluenceCollector::report(const Counts& counts, const std::string& where, std::vector<Repair>& repairs) const {
    if (counts.invalid)
        repairs.push_back({"ACCESSOR_INVALID_FLOAT", where,
                           std::to_string(counts.invalid) + " weights were not numbers; they were set to zero.",
                           counts.invalid});
    if (counts.negative)
        repairs.push_back({"ACCESSOR_WEIGHTS_NEGATIVE", where,
                           std::to_string(counts.negative) + " negative weights were set to zero.", counts.negative});
    if (counts.unknownJoint)
        repairs.push_back({"ACCESSOR_JOINTS_INDEX_OOB", where,
                           std::to_string(counts.unknownJoint) +
                               " weights of zero name a joint that the skin lacks; they were left out.",
                           counts.unknownJoint});
    if (counts.unnormalised)
        repairs.push_back({"ACCESSOR_WEIGHTS_NON_NORMALIZED", where,
                           std::to_string(counts.unnormalised) + " vertices had weights that do not sum to one; they "
                                                                 "were normalised.",
                           counts.unnormalised});
    if (counts.unweighted)
        repairs.push_back({"UNWEIGHTED_VERTICES", where,
                           std::to_string(counts.unweighted) + " vertices have no weights: no joint moves them. Paint "
                                                               "them to bind them.",
                           counts.unweighted});
}

skin::SkinWeights InfluenceCollector::finish() const {
    if (!any_)
        return {};
    skin::SkinWeights weights(counts_.size(), longest_);
    std::size_t at = 0;
    for (std::size_t v = 0; v < counts_.size(); ++v) {
        weights.setRow(v, std::span(entries_).subspan(at, counts_[v]));
        at += counts_[v];
    }
    return weights;
}

} // namespace limber::io
