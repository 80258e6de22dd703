// Kernels beside their naive oracle and the no-arithmetic byte limit. The ratio columns are measured in one run.

#include "core/skin/linear_blend.h"
#include "tests/bench/bench_document.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>

namespace {

using namespace limber;

struct SkinScene {
    document::DocumentState state;
    rig::Transforms matrices;
    std::vector<skin::Matrix34f> matricesFloat;
    std::vector<Eigen::Vector3f> positions, normals;

    explicit SkinScene(std::size_t vertices) : state(bench::makeTube(vertices, 64)) {
        for (std::size_t j = 0; j < 64; ++j) {
            rig::Affine m = state.skeleton[JointId(j)].bindWorld;
            m.rotate(Eigen::AngleAxisd(0.02 * static_cast<double>(j), Eigen::Vector3d::UnitX()));
            matrices.push_back(m * state.skeleton[JointId(j)].inverseBind);
            matricesFloat.push_back(skin::toMatrix34f(matrices.back()));
        }
        positions.resize(mesh().geometry.vertexCount());
        normals.resize(positions.size());
    }

    [[nodiscard]] const document::MeshData& mesh() const { return state.meshes[0]; }

    void kernel() {
        skin::linearBlend({mesh().geometry.positions, mesh().geometry.normals, &mesh().weights, matricesFloat},
                          positions, normals);
    }
    void oracle() {
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const skin::PosedVertex posed =
                skin::linearBlendReference(mesh().geometry.positions[v].cast<double>(),
                                           mesh().geometry.normals[v].cast<double>(), mesh().weights.row(v), matrices);
            positions[v] = posed.position.cast<float>();
            normals[v] = posed.normal.cast<float>();
        }
    }
};

template <class Work> double secondsOf(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void linearBlend(benchmark::State& run) {
    SkinScene scene(static_cast<std::size_t>(run.range(0)));
    scene.kernel();
    double best = 1e9;
    for (auto _ : run)
        best = std::min(best, secondsOf([&] { scene.kernel(); }));
    double oracle = 1e9;
    for (int k = 0; k < 3; ++k)
        oracle = std::min(oracle, secondsOf([&] { scene.oracle(); }));
    run.SetItemsProcessed(run.iterations() * static_cast<int64_t>(scene.positions.size()));
    run.counters["times_the_oracle"] = oracle / best;
}
BENCHMARK(linearBlend)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// Reads and writes what the kernel must, and computes nothing.
void byteLimit(benchmark::State& run) {
    SkinScene scene(static_cast<std::size_t>(run.range(0)));
    const auto& mesh = scene.mesh();
    for (auto _ : run) {
        std::copy(mesh.geometry.positions.begin(), mesh.geometry.positions.end(), scene.positions.begin());
        std::copy(mesh.geometry.normals.begin(), mesh.geometry.normals.end(), scene.normals.begin());
        std::uint32_t sum = 0;
        for (const skin::Influence& i : mesh.weights.entries())
            sum += i.slot;
        benchmark::DoNotOptimize(sum);
        benchmark::ClobberMemory();
    }
    run.SetItemsProcessed(run.iterations() * static_cast<int64_t>(scene.positions.size()));
}
BENCHMARK(byteLimit)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

void forwardKinematics(benchmark::State& run) {
    const document::DocumentState state = bench::makeTube(100, static_cast<std::size_t>(run.range(0)));
    rig::Transforms world;
    for (auto _ : run) {
        rig::forwardKinematics(state.skeleton, state.pose, world);
        benchmark::DoNotOptimize(world.data());
    }
}
BENCHMARK(forwardKinematics)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

} // namespace
