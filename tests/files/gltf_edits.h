// Edits that the tests of saving make: one of each kind that a document knows.
#pragma once

#include "core/document/edit.h"
#include "core/document/intents.h"
#include "core/io/gltf_file.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace limber::test {

inline std::filesystem::path dataFolder() {
    const char* given = std::getenv("LIMBER_TEST_DATA");
    return given ? given : LIMBER_DEFAULT_TEST_DATA;
}

// One row, "path", for each glTF file of the demo and gltf folders; an empty one where there is no test data.
inline void addRealFiles() {
    QTest::addColumn<QString>("path");
    std::error_code none;
    for (const char* folder : {"demo", "gltf"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(dataFolder() / folder, none))
            if (entry.path().extension() == ".glb" || entry.path().extension() == ".gltf")
                QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    if (!std::filesystem::exists(dataFolder() / "demo"))
        QTest::newRow("no test data") << QString();
}

inline void apply(document::Document& doc, document::Patch patch) {
    doc.apply(document::Edit{"test", {std::move(patch)}});
}

inline std::vector<JointId> deformingJoints(const document::DocumentState& state) {
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < state.skeleton.size(); ++j)
        if (state.skeleton[JointId(j)].deforms)
            joints.emplace_back(j);
    return joints;
}

// Turns a joint about its own x axis on top of its present pose.
inline void turn(document::Document& doc, JointId joint, double angleRad) {
    const rig::Affine turned = doc.state().pose[joint.index()] * Eigen::AngleAxisd(angleRad, Eigen::Vector3d::UnitX());
    doc.apply(document::setUserLocal(doc, joint, turned, "turn"));
}

// Gives every `step`-th vertex of a skinned mesh the weights 0.625 and 0.375 on the first two joints.
inline std::vector<std::uint32_t> paint(document::Document& doc, MeshId mesh, std::size_t step,
                                        std::vector<skin::Influence> row = {{0, 0.625f}, {1, 0.375f}}) {
    document::WeightsPatch patch;
    patch.mesh = mesh;
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    for (std::size_t v = 0; v < weights.vertexCount(); v += step)
        patch.vertices.push_back(static_cast<std::uint32_t>(v));
    patch.before = skin::SkinWeights(patch.vertices.size(), weights.capacity());
    patch.after = skin::SkinWeights(patch.vertices.size(), row.size());
    for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
        patch.before.setRow(k, weights.row(patch.vertices[k]));
        patch.after.setRow(k, row);
    }
    const std::vector<std::uint32_t> vertices = patch.vertices;
    apply(doc, std::move(patch));
    return vertices;
}

// Moves the first `count` vertices of a shape by a little.
inline void sculpt(document::Document& doc, MeshId mesh, ShapeId shape, std::size_t count) {
    const shape::Shape* present = doc.mesh(mesh).findShape(shape);
    std::vector<std::uint32_t> vertices;
    std::vector<Eigen::Vector3f> after;
    for (std::size_t v = 0; v < std::min(count, doc.mesh(mesh).geometry.vertexCount()); ++v) {
        vertices.push_back(static_cast<std::uint32_t>(v));
        after.push_back(present->delta(vertices.back()) + Eigen::Vector3f(0.01f, 0.02f * float(v % 3), -0.015f));
    }
    apply(doc, document::shapeDeltasPatch(doc, mesh, shape, std::move(vertices), std::move(after)));
}

inline ShapeId addShape(document::Document& doc, MeshId mesh, const std::string& name, double weight) {
    document::ShapePatch patch;
    patch.mesh = mesh;
    patch.index = doc.mesh(mesh).shapes.size();
    patch.shape.id = ShapeId(doc.mesh(mesh).nextShapeId);
    patch.shape.name = name;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (doc.instance(InstanceId(i)).mesh == mesh)
            patch.instanceWeights.push_back(weight);
    const ShapeId id = patch.shape.id;
    apply(doc, std::move(patch));
    sculpt(doc, mesh, id, 40);
    return id;
}

// A shape that follows the joint, which must be out of its bind pose.
inline void drive(document::Document& doc, MeshId mesh, ShapeId shape, JointId joint) {
    document::DriversPatch patch;
    patch.mesh = mesh;
    patch.before = patch.after = doc.mesh(mesh).drivers;
    patch.after.push_back({{joint}, {{shape, {shape::driverRotation(doc.state().pose[joint.index()])}}}, 1.0});
    apply(doc, std::move(patch));
}

// The first mesh that an instance shows with a skin; not valid where there is none.
inline MeshId skinnedMesh(const document::DocumentState& state) {
    for (const document::Instance& instance : state.instances)
        if (instance.skin.valid())
            return instance.mesh;
    return {};
}

inline SkinId skinOf(const document::DocumentState& state, MeshId mesh) {
    for (const document::Instance& instance : state.instances)
        if (instance.mesh == mesh && instance.skin.valid())
            return instance.skin;
    return {};
}

} // namespace limber::test
