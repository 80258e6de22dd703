// One side of the comparison with Blender (tests/peers/blender/speed.py): the first mesh of a file bound by heat.
//   limber_heat_time FILE.glb THREADS STRENGTH
// Prints JSON: the milliseconds from the open file to the edit, and some rows as [[joint, weight], ...].
#include "core/document/bind_intents.h"
#include "core/io/gltf_file.h"
#include "tests/bench/timing.h"

#include <tbb/global_control.h>

#include <cstdio>
#include <cstdlib>

using namespace limber;

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: limber_heat_time FILE.glb THREADS STRENGTH\n");
        return 2;
    }
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, std::strtoul(argv[2], nullptr, 10));
    auto file = io::loadGltf(argv[1]);
    if (!file) {
        std::fprintf(stderr, "limber_heat_time: %s\n", file.error().message().c_str());
        return 1;
    }
    document::Document doc(std::move(file->state));
    weights::HeatOptions options;
    options.strength = std::strtod(argv[3], nullptr);
    options.mostInfluences = 16; // Blender keeps all above its smallest
    const std::vector<MeshId> first{MeshId(0)};
    document::HeatBinding binding;
    const double time =
        bench::millisecondsOf([&] { binding = document::bindByHeat(doc, first, document::Takers::All, options); });
    doc.apply(binding.edit);

    std::printf("{\"heat_ms\": %.3f, \"rows\": [", time);
    const skin::SkinWeights& rows = doc.mesh(first[0]).weights;
    for (std::size_t k = 0; k < 8; ++k) {
        std::printf("%s[", k ? ", " : "");
        const char* comma = "";
        for (const skin::Influence& i : rows.row(k * (rows.vertexCount() - 1) / 7)) {
            std::printf("%s[%u, %.6f]", comma, i.slot, double(i.weight));
            comma = ", ";
        }
        std::printf("]");
    }
    std::printf("]}\n");
    return 0;
}
