// The tube with one thing wrong: what the doctor is to find in each, and how often.
#pragma once

#include "core/check/finding.h"
#include "tests/support/tube_document.h"

#include <limits>

namespace limber::test {

struct Fault {
    const char* name;
    void (*make)(document::DocumentState&);
    const char* code;
    check::Severity severity;
    std::size_t count;
    const char* where; // a part of it
    bool fixable;
    std::size_t maxInfluences = 0;
};

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

inline void setRow(document::DocumentState& state, std::size_t vertex, skin::Row row) {
    state.meshes[0].weights.setRow(vertex, row);
}

// Changes joints and binds them where they then stand.
template <class Change> void changeJoints(document::DocumentState& state, Change change) {
    std::vector<rig::Joint> joints = state.skeleton.joints();
    change(joints);
    state.skeleton = rig::Skeleton(std::move(joints));
    state.pose.resize(state.skeleton.size(), rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.resize(state.skeleton.size(), 0);
    for (document::Skin& skin : state.skins)
        for (std::size_t k = 0; k < skin.joints.size(); ++k)
            skin.inverseBinds[k] = state.skeleton[skin.joints[k]].inverseBind;
}

inline void addToSkin(document::DocumentState& state, const char* name, std::size_t parent) {
    state.skins[0].joints.emplace_back(state.skeleton.size());
    state.skins[0].inverseBinds.emplace_back();
    changeJoints(state, [&](auto& joints) { joints.push_back(tubeJoint(name, JointId(parent), {0.1, 0, 0}, true)); });
}

// A node above the root.
inline void addArmature(document::DocumentState& state, const rig::Affine& local) {
    changeJoints(state, [&](auto& joints) {
        joints.push_back(tubeJoint("armature", {}, {0, 0, 0}, false));
        joints.back().bindLocal = local;
        joints[Tube::kRoot].parent = JointId(joints.size() - 1);
    });
}

inline void addShape(document::DocumentState& state, const char* name, float x, float other = 0) {
    document::MeshData& mesh = state.meshes[0];
    shape::Shape shape;
    shape.id = ShapeId(mesh.nextShapeId++);
    shape.name = name;
    shape.vertices = {3, 4};
    shape.deltas = {{x, 0, 0}, {other, 0, 0}};
    mesh.shapes.push_back(std::move(shape));
    state.instances[0].shapeWeights.push_back(0);
}

inline void bend(document::DocumentState& state, double degrees) {
    state.pose[Tube::kLower] = Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ());
    state.filePose = state.pose;
}

using enum check::Severity;
using State = document::DocumentState;

// Vertex 10 and 30 are of the upper joint, 505 is at the elbow, 500 and 524 stand in one place, 1010 is of the lower.
inline constexpr Fault kFaults[] = {
    {"a weight that is no number",
     [](State& s) {
         setRow(s, 10, {{1, 1}, {2, kNaN}});
     },
     "WEIGHTS_NOT_FINITE", Error, 1, R"(meshes[0] "tube")", true},
    {"a negative weight",
     [](State& s) {
         setRow(s, 505, {{1, 1.5f}, {2, -0.5f}});
     },
     "WEIGHTS_NOT_FINITE", Error, 1, "meshes[0]", true},
    {"a position that is no number", [](State& s) { s.meshes[1].geometry.positions[3].x() = kNaN; },
     "POSITIONS_NOT_FINITE", Error, 1, R"(meshes[1] "plate")", false},
    {"a shape to nowhere", [](State& s) { addShape(s, "smile", kNaN, 0.1f); }, "SHAPE_NOT_FINITE", Error, 1,
     R"(meshes[0] "tube", targets[0] "smile")", true},
    {"a pose that is none", [](State& s) { s.pose[2].translation().x() = static_cast<double>(kNaN); },
     "POSE_NOT_FINITE", Error, 1, R"(nodes[2] "lower")", true},
    {"a bind that is none", [](State& s) { s.skins[0].inverseBinds[1].matrix()(0, 0) = static_cast<double>(kNaN); },
     "INVERSE_BINDS_NOT_FINITE", Error, 1, R"(skins[0] "tube", nodes[1] "upper")", false},
    {"a joint listed twice",
     [](State& s) {
         s.skins[0].joints.emplace_back(Tube::kLower);
         s.skins[0].inverseBinds.push_back(s.skins[0].inverseBinds[2]);
         setRow(s, 1010, {{2, 0.25f}, {3, 0.75f}});
     },
     "JOINT_TWICE_IN_SKIN", Warning, 1, R"(skins[0] "tube", nodes[2] "lower")", true},
    {"a joint listed twice that binds differently",
     [](State& s) {
         s.skins[0].joints.emplace_back(Tube::kLower);
         s.skins[0].inverseBinds.push_back(rig::Affine::Identity());
         setRow(s, 1010, {{3, 1}});
     },
     "JOINT_TWICE_IN_SKIN", Warning, 1, "skins[0]", false},
    {"a stray weight",
     [](State& s) {
         setRow(s, 10, {{1, 0.9f}, {2, 0.1f}});
     },
     "STRAY_WEIGHTS", Warning, 1, R"(meshes[0] "tube", nodes[2] "lower")", true},
    {"vertices without weights",
     [](State& s) {
         setRow(s, 30, {});
         setRow(s, 500, {});
     },
     "UNWEIGHTED_VERTICES", Warning, 2, "meshes[0]", true},
    {"a mesh without any weight",
     [](State& s) {
         for (std::size_t v = 0; v < s.meshes[0].weights.vertexCount(); ++v)
             setRow(s, v, {});
     },
     "UNWEIGHTED_VERTICES", Error, 1025, "meshes[0]", false},
    {"a seam that tears",
     [](State& s) {
         setRow(s, 524, {{1, 0.2f}, {2, 0.8f}});
     },
     "SEAM_WEIGHTS_DIFFER", Warning, 1, "meshes[0]", true},
    {"more influences than the target takes", [](State&) {}, "TOO_MANY_INFLUENCES", Warning, 225, "meshes[0]", true, 1},
    {"more than four influences",
     [](State& s) {
         addToSkin(s, "a", Tube::kLower);
         addToSkin(s, "b", Tube::kLower);
         setRow(s, 505, {{0, 0.2f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {4, 0.2f}});
     },
     "TOO_MANY_INFLUENCES", Info, 1, "meshes[0]", false},
    {"rows that the file has wrong",
     [](State& s) {
         s.meshes[0].repairedRows = {3, 7};
     },
     "WEIGHTS_SUM", Warning, 2, "meshes[0]", true},
    {"a row with another sum",
     [](State& s) {
         setRow(s, 30, {{1, 0.7f}});
     },
     "WEIGHTS_SUM", Warning, 1, "meshes[0]", true},
    {"skins that bind a joint differently",
     [](State& s) {
         s.skins.push_back(s.skins[0]);
         s.skins[1].inverseBinds[2].translate(Eigen::Vector3d(0.1, 0, 0));
         s.skins[1].sameBind = false;
     },
     "INVERSE_BINDS_DISAGREE", Warning, 1, R"(skins[1] "tube", nodes[2] "lower")", false},
    {"a file that is not at bind", [](State& s) { bend(s, 30); }, "POSE_NOT_BIND", Info, 1, R"(nodes[2] "lower")",
     true},
    {"a stretched joint",
     [](State& s) { changeJoints(s, [](auto& j) { j[Tube::kUpper].bindLocal.scale(Eigen::Vector3d(1, 2, 1)); }); },
     "NON_UNIFORM_SCALE", Warning, 1, R"(nodes[1] "upper")", false},
    {"a skewed joint",
     [](State& s) {
         changeJoints(s, [](auto& j) { j[Tube::kLower].bindLocal.linear().col(1) = Eigen::Vector3d(0.6, 0.8, 0); });
     },
     "SHEAR", Warning, 1, R"(nodes[2] "lower")", false},
    {"a mirrored joint",
     [](State& s) { changeJoints(s, [](auto& j) { j[Tube::kLower].bindLocal.scale(Eigen::Vector3d(-1, 1, 1)); }); },
     "NEGATIVE_SCALE", Warning, 1, R"(nodes[2] "lower")", false},
    {"a joint scaled to nothing",
     [](State& s) {
         const rig::Transforms binds = s.skins[0].inverseBinds;
         changeJoints(s, [](auto& j) { j[Tube::kLower].bindLocal.linear().setZero(); });
         s.skins[0].inverseBinds = binds;
     },
     "ZERO_SCALE", Warning, 1, R"(nodes[2] "lower")", false},
    {"units in the root", [](State& s) { changeJoints(s, [](auto& j) { j[Tube::kRoot].bindLocal.scale(100); }); },
     "ROOT_UNIT_FACTOR", Warning, 1, R"(nodes[0] "root")", false},
    {"units above the root", [](State& s) { addArmature(s, rig::Affine(Eigen::Scaling(0.01))); }, "ROOT_UNIT_FACTOR",
     Info, 1, R"(nodes[4] "armature")", false},
    {"another axis up",
     [](State& s) { addArmature(s, rig::Affine(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()))); },
     "ROOT_AXIS_TURN", Info, 1, R"(nodes[4] "armature")", false},
    {"centimetres",
     [](State& s) {
         for (Eigen::Vector3f& p : s.meshes[0].geometry.positions)
             p *= 100;
     },
     "UNUSUAL_SIZE", Info, 1, "skinned meshes", false},
    {"a normal without length", [](State& s) { s.meshes[0].geometry.normals[10].setZero(); }, "NORMALS_NOT_UNIT",
     Warning, 1, "meshes[0]", true},
    {"normals that the file has wrong",
     [](State& s) {
         s.meshes[0].repairedNormals = {3, 7, 8};
     },
     "NORMALS_NOT_UNIT", Warning, 3, "meshes[0]", true},
    {"normals that were not turned with the axes",
     [](State& s) {
         for (Eigen::Vector3f& n : s.meshes[1].geometry.normals)
             n = {n.y(), n.z(), n.x()};
     },
     "NORMALS_OFF_FACES", Warning, 25, "meshes[1]", true},
    {"a normal that is no number", [](State& s) { s.meshes[1].geometry.normals[10].x() = kNaN; }, "NORMALS_NOT_UNIT",
     Warning, 1, "meshes[1]", true},
    {"a normal into the surface", [](State& s) { s.meshes[0].geometry.normals[10] *= -1; }, "NORMALS_AGAINST_FACES",
     Warning, 1, "meshes[0]", true},
    {"a triangle without area",
     [](State& s) {
         for (const std::uint32_t v : {10u, 10u, 11u})
             s.meshes[0].geometry.triangles.push_back(v);
     },
     "ZERO_AREA_TRIANGLES", Info, 1, "meshes[0]", false},
    {"a mesh without triangles", [](State& s) { s.meshes[1].geometry.triangles.clear(); }, "EMPTY_MESH", Info, 1,
     "meshes[1]", false},
    {"a shape that moves nothing", [](State& s) { addShape(s, "rest", 0); }, "EMPTY_SHAPE", Info, 1,
     R"(targets[0] "rest")", true},
    {"an empty shape that a pose drives",
     [](State& s) {
         addShape(s, "rest", 0);
         const Eigen::Quaterniond turned(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitZ()));
         s.meshes[0].drivers.push_back({{JointId(Tube::kLower)}, {{ShapeId(std::size_t(0)), {turned}}}, 1});
     },
     "EMPTY_SHAPE", Info, 1, "targets[0]", false},
    {"an empty shape that a clip animates",
     [](State& s) {
         addShape(s, "rest", 0);
         rig::Clip clip;
         clip.channels.push_back({JointId(Tube::kRoot), rig::Channel::Path::Weights, {}, {0}, {1}, 1});
         s.clips.push_back(std::move(clip));
     },
     "EMPTY_SHAPE", Info, 1, "targets[0]", false},
    {"shapes of one name",
     [](State& s) {
         addShape(s, "smile", 0.1f);
         addShape(s, "smile", 0.2f);
     },
     "DUPLICATE_SHAPE_NAMES", Warning, 2, R"(targets[0] "smile")", true},
    {"a joint without a name", [](State& s) { s.skeleton.rename(JointId(Tube::kLower), ""); }, "MISSING_NAMES", Warning,
     1, "nodes[2]", true},
    {"joints of one name", [](State& s) { s.skeleton.rename(JointId(Tube::kHelper), "lower"); }, "DUPLICATE_NAMES",
     Warning, 2, R"(nodes[2] "lower", nodes[3] "lower")", true},
    {"a joint that skins nothing", [](State& s) { addToSkin(s, "tip", Tube::kLower); }, "UNUSED_JOINTS", Info, 1,
     R"(nodes[4] "tip")", false},
};

} // namespace limber::test
