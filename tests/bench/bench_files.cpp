// Opening and saving a large .glb beside what bounds them, in one run: Assimp without flags, and the bare reading,
// hashing, copying and syncing of the file. Prints times and ratios; compare the ratios.
//   limber_bench_files [VERTICES]
#include "core/document/edit.h"
#include "core/io/gltf_file.h"
#include "core/io/safe_save.h"
#include "tests/bench/tube_file.h"

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

using namespace limber;

namespace {

constexpr int kRounds = 7;
constexpr std::size_t kJoints = 64;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "limber_bench_files: %s\n", why.c_str());
    std::exit(1);
}

// Runs `work` in a process of its own and returns the most memory that it held, in bytes.
template <class Work> std::size_t inOwnProcess(Work work) {
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(1);
    }
    int status = 0;
    struct rusage usage {};
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        fail("a process did not end well");
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Seconds.
template <class Work> double timeOf(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Best {
    double seconds = std::numeric_limits<double>::infinity();
    template <class Work> void add(Work work) { seconds = std::min(seconds, timeOf(work)); }
};

void print(const char* what, double seconds) {
    std::printf("  %-52s %8.1f ms\n", what, 1000 * seconds);
}

void benchOpening(const std::filesystem::path& path) {
    Best bare, own, assimp;
    for (int round = 0; round < kRounds; ++round) {
        bare.add([&] {
            if (!io::readFile(path))
                fail("the file cannot be read");
        });
        own.add([&] {
            if (const auto file = io::loadGltf(path); !file)
                fail(file.error().message());
            else if (!file->repairs.empty())
                fail("the file is not clean: " + file->repairs[0].text);
        });
        assimp.add([&] {
            Assimp::Importer importer;
            if (!importer.ReadFile(path.string(), 0))
                fail(importer.GetErrorString());
        });
    }
    std::printf("opening\n");
    print("bytes read", bare.seconds);
    print("Limber: read, checked, document ready", own.seconds);
    print("Assimp without flags", assimp.seconds);
    std::printf("  Assimp / Limber %.2f (at least 5), Limber / bytes %.2f\n", assimp.seconds / own.seconds,
                own.seconds / bare.seconds);
}

// What one stroke leaves: new weights on about 14,000 of a million vertices.
document::Edit stroke(const document::DocumentState& state) {
    const skin::SkinWeights& weights = state.meshes[0].weights;
    const std::size_t count = weights.vertexCount() / 70, first = weights.vertexCount() / 2;
    document::WeightsPatch patch;
    patch.mesh = MeshId(0);
    patch.before = patch.after = skin::SkinWeights(count, weights.capacity());
    for (std::size_t k = 0; k < count; ++k) {
        patch.vertices.push_back(static_cast<std::uint32_t>(first + k));
        const auto row = weights.row(first + k);
        patch.before.setRow(k, row);
        skin::Row after(row.begin(), row.end());
        after[0].weight += after[1].weight / 2;
        after[1].weight /= 2;
        patch.after.setRow(k, after);
    }
    document::Edit edit{"Paint", {}};
    edit.patches.emplace_back(std::move(patch));
    return edit;
}

void benchSaving(const std::filesystem::path& path) {
    const auto file = io::loadGltf(path);
    if (!file)
        fail(file.error().message());
    document::Document document(file->state);
    document.apply(stroke(file->state));
    const std::filesystem::path copy = path.parent_path() / "copy.glb";
    Best bare, own;
    std::uint64_t hash = 0;
    for (int round = 0; round < kRounds; ++round) {
        bare.add([&] {
            const auto bytes = io::readFile(path);
            hash ^= XXH3_64bits(bytes->data(), bytes->size());
            if (!io::safeSave(copy, *bytes))
                fail("the copy cannot be written");
        });
        own.add([&] {
            if (const auto saved = io::saveGltf(*file->source, document, path); !saved)
                fail(saved.error().message());
        });
    }
    std::printf("saving after one stroke\n");
    print("file read, hashed, copied and synced", bare.seconds);
    print("Limber", own.seconds);
    std::printf("  Limber / bare %.2f (below 2)\n", own.seconds / bare.seconds);
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t vertices = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("limber_bench_" + std::to_string(getpid()));
    if (vertices < 1000 || !std::filesystem::create_directory(folder))
        fail("give a number of vertices, at least 1000");
    const std::filesystem::path path = folder / "tube.glb";
    // Memory is measured first: a process that starts from a large one is counted as large.
    inOwnProcess([&] { _exit(io::safeSave(path, bench::tubeFile(vertices, kJoints)) ? 0 : 1); });
    const double size = static_cast<double>(std::filesystem::file_size(path));
    const std::size_t peak = inOwnProcess([&] {
        static_cast<void>(std::freopen("/dev/null", "w", stdout));
        execl(LIMBER_EXECUTABLE, "limber", "info", path.c_str(), nullptr);
    });
    std::printf("%zu vertices, %.1f MB\n", vertices, size / 1e6);
    std::printf("memory of limber info: %.1f MB, %.2f times the file (below 4)\n", static_cast<double>(peak) / 1e6,
                static_cast<double>(peak) / size);
    benchOpening(path);
    benchSaving(path);
    std::filesystem::remove_all(folder);
}
