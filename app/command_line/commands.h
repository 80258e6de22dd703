// The subcommands, each in its own file.
#pragma once

#include "app/command_line/command_line.h"

namespace limber::app {

[[nodiscard]] Command infoCommand();
[[nodiscard]] Command checkCommand();
[[nodiscard]] Command newCommand();
[[nodiscard]] Command convertCommand();
[[nodiscard]] Command poseCommand();
[[nodiscard]] Command deformCommand();
[[nodiscard]] Command correctiveAddCommand();
[[nodiscard]] Command skinningCommand();
// "weights export", "weights import", ...
[[nodiscard]] std::vector<Command> weightsCommands();

} // namespace limber::app
