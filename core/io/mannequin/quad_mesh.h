// The left half of the figure as a mesh of mostly quads, its seam on x = 0, and the operations that turn a coarse
// cage into a smooth skin.
#pragma once

#include "core/io/mannequin/body_field.h"

#include <array>
#include <cstdint>
#include <vector>

namespace limber::io::mannequin {

enum class Region : std::uint8_t { Torso, Head, Arm, Palm, Finger, Leg, Foot };

struct Face {
    std::array<int, 4> corners{};
    int size = 4;
    Region region = Region::Torso;
    std::array<float, 4> row{}; // at each corner: how many rows along its region
    [[nodiscard]] float meanRow() const;
};

struct HalfMesh {
    std::vector<Vector3d> points;
    std::vector<unsigned> parts; // per point: what it sees of the field
    std::vector<char> seam;      // per point: on x = 0
    std::vector<Face> faces;     // counter-clockwise from outside

    int addPoint(const Vector3d& p, unsigned seen, bool onSeam = false);
};

// Points joined by an edge, in CSR form. Points of the seam list those beside it twice, for their mirror images.
struct Neighbours {
    std::vector<int> start, point;
};
[[nodiscard]] Neighbours neighboursOf(const HalfMesh& mesh);

// One step of Catmull-Clark; the seam is a crease that stays on its plane. All faces become quads.
[[nodiscard]] HalfMesh subdivide(const HalfMesh& mesh);

// Moves every point onto the surface.
void projectOnto(HalfMesh& mesh, const BodyField& field, int steps);

// Evens out the spacing: `rounds` times a tangential Laplacian step by `amount`, then back onto the surface.
void relax(HalfMesh& mesh, const BodyField& field, int rounds, double amount);

// Rounds off where neighbouring faces fold sharply, as in the webs between fingers.
void softenFolds(HalfMesh& mesh, int rounds);

// Area-weighted, unit; without x part on the seam.
[[nodiscard]] std::vector<Vector3d> pointNormals(const HalfMesh& mesh);

} // namespace limber::io::mannequin
