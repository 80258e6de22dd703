// A dab on a million vertices with everything behind it: query, operator, normalisation, re-skinning, normals and the
// ranges to upload. Beside it, in the same run, what the query costs without a grid and what the bytes of the touched
// vertices cost without any arithmetic. `ratio` is the limit over the measured time: above 1 is faster than `must_ms`.

#include "core/document/brush_points.h"
#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "tests/bench/bench_document.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>

namespace {

using namespace limber;
using namespace limber::document;

constexpr std::size_t kVertices = 1'000'000, kJoints = 200;
constexpr double kMustMs = 2, kAimMs = 0.5;

template <class Work> double millisecondsOf(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template <class Work> double bestOf(int times, const Work& work) {
    double best = 1e9;
    for (int k = 0; k < times; ++k)
        best = std::min(best, millisecondsOf(work));
    return best;
}

const DocumentState& million() {
    static const DocumentState state = bench::makeTube(kVertices, kJoints);
    return state;
}

// A brush that holds about 14,000 of the vertices, at one of some places along the tube.
BrushDab dabAt(std::span<const Eigen::Vector3f> positions, double strength) {
    BrushDab dab;
    dab.center = positions[positions.size() / 2].cast<double>();
    dab.radius = 0.093;
    dab.strength = strength;
    dab.frontFacesOnly = false;
    return dab;
}

// Reads and writes of one dab: positions, normals and rows of the touched vertices.
double bytesAlone(std::size_t vertices) {
    std::vector<Eigen::Vector3f> from(4 * vertices, Eigen::Vector3f::Ones()), to(2 * vertices);
    std::vector<skin::Influence> rows(5 * vertices), newRows(5 * vertices);
    return bestOf(20, [&] {
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(2 * vertices), 2 * vertices, to.begin());
        std::copy(rows.begin(), rows.end(), newRows.begin());
        benchmark::DoNotOptimize(to.data());
        benchmark::DoNotOptimize(newRows.data());
        benchmark::ClobberMemory();
    });
}

template <class Stroke, class NextDab>
void runDabs(benchmark::State& run, const Document& doc, Evaluator& evaluator, Stroke& stroke, const NextDab& nextDab) {
    const InstanceId instance(0);
    std::size_t touched = 0;
    double best = 1e9;
    const auto dab = [&] {
        const ChangeSet& changes = stroke.dab(nextDab());
        evaluator.invalidate(changes);
        benchmark::DoNotOptimize(evaluator.takePosedChanges(instance).data());
        if (!changes.meshes.empty())
            touched =
                std::max({touched, changes.meshes[0].weightVertices.size(), changes.meshes[0].shapeVertices.size()});
    };
    for (int k = 0; k < 3; ++k)
        dab();
    for (auto _ : run)
        best = std::min(best, millisecondsOf(dab));
    std::vector<BrushPoint> points;
    const double sweep = bestOf(5, [&] {
        pointsUnder(nextDab(), doc.mesh(MeshId(0)).weld(), evaluator.positions(instance), evaluator.normals(instance),
                    points);
    });
    run.counters["vertices"] = static_cast<double>(touched);
    run.counters["best_ms"] = best;
    run.counters["sweep_ms"] = sweep;
    run.counters["bytes_ms"] = bytesAlone(touched);
    run.counters["must"] = 1;
    run.counters["aim"] = kMustMs / kAimMs;
    run.counters["ratio"] = kMustMs / best;
}

void dabPaint(benchmark::State& run, PaintSettings::Mode mode) {
    const Document doc(million());
    Preview preview;
    Evaluator evaluator(doc, preview);
    const auto rest = evaluator.positions(InstanceId(0));
    PaintStroke stroke(doc, evaluator, preview, {.mode = mode, .joint = JointId(kJoints / 2), .value = 0.7});
    // Each dab covers a little more than the one before, so that all its points change.
    double strength = mode == PaintSettings::Mode::Smooth ? 0.9 : 0.02;
    runDabs(run, doc, evaluator, stroke, [&] {
        strength = mode == PaintSettings::Mode::Smooth ? strength : std::min(1.0, strength * 1.0002 + 1e-4);
        return dabAt(rest, strength);
    });
}
BENCHMARK_CAPTURE(dabPaint, add, PaintSettings::Mode::Add)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(200);
BENCHMARK_CAPTURE(dabPaint, replace, PaintSettings::Mode::Replace)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(200);
BENCHMARK_CAPTURE(dabPaint, smooth, PaintSettings::Mode::Smooth)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);

void dabSculpt(benchmark::State& run, SculptSettings::Mode mode) {
    Document doc(million());
    const auto corrective = newCorrective(doc, MeshId(0), "fix", {});
    if (!corrective) {
        run.SkipWithError(corrective.error().message().c_str());
        return;
    }
    doc.apply(corrective->edit);
    Preview preview;
    Evaluator evaluator(doc, preview);
    BrushDab dab = dabAt(evaluator.positions(InstanceId(0)), 0.3);
    SculptStroke stroke(doc, evaluator, preview, {mode}, {{MeshId(0), corrective->shape}});
    runDabs(run, doc, evaluator, stroke, [&] {
        dab.motion.x() += 1e-4 * dab.radius;
        return dab;
    });
}
BENCHMARK_CAPTURE(dabSculpt, grab, SculptSettings::Mode::Grab)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(dabSculpt, smooth, SculptSettings::Mode::Smooth)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(100);

} // namespace
