// The part of weights_file.h that knows the document.
#include "core/document/weights_intents.h"
#include "core/io/joint_names.h"
#include "core/io/weights_file.h"
#include "core/weights/normalize.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace limber::io {

namespace {

using document::Document;
using document::DocumentState;

Error refused(std::string where, std::string text) {
    return {ErrorCode::InputRefused, std::move(text), std::move(where)};
}

// The skins that show a mesh; all number their joints alike as far as the mesh goes.
std::vector<SkinId> skinsOf(const DocumentState& state, MeshId mesh) {
    std::vector<SkinId> skins;
    for (const document::Instance& instance : state.instances)
        if (instance.mesh == mesh && instance.skin.valid() &&
            std::find(skins.begin(), skins.end(), instance.skin) == skins.end())
            skins.push_back(instance.skin);
    return skins;
}

class Importer {
public:
    Importer(const Document& doc, MeshId mesh) : doc_(doc), mesh_(mesh), skins_(skinsOf(doc.state(), mesh)) {}

    Result<WeightsImport> run(const WeightsFile& file) {
        if (skins_.empty() || doc_.mesh(mesh_).weights.empty())
            return refused("", "The mesh has no skin: there is nothing to give weights to.");
        joints_ = doc_.skin(skins_.front()).joints;
        const std::size_t vertices = doc_.mesh(mesh_).geometry.vertexCount();
        if (file.rows.vertexCount() != vertices)
            return refused("vertices", "The weights are of " + std::to_string(file.rows.vertexCount()) +
                                           " vertices, the mesh has " + std::to_string(vertices) + ".");
        if (const Status mapped = mapJoints(file); !mapped)
            return mapped.error();
        document::Edit rows = document::replaceWeights(doc_, mesh_, mappedRows(file), "Import weights");
        WeightsImport result{{}, normalised_, unweighted_, joints_.size() - doc_.skin(skins_.front()).joints.size()};
        if (rows.empty())
            return WeightsImport{{}, normalised_, unweighted_, 0};
        result.edit.label = std::move(rows.label);
        result.edit.patches = std::move(appended_);
        std::move(rows.patches.begin(), rows.patches.end(), std::back_inserter(result.edit.patches));
        return result;
    }

private:
    // Joints that no row uses need not exist.
    Status mapJoints(const WeightsFile& file) {
        std::vector<std::uint8_t> used(file.joints.size(), 0);
        for (std::size_t v = 0; v < file.rows.vertexCount(); ++v)
            for (const skin::Influence& i : file.rows.row(v))
                used[i.slot] = 1;
        const JointNames names(doc_.state());
        slots_.assign(file.joints.size(), 0);
        std::unordered_map<std::uint32_t, std::size_t> taken;
        for (std::size_t k = 0; k < file.joints.size(); ++k) {
            if (!used[k])
                continue;
            const auto joint = names.find(file.joints[k]);
            if (!joint)
                return refused(file.joints[k], joint.error().text);
            const auto slot = slotOf(*joint);
            if (!slot)
                return slot.error();
            slots_[k] = *slot;
            if (!taken.emplace(*slot, k).second)
                return refused(file.joints[k], "Two entries of \"joints\" are this one joint.");
        }
        return {};
    }

    Result<std::uint32_t> slotOf(JointId joint) {
        const auto at = std::find(joints_.begin(), joints_.end(), joint);
        const auto slot = static_cast<std::uint32_t>(at - joints_.begin());
        if (at != joints_.end())
            return slot;
        for (const SkinId skin : skins_) {
            if (doc_.skin(skin).joints.size() != doc_.skin(skins_.front()).joints.size())
                return refused(doc_.skeleton()[joint].name,
                               "The skins of the mesh lack this joint and differ in length.");
            appended_.emplace_back(
                document::SkinJointPatch{skin, joint, doc_.skeleton()[joint].inverseBind * doc_.skin(skin).bindShape});
        }
        joints_.push_back(joint);
        return slot;
    }

    skin::SkinWeights mappedRows(const WeightsFile& file) {
        skin::SkinWeights rows(file.rows.vertexCount(), file.rows.capacity());
        skin::Row row;
        for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
            row.assign(file.rows.row(v).begin(), file.rows.row(v).end());
            double sum = 0;
            for (skin::Influence& i : row) {
                i.slot = slots_[i.slot];
                sum += static_cast<double>(i.weight);
            }
            unweighted_ += row.empty();
            if (!row.empty() && std::abs(sum - 1) > weights::sumTolerance(row.size())) {
                ++normalised_;
                for (skin::Influence& i : row)
                    i.weight = static_cast<float>(static_cast<double>(i.weight) / sum);
                std::erase_if(row, [](const skin::Influence& i) { return !(i.weight > 0); });
            }
            std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
            rows.setRow(doc_.mesh(mesh_).geometry.placeOfFile(static_cast<std::uint32_t>(v)), row);
        }
        return rows;
    }

    const Document& doc_;
    MeshId mesh_;
    std::vector<SkinId> skins_;
    std::vector<JointId> joints_;      // of the skin, appended ones last
    std::vector<std::uint32_t> slots_; // per joint of the file
    std::vector<document::Patch> appended_;
    std::size_t normalised_ = 0, unweighted_ = 0;
};

} // namespace

WeightsFile weightsOf(const DocumentState& state, MeshId mesh) {
    const document::MeshData& data = state.meshes[mesh.index()];
    WeightsFile file{data.geometry.name, {}, skin::SkinWeights(data.weights.vertexCount(), data.weights.capacity())};
    const std::vector<SkinId> skins = skinsOf(state, mesh);
    if (skins.empty())
        return file;
    const std::vector<JointId>& joints = state.skins[skins.front().index()].joints;
    std::vector<std::uint8_t> used(joints.size(), 0);
    for (std::size_t v = 0; v < data.weights.vertexCount(); ++v)
        for (const skin::Influence& i : data.weights.row(v))
            used[i.slot] = 1;
    const JointNames names(state);
    std::vector<std::uint32_t> places(joints.size(), 0);
    std::unordered_map<JointId, std::uint32_t> known; // a skin may list a joint twice
    for (std::size_t slot = 0; slot < joints.size(); ++slot) {
        if (!used[slot])
            continue;
        const auto [at, isNew] = known.emplace(joints[slot], static_cast<std::uint32_t>(file.joints.size()));
        places[slot] = at->second;
        if (isNew)
            file.joints.push_back(names.nameOf(joints[slot]));
    }
    for (std::size_t v = 0; v < data.weights.vertexCount(); ++v) {
        skin::Row row;
        for (const skin::Influence& i : data.weights.row(v)) {
            const std::uint32_t place = places[i.slot];
            const auto same = std::find_if(row.begin(), row.end(), [&](const auto& r) { return r.slot == place; });
            if (same == row.end())
                row.push_back({place, i.weight});
            else
                same->weight += i.weight;
        }
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
        file.rows.setRow(data.geometry.fileVertex(static_cast<std::uint32_t>(v)), row);
    }
    return file;
}

Result<WeightsImport> importWeights(const Document& doc, MeshId mesh, const WeightsFile& file) {
    return Importer(doc, mesh).run(file);
}

} // namespace limber::io
