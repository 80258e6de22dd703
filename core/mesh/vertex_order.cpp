#include "core/mesh/vertex_order.h"

#include "core/base/pieces.h"
#include "core/mesh/morton.h"
#include "core/mesh/triangle_walk.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace limber::mesh {

namespace {

constexpr std::size_t kFew = 1024;         // are near each other
constexpr std::size_t kRun = 16;           // things beside each other in memory
constexpr std::size_t kRuns = 512;         // that are looked at
constexpr float kFarApart = 0.65f;         // size of a run, of the distance of any two: 2.3 by chance
constexpr std::size_t kPiece = 65536;      // things that one thread works on in one go
constexpr int kBits = 14, kGroupBits = 20; // of each coordinate and of the group: they fill a key

float medianOf(std::vector<float>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Whether the runs are about as large as the distance between things by chance. at(k): where thing k is, of `count`.
template <class At> bool isScattered(std::size_t count, const At& at) {
    if (count < kFew)
        return false;
    const std::size_t runs = count / kRun, step = std::max<std::size_t>(1, runs / kRuns);
    std::vector<float> sizes, distances;
    for (std::size_t run = 0; run < runs; run += step) {
        Eigen::AlignedBox3f box;
        for (std::size_t k = run * kRun; k < (run + 1) * kRun; ++k)
            box.extend(at(k));
        sizes.push_back(box.diagonal().norm());
        distances.push_back((at(run * kRun) - at((run + runs / 2) % runs * kRun)).norm());
    }
    return medianOf(sizes) > kFarApart * medianOf(distances);
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t vertex;
    friend bool operator<(const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : a.vertex < b.vertex;
    }
};

// Around nearly all of the part: what lies far away may not take the bits of the rest.
Eigen::AlignedBox3f boxOf(const Mesh& mesh, const Part& part) {
    constexpr std::size_t kSamples = 4096, kLeftOut = 64; // one in so many, at either end
    const std::size_t step = part.vertexCount / kSamples + 1;
    std::vector<float> sorted;
    Eigen::AlignedBox3f box;
    for (int axis = 0; axis < 3; ++axis) {
        sorted.clear();
        for (std::size_t k = 0; k < part.vertexCount; k += step)
            sorted.push_back(mesh.positions[part.firstVertex + k][axis]);
        std::sort(sorted.begin(), sorted.end());
        const std::size_t out = sorted.size() / kLeftOut;
        const float low = sorted[out], high = sorted[sorted.size() - 1 - out], room = (high - low) / 2;
        box.min()[axis] = std::max(low - room, sorted.front());
        box.max()[axis] = std::min(high + room, sorted.back());
    }
    return box;
}

void sortVertices(const Mesh& mesh, const Part& part, std::span<const std::uint32_t> groups,
                  std::vector<std::uint32_t>& out) {
    constexpr std::uint32_t kLastGroup = (1u << kGroupBits) - 1;
    if (part.vertexCount == 0)
        return;
    const MortonKeys keys(boxOf(mesh, part), kBits);
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

void sortTriangles(const Mesh& mesh, const Part& part, std::span<const std::uint32_t> placeOf,
                   std::vector<std::uint32_t>& out) {
    std::vector<Triangle> corners(part.triangleCount);
    for (std::size_t t = 0; t < corners.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            corners[t][k] = placeOf[mesh.triangles[3 * (part.firstTriangle + t) + k]] - part.firstVertex;
    const std::vector<std::uint32_t> order = pairedOrder(corners, part.vertexCount);
    for (std::size_t t = 0; t < corners.size(); ++t)
        out[part.firstTriangle + t] = part.firstTriangle + order[t];
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
void permuteTriangles(Mesh& mesh, std::span<const std::uint32_t> from, std::span<const std::uint32_t> renamed) {
    std::vector<std::uint32_t> moved(mesh.triangles.size());
    inPieces(from.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t t = first; t < end; ++t)
            for (std::size_t k = 0; k < 3; ++k)
                moved[3 * t + k] = renamed[mesh.triangles[3 * std::size_t(from[t]) + k]];
    });
    mesh.triangles = std::move(moved);
}

} // namespace

bool hasScatteredVertices(const Mesh& mesh, const Part& part) {
    return isScattered(part.vertexCount, [&](std::size_t k) { return mesh.positions[part.firstVertex + k]; });
}

bool hasScatteredTriangles(const Mesh& mesh, const Part& part) {
    return isScattered(part.triangleCount,
                       [&](std::size_t k) { return mesh.positions[mesh.triangles[3 * (part.firstTriangle + k)]]; });
}

std::vector<std::uint32_t> neighbourOrder(const Mesh& mesh, std::span<const std::uint32_t> groups) {
    std::vector<std::uint32_t> fileOf = counting(mesh.vertexCount());
    for (const Part& part : mesh.parts)
        sortVertices(mesh, part, groups, fileOf);
    return fileOf;
}

std::shared_ptr<const VertexOrder> makeSortedOrder(const Mesh& mesh, std::vector<std::uint32_t> fileOf,
                                                   std::span<const std::size_t> partsToSort) {
    if (fileOf.empty())
        fileOf = counting(mesh.vertexCount());
    const std::vector<std::uint32_t> placeOf = inverseOf(fileOf);
    std::vector<std::uint32_t> triangleOf = counting(mesh.triangleCount());
    for (const std::size_t part : partsToSort)
        sortTriangles(mesh, mesh.parts[part], placeOf, triangleOf);
    return makeOrder(std::move(fileOf), std::move(triangleOf));
}

std::shared_ptr<const VertexOrder> makeOrder(std::vector<std::uint32_t> fileOf, std::vector<std::uint32_t> triangleOf) {
    std::vector<std::uint32_t> placeOf = inverseOf(fileOf);
    return std::make_shared<const VertexOrder>(
        VertexOrder{std::move(fileOf), std::move(placeOf), std::move(triangleOf)});
}

void putInOrder(Mesh& mesh, std::shared_ptr<const VertexOrder> order) {
    assert(!mesh.order);
    permuteAttributes(mesh, order->fileOf);
    permuteTriangles(mesh, order->triangleOf, order->placeOf);
    mesh.order = std::move(order);
}

void putInFileOrder(Mesh& mesh) {
    if (!mesh.order)
        return;
    permuteAttributes(mesh, mesh.order->placeOf);
    permuteTriangles(mesh, inverseOf(mesh.order->triangleOf), mesh.order->fileOf);
    mesh.order = nullptr;
}

template <class T> void permute(std::vector<T>& values, std::span<const std::uint32_t> from) {
    if (values.empty())
        return;
    assert(values.size() == from.size());
    std::vector<T> moved(values.size());
    inPieces(moved.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k)
            moved[k] = values[from[k]];
    });
    values = std::move(moved);
}
template void permute(std::vector<float>&, std::span<const std::uint32_t>);
template void permute(std::vector<Vector2f>&, std::span<const std::uint32_t>);
template void permute(std::vector<Vector3f>&, std::span<const std::uint32_t>);
template void permute(std::vector<Vector4f>&, std::span<const std::uint32_t>);

} // namespace limber::mesh
