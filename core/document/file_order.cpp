#include "core/document/file_order.h"

#include "core/base/pieces.h"
#include "core/mesh/vertex_order.h"
#include "core/skin/block_weights.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace limber::document {

namespace {

// Points and normals of fewer vertices stay in the caches whatever their order.
constexpr std::size_t kBeyondFirstCaches = 16384;
constexpr std::size_t kLeastVertices = 1024;        // of fewer nothing takes long
constexpr double kMuchExcess = 1.5;                 // slots of blocks, of the least
constexpr double kBetter = 0.95, kMuchBetter = 0.8; // of the slots before
constexpr std::size_t kPiece = 65536;               // rows that one thread looks at in one go

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

template <class Patch>
concept OfVertices = requires(const Patch& patch) {
    patch.vertices;
};

template <class Patch> void renamePatch(const Patch&, Names) {
    static_assert(!OfVertices<Patch>, "this kind of patch is not renamed yet");
}
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
    for (shape::Shape& shape : mesh.shapes) {
        [[maybe_unused]] const bool renamed = renameShape(shape, names);
        assert(renamed);
    }
    rename(mesh.repairedRows, names);
    rename(mesh.repairedNormals, names);
}

// The heaviest joint of each vertex.
std::vector<std::uint32_t> jointsOf(const MeshData& mesh) {
    std::vector<std::uint32_t> joints(mesh.geometry.vertexCount(), 0);
    inPieces(mesh.weights.vertexCount(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v)
            joints[v] = skin::heaviestSlot(mesh.weights.row(v));
    });
    return joints;
}

// Place -> vertex; empty where vertices are to stay. Joints go before neighbours where that makes blocks much cheaper.
std::vector<std::uint32_t> betterVertices(const MeshData& mesh) {
    const mesh::Mesh& geometry = mesh.geometry;
    // Blocks are of the whole mesh: one bad part spoils them for all.
    const bool scattered = geometry.vertexCount() >= kBeyondFirstCaches &&
                           std::any_of(geometry.parts.begin(), geometry.parts.end(), [&](const mesh::Part& part) {
                               return mesh::hasScatteredVertices(geometry, part);
                           });
    std::vector<std::uint32_t> order = scattered ? mesh::neighbourOrder(geometry) : std::vector<std::uint32_t>();
    const double excess = skin::blockExcess(mesh.weights, order);
    if (mesh.weights.empty() || (!scattered && excess < kMuchExcess))
        return order;
    std::vector<std::uint32_t> byJoint = mesh::neighbourOrder(geometry, jointsOf(mesh));
    const double most = excess * (scattered ? kBetter : kMuchBetter);
    return skin::blockExcess(mesh.weights, byJoint) < most ? byJoint : order;
}

// Null where there is none.
std::shared_ptr<const mesh::VertexOrder> betterOrder(const MeshData& mesh, std::span<const Material> materials) {
    const mesh::Mesh& geometry = mesh.geometry;
    if (geometry.vertexCount() < kLeastVertices)
        return nullptr;
    std::vector<std::uint32_t> vertices = betterVertices(mesh);
    std::vector<std::size_t> parts;
    for (std::size_t p = 0; geometry.vertexCount() >= kBeyondFirstCaches && p < geometry.parts.size(); ++p) {
        const int material = geometry.parts[p].material;
        const bool blended =
            material >= 0 && materials[static_cast<std::size_t>(material)].alpha == Material::Alpha::Blend;
        if (!blended && mesh::hasScatteredTriangles(geometry, geometry.parts[p]))
            parts.push_back(p);
    }
    if (vertices.empty() && parts.empty())
        return nullptr;
    return mesh::makeSortedOrder(geometry, std::move(vertices), parts);
}

} // namespace

void improveOrders(DocumentState& state) {
    for (MeshData& mesh : state.meshes)
        if (auto order = betterOrder(mesh, state.materials))
            putInOrder(mesh, std::move(order));
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
