// Whether a window can be opened at all; asked before Qt, which ends the process where it cannot.
#pragma once

#include <optional>
#include <string>

namespace limber::app {

// What is missing, as one sentence; nothing where a window can be opened. Looks at the environment and, for an X
// display of this machine, at whether somebody answers there.
[[nodiscard]] std::optional<std::string> missingDisplay();

} // namespace limber::app
