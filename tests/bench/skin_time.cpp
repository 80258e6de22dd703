// One side of the comparison with Blender (tests/peers/blender/speed.py): a file's first instance posed again and
// again.
//   limber_skin_time FILE.glb THREADS linear|dq REPEATS
// Prints JSON: the best milliseconds from the pose to posed points, and to smooth normals of the posed surface; and
// some posed points, to see that both sides do the same.
#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/io/gltf_file.h"
#include "core/mesh/smooth_normals.h"

#include <tbb/global_control.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace limber;
using namespace limber::document;

namespace {

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int fail(const std::string& why) {
    std::fprintf(stderr, "limber_skin_time: %s\n", why.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 5)
        return fail("usage: limber_skin_time FILE.glb THREADS linear|dq REPEATS");
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, std::strtoul(argv[2], nullptr, 10));
    auto file = io::loadGltf(argv[1]);
    if (!file)
        return fail(file.error().message());
    if (std::strcmp(argv[3], "dq") == 0)
        file->state.meshes[0].skinning.method = skin::Method::DualQuaternion;
    const Document doc(std::move(file->state));
    Preview preview;
    Evaluator evaluator(doc, preview);
    const InstanceId instance(0);
    const mesh::Mesh& geometry = doc.mesh(doc.instance(instance).mesh).geometry;
    const mesh::Weld& weld = doc.mesh(doc.instance(instance).mesh).weld();
    const mesh::SmoothNormals smoothNormals(weld, geometry.triangles);
    std::vector<Eigen::Vector3f> smooth(geometry.vertexCount());
    double skinned = 1e9, all = 1e9;
    const int repeats = std::atoi(argv[4]);
    for (int k = 1; k <= repeats; ++k) {
        rig::Affine turned = rig::Affine::Identity();
        turned.rotate(Eigen::AngleAxisd(0.02 * k / repeats, Eigen::Vector3d::UnitX()));
        const double start = now();
        for (std::size_t j = 0; j < doc.skeleton().size(); ++j)
            evaluator.invalidate(preview.setJoint(JointId(j), turned));
        const auto positions = evaluator.positions(instance);
        const double middle = now();
        smoothNormals.compute(positions, smooth);
        skinned = std::min(skinned, middle - start);
        all = std::min(all, now() - start);
    }
    std::printf("{\"skin_ms\": %.4f, \"smooth_ms\": %.4f, \"points\": [", skinned, all);
    const auto positions = evaluator.positions(instance);
    for (std::size_t k = 0; k < 8; ++k) {
        const Eigen::Vector3f& p = positions[k * (positions.size() - 1) / 7];
        std::printf("%s[%.6f, %.6f, %.6f]", k ? ", " : "", double(p.x()), double(p.y()), double(p.z()));
    }
    std::printf("]}\n");
}
