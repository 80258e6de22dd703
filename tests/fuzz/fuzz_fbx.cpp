#include "core/io/fbx_shapes.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cmath>

namespace limber::fuzz {

namespace {

void checkKeys(const io::FbxWeightKeys& keys, std::size_t targets) {
    require(keys.seconds.size() == keys.weights.size(), "A key without weights.");
    require(std::is_sorted(keys.seconds.begin(), keys.seconds.end()), "Keys that are not in order.");
    for (const std::vector<double>& weights : keys.weights) {
        require(weights.size() == targets, "A key with weights of other targets.");
        require(std::all_of(weights.begin(), weights.end(), [](double w) { return std::isfinite(w); }),
                "A weight that is not finite.");
    }
}

} // namespace

void fbx(Bytes input) {
    const auto shapes = io::readFbxShapes(input);
    if (!shapes) {
        require(!shapes.error().text.empty(), "Refused without a reason.");
        return;
    }
    for (std::size_t m = 0; m < shapes->meshes.size(); ++m) {
        std::size_t targets = 0;
        for (const io::FbxShapeChannel& channel : shapes->meshes[m].channels) {
            targets += channel.targets.size();
            for (const double percent : {0.0, channel.percent, -50.0, 1e6})
                require(io::weightsAt(channel, percent).size() == channel.targets.size(), "Weights of other targets.");
        }
        for (const io::FbxShapeClip& clip : shapes->clips)
            checkKeys(io::weightKeys(*shapes, clip, m), targets);
    }
}

} // namespace limber::fuzz
