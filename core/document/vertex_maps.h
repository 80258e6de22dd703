// The maps x = A p + b of all vertices of one instance in one pose.
#pragma once

#include "core/skin/pose_map.h"

namespace limber::skin {
class MushedSurface;
}

namespace limber::document {

// Views of an evaluator's memory, valid until its next change. Reading is safe on several threads.
struct VertexMaps {
    const skin::SkinWeights* rows = nullptr; // null: all follow slot 0
    std::span<const skin::SlotPose> poses;   // [slots]
    skin::Method method = skin::Method::Linear;
    std::span<const float> shares; // [V] of the method, empty: 1 everywhere
    const skin::MushedSurface* mush = nullptr;
    std::span<const float> mushShares;     // [V], empty: 1 everywhere
    std::span<const Eigen::Vector3f> rest; // [V] mesh space

    // In double, the last step included.
    [[nodiscard]] skin::VertexMap operator()(std::uint32_t vertex) const;
};

} // namespace limber::document
