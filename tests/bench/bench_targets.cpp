// The rows of the target table that go through a whole document, and small kernels beside their naive oracles, all in
// one run. `ratio` is the allowed time over the best measured one where the target is a time, else oracle over ours.

#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/mesh/normals.h"
#include "core/mesh/smooth_normals.h"
#include "core/shape/corrective.h"
#include "core/shape/extraction_kernel.h"
#include "core/skin/palette.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/timing.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <tbb/global_control.h>

#include <algorithm>
#include <benchmark/benchmark.h>

namespace {

using namespace limber;
using bench::bestOf;
using bench::millisecondsOf;
using namespace limber::document;

constexpr std::size_t kVertices = 1'000'000, kJoints = 200;

void target(benchmark::State& run, double bestMs, double mustMs, double aimMs) {
    run.counters["best_ms"] = bestMs;
    run.counters["ratio"] = mustMs / bestMs;
    run.counters["must"] = 1;
    run.counters["aim"] = mustMs / aimMs;
}

rig::Affine turned(const Document& doc, JointId joint, double angle) {
    rig::Affine m = doc.state().pose[joint.index()];
    m.rotate(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
    return m;
}

// From the event that turns the joint that moves every vertex, to posed points and normals. Beside it what the bytes
// cost without arithmetic, and an evaluator that knows nothing yet.
void jointDrag(benchmark::State& run) {
    const Document doc(bench::makeTube(kVertices, kJoints));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const JointId joint(0);
    double angle = 0, best = 1e9;
    const auto posed = [&](Evaluator& e) {
        benchmark::DoNotOptimize(e.positions(InstanceId(0)).data());
        benchmark::DoNotOptimize(e.normals(InstanceId(0)).data());
    };
    posed(evaluator);
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            evaluator.invalidate(preview.setJoint(joint, turned(doc, joint, angle += 0.01)));
                            posed(evaluator);
                        }));
    const MeshData& mesh = doc.mesh(MeshId(0));
    std::vector<Eigen::Vector3f> out(2 * mesh.geometry.vertexCount());
    run.counters["bytes_ms"] = bestOf(5, [&] {
        std::copy(mesh.geometry.positions.begin(), mesh.geometry.positions.end(), out.begin());
        std::copy(mesh.geometry.normals.begin(), mesh.geometry.normals.end(),
                  out.begin() + static_cast<std::ptrdiff_t>(mesh.geometry.vertexCount()));
        float sum = 0;
        for (const skin::Influence& i : mesh.weights.entries())
            sum += i.weight;
        benchmark::DoNotOptimize(sum);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    });
    run.counters["fresh_ms"] = millisecondsOf([&] {
        Evaluator fresh(doc, preview);
        posed(fresh);
    });
    target(run, best, 16, 8);
}
BENCHMARK(jointDrag)->Iterations(30)->Unit(benchmark::kMillisecond)->UseRealTime();

// A joint in the middle of the chain: the half that it does not move is left alone.
void jointDragHalf(benchmark::State& run) {
    const Document doc(bench::makeTube(kVertices, kJoints));
    Preview preview;
    Evaluator evaluator(doc, preview);
    double angle = 0, best = 1e9;
    benchmark::DoNotOptimize(evaluator.normals(InstanceId(0)).data());
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            const JointId joint(kJoints / 2);
                            evaluator.invalidate(preview.setJoint(joint, turned(doc, joint, angle += 0.01)));
                            benchmark::DoNotOptimize(evaluator.positions(InstanceId(0)).data());
                            benchmark::DoNotOptimize(evaluator.normals(InstanceId(0)).data());
                        }));
    run.counters["best_ms"] = best;
}
BENCHMARK(jointDragHalf)->Iterations(30)->Unit(benchmark::kMillisecond)->UseRealTime();

// A whole sculpted surface carried back through the skin into one shape.
void correctiveExtraction(benchmark::State& run) {
    Document doc(bench::makeTube(kVertices, kJoints));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const InstanceId instance(0);
    evaluator.invalidate(doc.apply(setUserLocal(doc, JointId(100), turned(doc, JointId(100), 0.6), "Bend")));
    const auto corrective = newCorrective(doc, MeshId(0), "fix", {});
    if (!corrective) {
        run.SkipWithError(corrective.error().message().c_str());
        return;
    }
    evaluator.invalidate(doc.apply(corrective->edit));
    std::vector<Eigen::Vector3d> sculpted;
    for (const Eigen::Vector3f& p : evaluator.positions(instance))
        sculpted.push_back(p.cast<double>() + Eigen::Vector3d(0.01, 0.002, -0.01));
    double best = 1e9;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            benchmark::DoNotOptimize(
                                extractCorrective(doc, evaluator, instance, corrective->shape, sculpted));
                        }));
    target(run, best, 20, 8);
}
BENCHMARK(correctiveExtraction)->Iterations(5)->Unit(benchmark::kMillisecond)->UseRealTime();

// Offsets through the inverses of blended maps, which lie in the caches, against a singular value decomposition for
// each; and what one vertex at a time costs.
void correctiveInverse(benchmark::State& run) {
    const auto count = static_cast<std::size_t>(run.range(0));
    constexpr std::size_t kRun = shape::ExtractionRun::kVertices;
    std::vector<Eigen::Matrix3d> maps(kRun);
    auto lanes = std::make_unique<shape::ExtractionRun>();
    for (std::size_t k = 0; k < kRun; ++k) {
        const double share = static_cast<double>(k) / kRun;
        maps[k] = (1 - share) * Eigen::Matrix3d::Identity() +
                  share * Eigen::AngleAxisd(1.2, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
        for (Eigen::Index r = 0; r < 3; ++r) {
            Eigen::Map<Eigen::RowVector3d>(lanes->maps[r][k]) = maps[k].row(r);
            lanes->maps[r][k][3] = 0;
        }
        lanes->maps[3][k][0] = 1;
    }
    const Eigen::Vector3d offset(0.1, 0.2, 0.3);
    const std::vector<Eigen::Vector3f> points(count, Eigen::Vector3f::Zero());
    const std::vector<Eigen::Vector3d> sculpted(count, offset);
    double best = 1e9;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            for (std::size_t k = 0; k < count; k += kRun) {
                                const std::size_t some = std::min(kRun, count - k);
                                benchmark::DoNotOptimize(shape::invertMaps(points[k].data(), sculpted[k].data(), some,
                                                                           1, 1e-9, shape::kRegularShare, *lanes));
                                benchmark::ClobberMemory();
                            }
                        }));
    const double single = bestOf(3, [&] {
        for (std::size_t k = 0; k < count; ++k)
            benchmark::DoNotOptimize(shape::clampedInverse(maps[k % kRun], 1, offset).delta);
    });
    const double oracle = millisecondsOf([&] {
        for (std::size_t k = 0; k < count; ++k) {
            const Eigen::JacobiSVD<Eigen::Matrix3d> svd(maps[k % kRun], Eigen::ComputeFullU | Eigen::ComputeFullV);
            benchmark::DoNotOptimize(Eigen::Vector3d(svd.solve(offset)));
        }
    });
    run.counters["best_ms"] = best;
    run.counters["one_by_one_ms"] = single;
    run.counters["times_the_oracle"] = oracle / best;
}
BENCHMARK(correctiveInverse)->Arg(100'000)->Arg(1'000'000)->Iterations(5)->Unit(benchmark::kMillisecond);

// One thread, against one pass over the faces that adds to their corners in double, and beside the pass that makes all
// faces and then gathers them by rows. The tube has no seam: a vertex is a point.
void smoothNormals(benchmark::State& run) {
    const DocumentState state = bench::makeTube(static_cast<std::size_t>(run.range(0)), 4);
    const mesh::Mesh& m = state.meshes[0].geometry;
    const mesh::Weld& weld = state.meshes[0].weld();
    const mesh::SmoothNormals smooth(weld, m.triangles);
    std::vector<Eigen::Vector3f> normals(m.vertexCount());
    const tbb::global_control single(tbb::global_control::max_allowed_parallelism, 1);
    double best = 1e9;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            smooth.compute(m.positions, normals);
                            benchmark::DoNotOptimize(normals.data());
                        }));
    std::vector<Eigen::Vector3d> sums(m.vertexCount());
    const double oracle = bestOf(3, [&] {
        std::fill(sums.begin(), sums.end(), Eigen::Vector3d::Zero());
        for (std::size_t t = 0; t < m.triangles.size(); t += 3) {
            const auto corner = [&](std::size_t k) { return m.positions[m.triangles[t + k]].cast<double>().eval(); };
            const Eigen::Vector3d face = (corner(1) - corner(0)).cross(corner(2) - corner(0));
            for (std::size_t k = 0; k < 3; ++k)
                sums[m.triangles[t + k]] += face;
        }
        for (std::size_t v = 0; v < sums.size(); ++v)
            normals[v] = sums[v].normalized().cast<float>();
        benchmark::DoNotOptimize(normals.data());
    });
    const double rows =
        bestOf(5, [&] { benchmark::DoNotOptimize(mesh::smoothNormals(weld, m.triangles, m.positions).data()); });
    run.counters["best_ms"] = best;
    run.counters["prepare_ms"] = bestOf(3, [&] {
        const mesh::SmoothNormals again(weld, m.triangles);
        benchmark::DoNotOptimize(&again);
    });
    run.counters["by_rows_ms"] = rows;
    run.counters["times_the_oracle"] = oracle / best;
}
BENCHMARK(smoothNormals)->Arg(100'000)->Arg(1'000'000)->Iterations(20)->Unit(benchmark::kMillisecond)->UseRealTime();

// Against full 4x4 products along the same order.
void jointWorlds(benchmark::State& run) {
    const DocumentState state = bench::makeTube(100, static_cast<std::size_t>(run.range(0)));
    rig::Transforms world;
    double best = 1e9;
    for (auto _ : run)
        best = std::min(best, millisecondsOf([&] {
                            rig::forwardKinematics(state.skeleton, state.pose, world);
                            benchmark::DoNotOptimize(world.data());
                        }));
    std::vector<Eigen::Matrix4d, Eigen::aligned_allocator<Eigen::Matrix4d>> full(state.skeleton.size());
    const double oracle = bestOf(20, [&] {
        for (const JointId j : state.skeleton.order()) {
            const rig::Joint& joint = state.skeleton[j];
            const Eigen::Matrix4d local = joint.bindLocal.matrix() * state.pose[j.index()].matrix();
            full[j.index()] = joint.parent.valid() ? Eigen::Matrix4d(full[joint.parent.index()] * local) : local;
        }
        benchmark::DoNotOptimize(full.data());
    });
    run.counters["best_us"] = 1000 * best;
    run.counters["times_the_oracle"] = oracle / best;
}
BENCHMARK(jointWorlds)->Arg(200)->Arg(1000)->Iterations(200)->Unit(benchmark::kMicrosecond);

// What a drag hands to the graphics card: the palette's making, and its bytes.
void slotPalette(benchmark::State& run) {
    const DocumentState state = bench::makeTube(100, static_cast<std::size_t>(run.range(0)));
    rig::Transforms world;
    rig::forwardKinematics(state.skeleton, state.pose, world);
    skin::Palette palette;
    palette.resize(world.size(), skin::Method::DualQuaternion);
    for (auto _ : run) {
        for (std::size_t j = 0; j < world.size(); ++j) {
            const rig::Joint& joint = state.skeleton[JointId(j)];
            palette.set(j, skin::slotPose(world[j], joint.bindWorld, joint.inverseBind, joint.inverseBind));
        }
        palette.finish();
        benchmark::DoNotOptimize(palette.rigid().data());
    }
    run.counters["linear_bytes"] = static_cast<double>(palette.linear().size_bytes());
    run.counters["rigid_bytes"] = static_cast<double>(palette.rigid().size_bytes());
}
BENCHMARK(slotPalette)->Arg(200)->Arg(5000)->Unit(benchmark::kMicrosecond);

} // namespace
