#include "core/io/gltf_influences.h"

#include "core/base/pieces.h"
#include "core/weights/normalize.h"

#include <array>
#include <cmath>

namespace limber::io {

namespace {

// Below this a sum is nothing: to divide by it would make weights out of noise.
constexpr double kNoWeight = 1e-6;

// What repairs of rows have in common: saving changes nothing that nobody asked for.
const std::string kKept = " The file keeps its own until that is fixed or weights of the mesh are edited.";

constexpr std::size_t kPiece = 16384; // vertices that one thread reads at a time

} // namespace

JointLimit jointLimit(const ReadContext& context, std::size_t mesh) {
    const std::optional<std::size_t>& slots = context.jointLimits[mesh];
    return {slots.has_value(), slots.value_or(0)};
}

void InfluenceCollector::Problems::add(const Problems& more) {
    invalid += more.invalid;
    negative += more.negative;
    unweighted += more.unweighted;
    unnormalised += more.unnormalised;
    unknownJoint += more.unknownJoint;
    duplicate += more.duplicate;
}

void InfluenceCollector::Rows::leaveOut(skin::Influence influence, std::size_t slots, std::size_t vertex) {
    const float weight = std::isfinite(influence.weight) ? influence.weight : 0.0f;
    problems.invalid += !std::isfinite(influence.weight);
    problems.negative += weight < 0;
    if (influence.slot < slots)
        return;
    ++problems.unknownJoint;
    if (weight > 0 && !unknown)
        unknown = {vertex, influence.slot};
}

void InfluenceCollector::Rows::append(skin::Row& row, bool mended) {
    // Rows are short: an insertion sort, which also leaves equal slots in order.
    for (std::size_t i = 1; i < row.size(); ++i)
        for (std::size_t k = i; k > 0 && row[k - 1].slot > row[k].slot; --k)
            std::swap(row[k - 1], row[k]);
    std::size_t kept = 0;
    double sum = 0;
    for (const skin::Influence& influence : row) {
        sum += influence.weight;
        if (kept && row[kept - 1].slot == influence.slot)
            row[kept - 1].weight += influence.weight;
        else
            row[kept++] = influence;
    }
    if (kept < row.size())
        ++problems.duplicate;
    mended |= kept < row.size();
    row.resize(kept);
    if (sum <= kNoWeight) {
        mended |= !row.empty();
        row.clear();
        ++problems.unweighted;
    } else if (std::abs(sum - 1) > weights::sumTolerance(kept)) {
        ++problems.unnormalised;
        mended = true;
        for (skin::Influence& influence : row)
            influence.weight = static_cast<float>(influence.weight / sum);
    }
    if (mended)
        repaired.push_back(static_cast<std::uint32_t>(firstVertex + vertices));
    put(row);
}

bool InfluenceCollector::Rows::appendPlain(const std::uint32_t* joints, const float* weights, std::size_t slots) {
    std::array<skin::Influence, 4> row;
    double sum = 0;
    bool good = joints[0] < joints[1] && joints[1] < joints[2] && joints[2] < joints[3] && joints[3] < slots;
    for (std::size_t k = 0; k < 4; ++k) {
        good &= weights[k] > 0;
        sum += static_cast<double>(weights[k]);
        row[k] = {joints[k], weights[k]};
    }
    if (!good || !(std::abs(sum - 1) <= weights::sumTolerance(4)))
        return false;
    put(row);
    return true;
}

void InfluenceCollector::Rows::put(std::span<const skin::Influence> row) {
    longest = std::max(longest, row.size());
    if (direct) {
        direct->setRow(firstVertex + vertices, row);
    } else {
        entries.insert(entries.end(), row.begin(), row.end());
        counts.push_back(static_cast<std::uint32_t>(row.size()));
    }
    ++vertices;
}

void InfluenceCollector::collect(Rows& rows, std::span<const InfluenceSet> sets, std::size_t first,
                                 std::size_t end) const {
    if (!rows.direct) {
        rows.counts.reserve(end - first);
        rows.entries.reserve((end - first) * 4 * sets.size());
    }
    constexpr std::size_t kAtOnce = 512;
    std::vector<std::vector<std::uint32_t>> jointRoom(sets.size());
    std::vector<std::vector<float>> weightRoom(sets.size());
    std::vector<std::pair<const std::uint32_t*, const float*>> values(sets.size());
    skin::Row row;
    for (std::size_t from = first; from < end; from += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, end - from);
        for (std::size_t s = 0; s < sets.size(); ++s)
            values[s] = {sets[s].joints.at(from, count, jointRoom[s]), sets[s].weights.at(from, count, weightRoom[s])};
        for (std::size_t v = 0; v < count; ++v) {
            if (sets.size() == 1 && rows.appendPlain(values[0].first + 4 * v, values[0].second + 4 * v, limit_.slots))
                continue;
            row.clear();
            bool mended = false;
            for (const auto& [joints, weights] : values)
                for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
                    const bool good = joints[k] < limit_.slots && weights[k] >= 0 && std::isfinite(weights[k]);
                    mended |= !good;
                    if (!good)
                        rows.leaveOut({joints[k], weights[k]}, limit_.slots, from + v);
                    else if (weights[k] > 0)
                        row.push_back({joints[k], weights[k]});
                }
            rows.append(row, mended);
        }
    }
}

void InfluenceCollector::add(PrimitiveSource& primitive, const std::string& where, std::vector<Repair>& repairs) {
    const std::size_t setCount = primitive.influenceSets(repairs);
    if (setCount && !limit_.skinned)
        repairs.push_back({"NODE_SKINNED_MESH_WITHOUT_SKIN", where,
                           "The mesh has weights, but no node gives it a skin; they are not used.", 1});
    const std::size_t before = vertices_, present = pieces_.size();
    vertices_ += primitive.vertexCount();
    if (!limit_.skinned || setCount == 0)
        return;
    any_ = true;
    std::vector<InfluenceSet> sets;
    for (std::size_t s = 0; s < setCount; ++s)
        sets.push_back(primitive.influenceSet(s));
    if (direct_)
        weights_ = skin::SkinWeights::unset(vertices_, 4 * setCount);
    pieces_.resize(present + (primitive.vertexCount() + kPiece - 1) / kPiece);
    inPieces(primitive.vertexCount(), kPiece, [&](std::size_t first, std::size_t end) {
        Rows& rows = pieces_[present + first / kPiece];
        rows.firstVertex = before + first;
        rows.direct = direct_ ? &weights_ : nullptr;
        collect(rows, sets, first, end);
    });
    Problems problems;
    for (const Rows& rows : std::span(pieces_).subspan(present)) {
        if (rows.unknown)
            refuse(where,
                   "Vertex " + std::to_string(rows.unknown->first) + " is weighted to joint " +
                       std::to_string(rows.unknown->second) + ", but the skin has only " +
                       std::to_string(limit_.slots) + ".",
                   "ACCESSOR_JOINTS_INDEX_OOB");
        problems.add(rows.problems);
        repaired_.insert(repaired_.end(), rows.repaired.begin(), rows.repaired.end());
    }
    report(problems, where, repairs);
}

void InfluenceCollector::report(const Problems& counts, const std::string& where, std::vector<Repair>& repairs) const {
    const auto add = [&](std::size_t count, const char* code, const char* one, const char* many,
                         const std::string& text) {
        if (count > 0)
            repairs.push_back({code, where, std::to_string(count) + ' ' + (count == 1 ? one : many) + text, count});
    };
    add(counts.invalid, "ACCESSOR_INVALID_FLOAT", "weight is", "weights are", " not a number, shown as zero." + kKept);
    add(counts.negative, "ACCESSOR_WEIGHTS_NEGATIVE", "negative weight is", "negative weights are",
        " shown as zero." + kKept);
    add(counts.unknownJoint, "ACCESSOR_JOINTS_INDEX_OOB", "weight of zero names", "weights of zero name",
        " a joint that the skin lacks; such weights are left out." + kKept);
    add(counts.duplicate, "ACCESSOR_JOINTS_INDEX_DUPLICATE", "vertex names", "vertices name",
        " a joint more than once; its weights are added up." + kKept);
    add(counts.unnormalised, "ACCESSOR_WEIGHTS_NON_NORMALIZED", "vertex has", "vertices have",
        " weights that do not sum to one, shown normalised." + kKept);
    add(counts.unweighted, "UNWEIGHTED_VERTICES", "vertex has", "vertices have",
        " no weights: no joint moves what has none. Paint to bind it.");
}

skin::SkinWeights InfluenceCollector::finish() {
    if (!any_)
        return {};
    std::size_t longest = 0;
    for (const Rows& rows : pieces_)
        longest = std::max(longest, rows.longest);
    if (direct_ && longest == weights_.capacity())
        return std::move(weights_);
    skin::SkinWeights weights(vertices_, longest);
    inPieces(pieces_.size(), 1, [&](std::size_t p, std::size_t) {
        const Rows rows = std::move(pieces_[p]);
        std::size_t at = 0;
        for (std::size_t k = 0; k < rows.vertices; ++k) {
            const std::size_t v = rows.firstVertex + k, count = direct_ ? 0 : rows.counts[k];
            weights.setRow(v, direct_ ? weights_.row(v) : std::span(std::as_const(rows.entries)).subspan(at, count));
            at += count;
        }
    });
    pieces_.clear();
    return weights;
}

} // namespace limber::io
