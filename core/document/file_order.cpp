#include "core/document/file_order.h"

#include "core/mesh/vertex_order.h"
#include "core/skin/block_weights.h"

#include <algorithm>
#include <numeric>

namespace limber::document {

namespace {

// Points and normals of fewer vertices stay in the caches whatever their order.
constexpr std::size_t kBeyondFirstCaches = 16384;
constexpr std::size_t kLeastVertices = 1024; // of fewer nothing takes long

using Names = std::span<const std::uint32_t>; // of one kind, to those of the other

void rename(std::vector<std::uint32_t>& vertices, Names names) {
    for (std::uint32_t& v : vertices)
        v = names[v];
    std::sort(vertices.begin(), vertices.end());
}

// Renames an ascending list with what belongs to it; as many of each, or none.
class ListRenamer {
public:
    ListRenamer(std::vector<std::uint32_t>& vertices, Names names) {
        order_.resize(vertices.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::sort(order_.begin(), order_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return names[vertices[a]] < names[vertices[b]]; });
        rename(vertices, names);
    }
    template <class T> void move(std::vector<T>& values) const { mesh::permute(values, order_); }
    void move(skin::SkinWeights& rows) const {
        if (!rows.empty())
            rows = rows.permuted(order_);
    }

private:
    std::vector<std::uint32_t> order_;
};

std::size_t sizeOf(const skin::SkinWeights& rows) {
    return rows.vertexCount();
}
template <class T> std::size_t sizeOf(const std::vector<T>& values) {
    return values.size();
}

// False, and nothing done, where the lists do not belong to the mesh.
template <class... Lists> bool renameLists(std::vector<std::uint32_t>& vertices, Names names, Lists&... lists) {
    const auto fits = [&](const auto& list) { return sizeOf(list) == 0 || sizeOf(list) == vertices.size(); };
    if (!(fits(lists) && ...) ||
        std::any_of(vertices.begin(), vertices.end(), [&](std::uint32_t v) { return v >= names.size(); }))
        return false;
    const ListRenamer renamer(vertices, names);
    (renamer.move(lists), ...);
    return true;
}

bool renameShape(shape::Shape& shape, Names names) {
    return renameLists(shape.vertices, names, shape.deltas, shape.normalDeltas, shape.tangentDeltas);
}

// Patches without vertices have none to rename.
void renamePatch(const auto&, Names) {}
void renamePatch(WeightsPatch& patch, Names names) {
    renameLists(patch.vertices, names, patch.before, patch.after);
}
void renamePatch(ShapeDeltasPatch& patch, Names names) {
    if (renameLists(patch.vertices, names, patch.before, patch.after) && patch.whole)
        renameShape(*patch.whole, names);
}
void renamePatch(ShapePatch& patch, Names names) {
    renameShape(patch.shape, names);
}
void renamePatch(NormalsPatch& patch, Names names) {
    renameLists(patch.vertices, names, patch.before, patch.after);
}
void renamePatch(PaintedMapPatch& patch, Names names) {
    renameLists(patch.vertices, names, patch.before, patch.after);
}

template <class Patch>
concept OfMesh = requires(const Patch& patch) {
    patch.mesh.index();
};

// None where vertices of the patch have the same names in the file.
const mesh::VertexOrder* orderOf(const Patch& patch, const VertexOrders& orders) {
    return std::visit(
        [&](const auto& p) -> const mesh::VertexOrder* {
            if constexpr (OfMesh<std::decay_t<decltype(p)>>)
                return p.mesh.index() < orders.size() ? orders[p.mesh.index()].get() : nullptr;
            return nullptr;
        },
        patch);
}

SharedEdit renamed(SharedEdit edit, const VertexOrders& orders, std::vector<std::uint32_t> mesh::VertexOrder::*names) {
    if (std::none_of(edit->patches.begin(), edit->patches.end(),
                     [&](const Patch& patch) { return orderOf(patch, orders); }))
        return edit;
    Edit other = *edit;
    for (Patch& patch : other.patches)
        if (const mesh::VertexOrder* order = orderOf(patch, orders))
            std::visit([&](auto& p) { renamePatch(p, order->*names); }, patch);
    return std::make_shared<const Edit>(std::move(other));
}

// `from`: place now -> place before; `names` the other way.
void moveData(MeshData& mesh, Names from, Names names) {
    mesh.lazyWeld = {};
    if (!mesh.weights.empty())
        mesh.weights = mesh.weights.permuted(from);
    for (std::vector<float>& map : mesh.paintedMaps)
        mesh::permute(map, from);
    for (shape::Shape& shape : mesh.shapes)
        renameShape(shape, names);
    rename(mesh.repairedRows, names);
    rename(mesh.repairedNormals, names);
}

} // namespace

std::shared_ptr<const mesh::VertexOrder> betterOrder(const MeshData& mesh) {
    const mesh::Mesh& geometry = mesh.geometry;
    if (geometry.vertexCount() < kLeastVertices)
        return nullptr;
    const bool isLarge = geometry.vertexCount() >= kBeyondFirstCaches;
    const bool wantsVertices = (isLarge && mesh::hasScatteredVertices(geometry)) || skin::wantsOrder(mesh.weights);
    if (!isLarge && !wantsVertices)
        return nullptr;
    std::vector<std::uint32_t> joints;
    for (std::size_t v = 0; wantsVertices && v < mesh.weights.vertexCount(); ++v)
        joints.push_back(skin::heaviestSlot(mesh.weights.row(v)));
    return mesh::betterOrder(geometry, wantsVertices, joints);
}

void putInOrder(MeshData& mesh, std::shared_ptr<const mesh::VertexOrder> order) {
    moveData(mesh, order->fileOf, order->placeOf);
    mesh::putInOrder(mesh.geometry, std::move(order));
}

bool isInFileOrder(const DocumentState& state) {
    return std::none_of(state.meshes.begin(), state.meshes.end(),
                        [](const MeshData& mesh) { return mesh.geometry.order != nullptr; });
}

DocumentState inFileOrder(DocumentState state) {
    for (MeshData& mesh : state.meshes)
        if (const auto order = mesh.geometry.order) {
            moveData(mesh, order->placeOf, order->fileOf);
            mesh::putInFileOrder(mesh.geometry);
        }
    return state;
}

VertexOrders vertexOrders(const DocumentState& state) {
    VertexOrders orders;
    for (const MeshData& mesh : state.meshes)
        orders.push_back(mesh.geometry.order);
    return orders;
}

SharedEdit withFileVertices(SharedEdit edit, const VertexOrders& orders) {
    return renamed(std::move(edit), orders, &mesh::VertexOrder::fileOf);
}

SharedEdit withPlaces(SharedEdit edit, const VertexOrders& orders) {
    return renamed(std::move(edit), orders, &mesh::VertexOrder::placeOf);
}

} // namespace limber::document
