// What the import worker does and the program makes of it, in the test's own process.
#pragma once

#include "core/io/assimp_import.h"
#include "core/io/gltf_file.h"

#include <filesystem>
#include <utility>

namespace limber::tests {

inline Result<io::LoadedFile> importHere(const std::filesystem::path& path) {
    const auto imported = io::importWithAssimp(path);
    if (!imported)
        return imported.error();
    auto glb = io::writeGlb(imported->scene);
    if (!glb)
        return glb.error();
    return io::loadGlb(std::move(glb).value(), "test");
}

} // namespace limber::tests
