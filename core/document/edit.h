// Edits are data: a label and a list of sparse patches, each with what was before and what is after.
// One small family of patches serves undo, the command line, property tests and recovery.
#pragma once

#include "core/document/document.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace limber::document {

// User-local transforms of joints.
struct PosePatch {
    std::vector<JointId> joints;
    rig::Pose before, after; // same length
};

// Weight rows of some vertices of a mesh.
struct WeightsPatch {
    MeshId mesh;
    std::vector<std::uint32_t> vertices; // ascending
    skin::SkinWeights before, after;     // row k is of vertices[k]
};

// A joint appended to a skin's list (its first painting there).
struct SkinJointPatch {
    SkinId skin;
    JointId joint;
    rig::Affine inverseBind = rig::Affine::Identity();
};

// Offsets of some vertices of a shape; a zero offset means no entry.
struct ShapeDeltasPatch {
    MeshId mesh;
    ShapeId shape;
    std::vector<std::uint32_t> vertices; // ascending
    std::vector<Eigen::Vector3f> before, after;
    std::optional<shape::Shape> whole; // as it was before, where `before` alone would not bring it back
};

// The patch that gives these vertices (ascending) of a shape new offsets, against the document's present ones.
[[nodiscard]] ShapeDeltasPatch shapeDeltasPatch(const Document& doc, MeshId mesh, ShapeId shape,
                                                std::vector<std::uint32_t> vertices,
                                                std::vector<Eigen::Vector3f> after);

// A shape inserted (or, reversed, removed) at a place of the mesh's list, with the sliders of the mesh's instances.
struct ShapePatch {
    MeshId mesh;
    std::size_t index = 0;
    shape::Shape shape;
    bool removes = false;
    std::vector<double> instanceWeights; // of every instance of the mesh, in order
};

struct ShapePropertiesPatch {
    MeshId mesh;
    ShapeId shape;
    std::string nameBefore, nameAfter;
    bool mutedBefore = false, mutedAfter = false;
};

// All drivers of a mesh.
struct DriversPatch {
    MeshId mesh;
    std::vector<shape::PoseDriver> before, after;
};

struct ShapeWeightPatch {
    InstanceId instance;
    ShapeId shape;
    double before = 0, after = 0;
};

struct LockPatch {
    JointId joint;
    bool before = false, after = false;
};

struct JointNamePatch {
    JointId joint;
    std::string before, after;
};

// Rest normals of some vertices of a mesh, mesh space, unit.
struct NormalsPatch {
    MeshId mesh;
    std::vector<std::uint32_t> vertices; // ascending
    std::vector<Eigen::Vector3f> before, after;
};

// Whether what was repaired of the mesh when the file was read is written as it is now.
struct RepairsPatch {
    MeshId mesh;
    bool before = false, after = false;
};

// Method and last step of a mesh.
struct SkinningPatch {
    MeshId mesh;
    skin::Skinning before, after;
};

// Values of one painted map at some vertices; a map of ones is no map.
struct PaintedMapPatch {
    MeshId mesh;
    skin::PaintedMap map = skin::PaintedMap::MethodShare;
    std::vector<std::uint32_t> vertices; // ascending
    std::vector<float> before, after;    // [0, 1]
};

using Patch = std::variant<PosePatch, WeightsPatch, SkinJointPatch, ShapeDeltasPatch, ShapePatch, ShapePropertiesPatch,
                           DriversPatch, ShapeWeightPatch, LockPatch, JointNamePatch, NormalsPatch, RepairsPatch,
                           SkinningPatch, PaintedMapPatch>;

struct Edit {
    std::string label; // as the undo menu shows it: "Rotate upperarm_l"
    std::vector<Patch> patches;

    [[nodiscard]] bool empty() const { return patches.empty(); }
    [[nodiscard]] std::size_t bytes() const; // memory it holds
};

using SharedEdit = std::shared_ptr<const Edit>;

} // namespace limber::document
