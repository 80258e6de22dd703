#include "core/mesh/vertex_order.h"

#include <Eigen/Geometry>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

namespace limber::mesh {

namespace {

// Points and normals of fewer vertices stay in the caches whatever their order.
constexpr std::uint32_t kLeastVertices = 16384;
constexpr std::size_t kRun = 16;      // things beside each other in memory
constexpr std::size_t kRuns = 512;    // that are looked at
constexpr float kFarApart = 0.25f;    // of the whole; by chance it is 0.9, in a good order a few hundredths
constexpr std::size_t kPiece = 65536; // vertices that one thread works on in one go
constexpr int kBits = 21;             // of a coordinate: three fill a key

// Whether things that follow each other are spread over the whole. at(k): where thing k is, of `count`.
template <class At> bool isScattered(std::size_t count, const Eigen::AlignedBox3f& all, const At& at) {
    const std::size_t runs = count / kRun, step = std::max<std::size_t>(1, runs / kRuns);
    float sizes = 0;
    std::size_t seen = 0;
    for (std::size_t run = 0; run < runs; run += step, ++seen) {
        Eigen::AlignedBox3f box;
        for (std::size_t k = run * kRun; k < (run + 1) * kRun; ++k)
            box.extend(at(k));
        sizes += box.diagonal().norm();
    }
    return seen > 0 && sizes > kFarApart * all.diagonal().norm() * static_cast<float>(seen);
}

// The lowest bits of `v`, two places apart.
std::uint64_t spreadBits(std::uint64_t v) {
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

// Neighbours in space mostly have neighbouring keys (Morton 1966).
class MortonKeys {
public:
    explicit MortonKeys(const Eigen::AlignedBox3f& box) : origin_(box.min().cast<double>()) {
        const double longest = (box.max().cast<double>() - origin_).maxCoeff();
        scale_ = longest > 0 ? ((1 << kBits) - 1) / longest : 0.0;
    }
    [[nodiscard]] std::uint64_t of(const Vector3f& p) const {
        std::uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis)
            key |= spreadBits(static_cast<std::uint64_t>((double(p[axis]) - origin_[axis]) * scale_)) << axis;
        return key;
    }

private:
    Eigen::Vector3d origin_;
    double scale_ = 0;
};

struct Keyed {
    std::uint64_t key;
    std::uint32_t vertex;
    friend bool operator<(const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : a.vertex < b.vertex;
    }
};

Eigen::AlignedBox3f boxOf(const Mesh& mesh, const Part& part) {
    Eigen::AlignedBox3f box;
    for (std::size_t v = part.firstVertex; v < std::size_t(part.firstVertex) + part.vertexCount; ++v)
        box.extend(mesh.positions[v]);
    return box;
}

void sortVertices(const Mesh& mesh, const Part& part, const Eigen::AlignedBox3f& box, std::vector<std::uint32_t>& out) {
    const MortonKeys keys(box);
    std::vector<Keyed> sorted(part.vertexCount);
    inPieces(sorted.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const auto v = static_cast<std::uint32_t>(part.firstVertex + k);
            sorted[k] = {keys.of(mesh.positions[v]), v};
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

std::shared_ptr<const VertexOrder> betterOrder(const Mesh& mesh) {
    std::vector<std::uint32_t> fileOf;
    std::vector<std::uint8_t> isSorted(mesh.parts.size(), 0), wantsTriangles(mesh.parts.size(), 0);
    bool any = false;
    for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
        const Part& part = mesh.parts[p];
        if (part.vertexCount < kLeastVertices)
            continue;
        const Eigen::AlignedBox3f box = boxOf(mesh, part);
        const auto vertexAt = [&](std::size_t k) -> const Vector3f& { return mesh.positions[part.firstVertex + k]; };
        const auto triangleAt = [&](std::size_t k) -> const Vector3f& {
            return mesh.positions[mesh.triangles[3 * (part.firstTriangle + k)]];
        };
        isSorted[p] = isScattered(part.vertexCount, box, vertexAt);
        wantsTriangles[p] = isSorted[p] || isScattered(part.triangleCount, box, triangleAt);
        any = any || wantsTriangles[p];
        if (!isSorted[p])
            continue;
        if (fileOf.empty())
            fileOf = counting(mesh.vertexCount());
        sortVertices(mesh, part, box, fileOf);
    }
    if (!any)
        return nullptr;
    if (fileOf.empty())
        fileOf = counting(mesh.vertexCount());
    const std::vector<std::uint32_t> placeOf = inverseOf(fileOf);
    std::vector<std::uint32_t> triangle = counting(mesh.triangleCount());
    for (std::size_t p = 0; p < mesh.parts.size(); ++p)
        if (wantsTriangles[p])
            sortTriangles(mesh, mesh.parts[p], placeOf, triangle);
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
