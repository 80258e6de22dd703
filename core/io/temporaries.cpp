#include "core/io/temporaries.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#if defined(__unix__) || defined(__APPLE__)
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace limber::io {

#if defined(__unix__) || defined(__APPLE__)

namespace {

constexpr std::string_view kPrefix = ".limber-save-";
constexpr std::size_t kLetterCount = 6;

bool isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The process in the name of a temporary; nothing where it is no such name.
std::optional<pid_t> processOf(std::string_view name) {
    if (!name.starts_with(kPrefix))
        return std::nullopt;
    name.remove_prefix(kPrefix.size());
    pid_t process = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc() || process <= 0)
        return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (name.size() != 1 + kLetterCount || name[0] != '-' ||
        !std::all_of(name.begin() + 1, name.end(), isLetterOrDigit))
        return std::nullopt;
    return process;
}

bool isGone(pid_t process) {
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

// Somebody writes it, on another machine perhaps, whose processes have other numbers.
bool isWritten(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    const bool held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return held;
}

bool isLeftOver(const std::filesystem::path& path) {
    const std::optional<pid_t> process = processOf(path.filename().native());
    struct stat facts {};
    if (!process || ::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid())
        return false;
    const auto written = std::chrono::system_clock::from_time_t(facts.st_mtime);
    const bool old = std::chrono::system_clock::now() - written > std::chrono::hours(24);
    return (old || isGone(*process)) && !isWritten(path);
}

} // namespace

std::string temporaryName(const std::filesystem::path& folder) {
    static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    static std::atomic<std::uint64_t> count = 0;
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::uint64_t number = now + ++count * 0x9e3779b97f4a7c15u; // names in quick succession differ in all letters
    std::string name = std::string(kPrefix) + std::to_string(::getpid()) + '-';
    for (std::size_t k = 0; k < kLetterCount; ++k, number /= kLetters.size())
        name += kLetters[number % kLetters.size()];
    return (folder / name).string();
}

std::size_t sweepTemporaries(const std::filesystem::path& folder) {
    std::size_t removed = 0;
    std::error_code failed;
    std::filesystem::directory_iterator entry(folder.empty() ? std::filesystem::path(".") : folder, failed);
    for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed))
        if (isLeftOver(entry->path()) && ::unlink(entry->path().c_str()) == 0)
            ++removed;
    return removed;
}

#else

// QSaveFile names and removes its own.
std::size_t sweepTemporaries(const std::filesystem::path&) {
    return 0;
}

#endif

} // namespace limber::io
