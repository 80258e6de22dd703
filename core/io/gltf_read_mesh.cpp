#include "core/base/pieces.h"
#include "core/io/gltf_influences.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_painted_maps.h"
#include "core/io/gltf_primitive.h"
#include "core/io/gltf_reader.h"
#include "core/mesh/normals.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace limber::io {

namespace {

using document::MeshData;

// A hundred times a large character. Small files can repeat their data to any number; none may take minutes.
constexpr std::size_t kMostVertices = 20'000'000;

using Eigen::Vector3f;
using Eigen::Vector4f;

constexpr std::size_t kPiece = 32768; // vertices that one thread looks at in one go

// Appends [n x components of T] floats to vectors of Eigen type T.
template <class T> void append(std::vector<T>& out, const std::vector<float>& values) {
    constexpr std::size_t kComponents = T::RowsAtCompileTime;
    const std::size_t first = out.size();
    out.resize(first + values.size() / kComponents);
    for (std::size_t i = first; i < out.size(); ++i)
        std::memcpy(out[i].data(), &values[(i - first) * kComponents], sizeof(float) * kComponents);
}

// Appends an attribute where the primitive has it, without a copy between.
template <class T> void append(std::vector<T>& out, PrimitiveSource& primitive, const char* semantic) {
    if (!primitive.has(semantic))
        return;
    constexpr std::size_t kComponents = T::RowsAtCompileTime;
    static_assert(sizeof(T) == kComponents * sizeof(float));
    const std::size_t first = out.size(), count = primitive.vertexCount();
    out.resize(first + count);
    primitive.readFloats(semantic, kComponents,
                         std::span(reinterpret_cast<float*>(out.data() + first), count * kComponents));
}

// Optional attributes are there for all vertices or none: earlier parts get the default once a part has one.
template <class T>
void appendOptional(std::vector<T>& out, const std::vector<float>& values, std::size_t before, std::size_t count,
                    const T& otherwise) {
    if (values.empty() && out.empty())
        return;
    out.resize(before, otherwise);
    if (values.empty())
        out.resize(before + count, otherwise);
    else
        append(out, values);
}

template <class T>
void appendOptional(std::vector<T>& out, PrimitiveSource& primitive, const char* semantic, std::size_t before,
                    const T& otherwise) {
    if (!primitive.has(semantic))
        return appendOptional(out, {}, before, primitive.vertexCount(), otherwise);
    out.resize(before, otherwise);
    append(out, primitive, semantic);
}

std::vector<float> colorsOf(PrimitiveSource& primitive) {
    if (primitive.components("COLOR_0") != 3)
        return primitive.floats("COLOR_0", 4);
    const std::vector<float> rgb = primitive.floats("COLOR_0", 3);
    std::vector<float> rgba;
    rgba.reserve(rgb.size() / 3 * 4);
    for (std::size_t i = 0; i < rgb.size(); i += 3)
        rgba.insert(rgba.end(), {rgb[i], rgb[i + 1], rgb[i + 2], 1.0f});
    return rgba;
}

// Makes given normals unit; returns which were not. Zero normals stay zero, to be made from the triangles.
std::vector<std::uint32_t> normalise(std::vector<Vector3f>& normals, std::size_t first) {
    constexpr auto kTolerance = static_cast<float>(kUnitTolerance3);
    std::vector<std::uint32_t> wrong;
    std::mutex guard;
    inPieces(normals.size() - first, kPiece, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> here;
        for (std::size_t i = first + begin; i < first + end; ++i) {
            const float square = normals[i].squaredNorm();
            if (std::abs(square - 1) <= 4 * std::numeric_limits<float>::epsilon())
                continue;
            const float length = std::sqrt(square);
            if (std::abs(length - 1) > kTolerance)
                here.push_back(static_cast<std::uint32_t>(i));
            if (length > 0)
                normals[i] /= length;
        }
        if (here.empty())
            return;
        const std::scoped_lock lock(guard);
        wrong.insert(wrong.end(), here.begin(), here.end());
    });
    std::sort(wrong.begin(), wrong.end());
    return wrong;
}

void checkTangents(ReadContext& context, const std::vector<Vector4f>& tangents, std::size_t first,
                   const std::string& where) {
    constexpr auto kTolerance = static_cast<float>(kUnitTolerance3);
    std::size_t wrong = 0, unsigned_ = 0;
    for (std::size_t i = first; i < tangents.size(); ++i) {
        wrong += !(std::abs(tangents[i].head<3>().norm() - 1) <= kTolerance);
        unsigned_ += std::abs(tangents[i].w()) != 1;
    }
    if (wrong)
        context.note("ACCESSOR_VECTOR3_NON_UNIT", where, std::to_string(wrong) + " tangents were not of length one.",
                     wrong);
    if (unsigned_)
        context.note("ACCESSOR_INVALID_SIGN", where,
                     std::to_string(unsigned_) + " tangents have a sign other than 1 or -1; they were kept.",
                     unsigned_);
}

void readPart(ReadContext& context, const Json& json, PrimitiveSource& primitive, MeshData& data,
              const std::string& where) {
    mesh::Mesh& geometry = data.geometry;
    const std::size_t before = geometry.vertexCount(), count = primitive.vertexCount();
    mesh::Part part;
    part.firstVertex = static_cast<std::uint32_t>(before);
    part.vertexCount = static_cast<std::uint32_t>(count);
    part.firstTriangle = static_cast<std::uint32_t>(geometry.triangleCount());
    const auto material = indexMember(json, "material", list(context.json, "materials", "materials").size(), where);
    part.material = material ? static_cast<int>(*material) : -1;

    if (context.complete)
        primitive.prepareTriangles();
    append(geometry.positions, primitive, "POSITION");
    append(geometry.normals, primitive, "NORMAL");
    const std::vector<std::uint32_t> wrong = normalise(geometry.normals, before);
    if (!wrong.empty() && primitive.hasData("NORMAL")) {
        context.note("ACCESSOR_VECTOR3_NON_UNIT", where,
                     std::to_string(wrong.size()) + " normals were not of length one.", wrong.size());
        data.repairedNormals.insert(data.repairedNormals.end(), wrong.begin(), wrong.end());
    }
    geometry.normals.resize(before + count, Vector3f::Zero());
    if (!context.complete) { // no edit changes the rest
        geometry.parts.push_back(part);
        return;
    }
    appendOptional(geometry.tangents, primitive, "TANGENT", before, Vector4f(1, 0, 0, 1));
    if (primitive.hasData("TANGENT"))
        checkTangents(context, geometry.tangents, before, where);
    appendOptional(geometry.uvs, primitive, "TEXCOORD_0", before, Eigen::Vector2f(0, 0));
    appendOptional(geometry.colors, colorsOf(primitive), before, count, Vector4f(1, 1, 1, 1));

    std::vector<std::uint32_t> corners = primitive.triangles(context.repairs);
    part.triangleCount = static_cast<std::uint32_t>(corners.size() / 3);
    if (before == 0 && geometry.triangles.empty())
        geometry.triangles = std::move(corners);
    else
        for (const std::uint32_t corner : corners)
            geometry.triangles.push_back(part.firstVertex + corner);
    geometry.parts.push_back(part);
}

// The offsets of one target in one primitive, dense; empty where it has none of that kind.
struct TargetPart {
    std::vector<float> positions, normals, tangents;

    [[nodiscard]] bool moves(std::size_t vertex) const {
        const auto nonZero = [&](const std::vector<float>& v) {
            return !v.empty() && (v[3 * vertex] != 0 || v[3 * vertex + 1] != 0 || v[3 * vertex + 2] != 0);
        };
        return nonZero(positions) || nonZero(normals) || nonZero(tangents);
    }
};

Vector3f vectorAt(const std::vector<float>& values, std::size_t vertex) {
    return values.empty() ? Vector3f::Zero().eval()
                          : Vector3f(values[3 * vertex], values[3 * vertex + 1], values[3 * vertex + 2]);
}

TargetPart readTarget(ReadContext& context, const Json& target, std::size_t vertices, bool normals,
                      const std::string& where) {
    const auto read = [&](const char* semantic) -> std::vector<float> {
        const auto accessor = indexMember(target, semantic, context.accessors.count(), where);
        if (!accessor)
            return {};
        if (context.accessors.info(*accessor).count != vertices)
            refuse(where,
                   std::string("The target's ") + semantic + " has another number of elements than the primitive.",
                   "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT");
        return context.accessors.floats(*accessor, 3);
    };
    return {read("POSITION"), normals ? read("NORMAL") : std::vector<float>(), read("TANGENT")};
}

void addTarget(shape::Shape& shape, const TargetPart& part, std::size_t firstVertex, std::size_t vertices, bool normals,
               bool tangents) {
    for (std::size_t v = 0; v < vertices; ++v) {
        if (!part.moves(v))
            continue;
        shape.vertices.push_back(static_cast<std::uint32_t>(firstVertex + v));
        shape.deltas.push_back(vectorAt(part.positions, v));
        if (normals)
            shape.normalDeltas.push_back(vectorAt(part.normals, v));
        if (tangents)
            shape.tangentDeltas.push_back(vectorAt(part.tangents, v));
    }
}

// Null where the primitive has fewer targets than its siblings.
const Json* targetOf(const Json& primitive, std::size_t target) {
    const Json* targets = member(primitive, "targets");
    return targets && target < targets->size() ? &(*targets)[target] : nullptr;
}

bool anyTargetHas(const Json& primitives, std::size_t target, const char* semantic) {
    return std::any_of(primitives.begin(), primitives.end(), [&](const Json& primitive) {
        const Json* found = targetOf(primitive, target);
        return found && member(*found, semantic);
    });
}

void readShapes(ReadContext& context, const Json& json, MeshData& data, std::size_t count, const std::string& where) {
    const Json& primitives = json["primitives"];
    const std::vector<std::string> names = targetNames(json, count);
    for (std::size_t t = 0; t < count; ++t) {
        shape::Shape shape;
        shape.id = ShapeId(t);
        shape.name = names[t];
        const bool normals = anyTargetHas(primitives, t, "NORMAL") && !hasMadeNormals(json, t);
        const bool tangents = anyTargetHas(primitives, t, "TANGENT");
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            const mesh::Part& part = data.geometry.parts[p];
            const Json* target = targetOf(primitives[p], t);
            if (!target || part.vertexCount == 0)
                continue;
            const std::string here = where + "." + place("primitives", p) + "." + place("targets", t);
            addTarget(shape, readTarget(context, *target, part.vertexCount, normals, here), part.firstVertex,
                      part.vertexCount, normals, tangents);
        }
        data.shapes.push_back(std::move(shape));
    }
    data.nextShapeId = static_cast<std::uint32_t>(count);
}

// Of the part that has the most.
std::size_t targetCount(ReadContext& context, const Json& primitives, const std::string& where) {
    std::size_t most = 0, least = std::numeric_limits<std::size_t>::max();
    for (const Json& primitive : primitives) {
        const std::size_t count = objects(primitive, "targets", where).size();
        most = std::max(most, count);
        least = std::min(least, count);
    }
    if (least != most)
        context.note("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", where,
                     "The parts of the mesh have between " + std::to_string(least) + " and " + std::to_string(most) +
                         " shapes; those missing move nothing.");
    return most;
}

// Normals that the file lacks are made smooth across seams.
void completeNormals(MeshData& data) {
    std::vector<Vector3f>& normals = data.geometry.normals;
    std::atomic<bool> complete = true;
    inPieces(normals.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i)
            if (normals[i].isZero(0))
                complete = false;
    });
    if (complete)
        return;
    const std::vector<Vector3f> smooth =
        mesh::smoothNormals(data.weld(), data.geometry.triangles, data.geometry.positions);
    for (std::size_t i = 0; i < normals.size(); ++i)
        if (normals[i].isZero(0))
            normals[i] = smooth[i];
}

} // namespace

std::vector<std::string> targetNames(const Json& mesh, std::size_t count) {
    std::vector<std::string> names(count);
    const Json* extras = member(mesh, "extras");
    const Json* given = extras ? member(*extras, "targetNames") : nullptr;
    for (std::size_t i = 0; i < count; ++i) {
        if (given && given->is_array() && i < given->size() && (*given)[i].is_string())
            names[i] = (*given)[i].get<std::string>();
        else
            names[i] = "Shape " + std::to_string(i + 1);
    }
    return names;
}

void readMeshes(ReadContext& context, bool complete) {
    const Json& meshes = objects(context.json, "meshes", "meshes");
    const std::size_t views = list(context.json, "bufferViews", "bufferViews").size();
    std::size_t vertices = 0;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        const std::string where = place("meshes", m);
        const Json& primitives = objects(meshes[m], "primitives", where);
        if (primitives.empty())
            refuse(where, "The mesh has no primitives.",
                   member(meshes[m], "primitives") ? "EMPTY_ENTITY" : "UNDEFINED_PROPERTY");
        MeshData data;
        data.geometry.name = stringMember(meshes[m], "name", where);
        InfluenceCollector influences(jointLimit(context, m), primitives.size());
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            const std::string here = where + "." + place("primitives", p);
            PrimitiveSource primitive(context.accessors, primitives[p], views, here);
            vertices += primitive.vertexCount();
            if (vertices > kMostVertices)
                refuse(here, "The meshes have more than " + std::to_string(kMostVertices) + " vertices together.");
            readPart(context, primitives[p], primitive, data, here);
            readPaintedMaps(context, primitive, data, here);
            influences.add(primitive, here, context.repairs);
        }
        completePaintedMaps(data);
        data.weights = influences.finish();
        if (!data.weights.empty())
            data.repairedRows = influences.takeRepaired();
        const std::size_t targets = targetCount(context, primitives, where);
        context.targetCounts.push_back(targets);
        readShapes(context, meshes[m], data, targets, where);
        if (complete)
            completeNormals(data);
        context.state.meshes.push_back(std::move(data));
    }
}

} // namespace limber::io
