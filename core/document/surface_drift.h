// How far an edit moves the posed surface, measured in the clips of the document.
#pragma once

#include "core/document/document.h"

#include <cstdint>

namespace limber::document {

struct SurfaceDrift {
    double maximum = 0; // world units
    double mean = 0;    // over all skinned vertices and sampled times
    std::size_t clips = 0;
    std::size_t times = 0; // that were sampled, of all clips together; without clips one, the pose
    // Where the maximum is; nothing of it holds where the surface did not move.
    std::size_t clip = 0; // index, where there are clips
    double time = 0;      // seconds
    InstanceId instance;
    std::uint32_t vertex = 0;
};

// Compares `before` and `after`, which differ in weights only, at the keys of every clip (at most `mostTimes` a clip,
// evenly spread between the first and the last); without clips at the present pose. Shapes follow clips and drivers.
// O(clips x times x vertices).
[[nodiscard]] SurfaceDrift measureDrift(const DocumentState& before, const DocumentState& after,
                                        std::size_t mostTimes = 60);

} // namespace limber::document
