// Writing a file so that after any failure the old file or the new one is whole (design: write, flush, fsync,
// rename, fsync of the folder, each checked).
#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace limber::io {

// The bytes of a file; copies share them.
class FileBytes {
public:
    FileBytes() = default;
    FileBytes(std::vector<std::byte> bytes);
    // Without values yet: they are not cleared first, which costs as much as reading does.
    explicit FileBytes(std::size_t size);

    operator std::span<const std::byte>() const { return {data_.get(), size_}; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const std::byte* data() const { return data_.get(); }
    [[nodiscard]] const std::byte* begin() const { return data_.get(); }
    [[nodiscard]] const std::byte* end() const { return data_.get() + size_; }
    // Only while nobody else reads them.
    [[nodiscard]] std::span<std::byte> writable() { return {data_.get(), size_}; }
    friend bool operator==(const FileBytes& a, const std::vector<std::byte>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::shared_ptr<std::byte[]> data_;
    std::size_t size_ = 0;
};

struct SaveOptions {
    // How many of the previous files are kept beside the new one, as NAME.1~ (the newest), NAME.2~ ...
    int backups = 0;
    // Becomes true when the new file has taken the old one's place, even where something fails after that.
    bool* replaced = nullptr;
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
// The same for what is large and only looked at.
[[nodiscard]] Result<FileBytes> readFileBytes(const std::filesystem::path& path,
                                              std::uintmax_t limitBytes = std::uintmax_t(4) << 30);

} // namespace limber::io
