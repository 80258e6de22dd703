// What a file held when it was read or written, to see later whether somebody else has changed it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace limber::app {

// Contents decide: a file that was only touched is the same, one that kept its size and its time may not be.
struct FileStamp {
    std::uintmax_t size = 0;
    std::uint64_t hash = 0; // XXH3 of its bytes
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Reads all of the file; nothing where that cannot be done. Not for the window's thread.
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

class FileStamps {
public:
    // Not for the window's thread; nor is changed().
    [[nodiscard]] static FileStamps of(const std::vector<std::filesystem::path>& files);

    void add(const std::filesystem::path& file, std::optional<FileStamp> stamp) { stamps_.emplace_back(file, stamp); }
    // The first that is there and holds something else now. Files that are gone are no loss.
    [[nodiscard]] std::optional<std::filesystem::path> changed() const;
    // Of the first file.
    [[nodiscard]] FileStamp front() const;

private:
    std::vector<std::pair<std::filesystem::path, std::optional<FileStamp>>> stamps_;
};

} // namespace limber::app
