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

// A new, empty shape of the mesh with weight one at the present pose: driven by `joints` where there are any (a sample
// of the driver of that joint set, which is made where there is none), else by its slider at one. Refused where the present
// pose is too near to another sample of the same driver.
struct NewCorrective {
    Edit edit;
    ShapeId shape;
};
[[nodiscard]] Result<NewCorrective> newCorrective(const Document& doc, MeshId mesh, std::string name,
                                                  std::span<const JointId> joints);

// The driven shape that is fully on in the present pose and belongs to the touched vertices: one of `joints` drives it
// too, or it moves some of the vertices already. What sculpting them goes on in, instead of a second corrective.
[[nodiscard]] std::optional<ShapeId> correctiveOfPose(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                                      std::span<const std::uint32_t> vertices,
                                                      std::span<const JointId> joints);

// The pose at which a driven shape has weight one, for its driver's joints; empty for a shape without driver.
[[nodiscard]] Edit goToShapePose(const Document& doc, MeshId mesh, ShapeId shape);

// A name that no shape of the mesh has: `wish`, or `wish.001` and so on.
[[nodiscard]] std::string uniqueShapeName(const MeshData& mesh, const std::string& wish);

// Extraction of a whole sculpted surface (the command line's way): `sculpted` [V] world space positions of the instance,
// `shape` active in the present pose. Vertices nearer than the threshold keep their entry untouched.
struct ExtractionReport {
    std::size_t changed = 0, unreachable = 0; // vertices
    double largestResidual = 0;               // world units
};
[[nodiscard]] Result<Edit> extractCorrective(const Document& doc, Evaluator& evaluator, InstanceId instance, ShapeId shape,
                                             std::span<const Eigen::Vector3d> sculpted, ExtractionReport* report = nullptr);

} // namespace limber::document
