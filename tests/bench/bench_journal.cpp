// What the journal costs: the window's thread at the end of a stroke, and the thread that writes.

#include "core/document/edit_codec.h"
#include "core/history/journal.h"
#include "tests/bench/bench_document.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <vector>

namespace {

using namespace limber;
using namespace limber::document;

// A stroke that has changed the weights of so many vertices, four influences each.
std::shared_ptr<const Edit> strokeOver(std::size_t vertices) {
    WeightsPatch patch{MeshId(0), {}, skin::SkinWeights(vertices, 4), skin::SkinWeights(vertices, 4)};
    for (std::uint32_t v = 0; v < vertices; ++v) {
        patch.vertices.push_back(v);
        const float share = 0.2f + 0.1f * static_cast<float>(v % 977) / 977;
        const std::array<skin::Influence, 4> before{{{1, 0.4f - share}, {4, share}, {7, 0.35f}, {9, 0.25f}}};
        const std::array<skin::Influence, 4> after{{{1, 0.3f}, {4, share}, {7, 0.45f - share}, {9, 0.25f}}};
        patch.before.setRow(v, before);
        patch.after.setRow(v, after);
    }
    return std::make_shared<const Edit>(Edit{"Paint weights", {std::move(patch)}});
}

std::filesystem::path benchFile() {
    return std::filesystem::temp_directory_path() / "limber_bench.journal";
}

// Every stroke comes when the one before is on the disk, as with a hand.
void journalStroke(benchmark::State& run) {
    history::Journal journal(benchFile(), {});
    journal.begin({});
    const history::Step step{history::Step::Kind::Edit, strokeOver(static_cast<std::size_t>(run.range(0)))};
    std::vector<double> times;
    for (auto _ : run) {
        const auto begin = std::chrono::steady_clock::now();
        journal.append(step);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        times.push_back(took.count());
        run.PauseTiming();
        journal.flush();
        run.ResumeTiming();
    }
    std::sort(times.begin(), times.end());
    run.counters["p95_ms"] = times[times.size() * 95 / 100];
    run.counters["longest_ms"] = times.back();
    run.counters["budget_ms"] = 5;
    journal.end();
    journal.flush();
}
BENCHMARK(journalStroke)
    ->Arg(1)
    ->Arg(2'000)
    ->Arg(20'000)
    ->Arg(200'000)
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Encoding, compressing and summing, on the journal's own thread.
void journalRecord(benchmark::State& run) {
    const auto edit = strokeOver(static_cast<std::size_t>(run.range(0)));
    std::size_t bytes = 0;
    for (auto _ : run) {
        const auto record = history::encodeEntry({history::JournalEntry::Kind::Edit, edit}, 0);
        bytes = record ? record->size() : 0;
        benchmark::DoNotOptimize(bytes);
    }
    run.counters["bytes"] = static_cast<double>(bytes);
    run.counters["plain"] = static_cast<double>(encodeEdit(*edit).size());
}
BENCHMARK(journalRecord)->Arg(2'000)->Arg(200'000)->Unit(benchmark::kMillisecond);

} // namespace
