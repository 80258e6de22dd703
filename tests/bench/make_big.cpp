// Writes a rigged .glb of any size, for trying the window and other programs on.
//   limber_make_big VERTICES JOINTS OUT.glb
#include "core/io/safe_save.h"
#include "tests/bench/tube_file.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    const std::size_t vertices = argc == 4 ? std::strtoul(argv[1], nullptr, 10) : 0;
    const std::size_t joints = argc == 4 ? std::strtoul(argv[2], nullptr, 10) : 0;
    if (vertices < 100 || joints < 4 || joints > 65535) {
        std::fprintf(stderr, "usage: limber_make_big VERTICES JOINTS OUT.glb (from 100 vertices, 4 to 65535 joints)\n");
        return 2;
    }
    if (const auto saved = limber::io::safeSave(argv[3], limber::bench::tubeFile(vertices, joints)); !saved) {
        std::fprintf(stderr, "limber_make_big: %s\n", saved.error().message().c_str());
        return 1;
    }
    return 0;
}
