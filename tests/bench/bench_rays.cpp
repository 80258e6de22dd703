// Rays against a surface that a brush is at work on: what a dab on a million vertices costs before the next ray can be
// cast, beside fitting all of it and building it anew; and a ray.

#include "core/mesh/ray_caster.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/timing.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>

namespace {

using namespace limber;
using bench::millisecondsOf;

void raysAfterDab(benchmark::State& run) {
    const document::DocumentState state = bench::makeTube(static_cast<std::size_t>(run.range(0)), 4);
    const mesh::Mesh& m = state.meshes[0].geometry;
    std::vector<Eigen::Vector3f> positions = m.positions;
    std::optional<mesh::RayCaster> rays;
    const double built = millisecondsOf([&] { rays.emplace(positions, m.triangles); });
    const Eigen::Vector3f center = positions[positions.size() / 2];
    std::size_t moved = 0;
    const auto move = [&](float radius) {
        moved = 0;
        for (std::size_t v = 0; v < positions.size(); ++v)
            if ((m.positions[v] - center).norm() < radius) {
                positions[v].x() += 1e-5f;
                ++moved;
            }
    };
    move(0.093f);
    const double first = millisecondsOf([&] { rays->refit(positions); });
    double best = 1e9;
    for (auto _ : run) {
        move(0.093f);
        const double time = millisecondsOf([&] { rays->refit(positions); });
        run.SetIterationTime(1e-3 * time);
        best = std::min(best, time);
    }
    run.counters["vertices"] = static_cast<double>(moved);
    run.counters["best_ms"] = best;
    run.counters["first_ms"] = first;
    run.counters["build_ms"] = built;
    double whole = 1e9;
    for (int k = 0; k < 3; ++k) {
        move(1e9f);
        whole = std::min(whole, millisecondsOf([&] { rays->refit(positions); }));
    }
    run.counters["whole_ms"] = whole;
    run.counters["times_the_oracle"] = whole / best;
    constexpr int kRays = 20000;
    run.counters["ray_us"] = 1e3 / kRays * millisecondsOf([&] {
                                 for (int k = 0; k < kRays; ++k) {
                                     const double a = 0.001 * k;
                                     benchmark::DoNotOptimize(rays->cast(
                                         {{3 * std::cos(a), 1, 3 * std::sin(a)}, {-std::cos(a), 0, -std::sin(a)}}));
                                 }
                             });
}
BENCHMARK(raysAfterDab)->Arg(100'000)->Arg(1'000'000)->Iterations(20)->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
