// A plain description of a rigged scene and its translation to a GLB. What makes a scene without a glTF
// file behind it (the mannequin, the importer of other formats) fills one of these; from there on
// it is a glTF file like any other.
#pragma once

#include "core/base/result.h"
#include "core/math/transform.h"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace limber::io {

struct BuildShape {
    std::string name;
    std::vector<Eigen::Vector3f> deltas;       // [V] offsets from the rest positions, mesh space
    std::vector<Eigen::Vector3f> normalDeltas; // [V] or empty
};

struct BuildInfluence {
    std::uint32_t joint = 0; // index into BuildSkin::joints
    float weight = 0;
};

// One draw range. All arrays but `positions` may be empty.
struct BuildPrimitive {
    std::vector<Eigen::Vector3f> positions;              // [V] mesh space
    std::vector<Eigen::Vector3f> normals;                // [V] unit
    std::vector<Eigen::Vector2f> uvs;                    // [V] v down, as glTF
    std::vector<Eigen::Vector2f> secondUvs = {};         // [V] where there are uvs
    std::vector<Eigen::Vector4f> colors;                 // [V] linear RGBA
    std::vector<std::vector<BuildInfluence>> influences; // [V] any number each, summing to one
    std::vector<std::uint32_t> triangles;                // 3 per triangle, counter-clockwise outside
    int material = -1;
    std::vector<BuildShape> shapes; // the same names and number in every primitive of a mesh
};

struct BuildMesh {
    std::string name;
    std::vector<BuildPrimitive> primitives;
    std::vector<double> shapeWeights = {}; // where the sliders stand; empty: at zero
};

struct BuildNode {
    std::string name;
    int parent = -1;
    math::Affine local = math::Affine::Identity(); // written as TRS where it is one, else as a matrix
    int mesh = -1;
    int skin = -1;
};

struct BuildSkin {
    std::string name;
    std::vector<int> joints;                              // node indices
    std::vector<math::Affine> inverseBinds;               // same length
    std::optional<math::Affine> bindShape = std::nullopt; // where the nodes alone would let a reader find another
};

struct BuildMaterial {
    std::string name;
    Eigen::Vector4d baseColor = Eigen::Vector4d::Ones(); // linear RGBA
    int baseColorImage = -1;
    double metallic = 0;
    double roughness = 0.8;
    bool doubleSided = false;
    bool alphaMask = false;
    bool alphaBlend = false;                            // by the alpha of colour and image
    Eigen::Vector3d emissive = Eigen::Vector3d::Zero(); // linear RGB, up to one
    int emissiveImage = -1, normalImage = -1, occlusionImage = -1;
};

struct BuildImage {
    std::string name;
    std::string mimeType; // image/png or image/jpeg
    std::vector<std::byte> bytes;
};

struct BuildChannel {
    enum class Path { Translation, Rotation, Scale, Weights };
    int node = -1;
    Path path = Path::Rotation;
    std::vector<float> times;  // seconds, increasing
    std::vector<float> values; // 3, 4 (x y z w) or shape-count values a key
};

struct BuildClip {
    std::string name;
    std::vector<BuildChannel> channels;
};

struct SceneBuild {
    std::string generator;
    std::vector<BuildNode> nodes;
    std::vector<BuildMesh> meshes;
    std::vector<BuildSkin> skins;
    std::vector<BuildMaterial> materials;
    std::vector<BuildImage> images;
    std::vector<BuildClip> clips;
};

// A complete GLB. The same input gives the same bytes.
// Fails where an array's length does not fit its primitive or an index leads nowhere.
[[nodiscard]] Result<std::vector<std::byte>> writeGlb(const SceneBuild& scene);

} // namespace limber::io
