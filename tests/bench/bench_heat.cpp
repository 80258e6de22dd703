// Binding by heat, and the solving of many right hand sides beside Eigen's, which takes them one by one.

#include "core/document/bind_intents.h"
#include "core/math/sparse_cholesky.h"
#include "core/mesh/cotan_laplacian.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/timing.h"
#include "tests/support/naive_heat.h"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <benchmark/benchmark.h>

namespace {

using namespace limber;
using bench::bestOf;
using bench::millisecondsOf;

// The oracle takes the formulas as they stand, dense: only for small meshes.
void heatBind(benchmark::State& run) {
    const document::DocumentState state =
        bench::makeTube(static_cast<std::size_t>(run.range(0)), static_cast<std::size_t>(run.range(1)));
    const mesh::Mesh& m = state.meshes[0].geometry;
    const mesh::Weld& weld = state.meshes[0].weld();
    const document::Skin& skin = state.skins[0];
    const std::vector<weights::Bone> bones =
        document::bonesOf(state.skeleton, skin, std::vector<std::uint8_t>(skin.joints.size(), 0));
    double best = 1e12;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            benchmark::DoNotOptimize(weights::bindByHeat(weld, m.positions, m.triangles, bones));
                        }));
    run.counters["best_ms"] = best;
    if (m.vertexCount() > 2000)
        return;
    const test::NaiveHeat naive{m.positions, m.triangles, bones};
    run.counters["times_the_oracle"] =
        millisecondsOf([&] { benchmark::DoNotOptimize(naive.weights(bones.size()).data()); }) / best;
}
BENCHMARK(heatBind)->Args({600, 10})->Args({100'000, 60})->Iterations(2)->Unit(benchmark::kMillisecond);

void manyRightHandSides(benchmark::State& run) {
    const document::DocumentState state = bench::makeTube(static_cast<std::size_t>(run.range(0)), 4);
    const mesh::Mesh& m = state.meshes[0].geometry;
    mesh::CotanLaplacian surface = mesh::cotanLaplacian(state.meshes[0].weld(), m.positions, m.triangles);
    for (Eigen::Index p = 0; p < surface.area.size(); ++p)
        surface.lower.coeffRef(p, p) += surface.area[p];
    const math::SparseCholesky ours(surface.lower);
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> eigens(surface.lower);
    using Columns = math::SparseCholesky::Columns;
    const Columns sides = Columns::Random(surface.lower.cols(), Columns::ColsAtCompileTime);
    Columns solved = sides;
    double best = 1e12;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            solved = sides;
                            ours.solve(solved);
                            benchmark::DoNotOptimize(solved.data());
                        }));
    Eigen::VectorXd one;
    const double oracle = bestOf(3, [&] {
        for (Eigen::Index c = 0; c < sides.cols(); ++c) {
            one = eigens.solve(sides.col(c));
            benchmark::DoNotOptimize(one.data());
        }
    });
    run.counters["best_ms"] = best;
    run.counters["times_the_oracle"] = oracle / best;
}
BENCHMARK(manyRightHandSides)->Arg(100'000)->Iterations(5)->Unit(benchmark::kMillisecond);

} // namespace
