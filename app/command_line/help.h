// The texts of --help.
#pragma once

#include "app/command_line/command_line.h"

namespace limber::app {

[[nodiscard]] std::string programHelp(std::span<const Command> commands);
[[nodiscard]] std::string commandHelp(const Command& command);

} // namespace limber::app
