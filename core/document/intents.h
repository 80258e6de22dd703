// Intents are functions: from a document to the edit that does what the user asked for.
#pragma once

#include "core/base/result.h"
#include "core/document/edit.h"
#include "core/document/preview.h"

namespace limber::document {

class Evaluator;

enum class PoseTarget { Bind, File };

// Back to the bind pose (Ul = I) or to the pose the file came with; joints already there are left out.
[[nodiscard]] Edit resetPose(const Document& doc, std::span<const JointId> joints, PoseTarget target);
[[nodiscard]] Edit setUserLocal(const Document& doc, JointId joint, const rig::Affine& userLocal, std::string label);

[[nodiscard]] Edit setLocked(const Document& doc, std::span<const JointId> joints, bool locked);

[[nodiscard]] Edit renameShape(const Document& doc, MeshId mesh, ShapeId shape, std::string name);
[[nodiscard]] Edit muteShape(const Document& doc, MeshId mesh, ShapeId shape, bool muted);
[[nodiscard]] Edit setShapeWeight(const Document& doc, InstanceId instance, ShapeId shape, double weight);
// Removes the shape and its driver sample.
[[nodiscard]] Edit removeShape(const Document& doc, MeshId mesh, ShapeId shape);

// Joints out of their bind pose (rotation above 1 degree) that influence any of the vertices with more than 1 %.
[[nodiscard]] std::vector<JointId> proposeDriverJoints(const Document& doc, MeshId mesh,
                                                       std::span<const std::uint32_t> vertices);

// A new shape of the mesh with weight one at the present pose: driven by `joints` where there are any (a sample of the
// driver of that joint set, which is made where there is none), else by its slider at one. It starts empty, or with
// what the driver's other shapes lose here by the new sample, so that the surface stays as it is. Refused where the
// present pose is too near to another sample of the same driver.
struct NewCorrective {
    Edit edit;
    ShapeId shape;
};
[[nodiscard]] Result<NewCorrective> newCorrective(const Document& doc, MeshId mesh, std::string name,
                                                  std::span<const JointId> joints);

// The shape driven by just these joints (ascending) that the present pose belongs to: the one with the most weight, if
// that is at least 0.85. Another sample so near would make the weights of both change fast between them.
[[nodiscard]] std::optional<ShapeId> correctiveHoldingPose(const Document& doc, Evaluator& evaluator,
                                                           InstanceId instance, std::span<const JointId> joints);

// The driven shape that touched vertices are sculpted in, instead of a second corrective: the one that holds the pose,
// else one that is fully on and either shares a driver joint with `joints` or moves some of the vertices already.
[[nodiscard]] std::optional<ShapeId> correctiveOfPose(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                                      std::span<const std::uint32_t> vertices,
                                                      std::span<const JointId> joints);

// The pose at which a driven shape has weight one, for its driver's joints; empty for a shape without driver.
[[nodiscard]] Edit goToShapePose(const Document& doc, MeshId mesh, ShapeId shape);

// A name that no shape of the mesh has: `wish`, or `wish.001` and so on.
[[nodiscard]] std::string uniqueShapeName(const MeshData& mesh, const std::string& wish);

// Extraction of a whole sculpted surface (the command line's way): `sculpted` [V] world space positions of the
// instance, `shape` active in the present pose. Vertices nearer than the threshold keep their entry untouched.
struct ExtractionReport {
    std::size_t changed = 0, unreachable = 0; // vertices
    double largestResidual = 0;               // world units
};
[[nodiscard]] Result<Edit> extractCorrective(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                             ShapeId shape, std::span<const Eigen::Vector3d> sculpted,
                                             ExtractionReport* report = nullptr);

} // namespace limber::document
