#include "core/document/evaluator.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"
#include "core/mesh/normals.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace limber::io {

namespace {

using document::MeshData;
using shape::Shape;
using Vectors = std::vector<Eigen::Vector3f>;

constexpr const char* kPosition = "POSITION";

bool sameVectors(const Vectors& a, const Vectors& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

bool sameOffsets(const Shape& a, const Shape& b) {
    return a.vertices == b.vertices && sameVectors(a.deltas, b.deltas) && sameVectors(a.normalDeltas, b.normalDeltas) &&
           sameVectors(a.tangentDeltas, b.tangentDeltas);
}

TargetMap targetMap(const MeshData& before, const MeshData& after) {
    TargetMap map;
    map.oldCount = before.shapes.size();
    for (const Shape& shape : after.shapes) {
        const std::size_t index = before.shapeIndex(shape.id);
        map.from.push_back(index < before.shapes.size() ? std::optional(index) : std::nullopt);
    }
    return map;
}

// The entries of one part as dense values [vertices x 3].
std::vector<float> dense(const Shape& shape, const Vectors& values, const mesh::Part& part) {
    std::vector<float> out(std::size_t(part.vertexCount) * 3, 0.0f);
    const auto begin = std::lower_bound(shape.vertices.begin(), shape.vertices.end(), part.firstVertex);
    for (auto v = begin; v != shape.vertices.end() && *v < part.firstVertex + part.vertexCount; ++v)
        std::memcpy(&out[std::size_t(*v - part.firstVertex) * 3],
                    values[static_cast<std::size_t>(v - shape.vertices.begin())].data(), 3 * sizeof(float));
    return out;
}

// How the smooth normals change when the shape is fully on, for every vertex.
Vectors smoothNormalDeltas(const MeshData& mesh, const Shape& shape) {
    Vectors moved = mesh.geometry.positions;
    for (std::size_t k = 0; k < shape.vertices.size(); ++k)
        moved[shape.vertices[k]] += shape.deltas[k];
    Vectors deltas = mesh::smoothNormals(mesh.weld(), mesh.geometry.triangles, moved);
    const Vectors rest = mesh::smoothNormals(mesh.weld(), mesh.geometry.triangles, mesh.geometry.positions);
    for (std::size_t v = 0; v < deltas.size(); ++v)
        deltas[v] -= rest[v];
    return deltas;
}

class MeshTargets {
public:
    MeshTargets(WriteContext& context, MeshId mesh)
        : context_(context), mesh_(mesh), before_(context.before.meshes[mesh.index()]),
          after_(context.after.meshes[mesh.index()]), map_(targetMap(before_, after_)) {}

    void write() {
        bool changed = !map_.identity();
        for (std::size_t t = 0; t < after_.shapes.size() && !changed; ++t)
            changed = !sameOffsets(after_.shapes[t], before_.shapes[*map_.from[t]]);
        if (changed)
            for (std::size_t p = 0; p < after_.geometry.parts.size(); ++p)
                writePart(p);
        if (!map_.identity())
            followTargets();
        if (changed)
            noteMadeNormals();
        writeNames();
    }

private:
    void writePart(std::size_t p) {
        Json& primitive = context_.mesh(mesh_)["primitives"][p];
        const Json old = member(primitive, "targets") ? primitive["targets"] : Json::array();
        const bool normals = std::any_of(old.begin(), old.end(), [](const Json& t) { return t.contains("NORMAL"); });
        Json targets = Json::array();
        for (std::size_t t = 0; t < after_.shapes.size(); ++t) {
            Json target = map_.from[t] && *map_.from[t] < old.size() ? old[*map_.from[t]] : Json::object();
            const Shape* original = map_.from[t] ? &before_.shapes[*map_.from[t]] : nullptr;
            if (!original || !sameOffsets(after_.shapes[t], *original))
                writeTarget(target, t, original, after_.geometry.parts[p], normals);
            // A part that had fewer targets than the others gets those that do nothing there.
            if (target.empty() && after_.geometry.parts[p].vertexCount > 0)
                put(target, kPosition, dense(after_.shapes[t], after_.shapes[t].deltas, after_.geometry.parts[p]));
            targets.push_back(std::move(target));
        }
        for (std::size_t t = 0; t < old.size(); ++t)
            if (std::find(map_.from.begin(), map_.from.end(), t) == map_.from.end())
                for (const auto& [semantic, accessor] : old[t].items())
                    context_.patch.release(accessor.get<std::size_t>());
        if (targets.empty())
            primitive.erase("targets");
        else
            primitive["targets"] = std::move(targets);
    }

    void put(Json& target, const char* semantic, const std::vector<float>& values) {
        std::optional<std::size_t> accessor;
        if (const Json* present = member(target, semantic))
            accessor = present->get<std::size_t>();
        const auto bounds = semantic == kPosition ? TreePatch::Bounds::Required : TreePatch::Bounds::IfPresent;
        target[semantic] = context_.patch.put(accessor, encodeFloats(values, 3), TreePatch::Use::Vertices, bounds);
    }

    // Only what differs in this part; a new target has positions in every part.
    void writeTarget(Json& target, std::size_t t, const Shape* original, const mesh::Part& part,
                     bool siblingsHaveNormals) {
        if (part.vertexCount == 0)
            return;
        const Shape& shape = after_.shapes[t];
        const auto update = [&](const char* semantic, Vectors Shape::*values) {
            if ((shape.*values).empty() && semantic != kPosition)
                return;
            const std::vector<float> now = dense(shape, shape.*values, part);
            if (!original || (original->*values).empty() || dense(*original, original->*values, part) != now)
                put(target, semantic, now);
        };
        update(kPosition, &Shape::deltas);
        update("NORMAL", &Shape::normalDeltas);
        if (target.contains("TANGENT"))
            update("TANGENT", &Shape::tangentDeltas);
        if (shape.normalDeltas.empty() && (siblingsHaveNormals || target.contains("NORMAL"))) {
            put(target, "NORMAL", madeNormals(t, part));
            made_.insert(t);
        }
    }

    // Programs that go by the normals of targets need them in all targets or none.
    std::vector<float> madeNormals(std::size_t t, const mesh::Part& part) {
        const Vectors all = smoothNormalDeltas(after_, after_.shapes[t]);
        std::vector<float> values(std::size_t(part.vertexCount) * 3);
        std::memcpy(values.data(), all[part.firstVertex].data(), values.size() * sizeof(float));
        return values;
    }

    // A reader of ours makes these normals again instead of taking them for the file's own.
    void noteMadeNormals() {
        Json& mesh = context_.mesh(mesh_);
        for (std::size_t t = 0; t < map_.from.size(); ++t)
            if (map_.from[t] && hasMadeNormals(mesh, *map_.from[t]))
                made_.insert(t);
        Json targets = Json::array();
        for (const std::size_t t : made_)
            targets.push_back(t);
        setLimberExtra(mesh, "smoothNormals", targets.empty() ? Json(nullptr) : std::move(targets));
    }

    // Weights of the mesh and its nodes, and of clips, have one entry a target.
    void followTargets() {
        remapWeights(context_.mesh(mesh_));
        if (member(context_.patch.json(), "nodes"))
            for (Json& node : context_.patch.json()["nodes"])
                if (const Json* mesh = member(node, "mesh"); mesh && wholeNumber(*mesh, "") == mesh_.index())
                    remapWeights(node);
        remapClipWeights(context_, mesh_, map_);
    }

    void remapWeights(Json& owner) {
        const Json* weights = member(owner, "weights");
        if (!weights || !weights->is_array())
            return;
        Json remapped = Json::array();
        for (const auto& from : map_.from)
            remapped.push_back(from && *from < weights->size() ? (*weights)[*from] : Json(0.0));
        if (remapped.empty())
            owner.erase("weights");
        else
            owner["weights"] = std::move(remapped);
    }

    void writeNames() {
        Json& mesh = context_.mesh(mesh_);
        bool changed = !map_.identity();
        for (std::size_t t = 0; t < after_.shapes.size() && !changed; ++t)
            changed = after_.shapes[t].name != before_.shapes[t].name;
        if (!changed)
            return;
        Json names = Json::array();
        for (const Shape& shape : after_.shapes)
            names.push_back(shape.name);
        setExtra(mesh, "targetNames", names.empty() ? Json(nullptr) : std::move(names));
    }

    WriteContext& context_;
    MeshId mesh_;
    const MeshData& before_;
    const MeshData& after_;
    TargetMap map_;
    std::set<std::size_t> made_; // targets whose normals were made here or by an earlier save
};

// The weights of a node as a reader sees them.
std::vector<double> presentWeights(const Json& node, const Json& mesh, std::size_t count) {
    auto weights = numbersMember(member(node, "weights") ? node : mesh, "weights", 0, "weights");
    std::vector<double> values = weights ? *weights : std::vector<double>();
    values.resize(count, 0.0);
    return values;
}

std::size_t nodesWithMesh(const Json& json, MeshId mesh) {
    std::size_t count = 0;
    for (const Json& node : list(json, "nodes", "nodes"))
        if (const Json* index = member(node, "mesh"); index && wholeNumber(*index, "") == mesh.index())
            ++count;
    return count;
}

// A driven weight is computed anew from the pose at each opening; what rounding adds is no edit.
bool sameWeights(std::span<const double> a, std::span<const double> b, const MeshData& mesh) {
    for (std::size_t s = 0; s < a.size(); ++s)
        if (mesh.isDriven(mesh.shapes[s].id) ? std::abs(a[s] - b[s]) > 1e-6 : a[s] != b[s])
            return false;
    return true;
}

// What reading would refuse is not written.
void checkRange(const document::Instance& instance, const MeshData& data, std::span<const double> effective) {
    const auto fits = [](double weight) { return std::abs(weight) <= double(std::numeric_limits<float>::max()); };
    for (std::size_t s = 0; s < data.shapes.size(); ++s)
        if (!fits(effective[s]) || !fits(instance.shapeWeights[s]))
            refuse(place("nodes", instance.node.index()),
                   "The weight of the shape \"" + data.shapes[s].name +
                       "\" is beyond the numbers that glTF holds; set it to a smaller one.");
}

void writeInstance(WriteContext& context, const document::Instance& instance, std::span<const double> effective) {
    Json& node = context.node(instance.node);
    Json& mesh = context.mesh(instance.mesh);
    const MeshData& data = context.after.meshes[instance.mesh.index()];
    checkRange(instance, data, effective);
    if (!sameWeights(effective, presentWeights(node, mesh, effective.size()), data)) {
        const bool ofMesh = !member(node, "weights") && nodesWithMesh(context.patch.json(), instance.mesh) == 1;
        (ofMesh ? mesh : node)["weights"] = jsonOf(effective);
    }
    bool hidden = false;
    for (std::size_t s = 0; s < data.shapes.size(); ++s)
        hidden |= instance.shapeWeights[s] != 0 && (data.shapes[s].muted || data.isDriven(data.shapes[s].id));
    setLimberExtra(node, "sliders", hidden ? jsonOf(instance.shapeWeights) : Json(nullptr));
}

// Whether anything that decides shape weights differs from the file.
bool weightsMayDiffer(const WriteContext& context) {
    const document::DocumentState &a = context.before, &b = context.after;
    for (std::size_t j = 0; j < b.pose.size(); ++j)
        if (!math::identical(a.pose[j], b.pose[j]))
            return true;
    for (std::size_t m = 0; m < b.meshes.size(); ++m)
        if (!targetMap(a.meshes[m], b.meshes[m]).identity() || meshExtras(a.meshes[m]) != meshExtras(b.meshes[m]))
            return true;
    for (std::size_t i = 0; i < b.instances.size(); ++i)
        if (a.instances[i].shapeWeights != b.instances[i].shapeWeights)
            return true;
    return false;
}

bool moves(const rig::Clip& clip, const MeshData& mesh) {
    return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const rig::Channel& channel) {
        return std::any_of(mesh.drivers.begin(), mesh.drivers.end(), [&](const shape::PoseDriver& driver) {
            return std::find(driver.joints.begin(), driver.joints.end(), channel.joint) != driver.joints.end();
        });
    });
}

void noteDrivenShapes(WriteContext& context) {
    for (const MeshData& mesh : context.after.meshes)
        for (const rig::Clip& clip : context.after.clips)
            if (moves(clip, mesh)) {
                context.patch.notes.push_back("The shapes of \"" + mesh.geometry.name +
                                              "\" that follow the pose keep the weights of the saved pose while other "
                                              "programs play clips: only Limber evaluates their drivers.");
                return;
            }
}

} // namespace

bool TargetMap::identity() const {
    if (from.size() != oldCount)
        return false;
    for (std::size_t t = 0; t < from.size(); ++t)
        if (from[t] != t)
            return false;
    return true;
}

void writeShapes(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m)
        MeshTargets(context, MeshId(m)).write();
}

void writeShapeState(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m) {
        const MeshData& after = context.after.meshes[m];
        Json& json = context.mesh(MeshId(m));
        setMeshExtras(json, meshExtras(context.before.meshes[m]), meshExtras(after));
    }
    if (!weightsMayDiffer(context))
        return;
    const document::Preview nothing;
    document::Evaluator evaluator(context.document, nothing);
    for (std::size_t i = 0; i < context.after.instances.size(); ++i) {
        const document::Instance& instance = context.after.instances[i];
        if (!context.after.meshes[instance.mesh.index()].shapes.empty())
            writeInstance(context, instance, evaluator.shapeWeights(InstanceId(i)));
    }
    noteDrivenShapes(context);
}

} // namespace limber::io
