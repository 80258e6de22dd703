#include "core/io/gltf_primitive.h"
#include "core/io/gltf_write_steps.h"
#include "core/mesh/normals.h"

#include <cstring>

namespace limber::io {

namespace {

using Eigen::Vector3f;

// Vertices whose normal is not the one that reading the file gives, ascending. A zero normal of `before` was made from
// the triangles when the document was read.
std::vector<std::uint32_t> changedNormals(const document::MeshData& before, const document::MeshData& after) {
    const std::vector<Vector3f>&was = before.geometry.normals, &is = after.geometry.normals;
    std::vector<std::uint32_t> differing;
    for (std::uint32_t v = 0; v < is.size(); ++v)
        if (std::memcmp(was[v].data(), is[v].data(), sizeof(Vector3f)) != 0)
            differing.push_back(v);
    if (std::none_of(differing.begin(), differing.end(), [&](std::uint32_t v) { return was[v].isZero(0); }))
        return differing;
    const std::vector<Vector3f> made =
        mesh::smoothNormals(after.weld(), after.geometry.triangles, after.geometry.positions);
    std::erase_if(differing, [&](std::uint32_t v) { return was[v].isZero(0) && made[v] == is[v]; });
    return differing;
}

void writePart(WriteContext& context, MeshId mesh, std::size_t p, std::span<const std::uint32_t> changed) {
    makePlain(context.patch, mesh.index(), p);
    const document::MeshData& after = context.after.meshes[mesh.index()];
    const mesh::Part& part = after.geometry.parts[p];
    const Json& original = context.patch.source().json()["meshes"][mesh.index()]["primitives"][p];
    const std::size_t views = list(context.patch.source().json(), "bufferViews", "").size();
    PrimitiveSource source(context.patch.reader(), original, views, place("meshes", mesh.index()));
    std::vector<float> values = source.floats("NORMAL", 3);
    const bool whole = values.empty();
    values.resize(std::size_t(part.vertexCount) * 3);
    const auto take = [&](std::uint32_t v) {
        std::memcpy(&values[std::size_t(v - part.firstVertex) * 3], after.geometry.normals[v].data(), sizeof(Vector3f));
    };
    for (std::uint32_t v = part.firstVertex; whole && v < part.firstVertex + part.vertexCount; ++v)
        take(v);
    for (const std::uint32_t v : changed)
        take(v);
    // Once they are written, normals of no length are written as the ones that are shown instead of them.
    for (std::uint32_t v = part.firstVertex; v < part.firstVertex + part.vertexCount; ++v)
        if (const float* n = &values[std::size_t(v - part.firstVertex) * 3]; n[0] == 0 && n[1] == 0 && n[2] == 0)
            take(v);
    Json& attributes = context.mesh(mesh)["primitives"][p]["attributes"];
    std::optional<std::size_t> accessor;
    if (const Json* present = member(attributes, "NORMAL"))
        accessor = present->get<std::size_t>();
    attributes["NORMAL"] = context.patch.put(accessor, encodeFloats(values, 3), TreePatch::Use::Vertices);
}

// Vertices whose normal is to be written, ascending.
std::vector<std::uint32_t> writtenNormals(const document::MeshData& before, const document::MeshData& after) {
    std::vector<std::uint32_t> changed = changedNormals(before, after);
    if (!after.writesRepairs || after.repairedNormals.empty())
        return changed;
    std::vector<std::uint32_t> all;
    std::set_union(changed.begin(), changed.end(), after.repairedNormals.begin(), after.repairedNormals.end(),
                   std::back_inserter(all));
    return all;
}

} // namespace

void writeNormals(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m) {
        const document::MeshData& after = context.after.meshes[m];
        const std::vector<std::uint32_t> changed = writtenNormals(context.before.meshes[m], after);
        for (std::size_t p = 0; !changed.empty() && p < after.geometry.parts.size(); ++p) {
            const mesh::Part& part = after.geometry.parts[p];
            const auto begin = std::lower_bound(changed.begin(), changed.end(), part.firstVertex);
            const auto end = std::lower_bound(begin, changed.end(), part.firstVertex + part.vertexCount);
            if (begin != end)
                writePart(context, MeshId(m), p, {begin, end});
        }
    }
}

} // namespace limber::io
