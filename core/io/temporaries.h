// The files that saving writes before they become the file: hidden, beside it, named after the process that writes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace limber::io {

// FOLDER/.limber-save-PROCESS-LETTERS, other letters each time. Only where saving is not left to QSaveFile.
[[nodiscard]] std::string temporaryName(const std::filesystem::path& folder);

// Removes temporaries that a killed save left in `folder` and returns how many: only our own regular files of that
// name which nobody holds a lock on (flock) and whose process is gone, or which are older than a day, as numbers of
// processes return. Does nothing where the folder cannot be listed.
std::size_t sweepTemporaries(const std::filesystem::path& folder);

} // namespace limber::io
