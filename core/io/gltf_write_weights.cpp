#include "core/base/pieces.h"
#include "core/io/gltf_primitive.h"
#include "core/io/gltf_write_steps.h"
#include "core/skin/pose_map.h"
#include "core/weights/normalize.h"

#include <cmath>
#include <numeric>

namespace limber::io {

namespace {

// All JOINTS_n and WEIGHTS_n of one primitive, raw as they are in the file.
struct InfluenceSets {
    std::vector<std::vector<std::uint32_t>> joints; // [sets][V x 4]
    std::vector<std::vector<float>> weights;        // [sets][V x 4]
    std::vector<ComponentType> jointTypes;          // [sets]
    ComponentType weightType = ComponentType::F32;  // of all sets

    void addSet(std::size_t vertices) {
        joints.emplace_back(vertices * 4, 0u);
        weights.emplace_back(vertices * 4, 0.0f);
        jointTypes.push_back(ComponentType::U8);
    }
    void keepSets(std::size_t count) {
        joints.resize(count);
        weights.resize(count);
        jointTypes.resize(count);
    }
};

std::size_t setsFor(std::size_t influences) {
    return (influences + 3) / 4;
}

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string joints(std::size_t set) {
    return "JOINTS_" + std::to_string(set);
}
std::string weights(std::size_t set) {
    return "WEIGHTS_" + std::to_string(set);
}

std::size_t totalOf(ComponentType type) {
    return type == ComponentType::U8 ? 255 : 65535;
}

// Strongest first: a program that reads only four influences gets the right ones.
skin::Row byStrength(std::span<const skin::Influence> row) {
    skin::Row sorted(row.begin(), row.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
    return sorted;
}

// What of the rows could not be written as it is.
struct Changes {
    std::size_t toBytes = 0;    // rows that bytes hold less exactly
    std::size_t asFloats = 0;   // rows that integers would have robbed of an influence
    std::size_t unweighted = 0; // rows without weights, which glTF does not have
};

// The row as integers of the file's type, summing to its whole range (C30); empty where an influence would vanish.
std::vector<std::uint32_t> asIntegers(std::span<const skin::Influence> row, ComponentType type) {
    std::vector<double> values;
    for (const skin::Influence& i : row)
        values.push_back(static_cast<double>(i.weight));
    std::vector<std::uint32_t> integers = weights::quantizeWeights(values, static_cast<std::uint32_t>(totalOf(type)));
    for (std::size_t k = 0; k < row.size(); ++k)
        if (integers[k] == 0 && row[k].weight > skin::kWeightEpsilon)
            return {};
    return integers;
}

// Vertices below `count` of which `holds` is true, ascending; it is asked on several threads.
template <class Holds> std::vector<std::uint32_t> verticesWhere(std::uint32_t count, const Holds& holds) {
    constexpr std::size_t kPiece = 16384;
    std::vector<std::vector<std::uint32_t>> pieces((count + kPiece - 1) / kPiece);
    inPieces(count, kPiece, [&](std::size_t first, std::size_t end) {
        for (auto v = static_cast<std::uint32_t>(first); v < end; ++v)
            if (holds(v))
                pieces[first / kPiece].push_back(v);
    });
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& piece : pieces)
        all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

class PrimitiveWeights {
public:
    PrimitiveWeights(WriteContext& context, MeshId mesh, std::size_t primitive)
        : context_(context), mesh_(mesh), primitive_(primitive), before_(context.before.meshes[mesh.index()]),
          after_(context.after.meshes[mesh.index()]), part_(before_.geometry.parts[primitive]) {}

    Changes write() {
        collectChanged();
        if (changed_.empty())
            return {};
        top_ = topSlot();
        makePlain(context_.patch, mesh_.index(), primitive_);
        readSets();
        addRepaired();
        if (lacksValues_) { // what stood for zeros is written out
            changed_.resize(part_.vertexCount);
            std::iota(changed_.begin(), changed_.end(), 0u);
        }
        const std::size_t had = sets_.joints.size();
        fitSets();
        for (const std::uint32_t v : changed_)
            setRow(v);
        chooseType();
        store(had);
        return changes_;
    }

private:
    [[nodiscard]] std::span<const skin::Influence> rowBefore(std::uint32_t v) const {
        return before_.weights.empty() ? std::span<const skin::Influence>()
                                       : before_.weights.row(part_.firstVertex + v);
    }
    [[nodiscard]] std::span<const skin::Influence> rowAfter(std::uint32_t v) const {
        return after_.weights.row(part_.firstVertex + v);
    }
    // Strongest first. A vertex without weights follows the skin's topmost joint: weights of zero are not valid.
    [[nodiscard]] skin::Row written(std::uint32_t v) const {
        const auto row = rowAfter(v);
        return row.empty() ? skin::Row{{top_, 1.0f}} : byStrength(row);
    }
    [[nodiscard]] std::uint32_t topSlot() const {
        const auto shows = [this](const document::Instance& i) { return i.mesh == mesh_ && i.skin.valid(); };
        const auto& instances = context_.after.instances;
        const auto instance = std::find_if(instances.begin(), instances.end(), shows);
        if (instance == instances.end())
            return 0;
        const std::vector<JointId>& joints = context_.after.skins[instance->skin.index()].joints;
        const auto depth = [this](JointId j) {
            std::size_t steps = 0;
            for (; j.valid(); j = context_.after.skeleton[j].parent)
                ++steps;
            return steps;
        };
        std::size_t top = 0;
        for (std::size_t k = 1; k < joints.size(); ++k)
            if (depth(joints[k]) < depth(joints[top]))
                top = k;
        return static_cast<std::uint32_t>(top);
    }
    [[nodiscard]] Json& json() const { return context_.mesh(mesh_)["primitives"][primitive_]; }
    // A row that the file has wrong and that is to be written as it was repaired.
    [[nodiscard]] bool isAskedFor(std::uint32_t v) const {
        return after_.writesRepairs &&
               std::binary_search(after_.repairedRows.begin(), after_.repairedRows.end(), part_.firstVertex + v);
    }

    void collectChanged() {
        changed_ = verticesWhere(part_.vertexCount, [this](std::uint32_t v) {
            return !sameRow(rowBefore(v), rowAfter(v)) || isAskedFor(v);
        });
        for (std::uint32_t v = 0; !changed_.empty() && v < part_.vertexCount; ++v) {
            mostBefore_ = std::max(mostBefore_, rowBefore(v).size());
            mostAfter_ = std::max(mostAfter_, rowAfter(v).size());
        }
    }

    void readSets() {
        std::vector<Repair> unused;
        const std::size_t views = list(context_.patch.source().json(), "bufferViews", "").size();
        const Json& original = context_.patch.source().json()["meshes"][mesh_.index()]["primitives"][primitive_];
        PrimitiveSource source(context_.patch.reader(), original, views, place("meshes", mesh_.index()));
        const Json& attributes = original["attributes"];
        for (std::size_t s = 0; s < source.influenceSets(unused); ++s) {
            sets_.joints.push_back(source.joints(joints(s)));
            sets_.weights.push_back(source.floats(weights(s), 4, NonFinite::Keep));
            const AccessorInfo& j = context_.patch.reader().info(attributes[joints(s)].get<std::size_t>());
            const AccessorInfo& w = context_.patch.reader().info(attributes[weights(s)].get<std::size_t>());
            lacksValues_ |= !w.view && !w.sparse;
            sets_.jointTypes.push_back(j.type == ComponentType::U8 ? ComponentType::U8 : ComponentType::U16);
            // Sets of different types are all written as floats.
            if (s == 0)
                sets_.weightType = w.type;
            else if (sets_.weightType != w.type)
                sets_.weightType = ComponentType::F32;
        }
        lacksValues_ |= sets_.joints.empty();
        if (sets_.weightType != ComponentType::U8 && sets_.weightType != ComponentType::U16)
            sets_.weightType = ComponentType::F32;
    }

    // Rows that were mended when the file was read are written mended once their accessor is written at all.
    void addRepaired() {
        const std::vector<std::uint32_t> repaired = verticesWhere(part_.vertexCount, [this](std::uint32_t v) {
            double sum = 0;
            std::size_t influences = 0;
            bool valid = true;
            for (const std::vector<float>& set : sets_.weights)
                for (std::size_t k = 4 * std::size_t(v); k < 4 * std::size_t(v) + 4; ++k) {
                    valid &= std::isfinite(set[k]) && set[k] >= 0;
                    sum += set[k];
                    influences += set[k] != 0;
                }
            return !valid || (!rowAfter(v).empty() && std::abs(sum - 1) > weights::sumTolerance(influences));
        });
        std::vector<std::uint32_t> all;
        std::set_union(changed_.begin(), changed_.end(), repaired.begin(), repaired.end(), std::back_inserter(all));
        changed_ = std::move(all);
    }

    // As many sets as the rows need; fewer than there were only where the file needed them all before.
    void fitSets() {
        const std::size_t needed = std::max<std::size_t>(setsFor(mostAfter_), 1), had = sets_.joints.size();
        while (sets_.joints.size() < needed)
            sets_.addSet(part_.vertexCount);
        if (needed < had && setsFor(mostBefore_) == had) {
            sets_.keepSets(needed);
            // Rows may be spread over sets that are gone.
            changed_.resize(part_.vertexCount);
            std::iota(changed_.begin(), changed_.end(), 0u);
        }
    }

    void setRow(std::uint32_t v) {
        const skin::Row row = written(v);
        changes_.unweighted += rowAfter(v).empty() ? 1 : 0;
        for (std::size_t k = 0; k < sets_.joints.size() * 4; ++k) {
            const std::size_t at = 4 * static_cast<std::size_t>(v) + k % 4;
            sets_.joints[k / 4][at] = k < row.size() ? row[k].slot : 0;
            sets_.weights[k / 4][at] = k < row.size() ? row[k].weight : 0;
            if (k < row.size() && row[k].slot > 255)
                sets_.jointTypes[k / 4] = ComponentType::U16;
        }
    }

    // Integers stay integers unless that loses an influence of a changed row.
    void chooseType() {
        if (sets_.weightType == ComponentType::F32)
            return;
        std::vector<std::vector<std::uint32_t>> rows;
        for (const std::uint32_t v : changed_) {
            rows.push_back(asIntegers(written(v), sets_.weightType));
            changes_.asFloats += rows.back().empty() ? 1 : 0;
        }
        if (changes_.asFloats) {
            sets_.weightType = ComponentType::F32;
            return;
        }
        for (std::size_t k = 0; k < changed_.size(); ++k)
            roundRow(changed_[k], rows[k]);
    }

    void roundRow(std::uint32_t v, std::span<const std::uint32_t> integers) {
        const auto total = static_cast<float>(totalOf(sets_.weightType));
        bool rounded = false;
        for (std::size_t k = 0; k < integers.size(); ++k) {
            float& weight = sets_.weights[k / 4][4 * static_cast<std::size_t>(v) + k % 4];
            const float held = static_cast<float>(integers[k]) / total;
            rounded |= std::abs(held - weight) > 1e-6f;
            weight = held;
        }
        changes_.toBytes += rounded && sets_.weightType == ComponentType::U8 ? 1 : 0;
    }

    [[nodiscard]] std::optional<std::size_t> present(const std::string& semantic) const {
        const Json* accessor = member(json()["attributes"], semantic.c_str());
        return accessor ? std::optional(accessor->get<std::size_t>()) : std::nullopt;
    }

    void store(std::size_t had) {
        const bool floats = sets_.weightType == ComponentType::F32;
        for (std::size_t s = 0; s < sets_.joints.size(); ++s) {
            const EncodedValues j = encodeUnsigned(sets_.joints[s], 4, sets_.jointTypes[s]);
            const EncodedValues w =
                floats ? encodeFloats(sets_.weights[s], 4) : encodeFloats(sets_.weights[s], 4, sets_.weightType, true);
            const auto oldJoints = present(joints(s)), oldWeights = present(weights(s));
            json()["attributes"][joints(s)] = context_.patch.put(oldJoints, j, TreePatch::Use::Vertices);
            json()["attributes"][weights(s)] = context_.patch.put(oldWeights, w, TreePatch::Use::Vertices);
        }
        for (std::size_t s = sets_.joints.size(); s < had; ++s)
            for (const std::string& semantic : {joints(s), weights(s)}) {
                context_.patch.release(*present(semantic));
                json()["attributes"].erase(semantic);
            }
    }

    WriteContext& context_;
    MeshId mesh_;
    std::size_t primitive_;
    const document::MeshData& before_;
    const document::MeshData& after_;
    mesh::Part part_;
    std::vector<std::uint32_t> changed_; // of the primitive's vertices
    std::size_t mostBefore_ = 0, mostAfter_ = 0;
    InfluenceSets sets_;
    std::uint32_t top_ = 0;    // slot of the skin's topmost joint
    bool lacksValues_ = false; // there were no weights, or none in the data
    Changes changes_;
};

void note(WriteContext& context, MeshId mesh, const Changes& changes) {
    const std::string& name = context.after.meshes[mesh.index()].geometry.name;
    const std::string where = name.empty() ? place("meshes", mesh.index()) : "mesh \"" + name + '"';
    std::vector<std::string>& notes = context.patch.notes;
    if (changes.toBytes)
        notes.push_back("The changed weights of " + std::to_string(changes.toBytes) + " vertices of " + where +
                        " are rounded to 1/255: the file keeps its weights in bytes.");
    if (changes.asFloats)
        notes.push_back("The weights of " + where +
                        " are saved as floats: the file's integers would lose an influence "
                        "of " +
                        std::to_string(changes.asFloats) + " vertices.");
    if (changes.unweighted)
        notes.push_back(std::to_string(changes.unweighted) + " vertices of " + where +
                        " have no weights, which glTF "
                        "does not allow: they are saved as moved by the topmost joint.");
}

} // namespace

void writeWeights(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m) {
        const document::MeshData& after = context.after.meshes[m];
        if (after.weights.empty())
            continue;
        Changes changes;
        for (std::size_t p = 0; p < after.geometry.parts.size(); ++p) {
            const Changes part = PrimitiveWeights(context, MeshId(m), p).write();
            changes.toBytes += part.toBytes;
            changes.asFloats += part.asFloats;
            changes.unweighted += part.unweighted;
        }
        note(context, MeshId(m), changes);
    }
}

} // namespace limber::io
