#include "tests/bench/bench_document.h"

#include "core/mesh/normals.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace limber::bench {

namespace {

constexpr double kHeight = 2, kRadius = 0.15;

mesh::Mesh tubeMesh(std::size_t vertices) {
    const auto sides = static_cast<std::size_t>(std::sqrt(static_cast<double>(vertices) / 2));
    const std::size_t rings = vertices / sides;
    mesh::Mesh m;
    m.name = "tube";
    for (std::size_t r = 0; r < rings; ++r)
        for (std::size_t s = 0; s < sides; ++s) {
            const double a = 2 * M_PI * static_cast<double>(s) / static_cast<double>(sides);
            m.positions.push_back(Eigen::Vector3d(kRadius * std::cos(a),
                                                  kHeight * static_cast<double>(r) / static_cast<double>(rings - 1),
                                                  kRadius * std::sin(a))
                                      .cast<float>());
        }
    for (std::size_t r = 0; r + 1 < rings; ++r)
        for (std::size_t s = 0; s < sides; ++s) {
            const auto at = [&](std::size_t dr, std::size_t ds) {
                return static_cast<std::uint32_t>((r + dr) * sides + (s + ds) % sides);
            };
            for (const std::uint32_t v : {at(0, 0), at(1, 0), at(0, 1), at(1, 0), at(1, 1), at(0, 1)})
                m.triangles.push_back(v);
        }
    m.parts.push_back(
        {0, static_cast<std::uint32_t>(m.positions.size()), 0, static_cast<std::uint32_t>(m.triangles.size() / 3), -1});
    return m;
}

// The four joints around the vertex's height, weights falling off linearly.
skin::SkinWeights tubeWeights(const mesh::Mesh& m, std::size_t joints) {
    skin::SkinWeights weights(m.vertexCount(), 4);
    const double step = kHeight / static_cast<double>(joints);
    for (std::size_t v = 0; v < m.vertexCount(); ++v) {
        const double at = m.positions[v].y() / step;
        const auto first = static_cast<std::size_t>(std::clamp(at - 1.5, 0.0, static_cast<double>(joints - 4)));
        skin::Row row;
        float sum = 0;
        for (std::size_t k = first; k < first + 4; ++k) {
            const auto w = static_cast<float>(std::max(0.05, 2 - std::abs(at - static_cast<double>(k))));
            row.push_back({static_cast<std::uint32_t>(k), w});
            sum += w;
        }
        for (skin::Influence& i : row)
            i.weight /= sum;
        weights.setRow(v, row);
    }
    return weights;
}

} // namespace

document::DocumentState makeTube(std::size_t vertices, std::size_t joints) {
    document::DocumentState state;
    std::vector<rig::Joint> chain(joints);
    for (std::size_t j = 0; j < joints; ++j) {
        chain[j].name = "joint" + std::to_string(j);
        chain[j].deforms = true;
        if (j > 0) {
            chain[j].parent = JointId(j - 1);
            chain[j].bindLocal.translation().y() = kHeight / static_cast<double>(joints);
        }
    }
    state.skeleton = rig::Skeleton(std::move(chain));
    state.pose.assign(joints, rig::Affine::Identity());
    state.filePose = state.pose;

    document::Skin skin;
    for (std::size_t j = 0; j < joints; ++j) {
        skin.joints.emplace_back(j);
        skin.inverseBinds.push_back(state.skeleton[JointId(j)].inverseBind);
    }
    state.skins.push_back(std::move(skin));

    document::MeshData data;
    data.geometry = tubeMesh(vertices);
    data.geometry.normals = mesh::smoothNormals(data.weld(), data.geometry.triangles, data.geometry.positions);
    data.weights = tubeWeights(data.geometry, joints);
    state.meshes.push_back(std::move(data));

    document::Instance instance;
    instance.name = "tube";
    instance.node = JointId(0);
    instance.mesh = MeshId(0);
    instance.skin = SkinId(0);
    state.instances.push_back(instance);
    return state;
}

std::string dataFile(const std::string& relative) {
    const char* folder = std::getenv("LIMBER_TEST_DATA");
    const std::filesystem::path path = std::filesystem::path(folder ? folder : LIMBER_DEFAULT_TEST_DATA) / relative;
    return std::filesystem::exists(path) ? path.string() : std::string();
}

} // namespace limber::bench
