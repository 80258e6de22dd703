#include "core/mesh/vertex_order.h"

#include "core/base/pieces.h"
#include "core/mesh/morton.h"

#include <Eigen/Geometry>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

namespace limber::mesh {

namespace {

constexpr std::uint32_t kLeastOfPart = 1024; // things: fewer are near each other
constexpr std::size_t kRun = 16;             // things beside each other in memory
constexpr std::size_t kRuns = 512;           // that are looked at
constexpr float kFarApart = 0.25f;           // of the whole; by chance it is 0.9, in a good order a few hundredths
constexpr std::size_t kPiece = 65536;        // vertices that one thread works on in one go
constexpr int kBits = 14, kGroupBits = 20;   // of each coordinate and of the group: they fill a key

// Whether things that follow each other are spread over the whole. at(k): where thing k is, of `count`.
template <class At> bool isScattered(std::size_t count, const At& at) {
    if (count < kLeastOfPart)
        return false;
    const std::size_t runs = count / kRun, step = std::max<std::size_t>(1, runs / kRuns);
    Eigen::AlignedBox3f all;
    float sizes = 0;
    std::size_t seen = 0;
    for (std::size_t run = 0; run < runs; run += step, ++seen) {
        Eigen::AlignedBox3f box;
        for (std::size_t k = run * kRun; k < (run + 1) * kRun; ++k)
            box.extend(at(k));
        sizes += box.diagonal().norm();
        all.extend(box);
    }
    return sizes > kFarApart * all.diagonal().norm() * static_cast<float>(seen);
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t vertex;
    friend bool operator<(const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : a.vertex < b.vertex;
    }
};

void sortVertices(const Mesh& mesh, const Part& part, std::span<const std::uint32_t> groups,
                  std::vector<std::uint32_t>& out) {
    constexpr std::uint32_t kLastGroup = (1u << kGroupBits) - 1;
    Eigen::AlignedBox3f box;
    for (std::size_t k = 0; k < part.vertexCount; ++k)
        box.extend(mesh.positions[part.firstVertex + k]);
    const MortonKeys keys(box, kBits);
    std::vector<Keyed> sorted(part.vertexCount);
    inPieces(sorted.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const auto v = static_cast<std::uint32_t>(part.firstVertex + k);
            const std::uint64_t group = groups.empty() ? 0 : std::min(groups[v], kLastGroup);
            sorted[k] = {group << (3 * kBits) | keys.of(mesh.positions[v]), v};
        }
    });
    tbb::parallel_sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k)
        out[part.firstVertex + k] = sorted[k].vertex;
}

// By the first of the places of their corners; those with the same one stay in the file's order.
void sortTriangles(const Mesh& mesh, const Part& part, std::span<const std::uint32_t> placeOf,
                   std::vector<std::uint32_t>& out) {
    const auto keyOf = [&](std::size_t t) {
        const std::uint32_t* corner = &mesh.triangles[3 * t];
        return std::min({placeOf[corner[0]], placeOf[corner[1]], placeOf[corner[2]]}) - part.firstVertex;
    };
    std::vector<std::uint32_t> ends(std::size_t(part.vertexCount) + 1, 0);
    const std::size_t first = part.firstTriangle, end = first + part.triangleCount;
    for (std::size_t t = first; t < end; ++t)
        ++ends[keyOf(t) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (std::size_t t = first; t < end; ++t)
        out[first + ends[keyOf(t)]++] = static_cast<std::uint32_t>(t);
}

std::vector<std::uint32_t> counting(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

std::vector<std::uint32_t> inverseOf(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> inverse(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k)
        inverse[order[k]] = k;
    return inverse;
}

void permuteAttributes(Mesh& mesh, std::span<const std::uint32_t> from) {
    permute(mesh.positions, from);
    permute(mesh.normals, from);
    permute(mesh.tangents, from);
    permute(mesh.uvs, from);
    permute(mesh.colors, from);
}

// Triangle k becomes the one that was at from[k], its corners renamed.
std::vector<std::uint32_t> permutedTriangles(const Mesh& mesh, std::span<const std::uint32_t> from,
                                             std::span<const std::uint32_t> renamed) {
    std::vector<std::uint32_t> moved(mesh.triangles.size());
    inPieces(from.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t t = first; t < end; ++t)
            for (std::size_t k = 0; k < 3; ++k)
                moved[3 * t + k] = renamed[mesh.triangles[3 * std::size_t(from[t]) + k]];
    });
    return moved;
}

} // namespace

bool hasScatteredVertices(const Mesh& mesh) {
    return std::any_of(mesh.parts.begin(), mesh.parts.end(), [&](const Part& part) {
        return isScattered(part.vertexCount, [&](std::size_t k) { return mesh.positions[part.firstVertex + k]; });
    });
}

std::shared_ptr<const VertexOrder> betterOrder(const Mesh& mesh, bool wantsVertices,
                                               std::span<const std::uint32_t> groups) {
    const auto wantsTriangles = [&](const Part& part) {
        return isScattered(part.triangleCount,
                           [&](std::size_t k) { return mesh.positions[mesh.triangles[3 * (part.firstTriangle + k)]]; });
    };
    if (!wantsVertices && std::none_of(mesh.parts.begin(), mesh.parts.end(), wantsTriangles))
        return nullptr;
    std::vector<std::uint32_t> fileOf = counting(mesh.vertexCount()), triangle = counting(mesh.triangleCount());
    if (wantsVertices)
        for (const Part& part : mesh.parts)
            sortVertices(mesh, part, groups, fileOf);
    const std::vector<std::uint32_t> placeOf = inverseOf(fileOf);
    for (const Part& part : mesh.parts)
        if (wantsTriangles(part))
            sortTriangles(mesh, part, placeOf, triangle);
    return makeOrder(std::move(fileOf), std::move(triangle));
}

std::shared_ptr<const VertexOrder> makeOrder(std::vector<std::uint32_t> fileOf, std::vector<std::uint32_t> triangle) {
    std::vector<std::uint32_t> placeOf = inverseOf(fileOf);
    return std::make_shared<const VertexOrder>(VertexOrder{std::move(fileOf), std::move(placeOf), std::move(triangle)});
}

void putInOrder(Mesh& mesh, std::shared_ptr<const VertexOrder> order) {
    assert(!mesh.order);
    permuteAttributes(mesh, order->fileOf);
    mesh.triangles = permutedTriangles(mesh, order->triangle, order->placeOf);
    mesh.order = std::move(order);
}

void putInFileOrder(Mesh& mesh) {
    if (!mesh.order)
        return;
    mesh.triangles = fileTriangles(mesh);
    permuteAttributes(mesh, mesh.order->placeOf);
    mesh.order = nullptr;
}

std::vector<std::uint32_t> fileTriangles(const Mesh& mesh) {
    if (!mesh.order)
        return mesh.triangles;
    return permutedTriangles(mesh, inverseOf(mesh.order->triangle), mesh.order->fileOf);
}

} // namespace limber::mesh
