#include "tests/support/tube_document.h"

#include "core/mesh/normals.h"

#include <cmath>

namespace limber::test {

rig::Joint tubeJoint(const char* name, JointId parent, const Eigen::Vector3d& offset, bool deforms) {
    rig::Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.bindLocal.translation() = offset;
    joint.deforms = deforms;
    return joint;
}

mesh::Mesh tubeMesh(std::size_t rings, std::size_t sides) {
    mesh::Mesh m;
    m.name = "tube";
    for (std::size_t r = 0; r <= rings; ++r)
        for (std::size_t s = 0; s <= sides; ++s) { // the last column stands where the first does
            const double angle = 2 * M_PI * static_cast<double>(s % sides) / static_cast<double>(sides);
            m.positions.push_back(Eigen::Vector3d(Tube::kLength * static_cast<double>(r) / static_cast<double>(rings),
                                                  Tube::kRadius * std::cos(angle), Tube::kRadius * std::sin(angle))
                                      .cast<float>());
        }
    const auto at = [&](std::size_t r, std::size_t s) { return static_cast<std::uint32_t>(r * (sides + 1) + s); };
    for (std::size_t r = 0; r < rings; ++r)
        for (std::size_t s = 0; s < sides; ++s)
            for (const std::uint32_t v :
                 {at(r, s), at(r, s + 1), at(r + 1, s), at(r + 1, s), at(r, s + 1), at(r + 1, s + 1)})
                m.triangles.push_back(v);
    return m;
}

mesh::Mesh plateMesh() {
    mesh::Mesh m;
    m.name = "plate";
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
            m.positions.emplace_back(0.5f + 0.1f * static_cast<float>(x), 0.1f * static_cast<float>(y), 1.0f);
    for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) {
            const std::uint32_t a = y * 5 + x;
            for (const std::uint32_t v : {a, a + 1, a + 5, a + 5, a + 1, a + 6})
                m.triangles.push_back(v);
        }
    return m;
}

document::MeshData toMeshData(mesh::Mesh geometry) {
    document::MeshData data;
    geometry.normals =
        mesh::smoothNormals(mesh::weld(geometry.positions, geometry.triangles), geometry.triangles, geometry.positions);
    geometry.parts.push_back({0, static_cast<std::uint32_t>(geometry.vertexCount()), 0,
                              static_cast<std::uint32_t>(geometry.triangleCount()), -1});
    data.geometry = std::move(geometry);
    return data;
}

skin::SkinWeights tubeWeights(const mesh::Mesh& m) {
    skin::SkinWeights weights(m.vertexCount(), 4);
    for (std::size_t v = 0; v < m.vertexCount(); ++v) {
        const double t = std::clamp((m.positions[v].x() - Tube::kElbow) + 0.5, 0.0, 1.0);
        const float lower = static_cast<float>(t * t * (3 - 2 * t));
        skin::Row row;
        if (lower < 1)
            row.push_back({1, 1 - lower});
        if (lower > 0)
            row.push_back({2, lower});
        weights.setRow(v, row);
    }
    return weights;
}

document::DocumentState tubeDocument(std::size_t rings, std::size_t sides, double bendDegrees) {
    document::DocumentState state;
    state.skeleton = rig::Skeleton({tubeJoint("root", {}, {0, 0, 0}, true),
                                    tubeJoint("upper", JointId(Tube::kRoot), {0, 0, 0}, true),
                                    tubeJoint("lower", JointId(Tube::kUpper), {Tube::kElbow, 0, 0}, true),
                                    tubeJoint("helper", JointId(Tube::kUpper), {1, 0, 0}, false)});
    state.pose.assign(4, rig::Affine::Identity());
    state.filePose = state.pose;
    state.pose[Tube::kLower].rotate(Eigen::AngleAxisd(bendDegrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
    state.locked.assign(4, 0);

    document::Skin skin;
    skin.name = "tube";
    for (const std::size_t j : {Tube::kRoot, Tube::kUpper, Tube::kLower}) {
        skin.joints.emplace_back(j);
        skin.inverseBinds.push_back(state.skeleton[JointId(j)].inverseBind);
    }
    state.skins.push_back(std::move(skin));

    state.meshes.push_back(toMeshData(tubeMesh(rings, sides)));
    state.meshes.back().weights = tubeWeights(state.meshes.back().geometry);
    state.meshes.push_back(toMeshData(plateMesh()));

    document::Instance tube;
    tube.name = "tube";
    tube.node = JointId(Tube::kRoot);
    tube.mesh = Tube::mesh;
    tube.skin = Tube::skin;
    document::Instance plate;
    plate.name = "plate";
    plate.node = JointId(Tube::kLower);
    plate.mesh = Tube::plate;
    state.instances = {tube, plate};
    return state;
}

} // namespace limber::test
