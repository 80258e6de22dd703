// The window: everything the program does when it is not asked for a subcommand.
#pragma once

#include <filesystem>
#include <optional>

namespace limber::app {

// Starts the editor with a file, or with the mannequin, and returns the process' exit code when its window is closed.
// Without a display it says so on stderr and returns 1.
int runEditor(int& argc, char** argv, std::optional<std::filesystem::path> file);

} // namespace limber::app
