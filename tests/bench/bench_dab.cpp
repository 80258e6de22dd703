// A dab on a million vertices with everything behind it: query, operator, normalisation, re-skinning, normals and the
// ranges to upload. Beside it, in the same run, what the query costs without a grid and what the bytes of the touched
// vertices cost without any arithmetic. `ratio` is the limit over the median dab: above 1 is faster than it must be.

#include "core/document/brush_points.h"
#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/map_stroke.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/timing.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>

namespace {

using namespace limber;
using bench::bestOf;
using bench::millisecondsOf;
using namespace limber::document;

constexpr std::size_t kVertices = 1'000'000, kJoints = 200;
constexpr double kMustMs = 2, kAimMs = 0.5;

const DocumentState& million() {
    static const DocumentState state = bench::makeTube(kVertices, kJoints);
    return state;
}

// A brush that holds about 14,000 of the vertices, on its way along the tube: a quarter of its radius from dab to dab.
BrushDab dabAt(std::span<const Eigen::Vector3f> rest, std::size_t k, double strength) {
    BrushDab dab;
    dab.radius = 0.093;
    dab.center = rest[rest.size() / 2].cast<double>() + Eigen::Vector3d(0, 0.25 * dab.radius * double(k), 0);
    dab.strength = strength;
    dab.frontFacesOnly = false;
    dab.motion.x() = 1e-3 * dab.radius * static_cast<double>(k + 1); // of what a grab holds
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

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

// The same stroke some times over, each dab by its best time. The first dab looks at all points and copies the rows,
// the second builds the grid: told apart, and judged is what the hand feels from then on.
template <class MakeStroke>
void runStrokes(benchmark::State& run, const Document& doc, Evaluator& evaluator, Preview& preview,
                const MakeStroke& makeStroke, double strength) {
    constexpr std::size_t kDabs = 26;
    const InstanceId instance(0);
    const auto posed = evaluator.positions(instance);
    const std::vector<Eigen::Vector3f> rest(posed.begin(), posed.end());
    std::vector<double> best(kDabs, 1e9);
    std::size_t least = rest.size(), most = 0;
    for (auto _ : run) {
        auto stroke = makeStroke();
        for (std::size_t k = 0; k < kDabs; ++k) {
            const BrushDab dab = dabAt(rest, k, strength);
            std::size_t touched = 0;
            best[k] = std::min(best[k], millisecondsOf([&] {
                                   const ChangeSet& changes = stroke->dab(dab);
                                   evaluator.invalidate(changes);
                                   benchmark::DoNotOptimize(evaluator.takePosedChanges(instance).data());
                                   if (!changes.meshes.empty())
                                       touched = std::max({changes.meshes[0].weightVertices.size(),
                                                           changes.meshes[0].mapVertices.size(),
                                                           changes.meshes[0].shapeVertices.size()});
                               }));
            least = std::min(least, touched);
            most = std::max(most, touched);
        }
        stroke.reset();
        evaluator.invalidate(preview.clear());
        benchmark::DoNotOptimize(evaluator.takePosedChanges(instance).data());
    }
    std::vector<BrushPoint> points;
    const double sweep = bestOf(5, [&] {
        pointsUnder(dabAt(rest, 0, strength), doc.mesh(MeshId(0)), evaluator.positions(instance),
                    evaluator.normals(instance), points);
    });
    const std::vector<double> later(best.begin() + 2, best.end());
    run.counters["vertices"] = static_cast<double>(most);
    run.counters["least_vertices"] = static_cast<double>(least);
    run.counters["first_ms"] = best[0];
    run.counters["second_ms"] = best[1];
    run.counters["median_ms"] = medianOf(later);
    run.counters["best_ms"] = *std::min_element(later.begin(), later.end());
    run.counters["longest_ms"] = *std::max_element(later.begin(), later.end());
    run.counters["sweep_ms"] = sweep;
    run.counters["bytes_ms"] = bytesAlone(most);
    run.counters["must"] = 1;
    run.counters["aim"] = kMustMs / kAimMs;
    run.counters["ratio"] = kMustMs / medianOf(later);
}

void runPaint(benchmark::State& run, const Document& doc, Evaluator& evaluator, Preview& preview,
              PaintSettings::Mode mode) {
    const auto make = [&] {
        return std::make_unique<PaintStroke>(doc, evaluator, preview,
                                             PaintSettings{.mode = mode, .joint = JointId(kJoints / 2), .value = 0.7});
    };
    runStrokes(run, doc, evaluator, preview, make, mode == PaintSettings::Mode::Smooth ? 0.9 : 0.5);
}

void dabPaint(benchmark::State& run, PaintSettings::Mode mode) {
    const Document doc(million());
    Preview preview;
    Evaluator evaluator(doc, preview);
    runPaint(run, doc, evaluator, preview, mode);
}
BENCHMARK_CAPTURE(dabPaint, add, PaintSettings::Mode::Add)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);
BENCHMARK_CAPTURE(dabPaint, replace, PaintSettings::Mode::Replace)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(5);
BENCHMARK_CAPTURE(dabPaint, smooth, PaintSettings::Mode::Smooth)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(5);
void dabMap(benchmark::State& run) {
    DocumentState state = million();
    state.meshes[0].skinning.method = skin::Method::DualQuaternion;
    const Document doc(std::move(state));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const auto make = [&] {
        return std::make_unique<MapStroke>(
            doc, evaluator, preview,
            MapSettings{.map = skin::PaintedMap::MethodShare, .mode = PaintSettings::Mode::Subtract});
    };
    runStrokes(run, doc, evaluator, preview, make, 0.5);
}
BENCHMARK(dabMap)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

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
    const std::vector<SculptTarget> targets{{MeshId(0), corrective->shape}};
    const auto make = [&] {
        return std::make_unique<SculptStroke>(doc, evaluator, preview, SculptSettings{mode}, targets);
    };
    runStrokes(run, doc, evaluator, preview, make, 0.3);
}
BENCHMARK_CAPTURE(dabSculpt, grab, SculptSettings::Mode::Grab)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(5);
BENCHMARK_CAPTURE(dabSculpt, smooth, SculptSettings::Mode::Smooth)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(5);
BENCHMARK_CAPTURE(dabSculpt, inflate, SculptSettings::Mode::Inflate)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(5);

// With delta mush behind it, against posing all of the mush as a drag of the root does.
void dabMushed(benchmark::State& run) {
    DocumentState state = million();
    state.meshes[0].skinning.mush.on = true;
    const Document doc(std::move(state));
    Preview preview;
    Evaluator evaluator(doc, preview);
    runPaint(run, doc, evaluator, preview, PaintSettings::Mode::Add);
    double angle = 0;
    const double whole = bestOf(5, [&] {
        angle += 0.01;
        evaluator.invalidate(
            preview.setJoint(JointId(0), rig::Affine(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()))));
        benchmark::DoNotOptimize(evaluator.takePosedChanges(InstanceId(0)).data());
    });
    run.counters["of_oracle"] = whole / run.counters["median_ms"];
    for (const char* judgement : {"must", "aim", "ratio"})
        run.counters.erase(judgement);
}
BENCHMARK(dabMushed)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

} // namespace
