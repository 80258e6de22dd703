// The kernels beside the naive oracle, a loop with Eigen, the limit of the same bytes without arithmetic, and each
// other. All that is compared takes turns in one run on one thread; the least thread time of each counts.

#include "core/skin/delta_mush.h"
#include "core/skin/joint_sets.h"
#include "core/skin/skinner.h"
#include "tests/bench/bench_document.h"
#include "tests/bench/plain_skin.h"
#include "tests/support/slow_mush.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>
#include <functional>
#include <hwy/targets.h>
#include <memory>

namespace {

using namespace limber;
using skin::Method;

constexpr std::size_t kJoints = 64;

struct SkinScene {
    document::DocumentState state;
    std::vector<skin::SlotPose> poses;
    skin::Palette palettes[skin::kMethodCount];
    skin::BlockWeights blocks;
    skin::JointSets sets;
    std::vector<Eigen::Vector3f> positions, normals;
    std::vector<float> plainWeights;
    std::vector<std::uint8_t> plainJoints;
    std::vector<Eigen::Matrix4f> plainMatrices;

    explicit SkinScene(std::size_t vertices) : state(bench::makeTube(vertices, kJoints)) {
        for (std::size_t j = 0; j < kJoints; ++j) {
            const rig::Joint& joint = state.skeleton[JointId(j)];
            rig::Affine world = joint.bindWorld;
            world.rotate(Eigen::AngleAxisd(0.02 * static_cast<double>(j), Eigen::Vector3d::UnitX()));
            poses.push_back(skin::slotPose(world, joint.bindWorld, joint.bindWorld.inverse(), joint.inverseBind));
            plainMatrices.emplace_back(poses.back().skin.matrix().cast<float>());
        }
        for (std::size_t m = 0; m < skin::kMethodCount; ++m) {
            palettes[m].resize(kJoints, static_cast<Method>(m));
            for (std::size_t j = 0; j < kJoints; ++j)
                palettes[m].set(j, poses[j]);
            palettes[m].finish();
        }
        blocks.build(mesh().weights);
        sets.build(blocks);
        positions.resize(mesh().geometry.vertexCount());
        normals.resize(positions.size());
        for (std::size_t v = 0; v < positions.size(); ++v)
            for (const skin::Influence& i : mesh().weights.row(v)) {
                plainWeights.push_back(i.weight);
                plainJoints.push_back(static_cast<std::uint8_t>(i.slot));
            }
    }

    [[nodiscard]] const document::MeshData& mesh() const { return state.meshes[0]; }

    void kernel(Method method, bool perSet = false) {
        const skin::Palette& palette = palettes[static_cast<std::size_t>(method)];
        if (perSet)
            sets.pose(palette);
        skin::skinAll(
            {mesh().geometry.positions, mesh().geometry.normals, &blocks, &palette, {}, perSet ? &sets : nullptr},
            positions, normals);
    }
    [[nodiscard]] bench::PlainSkin plain() {
        return {mesh().geometry.positions[0].data(),
                mesh().geometry.normals[0].data(),
                positions[0].data(),
                normals[0].data(),
                plainWeights.data(),
                plainJoints.data(),
                plainMatrices[0].data(),
                positions.size()};
    }
    void oracle(Method method) {
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const skin::PosedVertex posed =
                skin::posedReference(mesh().geometry.positions[v].cast<double>(),
                                     mesh().geometry.normals[v].cast<double>(), mesh().weights.row(v), poses, method);
            positions[v] = posed.position.cast<float>();
            normals[v] = posed.normal.cast<float>();
        }
    }
};

SkinScene& sceneOf(std::size_t vertices) {
    static std::unique_ptr<SkinScene> scene;
    static std::size_t size = 0;
    if (size != vertices) {
        scene.reset();
        scene = std::make_unique<SkinScene>(vertices);
        size = vertices;
    }
    return *scene;
}

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Something to measure, with one instruction set or the best there is.
struct Work {
    std::function<void()> run;
    std::int64_t target = 0;
};

// Asking the processor what it has is slow on virtual machines: outside of what is timed.
void useTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// Least seconds of each, taking turns.
std::vector<double> leastSeconds(const std::vector<Work>& works, int rounds) {
    std::vector<double> least(works.size(), 1e9);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < works.size(); ++k) {
            useTarget(works[k].target);
            const double start = threadSeconds();
            works[k].run();
            least[k] = std::min(least[k], threadSeconds() - start);
        }
    useTarget(0);
    return least;
}

void judge(benchmark::State& run, double ratio, double must, double aim) {
    run.counters["ratio"] = ratio;
    run.counters["must"] = must;
    run.counters["aim"] = aim;
    run.SetLabel(skin::kernelName());
}

int roundsFor(std::size_t vertices) {
    return static_cast<int>(std::clamp<std::size_t>(20'000'000 / vertices, 25, 400));
}

void linearAgainstEigenLoop(benchmark::State& run) {
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    SkinScene& s = sceneOf(static_cast<std::size_t>(run.range(0)));
    const bench::PlainSkin plain = s.plain();
    std::vector<Work> works = {{[&] { s.kernel(Method::Linear); }}, {[&] { bench::eigenLoop(plain); }}};
    const bool avx2 = (hwy::SupportedTargets() & HWY_AVX2) != 0;
    if (avx2) {
        works.push_back({[&] { bench::eigenLoopAvx2(plain); }});
        works.push_back({works[0].run, HWY_AVX2});
        works.push_back({works[0].run, HWY_SSSE3});
    }
    for (auto _ : run) {
        const std::vector<double> t = leastSeconds(works, roundsFor(s.positions.size()));
        const double oracle = leastSeconds({{[&] { s.oracle(Method::Linear); }}}, 2)[0];
        judge(run, (avx2 ? t[2] : t[1]) / t[0], 2.4, 4);
        run.counters["of_eigen_sse2"] = t[1] / t[0];
        run.counters["of_oracle"] = oracle / t[0];
        run.counters["Mv_per_s"] = 1e-6 * static_cast<double>(s.positions.size()) / t[0];
        if (avx2) {
            run.counters["avx2_kernel"] = t[2] / t[3];
            run.counters["ssse3_kernel_of_sse2"] = t[1] / t[4];
        }
    }
}
BENCHMARK(linearAgainstEigenLoop)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);

void linearAgainstByteLimit(benchmark::State& run) {
    if (!(hwy::SupportedTargets() & HWY_AVX2))
        return run.SkipWithError("needs AVX2");
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    SkinScene& s = sceneOf(static_cast<std::size_t>(run.range(0)));
    const bench::PlainSkin plain = s.plain();
    for (auto _ : run) {
        const std::vector<double> t = leastSeconds({{[&] { s.kernel(Method::Linear); }},
                                                    {[&] { benchmark::DoNotOptimize(bench::sameBytes(plain)); }},
                                                    {[&] { s.kernel(Method::Linear); }, HWY_AVX2}},
                                                   2 * roundsFor(s.positions.size()));
        judge(run, t[1] / t[0], 0.8, 0.95);
        run.counters["avx2_kernel"] = t[1] / t[2];
        run.counters["limit_Mv_per_s"] = 1e-6 * static_cast<double>(s.positions.size()) / t[1];
    }
}
BENCHMARK(linearAgainstByteLimit)->Arg(1'000'000)->Iterations(1);

// Ratios of the methods to each other.
void compare(benchmark::State& run, Method method, bool perSet, Method other, double must, double aim) {
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    SkinScene& s = sceneOf(static_cast<std::size_t>(run.range(0)));
    std::vector<Work> works = {{[&] { s.kernel(method, perSet); }}, {[&] { s.kernel(other); }}};
    const bool avx2 = (hwy::SupportedTargets() & HWY_AVX2) != 0;
    if (avx2)
        works.insert(works.end(), {Work{works[0].run, HWY_AVX2}, Work{works[1].run, HWY_AVX2}});
    for (auto _ : run) {
        const std::vector<double> t = leastSeconds(works, roundsFor(s.positions.size()));
        const double oracle = leastSeconds({{[&] { s.oracle(method); }}}, 1)[0];
        judge(run, t[1] / t[0], must, aim);
        run.counters["of_oracle"] = oracle / t[0];
        run.counters["Mv_per_s"] = 1e-6 * static_cast<double>(s.positions.size()) / t[0];
        if (avx2)
            run.counters["avx2_kernel"] = t[3] / t[2];
    }
}
void dualQuaternionOfLinear(benchmark::State& run) {
    compare(run, Method::DualQuaternion, false, Method::Linear, 0.6, 0.7);
}
void sphericalOfDualQuaternion(benchmark::State& run) {
    compare(run, Method::Spherical, false, Method::DualQuaternion, 0.25, 0.5);
}
void sphericalPerSetOfDualQuaternion(benchmark::State& run) {
    compare(run, Method::Spherical, true, Method::DualQuaternion, 0.5, 0.9);
}
BENCHMARK(dualQuaternionOfLinear)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);
BENCHMARK(sphericalOfDualQuaternion)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);
BENCHMARK(sphericalPerSetOfDualQuaternion)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);

// What one pose costs: smoothing, frames, and what the points get back.
void deltaMush(benchmark::State& run) {
    const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
    SkinScene& s = sceneOf(static_cast<std::size_t>(run.range(0)));
    const mesh::Mesh& m = s.mesh().geometry;
    const skin::DeltaMush settings{true, 10, 0.5};
    skin::MushedSurface surface(s.mesh().weld(), m.triangles, m.positions, settings);
    const test::SlowMush slow(m.positions, m.triangles);
    s.kernel(Method::Linear);
    const std::vector<Eigen::Vector3f> skinned = s.positions;
    const Work kernel{[&] {
        s.positions = skinned;
        surface.pose(skinned);
        surface.apply(m.positions, m.normals, m.positions, {}, s.positions, s.normals);
    }};
    for (auto _ : run) {
        const double least = leastSeconds({kernel}, roundsFor(10 * skinned.size()))[0];
        const double oracle =
            leastSeconds({{[&] { benchmark::DoNotOptimize(slow(m.positions, skinned, settings)); }}}, 1)[0];
        run.counters["of_oracle"] = oracle / least;
        run.counters["Mv_per_s"] = 1e-6 * static_cast<double>(skinned.size()) / least;
    }
}
BENCHMARK(deltaMush)->Arg(10'000)->Arg(100'000)->Iterations(1);

void forwardKinematics(benchmark::State& run) {
    const document::DocumentState state = bench::makeTube(100, static_cast<std::size_t>(run.range(0)));
    rig::Transforms world;
    for (auto _ : run) {
        rig::forwardKinematics(state.skeleton, state.pose, world);
        benchmark::DoNotOptimize(world.data());
    }
}
BENCHMARK(forwardKinematics)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

} // namespace
