// How much each shape of a mesh is on: by its slider, its pose driver or its mute.
#pragma once

#include "core/document/posed_skeleton.h"

namespace limber::document {

// What the pose drivers of one mesh say; solved again only where one of their joints has turned.
class DrivenWeights {
public:
    void invalidate() { stale_ = true; } // other shapes, samples or drivers
    // `joints` up to date.
    void update(const MeshData& mesh, const PosedSkeleton& joints);
    // Counts updates that came out otherwise.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    // Writes the weights [shapes] of driven shapes, leaves the others.
    void lay(const MeshData& mesh, std::span<double> weights) const;

private:
    struct Solved {
        std::size_t driver = 0; // index into the mesh's
        shape::DriverSolver solver;
        std::vector<double> weights; // [samples]
    };
    void build(const MeshData& mesh);
    [[nodiscard]] bool solve(const MeshData& mesh, const PosedSkeleton& joints, Solved& solved);

    std::vector<Solved> solved_;
    std::vector<Eigen::Quaterniond> rotations_;
    std::vector<double> scratch_;
    std::uint64_t seen_ = 0, revision_ = 1;
    bool stale_ = true;
};

// The effective weights of one instance.
class ShapeWeights {
public:
    void invalidate() { stale_ = true; } // a slider, a mute or the shape list
    // Whether any weight of a shape that moves vertices changed: those shapes are then in changed().
    bool update(const Document& doc, const Preview& preview, InstanceId instance, const DrivenWeights& driven);

    [[nodiscard]] std::span<const double> weights() const { return weights_; } // [shapes of the mesh]
    // Of the last update that changed any: indices of shapes.
    [[nodiscard]] std::span<const std::size_t> changed() const { return changed_; }

private:
    [[nodiscard]] double before(const shape::Shape& shape) const;

    std::vector<double> weights_, next_;
    std::vector<ShapeId> shapes_; // whose weights these are
    std::vector<std::size_t> changed_;
    std::uint64_t seen_ = 0; // of the driven weights
    bool stale_ = true;
};

} // namespace limber::document
