#include "core/io/gltf_influences.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_primitive.h"
#include "core/io/gltf_reader.h"
#include "core/mesh/normals.h"

#include <cstring>

namespace limber::io {

namespace {

using document::MeshData;

// A hundred times a large character. Small files can repeat their data to any number; none may take minutes.
constexpr std::size_t kMostVertices = 20'000'000;

using Eigen::Vector3f;
using Eigen::Vector4f;

// Appends [n x components of T] floats to vectors of Eigen type T.
template <class T> void append(std::vector<T>& out, const std::vector<float>& values) {
    constexpr std::size_t kComponents = T::RowsAtCompileTime;
    const std::size_t first = out.size();
    out.resize(first + values.size() / kComponents);
    for (std::size_t i = first; i < out.size(); ++i)
        std::memcpy(out[i].data(), &values[(i - first) * kComponents], sizeof(float) * kComponents);
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

// Makes given normals unit; returns how many were not. Zero normals stay zero, to be made from the triangles.
std::size_t normalise(std::vector<Vector3f>& normals, std::size_t first) {
    constexpr float kTolerance = 0.0005f; // the validator's
    std::size_t wrong = 0;
    for (std::size_t i = first; i < normals.size(); ++i) {
        const float length = normals[i].norm();
        if (std::abs(length - 1) > kTolerance)
            ++wrong;
        if (length > 0)
            normals[i] /= length;
    }
    return wrong;
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

    append(geometry.positions, primitive.floats("POSITION", 3));
    append(geometry.normals, primitive.floats("NORMAL", 3));
    if (const std::size_t wrong = normalise(geometry.normals, before))
        context.note("ACCESSOR_VECTOR3_NON_UNIT", where, std::to_string(wrong) + " normals were not of length one.",
                     wrong);
    geometry.normals.resize(before + count, Vector3f::Zero());
    appendOptional(geometry.tangents, primitive.floats("TANGENT", 4), before, count, Vector4f(1, 0, 0, 1));
    appendOptional(geometry.uvs, primitive.floats("TEXCOORD_0", 2), before, count, Eigen::Vector2f(0, 0));
    appendOptional(geometry.colors, colorsOf(primitive), before, count, Vector4f(1, 1, 1, 1));

    const std::vector<std::uint32_t> corners = primitive.triangles(context.repairs);
    part.triangleCount = static_cast<std::uint32_t>(corners.size() / 3);
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
                   std::string("The target's ") + semantic + " has another number of elements than the primitive.");
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

bool anyTargetHas(const Json& primitives, std::size_t target, const char* semantic) {
    return std::any_of(primitives.begin(), primitives.end(), [&](const Json& primitive) {
        return member(primitive["targets"][target], semantic) != nullptr;
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
            const std::string here = where + "." + place("primitives", p) + "." + place("targets", t);
            addTarget(shape, readTarget(context, primitives[p]["targets"][t], part.vertexCount, normals, here),
                      part.firstVertex, part.vertexCount, normals, tangents);
        }
        data.shapes.push_back(std::move(shape));
    }
    data.nextShapeId = static_cast<std::uint32_t>(count);
}

std::size_t targetCount(const Json& primitives, const std::string& where) {
    const std::size_t count = objects(primitives[0], "targets", where).size();
    for (const Json& primitive : primitives)
        if (objects(primitive, "targets", where).size() != count)
            refuse(where, "The parts of the mesh have different numbers of morph targets.");
    return count;
}

// Normals that the file lacks are made smooth across seams.
void completeNormals(MeshData& data) {
    data.weld = std::make_shared<const mesh::Weld>(mesh::weld(data.geometry.positions, data.geometry.triangles));
    std::vector<Vector3f>& normals = data.geometry.normals;
    if (std::none_of(normals.begin(), normals.end(), [](const Vector3f& n) { return n.isZero(0); }))
        return;
    const std::vector<Vector3f> smooth =
        mesh::smoothNormals(*data.weld, data.geometry.triangles, data.geometry.positions);
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
            refuse(where, "The mesh has no primitives.");
        MeshData data;
        data.geometry.name = stringMember(meshes[m], "name", where);
        InfluenceCollector influences(jointLimit(context, m));
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            const std::string here = where + "." + place("primitives", p);
            PrimitiveSource primitive(context.accessors, primitives[p], views, here);
            vertices += primitive.vertexCount();
            if (vertices > kMostVertices)
                refuse(here, "The meshes have more than " + std::to_string(kMostVertices) + " vertices together.");
            readPart(context, primitives[p], primitive, data, here);
            influences.add(primitive, here, context.repairs);
        }
        data.weights = influences.finish();
        if (!data.weights.empty())
            data.repairedRows = influences.takeRepaired();
        const std::size_t targets = targetCount(primitives, where);
        context.targetCounts.push_back(targets);
        readShapes(context, meshes[m], data, targets, where);
        if (complete)
            completeNormals(data);
        context.state.meshes.push_back(std::move(data));
    }
}

} // namespace limber::io
