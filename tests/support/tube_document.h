// A small rigged scene made by code: a tube along x with an elbow in its middle, closed by a seam of doubled vertices,
// and a plate that follows the lower joint without a skin.
#pragma once

#include "core/document/document.h"

namespace limber::test {

struct Tube {
    static constexpr std::size_t kRoot = 0, kUpper = 1, kLower = 2, kHelper = 3; // joints; the helper is in no skin
    static inline const MeshId mesh{0}, plate{1};
    static inline const InstanceId instance{0}, plateInstance{1};
    static inline const SkinId skin{0};
    static constexpr double kLength = 4, kRadius = 0.5, kElbow = 2;
};

rig::Joint tubeJoint(const char* name, JointId parent, const Eigen::Vector3d& offset, bool deforms);
mesh::Mesh tubeMesh(std::size_t rings, std::size_t sides);
// In the space of the lower joint, beside the tube's far half.
mesh::Mesh plateMesh();
// With smooth normals.
document::MeshData toMeshData(mesh::Mesh geometry);
// Half the weight of each arm at the elbow, fading over a unit of length.
skin::SkinWeights tubeWeights(const mesh::Mesh& m);
// At bind, unless `bendDegrees` turns the lower joint about z.
document::DocumentState tubeDocument(std::size_t rings = 40, std::size_t sides = 24, double bendDegrees = 0);

} // namespace limber::test
