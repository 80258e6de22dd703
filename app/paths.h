// Paths between the standard library and Qt, and where the program keeps its own state.
#pragma once

#include <QString>

#include <filesystem>
#include <vector>

namespace limber::app {

[[nodiscard]] QString toQString(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path toPath(const QString& text);

[[nodiscard]] bool isGltf(const std::filesystem::path& path); // by its extension
// The same file, however it is named; neither has to exist.
[[nodiscard]] bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

// Absolute and without "." and ".." where that leads to the same file.
[[nodiscard]] std::filesystem::path tidy(const std::filesystem::path& path);

// What lies in a folder, in any order; nothing where it cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder);

// What must outlive a crash: $XDG_STATE_HOME/limber or ~/.local/state/limber, where the system has none of these its
// folder for data. Empty where there is no home at all.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace limber::app
