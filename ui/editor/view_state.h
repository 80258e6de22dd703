// How the scene is shown: none of it is part of the document.
#pragma once

#include "core/base/ids.h"
#include "core/skin/skinning.h"

#include <optional>
#include <set>

namespace limber::ui {

struct ViewState {
    bool wireframe = false;
    bool heatMap = false; // weights of the active joint; the paint tool turns it on while it is active
    std::optional<skin::PaintedMap> shownMap; // the heat map shows this instead of weights
    bool skeleton = true;
    bool grid = true;
    bool textures = true;
    bool antialiasing = false; // 4x
    bool gpuSkinning = true;   // off: posed points come from the CPU
    std::set<InstanceId> hidden;
    friend bool operator==(const ViewState&, const ViewState&) = default;
};

} // namespace limber::ui
