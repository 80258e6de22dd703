#include "app/file_stamp.h"

#include <array>
#include <cstdio>
#include <memory>
#include <xxhash.h>

namespace limber::app {

namespace fs = std::filesystem;

std::optional<FileStamp> stampOf(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) // a pipe would never end
        return std::nullopt;
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.string().c_str(), "rb"),
                                                                  &std::fclose);
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> sum(XXH3_createState(), &XXH3_freeState);
    if (!file || !sum)
        return std::nullopt;
    XXH3_64bits_reset(sum.get());
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    const auto piece = std::make_unique<std::array<char, std::size_t(1) << 18>>();
    FileStamp stamp;
    while (const std::size_t got = std::fread(piece->data(), 1, piece->size(), file.get())) {
        XXH3_64bits_update(sum.get(), piece->data(), got);
        stamp.size += got;
    }
    if (std::ferror(file.get()))
        return std::nullopt;
    stamp.hash = XXH3_64bits_digest(sum.get());
    return stamp;
}

FileStamps FileStamps::of(const std::vector<fs::path>& files) {
    FileStamps stamps;
    for (const fs::path& file : files)
        stamps.add(file, stampOf(file));
    return stamps;
}

std::optional<fs::path> FileStamps::changed() const {
    for (const auto& [file, stamp] : stamps_) {
        std::error_code failed;
        const std::uintmax_t size = fs::file_size(file, failed);
        if (failed)
            continue;
        if (!stamp || size != stamp->size)
            return file;
        if (const auto now = stampOf(file); now && now != stamp)
            return file;
    }
    return std::nullopt;
}

FileStamp FileStamps::front() const {
    return stamps_.empty() ? FileStamp() : stamps_.front().second.value_or(FileStamp());
}

} // namespace limber::app
