// Shapes of an FBX file as Assimp gives them, told apart by what the file itself says (fbx_shapes.h).
#pragma once

#include "core/io/assimp_import.h"
#include "core/io/fbx_shapes.h"

#include <assimp/scene.h>

#include <optional>

namespace limber::io {

// Which sliders the shapes of a mesh belong to.
struct FbxShapePlan {
    std::size_t mesh = 0;             // in FbxShapes::meshes
    std::vector<std::size_t> targets; // [shapes] place among all targets of that mesh
    std::vector<std::string> names;   // [shapes] the slider's, with the percentage where it is an in-between
    std::vector<double> weights;      // [shapes] where the file's sliders stand
    std::size_t inBetweens = 0;
};

class FbxShapeNames {
public:
    // Reads the file where it is an FBX file and the scene has shapes. What cannot be read is noted.
    FbxShapeNames(const aiScene& source, const std::filesystem::path& asset, std::vector<ImportNote>& notes);

    // Nothing where the file does not say it, or says something else than Assimp.
    [[nodiscard]] std::optional<FbxShapePlan> planOf(const aiMesh& mesh) const;
    // Null where nothing was read.
    [[nodiscard]] const FbxShapes* shapes() const { return shapes_ ? &*shapes_ : nullptr; }

private:
    std::optional<FbxShapes> shapes_;
};

} // namespace limber::io
