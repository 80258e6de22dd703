// The subcommand that draws: it needs an OpenGL context and so the program's own window parts.
#pragma once

#include "app/command_line/command_line.h"

namespace limber::app {

[[nodiscard]] Command renderCommand();

} // namespace limber::app
