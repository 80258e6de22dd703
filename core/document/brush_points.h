// The points of a posed mesh that a dab reaches.
#pragma once

#include "core/document/brush.h"
#include "core/document/point_normals.h"
#include "core/document/preview.h"
#include "core/mesh/point_grid.h"

#include <span>
#include <vector>

namespace limber::document {

class Evaluator;

struct BrushPoint {
    std::uint32_t point = 0;
    float falloff = 0; // > 0
};

// Points within the radius, ascending; those that look away from the eye are left out where the dab asks for it.
// `positions` and `normals` [V], world. Clears `out` first. O(points), no allocation once `out` has grown.
void pointsUnder(const BrushDab& dab, const MeshData& mesh, std::span<const Eigen::Vector3f> positions,
                 std::span<const Eigen::Vector3f> normals, std::vector<BrushPoint>& out);

// Points under the dabs of one stroke, as pointsUnder() finds them but without looking at all of a large mesh each
// time: its second dab on an instance builds a grid, which follows what the stroke moves.
class BrushPoints {
public:
    // Keeps references for the stroke.
    BrushPoints(const Document& doc, Evaluator& evaluator, const Preview& preview);

    // On the posed surface of this moment. Valid until the next call. O(points near the brush) on a mesh of at least
    // kGridVertices, O(points) below and for the first.
    [[nodiscard]] std::span<const BrushPoint> under(InstanceId instance, const BrushDab& dab);
    // Which way a point of it looks, as the dabs take it. After under().
    [[nodiscard]] PointNormals& normals(InstanceId instance) { return surfaceOf(instance).normals; }
    // To be told after each dab: rows, offsets or painted values of these vertices were changed in the preview.
    // Changes of the document and of the preview's pose are noticed.
    void changed(MeshId mesh, std::span<const std::uint32_t> vertices);

    static constexpr std::size_t kGridVertices = 20'000;

private:
    struct Surface {
        InstanceId instance;
        bool visited = false; // by one dab
        mesh::PointGrid grid;
        PointNormals normals;
        std::uint64_t document = 0, pose = 0; // revisions that the grid was built for
        std::vector<std::uint32_t> changed;   // since the last dab
    };

    Surface& surfaceOf(InstanceId instance);
    bool ready(Surface& surface, std::span<const Eigen::Vector3f> positions);
    void sweep(const BrushDab& dab, const mesh::Weld& weld, std::span<const Eigen::Vector3f> positions);
    void finish(const BrushDab& dab, Surface& surface, std::span<const Eigen::Vector3f> positions,
                std::span<const Eigen::Vector3f> normals);

    const Document& doc_;
    Evaluator& evaluator_;
    const Preview& preview_;
    std::vector<Surface> surfaces_;
    mesh::VertexBits bits_;
    std::vector<std::uint32_t> found_; // first vertices, ascending
    std::vector<BrushPoint> points_;
};

} // namespace limber::document
