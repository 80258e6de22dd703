// How the cost of a person's work grows with the mesh: one line a size, each in a process of its own.
//   limber_growth [VERTICES ...]     10,000 to 4,000,000 without
// Times are the best of some repeats, in milliseconds; the brush holds 1.4 % of the vertices. Memory is what the
// process holds beyond what it started with, when the file is open and posed. The last line tells how much of that any
// mesh costs, for 200 joints, threads, and the parts of the program that come into memory with the first file.
#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/paint_stroke.h"
#include "core/io/gltf_file.h"
#include "core/io/safe_save.h"
#include "tests/bench/tube_file.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace limber;
using namespace limber::document;

namespace {

constexpr std::size_t kJoints = 200, kSmall = 1000;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "limber_growth: %s\n", why.c_str());
    std::_Exit(1);
}

template <class Work> double bestOf(int times, const Work& work) {
    double best = 1e9;
    for (int k = 0; k < times; ++k) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return best;
}

// Resident memory of this process.
double residentBytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

class Work {
public:
    explicit Work(io::LoadedFile file)
        : source_(std::move(file.source)), document_(std::move(file.state)), evaluator_(document_, preview_) {
        look();
    }

    double drag() {
        const double best = bestOf(8, [&] {
            rig::Affine turned = rig::Affine::Identity();
            turned.rotate(Eigen::AngleAxisd(angle_ += 0.01, Eigen::Vector3d::UnitX()));
            evaluator_.invalidate(preview_.setJoint(JointId(0), turned));
            look();
        });
        evaluator_.invalidate(preview_.clear());
        look();
        return best;
    }

    // Leaves the stroke applied, for undo().
    double dab() {
        BrushDab dab;
        dab.center = evaluator_.positions(instance_)[evaluator_.positions(instance_).size() / 2].cast<double>();
        dab.radius = std::sqrt(0.028 / 16) * static_cast<double>(kJoints);
        dab.frontFacesOnly = false;
        dab.strength = 0.1;
        PaintStroke stroke(document_, evaluator_, preview_, {.joint = JointId(kJoints / 2), .value = 0.7});
        const double best = bestOf(8, [&] {
            dab.strength += 0.05;
            evaluator_.invalidate(stroke.dab(dab));
            look();
        });
        edit_ = preview_.toEdit(document_, "Paint");
        evaluator_.invalidate(preview_.clear());
        evaluator_.invalidate(document_.apply(edit_));
        look();
        return best;
    }

    double undo() {
        double best = 1e9;
        for (int k = 0; k < 4; ++k) {
            best = std::min(best, bestOf(1, [&] {
                                evaluator_.invalidate(document_.revert(edit_));
                                look();
                            }));
            evaluator_.invalidate(document_.apply(edit_));
            look();
        }
        return best;
    }

    double save(const std::filesystem::path& path) {
        return bestOf(3, [&] {
            if (const auto saved = io::saveGltf(*source_, document_, path); !saved)
                fail(saved.error().message());
        });
    }

    [[nodiscard]] std::size_t painted() const {
        return edit_.patches.empty() ? 0 : std::get<WeightsPatch>(edit_.patches[0]).vertices.size();
    }

private:
    // What a view asks for.
    void look() {
        static_cast<void>(evaluator_.positions(instance_));
        static_cast<void>(evaluator_.normals(instance_));
    }

    InstanceId instance_{0};
    std::shared_ptr<const io::GltfSource> source_;
    Document document_;
    Preview preview_;
    Evaluator evaluator_;
    Edit edit_;
    double angle_ = 0;
};

void measureFixed(const std::filesystem::path& path, std::size_t vertices) {
    const double before = residentBytes();
    auto file = io::loadGltf(path);
    if (!file)
        fail(file.error().message());
    const Work work(std::move(*file));
    std::printf("of the memory %.1f MB are there with %zu vertices already, whatever the mesh\n",
                (residentBytes() - before) / 1e6, vertices);
}

void measure(const std::filesystem::path& path, std::size_t vertices) {
    const double before = residentBytes();
    std::unique_ptr<Work> work;
    const double open = bestOf(1, [&] {
        auto file = io::loadGltf(path);
        if (!file)
            fail(file.error().message());
        work = std::make_unique<Work>(std::move(*file));
    });
    const double bytes = (residentBytes() - before) / static_cast<double>(vertices);
    const double drag = work->drag(), dab = work->dab(), undo = work->undo();
    const double save = work->save(path.parent_path() / "saved.glb");
    std::printf("%9zu | %8.1f | %7.2f | %7.2f | %7.2f | %8.1f | %8.0f | %8.0f | %8zu\n", vertices, open, drag, dab,
                undo, save, bytes,
                static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(vertices), work->painted());
    std::fflush(stdout);
}

void inOwnProcess(const auto& work) {
    const pid_t child = fork();
    if (child == 0) {
        work();
        std::fflush(stdout);
        std::_Exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fail("a process did not end well");
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k)
        sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty())
        sizes = {10'000, 100'000, 1'000'000, 4'000'000};
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("limber_growth_" + std::to_string(getpid()));
    if (!std::filesystem::create_directory(folder))
        fail("the temporary folder cannot be made");
    std::printf(" vertices |  open ms | drag ms |  dab ms | undo ms |  save ms | memory B/v | file B/v | painted\n");
    std::fflush(stdout);
    const auto onFileOf = [&](std::size_t vertices, const auto& work) {
        const std::filesystem::path path = folder / "tube.glb";
        inOwnProcess([&] {
            if (!io::safeSave(path, bench::tubeFile(vertices, kJoints)))
                fail("the file cannot be written");
        });
        inOwnProcess([&] { work(path, vertices); });
    };
    for (const std::size_t vertices : sizes)
        onFileOf(vertices, measure);
    onFileOf(kSmall, measureFixed);
    std::filesystem::remove_all(folder);
}
