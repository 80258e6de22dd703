#include "app/file_lock.h"

#include "app/paths.h"

#include <xxhash.h>

namespace limber::app {

namespace fs = std::filesystem;

namespace {
constexpr const char* kOpenFiles = "open";
}

FileLock takeLock(const fs::path& path) {
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    auto lock = std::make_unique<QLockFile>(toQString(path));
    lock->setStaleLockTime(0);
    if (lock->tryLock(0))
        return {std::move(lock), false};
    return {nullptr, lock->error() == QLockFile::LockFailedError};
}

void sweepLocks(const fs::path& stateFolder) {
    for (const fs::path& lock : filesIn(stateFolder / kOpenFiles))
        (void)takeLock(lock); // and let go of it, which removes it
}

FileLock lockFile(const fs::path& stateFolder, const fs::path& file) {
    std::error_code failed;
    fs::path canonical = fs::weakly_canonical(file, failed);
    if (failed)
        canonical = fs::absolute(file, failed);
    const std::string text = canonical.string();
    const QString name = QString::number(XXH3_64bits(text.data(), text.size()), 16);
    return takeLock(stateFolder / kOpenFiles / toPath(name + ".lock"));
}

} // namespace limber::app
