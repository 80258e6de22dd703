// Vertices that stand at one position (UV and normal seams split them) seen as one point, and the points' neighbours.
#pragma once

#include "core/mesh/mesh.h"

#include <mutex>
#include <span>

namespace limber::mesh {

// Compressed rows: row r is items[offsets[r] .. offsets[r + 1]).
struct Rows {
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> items;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t r) const {
        return {items.data() + offsets[r], items.data() + offsets[r + 1]};
    }
};

// Points are numbered as their vertices first come in memory; two vertices are one point where their positions are
// equal. Rows ascend by what things are in the file, whatever the order of the mesh in memory: where the first one is
// chosen, or values are added up, the result is that of the file's order.
struct Weld {
    std::vector<std::uint32_t> pointOfVertex; // [V]
    Rows verticesOfPoint;                     // [P] at least one vertex each
    Rows neighbours;                          // [P] points joined by a triangle edge
    Rows trianglesOfPoint;                    // [P] triangle indices
    std::uint32_t firstOfFile = 0;            // the vertex that comes first in the file

    [[nodiscard]] std::size_t pointCount() const { return verticesOfPoint.size(); }
    // The one that comes first in the file.
    [[nodiscard]] std::uint32_t firstVertex(std::uint32_t point) const {
        return verticesOfPoint.items[verticesOfPoint.offsets[point]];
    }
};

// positions [V] finite, triangles [3 x T] indices below V; `order` of the mesh that they are of, null: the file's.
// O(V + T), and twice the time where there is an order. Threads by oneTBB.
[[nodiscard]] Weld weld(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> triangles,
                        const VertexOrder* order = nullptr);

// The weld of one mesh, made when it is first needed: opening, converting and posing a file do without. Copies share
// it. Any thread.
class LazyWeld {
public:
    // The same mesh each time.
    [[nodiscard]] const Weld& of(const Mesh& mesh) const {
        std::call_once(made_->once, [&] { made_->weld = weld(mesh.positions, mesh.triangles, mesh.order.get()); });
        return made_->weld;
    }

private:
    struct Made {
        std::once_flag once;
        Weld weld;
    };
    std::shared_ptr<Made> made_ = std::make_shared<Made>();
};

} // namespace limber::mesh
