// What a person waits for: opening, dragging a joint, a dab of each brush. Budgets are in the counters where there are
// any.

#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "core/io/gltf_file.h"
#include "tests/bench/bench_document.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

namespace {

using namespace limber;
using namespace limber::document;

constexpr const char* kLarge = "gltf/mannequiny_subdiv2_large.glb"; // 200,000 vertices
constexpr const char* kKnight = "demo/Knight_demo.glb";

void openFile(benchmark::State& run, const char* name, double budgetMs) {
    const std::string path = bench::dataFile(name);
    if (path.empty()) {
        run.SkipWithError("the file is not on this machine");
        return;
    }
    for (auto _ : run) {
        auto loaded = io::loadGltf(path);
        if (!loaded) {
            run.SkipWithError(loaded.error().message().c_str());
            return;
        }
        Document doc(std::move(loaded->state));
        Preview preview;
        Evaluator evaluator(doc, preview);
        for (std::size_t i = 0; i < doc.instanceCount(); ++i)
            benchmark::DoNotOptimize(evaluator.positions(InstanceId(i)).data());
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    run.counters["budget_ms"] = budgetMs;
    run.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK_CAPTURE(openFile, large, kLarge, 2000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(openFile, knight, kKnight, 1000)->Unit(benchmark::kMillisecond)->UseRealTime();

// The large file, or a tube of its size.
DocumentState largeState() {
    if (const std::string path = bench::dataFile(kLarge); !path.empty())
        if (auto loaded = io::loadGltf(path))
            return std::move(loaded->state);
    return bench::makeTube(200'000, 64);
}

JointId firstDeforming(const Document& doc) {
    for (std::size_t j = 0; j < doc.skeleton().size(); ++j)
        if (doc.skeleton()[JointId(j)].deforms)
            return JointId(j);
    return {};
}

// From the changed joint to posed normals on the CPU: the worst case, the joint that moves everything.
void dragJoint(benchmark::State& run) {
    const Document doc(largeState());
    Preview preview;
    Evaluator evaluator(doc, preview);
    const JointId joint = firstDeforming(doc);
    double angle = 0;
    benchmark::DoNotOptimize(evaluator.positions(InstanceId(0)).data());
    for (auto _ : run) {
        rig::Affine turned = doc.state().pose[joint.index()];
        turned.rotate(Eigen::AngleAxisd(angle += 0.01, Eigen::Vector3d::UnitX()));
        evaluator.invalidate(preview.setJoint(joint, turned));
        benchmark::DoNotOptimize(evaluator.normals(InstanceId(0)).data());
    }
    run.counters["budget_ms"] = 20;
}
BENCHMARK(dragJoint)->Unit(benchmark::kMillisecond)->UseRealTime();

BrushDab dabAt(const Document& doc, Evaluator& evaluator, double share) {
    const auto positions = evaluator.positions(InstanceId(0));
    BrushDab dab;
    dab.center = positions[positions.size() / 2].cast<double>();
    dab.radius = share * evaluator.bindDiagonal();
    dab.frontFacesOnly = false;
    dab.strength = 0.3;
    (void)doc;
    return dab;
}

// A dab with everything behind it: query, operator, normalisation, re-skinning.
void paintDab(benchmark::State& run, PaintSettings::Mode mode) {
    const Document doc(largeState());
    Preview preview;
    Evaluator evaluator(doc, preview);
    const BrushDab dab = dabAt(doc, evaluator, 0.05);
    PaintStroke stroke(doc, evaluator, preview, {.mode = mode, .joint = firstDeforming(doc)});
    evaluator.invalidate(stroke.dab(dab));
    std::size_t touched = 0;
    for (auto _ : run) {
        BrushDab next = dab;
        next.strength = 0.3 + 0.001 * static_cast<double>(run.iterations() % 500);
        const ChangeSet changes = stroke.dab(next);
        evaluator.invalidate(changes);
        benchmark::DoNotOptimize(evaluator.positions(InstanceId(0)).data());
        touched = changes.meshes.empty() ? touched : std::max(touched, changes.meshes[0].weightVertices.size());
    }
    run.counters["vertices"] = static_cast<double>(touched);
    run.counters["budget_ms"] = 10;
}
BENCHMARK_CAPTURE(paintDab, smooth, PaintSettings::Mode::Smooth)->Unit(benchmark::kMillisecond)->UseRealTime();

void sculptDab(benchmark::State& run, SculptSettings::Mode mode) {
    Document doc(largeState());
    const auto corrective = newCorrective(doc, doc.instance(InstanceId(0)).mesh, "fix", {});
    if (!corrective) {
        run.SkipWithError(corrective.error().message().c_str());
        return;
    }
    doc.apply(corrective->edit);
    Preview preview;
    Evaluator evaluator(doc, preview);
    BrushDab dab = dabAt(doc, evaluator, 0.05);
    SculptStroke stroke(doc, evaluator, preview, {mode}, {{doc.instance(InstanceId(0)).mesh, corrective->shape}});
    evaluator.invalidate(stroke.dab(dab));
    std::size_t touched = 0;
    for (auto _ : run) {
        dab.motion.x() += 1e-4 * dab.radius;
        const ChangeSet changes = stroke.dab(dab);
        evaluator.invalidate(changes);
        benchmark::DoNotOptimize(evaluator.positions(InstanceId(0)).data());
        touched = changes.meshes.empty() ? touched : std::max(touched, changes.meshes[0].shapeVertices.size());
    }
    run.counters["vertices"] = static_cast<double>(touched);
    run.counters["budget_ms"] = 10;
}
BENCHMARK_CAPTURE(sculptDab, grab, SculptSettings::Mode::Grab)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(sculptDab, smooth, SculptSettings::Mode::Smooth)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(sculptDab, inflate, SculptSettings::Mode::Inflate)->Unit(benchmark::kMillisecond)->UseRealTime();

// What a hand waits for at the first touch: the new corrective, the points it holds, the first dab on them.
void sculptPress(benchmark::State& run) {
    Document doc(largeState());
    Preview preview;
    Evaluator evaluator(doc, preview);
    const InstanceId instance(0);
    const BrushDab dab = dabAt(doc, evaluator, 0.05);
    const auto corrective = newCorrective(doc, doc.instance(instance).mesh, "fix", {});
    if (!corrective) {
        run.SkipWithError(corrective.error().message().c_str());
        return;
    }
    for (auto _ : run) {
        benchmark::DoNotOptimize(SculptStroke::verticesUnder(doc, evaluator, instance, dab));
        evaluator.invalidate(doc.apply(corrective->edit));
        {
            SculptStroke stroke(doc, evaluator, preview, {SculptSettings::Mode::Grab},
                                {{doc.instance(instance).mesh, corrective->shape}});
            evaluator.invalidate(stroke.dab(dab));
            benchmark::DoNotOptimize(evaluator.positions(instance).data());
        }
        run.PauseTiming();
        evaluator.invalidate(preview.clear());
        evaluator.invalidate(doc.revert(corrective->edit));
        benchmark::DoNotOptimize(evaluator.positions(instance).data());
        run.ResumeTiming();
    }
    run.counters["budget_ms"] = 10;
}
BENCHMARK(sculptPress)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
