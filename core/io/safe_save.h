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

// WriteFailed with the system's reason (disk full, read-only, no such folder ...); nothing is left behind.
[[nodiscard]] Status safeSave(const std::filesystem::path& path, std::span<const std::byte> bytes);

// Reads a regular file; InputRefused where it is missing, a folder, a device, unreadable, or over `limitBytes`.
[[nodiscard]] Result<std::vector<std::byte>> readFile(const std::filesystem::path& path,
                                                      std::uintmax_t limitBytes = std::uintmax_t(4) << 30);

} // namespace limber::io
