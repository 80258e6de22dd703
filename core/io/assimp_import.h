// Reading the formats that are not glTF, through Assimp. Assimp crashes and hangs on malformed files, so this runs
// in the import worker and nowhere else (app/import_worker.h). What comes out is a plain scene that is written as a
// GLB and read again by the checked glTF reader.
#pragma once

#include "core/base/result.h"
#include "core/io/scene_build.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace limber::io {

// Something that was mended, or left out, on the way.
struct ImportNote {
    std::string code, where, text;
    std::size_t count = 1; // how many vertices, keys, ... it is about; 0 where nothing was wrong and it only informs
};

struct ImportedScene {
    SceneBuild scene;
    std::vector<ImportNote> notes;
};

using ImportProgress = std::function<void(double fraction, const std::string& stage)>;

// The file's own pose is kept. Where it tells its unit and axes a node above its roots makes them metres and Y up:
// node transforms as they come, skinned meshes on root nodes, inverse binds as the file has them, corners that agree in
// everything made one vertex again (in the order of their first appearance), any number of influences. Files beside it
// are read only from its own folder and below. InputRefused: no importer for it, unreadable, nothing in it to show.
[[nodiscard]] Result<ImportedScene> importWithAssimp(const std::filesystem::path& path,
                                                     const ImportProgress& progress = {});

} // namespace limber::io
