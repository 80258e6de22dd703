#include "core/io/safe_save.h"

#include "core/base/pieces.h"
#include "core/io/temporaries.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <QFile>
#include <QSaveFile>
#endif

namespace limber::io {

namespace {

Error failed(ErrorCode code, const std::filesystem::path& path, const std::string& text) {
    return {code, text, path.string()};
}

#if defined(__unix__) || defined(__APPLE__)

std::string reason(int number) {
    switch (number) {
    case ENOSPC:
        return "The disk is full.";
    case EDQUOT:
        return "Your disk quota is used up.";
    case EROFS:
        return "The disk is read-only.";
    case EACCES:
    case EPERM:
        return "You are not allowed to do this here; choose another folder or change its permissions.";
    case ENOENT:
        return "There is no such file or folder.";
    case ENOTDIR:
        return "A part of the path is not a folder.";
    case EISDIR:
        return "This is a folder.";
    case ENAMETOOLONG:
        return "The name is too long.";
    case EFBIG:
        return "The file is larger than this disk allows.";
    case EIO:
        return "The disk reported an input/output error.";
    default:
        return "The system reported: " + std::generic_category().message(number) + ".";
    }
}

// A file descriptor that closes itself; close() tells whether that went well.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ >= 0)
            ::close(value_);
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool close() { return ::close(std::exchange(value_, -1)) == 0; }

private:
    int value_;
};

// Removes the temporary unless it became the file.
class Temporary {
public:
    explicit Temporary(std::string path) : path_(std::move(path)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (!path_.empty())
            ::unlink(path_.c_str());
    }
    void keep() { path_.clear(); }

private:
    std::string path_;
};

bool writeAll(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        constexpr std::size_t kPiece = std::size_t(1) << 26;
        const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), kPiece));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (written == 0)
                errno = EIO;
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

// The permissions of the file that is replaced.
std::optional<mode_t> permissionsOf(const std::filesystem::path& target) {
    struct stat present {};
    return ::stat(target.c_str(), &present) == 0 ? std::optional<mode_t>(present.st_mode & 07777) : std::nullopt;
}

// A new file beside the target, under a name that is put into `name`. The user's mask is for the system to apply:
// asking for it would change it for a moment, for all threads.
int openTemporary(const std::filesystem::path& folder, mode_t permissions, std::string& name) {
    constexpr int kTries = 100;
    for (int n = 0; n < kTries; ++n) {
        name = temporaryName(folder);
        const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
        // Sweeping leaves it alone while this is held, on another machine or in a container too.
        if (file >= 0)
            (void)::flock(file, LOCK_EX | LOCK_NB);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

#endif

} // namespace

std::filesystem::path backupPath(const std::filesystem::path& path, int number) {
    std::filesystem::path backup = path;
    backup += "." + std::to_string(number) + "~";
    return backup;
}

#if defined(__unix__) || defined(__APPLE__)

namespace {

// Why nothing can be written there; empty where it can.
std::string obstacle(const std::filesystem::path& target) {
    struct stat present {};
    if (::stat(target.c_str(), &present) != 0)
        return {};
    if (S_ISDIR(present.st_mode))
        return reason(EISDIR);
    if (!S_ISREG(present.st_mode))
        return "This is a device or a pipe, not a file.";
    return ::access(target.c_str(), W_OK) != 0 ? reason(errno) : std::string();
}

// The present file becomes NAME.1~ as well (a second name of the same file: it is never gone); older ones move on.
bool keepPrevious(const std::filesystem::path& target, int backups) {
    if (backups <= 0 || ::access(target.c_str(), F_OK) != 0)
        return true;
    for (int k = backups; k > 1; --k)
        if (::rename(backupPath(target, k - 1).c_str(), backupPath(target, k).c_str()) != 0 && errno != ENOENT)
            return false;
    const std::filesystem::path newest = backupPath(target, 1);
    if (::unlink(newest.c_str()) != 0 && errno != ENOENT)
        return false;
    if (::link(target.c_str(), newest.c_str()) == 0)
        return true;
    if (errno != EPERM && errno != ENOTSUP && errno != EMLINK)
        return false;
    // A file system without second names.
    const Result<std::vector<std::byte>> bytes = readFile(target);
    const bool copied = bytes && safeSave(newest, *bytes).ok();
    errno = EIO;
    return copied;
}

} // namespace

Status safeSave(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces,
                const SaveOptions& options) {
    namespace fs = std::filesystem;
    std::error_code unused;
    // A link is written through, so that it stays a link.
    const fs::path real = fs::is_symlink(path, unused) ? fs::weakly_canonical(path, unused) : path;
    const fs::path target = real.empty() ? path : real;
    const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
    if (const std::string why = obstacle(target); !why.empty())
        return failed(ErrorCode::WriteFailed, path, why);

    std::string name;
    const std::optional<mode_t> permissions = permissionsOf(target);
    Descriptor file(openTemporary(folder, permissions ? 0600 : 0666, name));
    if (file.get() < 0)
        return failed(ErrorCode::WriteFailed, path, reason(errno));
    Temporary temporary(name);
    const auto written = [&](std::span<const std::byte> piece) { return writeAll(file.get(), piece); };
    if (!std::all_of(pieces.begin(), pieces.end(), written) ||
        (permissions && ::fchmod(file.get(), *permissions) != 0) || ::fsync(file.get()) != 0)
        return failed(ErrorCode::WriteFailed, path, reason(errno));
    if (!file.close())
        return failed(ErrorCode::WriteFailed, path, reason(errno));
    if (!keepPrevious(target, options.backups))
        return failed(ErrorCode::WriteFailed, path,
                      "The previous file could not be kept, so nothing was saved. " + reason(errno));
    if (::rename(name.c_str(), target.c_str()) != 0)
        return failed(ErrorCode::WriteFailed, path, reason(errno));
    temporary.keep();
    if (options.replaced)
        *options.replaced = true;

    Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems cannot flush a folder; the file itself is whole on the disk by now.
    if (handle.get() < 0 || (::fsync(handle.get()) != 0 && errno != EINVAL && errno != ENOTSUP))
        return failed(ErrorCode::WriteFailed, path,
                      "The file was written, but its folder was not flushed. " + reason(errno));
    sweepTemporaries(folder);
    return {};
}

namespace {

// Fills `bytes` from `offset` of the file on.
Status readPiece(int file, std::size_t offset, std::span<std::byte> bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t got = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed(ErrorCode::InputRefused, path, reason(errno));
        if (got == 0)
            return failed(ErrorCode::InputRefused, path, "The file became shorter while it was read; try again.");
        offset += static_cast<std::size_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

// Bytes: std::vector<std::byte> or FileBytes, of a given size.
template <class Bytes, class Fill>
Result<Bytes> readWhole(const std::filesystem::path& path, std::uintmax_t limitBytes, const Fill& fill) {
    // Not blocking: opening a pipe must not wait for its other end.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts {};
    if (file.get() < 0 || ::fstat(file.get(), &facts) != 0)
        return failed(ErrorCode::InputRefused, path, reason(errno));
    if (S_ISDIR(facts.st_mode))
        return failed(ErrorCode::InputRefused, path, reason(EISDIR));
    if (!S_ISREG(facts.st_mode))
        return failed(ErrorCode::InputRefused, path, "This is a device or a pipe, not a file.");
    if (static_cast<std::uintmax_t>(facts.st_size) > limitBytes)
        return failed(ErrorCode::InputRefused, path,
                      "The file has " + std::to_string(facts.st_size) + " bytes; at most " +
                          std::to_string(limitBytes) + " are read.");
    Bytes bytes(static_cast<std::size_t>(facts.st_size));
    if (const Status read = fill(file.get(), bytes); !read)
        return read.error();
    return bytes;
}

} // namespace

Result<std::vector<std::byte>> readFile(const std::filesystem::path& path, std::uintmax_t limitBytes) {
    return readWhole<std::vector<std::byte>>(
        path, limitBytes, [&](int file, std::vector<std::byte>& bytes) { return readPiece(file, 0, bytes, path); });
}

Result<FileBytes> readFileBytes(const std::filesystem::path& path, std::uintmax_t limitBytes) {
    constexpr std::size_t kPiece = std::size_t(2) << 20; // a large page: no two threads wait for the same one
    return readWhole<FileBytes>(path, limitBytes, [&](int file, FileBytes& bytes) {
        std::vector<Status> pieces((bytes.size() + kPiece - 1) / kPiece);
        inPieces(bytes.size(), kPiece, [&](std::size_t first, std::size_t end) {
            pieces[first / kPiece] = readPiece(file, first, bytes.writable().subspan(first, end - first), path);
        });
        const auto bad = std::find_if(pieces.begin(), pieces.end(), [](const Status& s) { return !s.ok(); });
        return bad == pieces.end() ? Status() : *bad;
    });
}

#else

Status safeSave(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces,
                const SaveOptions& options) {
    std::error_code ignored;
    for (int k = options.backups; k > 1; --k)
        std::filesystem::rename(backupPath(path, k - 1), backupPath(path, k), ignored);
    if (options.backups > 0)
        std::filesystem::copy_file(path, backupPath(path, 1), std::filesystem::copy_options::overwrite_existing,
                                   ignored);
    QSaveFile file(QString::fromStdU16String(path.u16string()));
    const auto written = [&](std::span<const std::byte> piece) {
        const auto length = static_cast<qint64>(piece.size());
        return file.write(reinterpret_cast<const char*>(piece.data()), length) == length;
    };
    if (!file.open(QIODevice::WriteOnly) || !std::all_of(pieces.begin(), pieces.end(), written) || !file.flush() ||
        !file.commit())
        return failed(ErrorCode::WriteFailed, path, file.errorString().toStdString());
    if (options.replaced)
        *options.replaced = true;
    return {};
}

Result<std::vector<std::byte>> readFile(const std::filesystem::path& path, std::uintmax_t limitBytes) {
    QFile file(QString::fromStdU16String(path.u16string()));
    std::error_code unused;
    if (!std::filesystem::is_regular_file(path, unused) || !file.open(QIODevice::ReadOnly))
        return failed(ErrorCode::InputRefused, path,
                      "This is not a file that can be read. " + file.errorString().toStdString());
    if (static_cast<std::uintmax_t>(file.size()) > limitBytes)
        return failed(ErrorCode::InputRefused, path, "The file is too large.");
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
    if (file.read(reinterpret_cast<char*>(bytes.data()), file.size()) != file.size())
        return failed(ErrorCode::InputRefused, path, file.errorString().toStdString());
    return bytes;
}

Result<FileBytes> readFileBytes(const std::filesystem::path& path, std::uintmax_t limitBytes) {
    Result<std::vector<std::byte>> bytes = readFile(path, limitBytes);
    return bytes ? Result<FileBytes>(std::move(*bytes)) : Result<FileBytes>(bytes.error());
}

#endif

FileBytes::FileBytes(std::size_t size) : data_(std::make_shared_for_overwrite<std::byte[]>(size)), size_(size) {}

FileBytes::FileBytes(std::vector<std::byte> bytes) : size_(bytes.size()) {
    const auto owner = std::make_shared<std::vector<std::byte>>(std::move(bytes));
    data_ = std::shared_ptr<std::byte[]>(owner, owner->data());
}

Status safeSave(const std::filesystem::path& path, std::span<const std::byte> bytes, const SaveOptions& options) {
    return safeSave(path, std::span(&bytes, 1), options);
}

} // namespace limber::io
