// Smooth normals of one mesh again and again, as it is posed: the area-weighted mean of the faces around each point, as
// smoothNormals() has it, several times faster. The points are taken piece by piece, small enough for the caches, and
// each triangle is computed once for each piece that it touches: mostly in rows of pairs (face_ladders.h), where those
// that follow each other on the surface do so in memory.
#pragma once

#include "core/mesh/face_ladders.h"
#include "core/mesh/smooth_normals_kernel.h"
#include "core/mesh/weld.h"

namespace limber::mesh {

class SmoothNormals {
public:
    // Keeps references: both must outlive it. O(V + T) where triangles are near in memory if they are on the
    // surface. Threads by oneTBB; 4 to 12 bytes a triangle.
    SmoothNormals(const Weld& weld, std::span<const std::uint32_t> triangles);

    SmoothNormals(const SmoothNormals&) = delete;
    SmoothNormals& operator=(const SmoothNormals&) = delete;

    [[nodiscard]] bool isOf(const Weld& weld, std::span<const std::uint32_t> triangles) const {
        return &weld == &weld_ && triangles.data() == triangles_.data();
    }

    // Unit normals [V] of positions [V], equal for all vertices of a point; (0, 1, 0) where a point has no face with an
    // area. The same on any number of threads. Threads by oneTBB; allocates only when a thread has not seen as large a
    // mesh. One call at a time.
    void compute(std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> normals) const;

private:
    // The slots of a piece are its points [first, end) and, behind them, others of its triangles; named by their bytes.
    struct Piece {
        std::uint32_t first = 0, end = 0;
        std::vector<std::uint32_t> others;  // vertices
        FaceLadders rows;                   // in lists_ once all are known, as is the next
        std::vector<std::uint32_t> singles; // three slots each
        FaceLists faces;
    };
    class Builder;

    void cut(std::size_t size);
    void joinLists();
    void run(const Piece& piece, std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> out) const;
    void fill(const Piece& piece, std::span<const Eigen::Vector3f> positions, float* slots) const;
    void write(const Piece& piece, std::size_t slot, std::size_t count, const float* slots,
               std::span<const Eigen::Vector3f> positions, std::span<Eigen::Vector3f> out) const;
    [[nodiscard]] Eigen::Vector3f exactNormal(std::uint32_t point, std::span<const Eigen::Vector3f> positions) const;

    const Weld& weld_;
    std::span<const std::uint32_t> triangles_;
    std::vector<Piece> pieces_;
    std::vector<std::uint32_t> lists_; // of all pieces: one large memory is found faster than many small ones
    bool plain_ = true;                // every vertex is a point of its own
};

} // namespace limber::mesh
