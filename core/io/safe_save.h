// Writing a file so that after any failure the old file or the new one is whole (design: write, flush, fsync,
// rename, fsync of the folder, each checked).
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace limber::io {

struct SaveOptions {
    // How many of the previous files are kept beside the new one, as NAME.1~ (the newest), NAME.2~ ...
    int backups = 0;
};

// WriteFailed with the system's reason (disk full, read-only, no such folder ...); nothing is left behind. What a
// killed save left in the folder earlier is swept (temporaries.h).
[[nodiscard]] Status safeSave(const std::filesystem::path& path, std::span<const std::byte> bytes,
                              const SaveOptions& options = {});
// The same for a file that lies in several pieces.
[[nodiscard]] Status safeSave(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces,
                              const SaveOptions& options = {});

// NAME.1~ for 1.
[[nodiscard]] std::filesystem::path backupPath(const std::filesystem::path& path, int number);

// Reads a regular file; InputRefused where it is missing, a folder, a device, unreadable, or over `limitBytes`.
[[nodiscard]] Result<std::vector<std::byte>> readFile(const std::filesystem::path& path,
                                                      std::uintmax_t limitBytes = std::uintmax_t(4) << 30);

} // namespace limber::io
