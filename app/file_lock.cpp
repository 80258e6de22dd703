#include "app/file_lock.h"

#include "app/paths.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <xxhash.h>

namespace limber::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOpenFiles = "open";

// A process that was killed keeps its number until all its threads are gone, which takes seconds on a busy machine.
bool isEnding([[maybe_unused]] qint64 process) {
#ifdef __linux__
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name = text.rfind(')'); // which may hold anything
    if (name == std::string::npos)
        return false;
    constexpr unsigned long kExiting = 4; // PF_EXITING of the kernel
    std::istringstream numbers(text.substr(name + 1));
    char state = 0;
    long skipped = 0;
    unsigned long flags = 0;
    numbers >> state;
    for (int k = 0; k < 5; ++k)
        numbers >> skipped;
    numbers >> flags;
    return state == 'Z' || state == 'X' || (flags & kExiting) != 0;
#else
    return false;
#endif
}

std::string reason(const std::error_code& failed) {
    if (failed.value() == EACCES || failed.value() == EPERM)
        return "You are not allowed to write there.";
    return failed.value() == EROFS ? "The disk is read-only." : failed.message() + ".";
}

} // namespace

FileLock takeLock(const fs::path& path) {
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed)
        return {nullptr, false, false, reason(failed)};
    auto lock = std::make_unique<QLockFile>(toQString(path));
    lock->setStaleLockTime(0);
    if (lock->tryLock(0))
        return {std::move(lock), false, false, {}};
    if (lock->error() != QLockFile::LockFailedError)
        return {nullptr, false, false,
                lock->error() == QLockFile::PermissionError ? "You are not allowed to write there."
                                                            : "No file can be made there."};
    qint64 process = 0;
    QString host, program;
    const bool ending = lock->getLockInfo(&process, &host, &program) && isEnding(process);
    return {nullptr, !ending, ending, {}};
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
