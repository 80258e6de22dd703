// Which window has a file open. The locks lie in the state folder, so that a folder which cannot be written to makes no
// difference; those of processes that are gone count for nothing.
#pragma once

#include <QLockFile>

#include <filesystem>
#include <memory>
#include <string>

namespace limber::app {

struct FileLock {
    std::unique_ptr<QLockFile> lock; // none where another has it, or where no lock could be made
    bool elsewhere = false;          // a living process has it
    bool ending = false;             // a process has it that was killed and is not quite gone: try again soon
    std::string why = {};            // no lock could be made at all
};

[[nodiscard]] FileLock lockFile(const std::filesystem::path& stateFolder, const std::filesystem::path& file);

// Removes locks of processes that are gone.
void sweepLocks(const std::filesystem::path& stateFolder);

// A lock that is only taken from a process that is gone, however old it is.
[[nodiscard]] FileLock takeLock(const std::filesystem::path& lock);

} // namespace limber::app
