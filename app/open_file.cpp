#include "app/open_file.h"

#include "app/import_worker.h"
#include "core/io/asset_path.h"
#include "core/io/mannequin.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace limber::app {

namespace fs = std::filesystem;

namespace {

Error refused(const fs::path& path, std::string text) {
    return {ErrorCode::InputRefused, std::move(text), path.string()};
}

// The first bytes of a regular file that is there, readable and not empty.
Result<std::string> peek(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return refused(path, errno == ENOENT ? "There is no such file."
                                             : std::string("The file cannot be opened: ") + std::strerror(errno) + ".");
    if (S_ISDIR(info.st_mode))
        return refused(path, "This is a folder; name a file.");
    if (!S_ISREG(info.st_mode))
        return refused(path, "This is a device or a pipe; only regular files are opened.");
    if (info.st_size == 0)
        return refused(path, "The file is empty.");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return refused(path, std::string("The file cannot be read: ") + std::strerror(errno) + ".");
    char bytes[512];
    const ssize_t n = ::read(file, bytes, sizeof bytes);
    ::close(file);
    if (n < 0)
        return refused(path, std::string("The file cannot be read: ") + std::strerror(errno) + ".");
    return std::string(bytes, static_cast<std::size_t>(n));
}

// The format of a file that only bears the name of a glTF file; empty where its start is of no other known kind.
std::string otherFormat(const std::string& start) {
    if (start.starts_with("Kaydara FBX Binary") || start.starts_with("; FBX"))
        return "fbx";
    if (start.find("<COLLADA") != start.npos)
        return "dae";
    if (start.starts_with("xof "))
        return "x";
    if (start.starts_with("HIERARCHY"))
        return "bvh";
    if (start.starts_with("MD5Version"))
        return "md5mesh";
    return {};
}

bool isGltf(const fs::path& path, const std::string& start) {
    const std::string extension = io::lowerExtension(path);
    const bool named = extension == ".glb" || extension == ".gltf";
    return start.starts_with("glTF") || (named && otherFormat(start).empty());
}

} // namespace

Result<io::LoadedFile> openFile(const fs::path& path, const OpenProgress& progress) {
    const auto start = peek(path);
    if (!start)
        return start.error();
    if (progress.report)
        progress.report(0, "Reading");
    if (isGltf(path, *start)) {
        auto loaded = io::loadGltf(path);
        if (progress.cancelled && progress.cancelled->load())
            return Error{ErrorCode::Cancelled, "Opening was cancelled.", path.string()};
        return loaded;
    }
    std::error_code error;
    const fs::path absolute = fs::canonical(path, error);
    if (error)
        return refused(path, "The file cannot be opened: " + error.message() + ".");
    auto loaded = importInWorker(absolute, progress);
    if (loaded) {
        if (loaded->format == "glb" || loaded->format == "gltf")
            loaded->format = otherFormat(*start);
        return loaded;
    }
    Error failure = loaded.error(); // names the file as the caller did
    if (failure.where.starts_with(absolute.string()))
        failure.where.replace(0, absolute.string().size(), path.string());
    return failure;
}

Result<io::LoadedFile> openMannequin() {
    auto bytes = io::mannequinGlb();
    if (!bytes)
        return bytes.error();
    return io::loadGlb(std::move(bytes).value(), "glb");
}

} // namespace limber::app
