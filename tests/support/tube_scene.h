// The tube of tube_document.h as a small .glb: what tests open, save and kill.
#pragma once

#include "core/io/scene_build.h"
#include "tests/support/tube_document.h"

#include <cstdio>
#include <filesystem>

namespace limber::test {

inline io::SceneBuild tubeScene(std::size_t rings = 12, std::size_t sides = 8) {
    const document::DocumentState state = tubeDocument(rings, sides);
    const document::MeshData& tube = state.meshes[0];
    io::SceneBuild scene;
    scene.generator = "test";
    io::BuildSkin skin{"tube", {}, {}, {}};
    for (std::size_t j = 0; j < state.skeleton.size(); ++j) {
        const rig::Joint& joint = state.skeleton[JointId(j)];
        io::BuildNode node;
        node.name = joint.name;
        node.parent = joint.parent.valid() ? static_cast<int>(joint.parent.index()) : -1;
        node.local = joint.bindLocal;
        scene.nodes.push_back(node);
        if (joint.deforms) {
            skin.joints.push_back(static_cast<int>(j));
            skin.inverseBinds.push_back(joint.inverseBind);
        }
    }
    io::BuildPrimitive primitive;
    primitive.positions = tube.geometry.positions;
    primitive.normals = tube.geometry.normals;
    primitive.triangles = tube.geometry.triangles;
    for (std::size_t v = 0; v < tube.geometry.vertexCount(); ++v) {
        auto& row = primitive.influences.emplace_back();
        for (const skin::Influence& i : tube.weights.row(v))
            row.push_back({i.slot, i.weight});
    }
    primitive.shapes.push_back({"bulge", std::vector<Eigen::Vector3f>(primitive.positions.size(), {0, 0.1f, 0}), {}});
    scene.meshes.push_back({"tube", {primitive}});
    scene.skins.push_back(skin);
    io::BuildNode node;
    node.name = "tube";
    node.mesh = 0;
    node.skin = 0;
    scene.nodes.push_back(node);
    return scene;
}

inline bool writeTube(const std::filesystem::path& path) {
    const auto bytes = io::writeGlb(tubeScene());
    std::FILE* file = bytes ? std::fopen(path.string().c_str(), "wb") : nullptr;
    return file && std::fwrite(bytes->data(), 1, bytes->size(), file) == bytes->size() && std::fclose(file) == 0;
}

} // namespace limber::test
