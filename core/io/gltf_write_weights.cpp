#include "core/io/gltf_primitive.h"
#include "core/io/gltf_write_steps.h"
#include "core/weights/normalize.h"

#include <cmath>
#include <numeric>

namespace limber::io {

namespace {

// All JOINTS_n and WEIGHTS_n of one primitive, raw as they are in the file.
struct InfluenceSets {
    std::vector<std::vector<std::uint32_t>> joints; // [sets][V x 4]
    std::vector<std::vector<float>> weights;        // [sets][V x 4]
    ComponentType jointType = ComponentType::U8;    // the widest
    ComponentType weightType = ComponentType::F32;  // the finest

    void addSet(std::size_t vertices) {
        joints.emplace_back(vertices * 4, 0u);
        weights.emplace_back(vertices * 4, 0.0f);
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

// The row as integers of the file's type; empty where they would not give the same weights.
std::vector<std::uint32_t> asIntegers(std::span<const skin::Influence> row, ComponentType type) {
    std::vector<double> values;
    for (const skin::Influence& i : row)
        values.push_back(static_cast<double>(i.weight));
    const std::size_t total = totalOf(type);
    std::vector<std::uint32_t> integers = weights::quantizeWeights(values, static_cast<std::uint32_t>(total));
    for (std::size_t k = 0; k < values.size(); ++k)
        if (std::abs(integers[k] / static_cast<double>(total) - values[k]) > 1e-6)
            return {};
    return integers;
}

class PrimitiveWeights {
public:
    PrimitiveWeights(WriteContext& context, MeshId mesh, std::size_t primitive)
        : context_(context), mesh_(mesh), primitive_(primitive), before_(context.before.meshes[mesh.index()]),
          after_(context.after.meshes[mesh.index()]), part_(before_.geometry.parts[primitive]) {}

    void write() {
        collectChanged();
        if (changed_.empty())
            return;
        makePlain(context_.patch, mesh_.index(), primitive_);
        readSets();
        addRepaired();
        const std::size_t had = sets_.joints.size();
        fitSets();
        for (const std::uint32_t v : changed_)
            setRow(v);
        chooseType();
        store(had);
    }

private:
    [[nodiscard]] std::span<const skin::Influence> rowBefore(std::uint32_t v) const {
        return before_.weights.empty() ? std::span<const skin::Influence>()
                                       : before_.weights.row(part_.firstVertex + v);
    }
    [[nodiscard]] std::span<const skin::Influence> rowAfter(std::uint32_t v) const {
        return after_.weights.row(part_.firstVertex + v);
    }
    [[nodiscard]] Json& json() const { return context_.mesh(mesh_)["primitives"][primitive_]; }
    // A row that the file has wrong and that is to be written as it was repaired.
    [[nodiscard]] bool isAskedFor(std::uint32_t v) const {
        return after_.writesRepairedRows &&
               std::binary_search(after_.repairedRows.begin(), after_.repairedRows.end(), part_.firstVertex + v);
    }

    void collectChanged() {
        for (std::uint32_t v = 0; v < part_.vertexCount; ++v) {
            mostBefore_ = std::max(mostBefore_, rowBefore(v).size());
            mostAfter_ = std::max(mostAfter_, rowAfter(v).size());
            if (!sameRow(rowBefore(v), rowAfter(v)) || isAskedFor(v))
                changed_.push_back(v);
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
            if (j.type != ComponentType::U8)
                sets_.jointType = ComponentType::U16;
            // Sets of different types are all written as floats.
            if (s == 0)
                sets_.weightType = w.type;
            else if (sets_.weightType != w.type)
                sets_.weightType = ComponentType::F32;
        }
        if (sets_.weightType != ComponentType::U8 && sets_.weightType != ComponentType::U16)
            sets_.weightType = ComponentType::F32;
    }

    // Rows that were mended when the file was read are written mended once their accessor is written at all.
    void addRepaired() {
        std::vector<std::uint32_t> repaired;
        for (std::uint32_t v = 0; v < part_.vertexCount; ++v) {
            double sum = 0;
            bool valid = true;
            for (const std::vector<float>& set : sets_.weights)
                for (std::size_t k = 4 * std::size_t(v); k < 4 * std::size_t(v) + 4; ++k) {
                    valid &= std::isfinite(set[k]) && set[k] >= 0;
                    sum += set[k];
                }
            if (!valid || (!rowAfter(v).empty() && std::abs(sum - 1) > 1e-6))
                repaired.push_back(v);
        }
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
            sets_.joints.resize(needed);
            sets_.weights.resize(needed);
            // Rows may be spread over sets that are gone.
            changed_.resize(part_.vertexCount);
            std::iota(changed_.begin(), changed_.end(), 0u);
        }
    }

    void setRow(std::uint32_t v) {
        const skin::Row row = byStrength(rowAfter(v));
        for (std::size_t k = 0; k < sets_.joints.size() * 4; ++k) {
            const std::size_t at = 4 * static_cast<std::size_t>(v) + k % 4;
            sets_.joints[k / 4][at] = k < row.size() ? row[k].slot : 0;
            sets_.weights[k / 4][at] = k < row.size() ? row[k].weight : 0;
            if (k < row.size() && row[k].slot > 255)
                sets_.jointType = ComponentType::U16;
        }
    }

    // Integers stay integers only where they hold all changed rows.
    void chooseType() {
        if (sets_.weightType == ComponentType::F32)
            return;
        const float total = static_cast<float>(totalOf(sets_.weightType));
        const std::vector<std::vector<float>> exact = sets_.weights;
        for (const std::uint32_t v : changed_) {
            const skin::Row row = byStrength(rowAfter(v));
            const std::vector<std::uint32_t> integers = asIntegers(row, sets_.weightType);
            if (integers.size() != row.size()) {
                sets_.weightType = ComponentType::F32;
                sets_.weights = exact;
                return;
            }
            for (std::size_t k = 0; k < integers.size(); ++k)
                sets_.weights[k / 4][4 * static_cast<std::size_t>(v) + k % 4] = static_cast<float>(integers[k]) / total;
        }
    }

    [[nodiscard]] std::optional<std::size_t> present(const std::string& semantic) const {
        const Json* accessor = member(json()["attributes"], semantic.c_str());
        return accessor ? std::optional(accessor->get<std::size_t>()) : std::nullopt;
    }

    void store(std::size_t had) {
        const bool floats = sets_.weightType == ComponentType::F32;
        for (std::size_t s = 0; s < sets_.joints.size(); ++s) {
            const EncodedValues j = encodeUnsigned(sets_.joints[s], 4, sets_.jointType);
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
};

} // namespace

void writeWeights(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m) {
        const document::MeshData& after = context.after.meshes[m];
        if (after.weights.empty())
            continue;
        for (std::size_t p = 0; p < after.geometry.parts.size(); ++p)
            PrimitiveWeights(context, MeshId(m), p).write();
    }
}

} // namespace limber::io
