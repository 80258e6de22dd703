// One surface from two files: vertices and triangles as they lie beside each other, and both in an order by chance,
// which opening betters. What is compared takes turns; the least time of each counts. `times_ordered` is what the bad
// order still costs.

#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/file_order.h"
#include "core/document/paint_stroke.h"
#include "core/mesh/smooth_normals.h"
#include "core/skin/skinner.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/timing.h"

#include <Eigen/Geometry>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

namespace {

using namespace limber;
using namespace limber::document;

constexpr std::size_t kVertices = 1'000'000, kJoints = 200;
const InstanceId kInstance(0);

std::vector<std::uint32_t> byChance(std::size_t count, std::mt19937& random) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

DocumentState shuffled(const DocumentState& state) {
    DocumentState out = state;
    MeshData& to = out.meshes[0];
    const MeshData& from = state.meshes[0];
    const mesh::Mesh& m = from.geometry;
    std::mt19937 random(1);
    const std::vector<std::uint32_t> vertices = byChance(m.vertexCount(), random);
    const std::vector<std::uint32_t> triangles = byChance(m.triangles.size() / 3, random);
    std::vector<std::uint32_t> placeOf(vertices.size());
    to.lazyWeld = {};
    to.weights = skin::SkinWeights(m.vertexCount(), 4);
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        placeOf[vertices[v]] = v;
        to.geometry.positions[v] = m.positions[vertices[v]];
        to.geometry.normals[v] = m.normals[vertices[v]];
        const auto row = from.weights.row(vertices[v]);
        to.weights.setRow(v, skin::Row(row.begin(), row.end()));
    }
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            to.geometry.triangles[3 * t + k] = placeOf[m.triangles[3 * std::size_t(triangles[t]) + k]];
    document::improveOrders(out);
    return out;
}

struct Scene {
    Document doc;
    Preview preview;
    Evaluator evaluator{doc, preview};
    skin::BlockWeights blocks;
    std::vector<Eigen::Vector3f> positions, normals;

    explicit Scene(DocumentState state) : doc(std::move(state)) {
        for (std::size_t j = 0; j < kJoints; ++j)
            turn(j, 0.002);
        blocks.build(mesh().weights);
        pose();
        positions.resize(mesh().geometry.vertexCount());
        normals.resize(positions.size());
    }
    [[nodiscard]] const MeshData& mesh() const { return doc.mesh(MeshId(0)); }
    void turn(std::size_t joint, double angle) {
        rig::Affine m = doc.state().pose[joint];
        m.rotate(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
        evaluator.invalidate(preview.setJoint(JointId(joint), m));
    }
    void pose() {
        benchmark::DoNotOptimize(evaluator.positions(kInstance).data());
        benchmark::DoNotOptimize(evaluator.normals(kInstance).data());
    }
};

// In good order, and by chance.
std::array<std::unique_ptr<Scene>, 2>& scenes() {
    static std::array<std::unique_ptr<Scene>, 2> both = [] {
        const DocumentState tube = bench::makeTube(kVertices, kJoints);
        return std::array{std::make_unique<Scene>(tube), std::make_unique<Scene>(shuffled(tube))};
    }();
    return both;
}

void takeTurns(benchmark::State& run, int rounds, const std::function<void(Scene&)>& work) {
    std::array<double, 2> best{1e9, 1e9};
    for (auto _ : run)
        for (int round = 0; round < rounds; ++round)
            for (std::size_t k = 0; k < 2; ++k)
                best[k] = std::min(best[k], bench::millisecondsOf([&] { work(*scenes()[k]); }));
    run.counters["ordered_ms"] = best[0];
    run.counters["shuffled_ms"] = best[1];
    run.counters["times_ordered"] = best[1] / best[0];
}

void orderSkin(benchmark::State& run, skin::Method method) {
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    skin::Palette palette;
    palette.resize(kJoints, method);
    const auto world = scenes()[0]->evaluator.world();
    for (std::size_t j = 0; j < kJoints; ++j) {
        const rig::Joint& joint = scenes()[0]->doc.skeleton()[JointId(j)];
        palette.set(j, skin::slotPose(world[j], joint.bindWorld, joint.inverseBind, joint.inverseBind));
    }
    palette.finish();
    takeTurns(run, 25, [&](Scene& s) {
        const mesh::Mesh& m = s.mesh().geometry;
        skin::skinAll({m.positions, m.normals, &s.blocks, &palette, {}, nullptr}, s.positions, s.normals);
    });
}
BENCHMARK_CAPTURE(orderSkin, linear, skin::Method::Linear)->Iterations(1);
BENCHMARK_CAPTURE(orderSkin, dq, skin::Method::DualQuaternion)->Iterations(1);

void orderNormals(benchmark::State& run) {
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    std::array<std::unique_ptr<mesh::SmoothNormals>, 2> smooth;
    std::array<double, 2> prepare{};
    for (std::size_t k = 0; k < 2; ++k) {
        const MeshData& mesh = scenes()[k]->mesh();
        const mesh::Weld& weld = mesh.weld();
        prepare[k] = bench::millisecondsOf(
            [&] { smooth[k] = std::make_unique<mesh::SmoothNormals>(weld, mesh.geometry.triangles); });
    }
    takeTurns(run, 15,
              [&](Scene& s) { smooth[&s == scenes()[1].get()]->compute(s.mesh().geometry.positions, s.normals); });
    run.counters["prepare_ordered_ms"] = prepare[0];
    run.counters["prepare_shuffled_ms"] = prepare[1];
}
BENCHMARK(orderNormals)->Iterations(1);

// All threads, event to posed normals.
void orderDrag(benchmark::State& run) {
    double angle = 0;
    takeTurns(run, 30, [&](Scene& s) {
        s.turn(0, angle += 0.01);
        s.pose();
    });
}
BENCHMARK(orderDrag)->Iterations(1)->UseRealTime();

// All threads; the fourth dab of a stroke and later ones, about 14,000 vertices each.
void orderDab(benchmark::State& run) {
    const std::vector<Eigen::Vector3f>& rest = scenes()[0]->mesh().geometry.positions;
    for (auto& scene : scenes())
        scene->evaluator.invalidate(scene->preview.clear());
    std::array<std::unique_ptr<PaintStroke>, 2> strokes;
    std::array<int, 2> dabs{};
    const auto dab = [&](Scene& s) {
        const std::size_t k = &s == scenes()[1].get();
        BrushDab at;
        at.radius = 0.093;
        at.center = rest[rest.size() / 2].cast<double>() + Eigen::Vector3d(0, 0.25 * at.radius * dabs[k]++, 0);
        at.strength = 0.5;
        at.frontFacesOnly = false;
        s.evaluator.invalidate(strokes[k]->dab(at));
        benchmark::DoNotOptimize(s.evaluator.takePosedChanges(kInstance).data());
    };
    for (std::size_t k = 0; k < 2; ++k) {
        Scene& s = *scenes()[k];
        strokes[k] = std::make_unique<PaintStroke>(
            s.doc, s.evaluator, s.preview,
            PaintSettings{.mode = PaintSettings::Mode::Replace, .joint = JointId(kJoints / 2), .value = 0.7});
        for (int first = 0; first < 3; ++first)
            dab(s);
    }
    takeTurns(run, 22, dab);
}
BENCHMARK(orderDab)->Iterations(1)->UseRealTime();

} // namespace
