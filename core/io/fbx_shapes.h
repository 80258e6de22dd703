// What an FBX file says of its shapes and Assimp does not: which are in-betweens of which slider, where the sliders
// stand, and how clips move them.
// FBX: a mesh has blend shapes, these have channels (sliders, in percent), a channel has shapes, each with the
// percentage at which it is reached ("full weight"). Between two of them, and between the first and the rest shape at
// 0, the surface moves straight from one to the other; beyond the outermost it goes on as on the last stretch.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace limber::io {

struct FbxShapeTarget {
    std::string name;
    double fullPercent = 100; // where the slider reaches it
};

struct FbxShapeChannel {
    std::string name;
    double percent = 0;                  // where the slider stands
    std::vector<FbxShapeTarget> targets; // in the file's order, not sorted
    bool perVertex = false;              // the file tells a strength for each vertex that is not the same for all
};

struct FbxShapedMesh {
    std::string name;               // of the geometry; often empty
    std::vector<std::string> nodes; // the names of those that carry it
    std::vector<FbxShapeChannel> channels;
};

struct FbxPercentKey {
    double seconds = 0, percent = 0;
};

// A slider in a clip: straight between keys, held outside. What the file eases is sampled.
struct FbxPercentCurve {
    std::size_t mesh = 0, channel = 0;
    std::vector<FbxPercentKey> keys; // seconds increasing
};

struct FbxShapeClip {
    std::string name;
    double start = 0; // seconds of the file's clock at which it begins
    std::vector<FbxPercentCurve> curves;
    bool hasFurtherLayers = false; // that move shapes too and are not read
};

struct FbxShapes {
    std::vector<FbxShapedMesh> meshes;
    std::vector<FbxShapeClip> clips; // all of the file, with or without shapes
};

// A pure function of the bytes, whatever they are. InputRefused: not FBX 7.x, or damaged.
[[nodiscard]] Result<FbxShapes> readFbxShapes(std::span<const std::byte> bytes);

// The weight of each target at a percentage; their sum with the rest shape's is one.
[[nodiscard]] std::vector<double> weightsAt(const FbxShapeChannel& channel, double percent);

// Keys of the weights of all targets of a mesh, targets of one channel after those of the other. Playing them straight
// from key to key is exact. No key where the clip moves none of the mesh's sliders.
struct FbxWeightKeys {
    std::vector<double> seconds;
    std::vector<std::vector<double>> weights; // [key][target]
};
[[nodiscard]] FbxWeightKeys weightKeys(const FbxShapes& shapes, const FbxShapeClip& clip, std::size_t mesh);

} // namespace limber::io
