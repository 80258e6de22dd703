// A document's state in the pose that a command line asks for.
#pragma once

#include "app/command_line/command_line.h"
#include "core/document/evaluator.h"
#include "core/skin/skinning.h"

#include <optional>
#include <string>
#include <vector>

namespace limber::app {

struct ShapeOverride {
    std::string name;
    double weight = 0;
};

// "NAME=WEIGHT"; the name may hold "=". Usage where it is not.
[[nodiscard]] Result<ShapeOverride> parseShapeOverride(const std::string& word);

// What --method asks for; nothing where it is not given. Usage, with the known methods, where there is no such one.
[[nodiscard]] Result<std::optional<skin::Method>> methodOption(const Arguments& arguments);

// The pose and the shape weights of a clip (the first of that name, or "#2" by its place) at a time in seconds. Joints
// that the clip does not move keep the file's pose. Usage where there is no such clip.
[[nodiscard]] Status poseFromClip(document::DocumentState& state, const std::string& name, double seconds);

// Fixes every shape's weight: to what the pose makes of it, or what is asked for. Usage where no mesh has such a shape.
[[nodiscard]] Result<document::DocumentState> overrideShapes(document::DocumentState state,
                                                             const std::vector<ShapeOverride>& overrides);

} // namespace limber::app
