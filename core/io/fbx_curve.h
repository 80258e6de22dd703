// Animation curves of FBX files.
#pragma once

#include "core/io/fbx_shapes.h"
#include "core/io/fbx_tree.h"

namespace limber::io {

[[nodiscard]] double fbxSeconds(std::int64_t ticks);

// Keys in order; stretches that are eased are sampled 30 times a second, held ones end just before the next key.
// Empty where the curve is damaged.
[[nodiscard]] std::vector<FbxPercentKey> readFbxCurve(const FbxTree& tree, const FbxNode& curve);

} // namespace limber::io
