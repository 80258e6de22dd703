#include "core/skin/skinner.h"

#include "core/base/pieces.h"
#include "core/math/mirror.h"
#include "core/skin/joint_sets.h"
#include "core/skin/skin_kernel.h"

#include <algorithm>
#include <cassert>

namespace limber::skin {

namespace {

constexpr std::size_t kPieces = 32; // at least 16, so that a thread that is held up delays little

// Results of so many vertices, 12 MB, do not stay in most caches: written past them, their memory is not read first.
constexpr std::size_t kPastCachesFrom = std::size_t{1} << 19;

bool isAligned(const float* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 64 == 0;
}

// work(first, end) over ranges of `count` blocks.
template <class Work> void inBlocks(std::size_t count, const Work& work) {
    inPieces(count, pieceOf(count, count / kPieces, 10'000 / kLanes), work);
}

// The heaviest joint of a lane and, of linear blend, its map.
struct LaneBlend {
    Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
    std::uint32_t heaviest = 0;
    float weight = 0;
};

LaneBlend blendOf(const KernelJob& job, const WeightBlock& block, std::size_t lane) {
    LaneBlend blend;
    for (std::size_t s = block.first; s < block.first + block.count; ++s) {
        const float w = job.lanes[s * kLanes + lane];
        if (w > blend.weight) {
            blend.weight = w;
            blend.heaviest = job.slots[s];
        }
        const Eigen::Map<const Matrix34f> rows(job.linear + 12 * std::size_t{job.slots[s]});
        blend.a += w * rows.leftCols<3>().cast<double>();
    }
    return blend;
}

// Where the blend has no rank left for a normal, it turns with the heaviest joint. Linear blend is looked at once more
// in double: the kernel judges it by the largest joint of its block.
void repairNormals(const KernelJob& job, std::size_t block, std::uint32_t lanes) {
    std::uint32_t known = 0xffffffffu;
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    for (std::size_t k = 0; k < kLanes; ++k) {
        if (!(lanes >> k & 1))
            continue;
        const std::size_t v = block * kLanes + k;
        const Eigen::Vector3d n = Eigen::Map<const Eigen::Vector3f>(job.normals + 3 * v).cast<double>();
        Eigen::Map<Eigen::Vector3f> out(job.outNormals + 3 * v);
        const LaneBlend blend = blendOf(job, job.blocks[block], k);
        out = n.cast<float>();
        if (!(blend.weight > 0))
            continue;
        if (const Eigen::Vector3d c = math::cofactor<double>(blend.a) * n;
            job.turn == Turn::None && c.norm() > 1e-5 * blend.a.squaredNorm()) {
            out = (c.normalized() * (job.signs ? job.signs[blend.heaviest] : 1)).cast<float>();
            continue;
        }
        if (blend.heaviest != known) {
            const Eigen::Map<const Matrix34f> rows(job.linear + 12 * std::size_t{blend.heaviest});
            const double sign = job.signs ? job.signs[blend.heaviest] : 1;
            turn = sign * math::polarRotation(rows.leftCols<3>().cast<double>(), sign < 0);
            known = blend.heaviest;
        }
        out = (turn * n).cast<float>();
    }
}

Turn turnOf(const SkinInput& in) {
    switch (in.palette->method()) {
    case Method::Linear:
        break;
    case Method::DualQuaternion:
        return Turn::DualQuaternion;
    case Method::Spherical:
        return in.sets ? Turn::SphericalPerSet : Turn::Spherical;
    }
    return Turn::None;
}

KernelJob jobOf(const SkinInput& in, std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals) {
    const BlockWeights& w = *in.weights;
    const Palette& palette = *in.palette;
    const bool withNormals = !outNormals.empty();
    assert(in.positions.size() == w.vertexCount() && outPositions.size() == w.vertexCount());
    assert(!withNormals || (in.normals.size() == w.vertexCount() && outNormals.size() == w.vertexCount()));
    assert(in.shares.empty() || in.shares.size() == w.vertexCount());
    KernelJob job;
    if (w.empty())
        return job;
    job.positions = in.positions.front().data();
    job.outPositions = outPositions.front().data();
    job.withNormals = withNormals;
    job.normals = withNormals ? in.normals.front().data() : job.positions;
    job.outNormals = withNormals ? outNormals.front().data() : job.outPositions;
    job.vertices = w.vertexCount();
    job.blocks = w.blocks().data();
    job.slots = w.slotData();
    job.lanes = w.laneData();
    job.linear = palette.size() ? palette.linear().front().data() : nullptr;
    job.rigid = palette.rigid().data();
    job.sizes = palette.sizes().data();
    job.signs = palette.mirrored() ? palette.signs().data() : nullptr;
    job.turn = turnOf(in);
    job.stretch = palette.stretch();
    job.shares = job.turn == Turn::None || in.shares.empty() ? nullptr : in.shares.data();
    if (job.turn == Turn::SphericalPerSet) {
        assert(!in.sets->stale(w) && in.sets->centres().size() == in.sets->size());
        job.centres = in.sets->centres().front().data();
        job.sets = in.sets->ofLanes().data();
        job.blockSets = in.sets->ofBlocks().data();
    }
    job.repair = repairNormals;
    return job;
}

} // namespace

void skinAll(const SkinInput& in, std::span<Eigen::Vector3f> outPositions, std::span<Eigen::Vector3f> outNormals) {
    KernelJob job = jobOf(in, outPositions, outNormals);
    job.past = job.vertices >= kPastCachesFrom && isAligned(job.outPositions) && isAligned(job.outNormals);
    inBlocks(in.weights->blockCount(),
             [&](std::size_t begin, std::size_t end) { runKernel(job, nullptr, begin, end); });
}

void skinBlocks(const SkinInput& in, std::span<const std::uint32_t> blocks, std::span<Eigen::Vector3f> outPositions,
                std::span<Eigen::Vector3f> outNormals) {
    const KernelJob job = jobOf(in, outPositions, outNormals);
    inBlocks(blocks.size(), [&](std::size_t begin, std::size_t end) { runKernel(job, blocks.data(), begin, end); });
}

void skinRigid(std::span<const Eigen::Vector3f> positions, std::span<const Eigen::Vector3f> normals,
               const Matrix34f& matrix, std::span<Eigen::Vector3f> outPositions,
               std::span<Eigen::Vector3f> outNormals) {
    const Eigen::Matrix3f a = matrix.leftCols<3>();
    const Eigen::Matrix3d exact = a.cast<double>();
    const bool mirrored = math::isMirrored(exact, 1e-6);
    const double sign = mirrored ? -1 : 1, size = exact.norm();
    // Of length one or so, whatever the size of the matrix.
    const Eigen::Matrix3f cofactor =
        (size > 0 ? Eigen::Matrix3d(sign * math::cofactor<double>(exact / size)) : exact).cast<float>();
    const Eigen::Matrix3f turn = (sign * math::polarRotation(exact, mirrored)).cast<float>();
    const std::size_t count = positions.size();
    inPieces(count, pieceOf(count, count / kPieces), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            outPositions[v] = a * positions[v] + matrix.col(3);
            if (outNormals.empty())
                continue;
            const Eigen::Vector3f c = cofactor * normals[v];
            const float length = c.norm();
            outNormals[v] = length > 1e-5f ? Eigen::Vector3f(c / length) : Eigen::Vector3f(turn * normals[v]);
        }
    });
}

const char* kernelName() {
    return kernelTarget();
}

} // namespace limber::skin
