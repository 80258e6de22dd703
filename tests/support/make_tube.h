// A small rigged scene for tests: a tube around the Y axis from 0 to 3, bent by three joints at 0, 1 and 2.
// With a seam (the first and the last column stand at one place) and, on wish, cut into two meshes at half its height.
#pragma once

#include "core/document/document.h"
#include "core/mesh/normals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::test {

inline constexpr JointId kUpper{std::size_t(0)}, kLower{std::size_t(1)}, kHand{std::size_t(2)}, kNode{std::size_t(3)};
inline constexpr double kTubeRadius = 0.3;
inline constexpr int kTubeSides = 24;

struct TubeOptions {
    bool twoMeshes = false;
    int rings = 31; // of the whole tube
};

// Share of the next joint at a height: blends over 0.6 around the joint.
inline double tubeBlend(double y, double joint) {
    return std::clamp((y - joint) / 0.6 + 0.5, 0.0, 1.0);
}

inline document::MeshData tubeMesh(const std::string& name, double from, double to, int rings) {
    document::MeshData data;
    mesh::Mesh& g = data.geometry;
    g.name = name;
    constexpr int kColumns = kTubeSides + 1;
    for (int r = 0; r < rings; ++r)
        for (int c = 0; c < kColumns; ++c) {
            const double a = 2 * std::numbers::pi * (c % kTubeSides) / kTubeSides;
            const double y = from + (to - from) * r / (rings - 1);
            g.positions.emplace_back(float(kTubeRadius * std::sin(a)), float(y), float(kTubeRadius * std::cos(a)));
            g.uvs.emplace_back(float(c) / kTubeSides, float(r) / float(rings - 1));
        }
    for (int r = 0; r + 1 < rings; ++r)
        for (int c = 0; c + 1 < kColumns; ++c) {
            const auto v = std::uint32_t(r * kColumns + c);
            for (const std::uint32_t i : {v, v + 1, v + kColumns, v + 1, v + kColumns + 1, v + kColumns})
                g.triangles.push_back(i);
        }
    g.parts.push_back({0, std::uint32_t(g.vertexCount()), 0, std::uint32_t(g.triangleCount()), -1});
    g.normals = mesh::smoothNormals(data.weld(), g.triangles, g.positions);
    data.weights = skin::SkinWeights(g.vertexCount(), 4);
    for (std::size_t v = 0; v < g.vertexCount(); ++v) {
        const double lower = tubeBlend(g.positions[v].y(), 1), hand = tubeBlend(g.positions[v].y(), 2);
        const double parts[] = {1 - lower, lower - hand, hand};
        skin::Row row;
        for (std::uint32_t slot = 0; slot < 3; ++slot)
            if (parts[slot] > 0)
                row.push_back({slot, float(parts[slot])});
        data.weights.setRow(v, row);
    }
    return data;
}

inline document::DocumentState makeTube(TubeOptions options = {}) {
    document::DocumentState state;
    std::vector<rig::Joint> joints(4);
    const char* names[] = {"upperarm_l", "lowerarm_l", "hand_l", "body"};
    for (std::size_t j = 0; j < 4; ++j) {
        joints[j].name = names[j];
        joints[j].deforms = j < 3;
        if (j == 1 || j == 2) {
            joints[j].parent = JointId(j - 1);
            joints[j].bindLocal.translate(Eigen::Vector3d(0, 1, 0));
        }
    }
    state.skeleton = rig::Skeleton(std::move(joints));
    state.pose.assign(4, rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.assign(4, 0);
    document::Skin skin;
    skin.name = "arm";
    for (std::size_t j = 0; j < 3; ++j) {
        skin.joints.emplace_back(j);
        skin.inverseBinds.push_back(state.skeleton[JointId(j)].inverseBind);
    }
    state.skins.push_back(std::move(skin));
    if (options.twoMeshes) {
        state.meshes.push_back(tubeMesh("sleeve", 0, 1.5, options.rings / 2 + 1));
        state.meshes.push_back(tubeMesh("glove", 1.5, 3, options.rings / 2 + 1));
    } else {
        state.meshes.push_back(tubeMesh("arm", 0, 3, options.rings));
    }
    for (std::size_t m = 0; m < state.meshes.size(); ++m)
        state.instances.push_back({state.meshes[m].geometry.name, kNode, MeshId(m), SkinId(std::size_t(0)), {}});
    return state;
}

} // namespace limber::test
